"""Public formats that bundles are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.convert import factcheck_bench, haluquestqa, toolbench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_rater.bundle.convert.converted import Converted, Omitted
    from desktop_rater.bundle.convert.source import Records

FORMATS: dict[str, Callable[[Records], Iterator[Converted | Omitted]]] = {
    "factcheck-bench": factcheck_bench.convert,
    "haluquestqa": haluquestqa.convert,
    "toolbench": toolbench.convert,
}

RUBRICS: dict[str, str] = {
    "factcheck-bench": factcheck_bench.RUBRIC,
    "haluquestqa": haluquestqa.RUBRIC,
    "toolbench": toolbench.RUBRIC,
}
"""The rubric that a bundle of the format asks, where nothing else is said."""
