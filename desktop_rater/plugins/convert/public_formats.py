"""Converters of public formats to bundles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from desktop_rater.plugins.convert import chat
from desktop_rater.plugins.convert.conversion import ConvertedRecord, OmittedRecord
from desktop_rater.plugins.convert.formats import (
    azure_fields,
    azure_test_sets,
    expertqa,
    factcheck_bench,
    haluquestqa,
    label_studio,
    toolbench,
)

if TYPE_CHECKING:
    from desktop_rater.plugins.convert.source import SourceRecords


FORMATS: dict[str, Callable[[SourceRecords], Iterator[ConvertedRecord | OmittedRecord]]] = {
    "azure-conversation": azure_test_sets.convert_conversations,
    "azure-qa": azure_test_sets.convert_questions,
    chat.CHAT: chat.convert,
    "expertqa": expertqa.convert,
    "factcheck-bench": factcheck_bench.convert,
    "haluquestqa": haluquestqa.convert,
    "label-studio": label_studio.convert,
    "toolbench": toolbench.convert,
}

CONVERSATIONS: dict[str, Callable[..., Iterator[ConvertedRecord | OmittedRecord]]] = {
    "azure-conversation": azure_test_sets.convert_conversations,
    chat.CHAT: chat.convert,
}
"""Formats of conversations, whose converters take the `turns` that become tasks."""

RUBRICS: dict[str, str] = {
    "azure-conversation": azure_fields.RUBRIC,
    "azure-qa": azure_fields.RUBRIC,
    chat.CHAT: chat.RUBRIC,
    "expertqa": expertqa.RUBRIC,
    "factcheck-bench": factcheck_bench.RUBRIC,
    "haluquestqa": haluquestqa.RUBRIC,
    "label-studio": label_studio.RUBRIC,
    "toolbench": toolbench.RUBRIC,
}
"""Default rubric of each format."""
