"""Public formats that bundles are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.convert import (
    azure_conversation,
    azure_fields,
    azure_qa,
    expertqa,
    factcheck_bench,
    haluquestqa,
    label_studio,
    toolbench,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_rater.bundle.convert.converted import Converted, Omitted
    from desktop_rater.bundle.convert.source import Records

FORMATS: dict[str, Callable[[Records], Iterator[Converted | Omitted]]] = {
    "azure-conversation": azure_conversation.convert,
    "azure-qa": azure_qa.convert,
    "expertqa": expertqa.convert,
    "factcheck-bench": factcheck_bench.convert,
    "haluquestqa": haluquestqa.convert,
    "label-studio": label_studio.convert,
    "toolbench": toolbench.convert,
}

RUBRICS: dict[str, str] = {
    "azure-conversation": azure_fields.RUBRIC,
    "azure-qa": azure_fields.RUBRIC,
    "expertqa": expertqa.RUBRIC,
    "factcheck-bench": factcheck_bench.RUBRIC,
    "haluquestqa": haluquestqa.RUBRIC,
    "label-studio": label_studio.RUBRIC,
    "toolbench": toolbench.RUBRIC,
}
"""The rubric that a bundle of the format asks, where nothing else is said."""
