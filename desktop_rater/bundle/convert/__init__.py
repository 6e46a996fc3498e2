"""Public formats that bundles are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.convert import factcheck_bench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_rater.bundle.convert.converted import Converted
    from desktop_rater.bundle.convert.source import Records

FORMATS: dict[str, Callable[[Records], Iterator[Converted]]] = {
    "factcheck-bench": factcheck_bench.convert,
}
