"""Columns of a table, with the kind of what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_rater.model.canonical import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop_rater.model.rubric import Question
    from desktop_rater.rubric import Rubric

Kind = Literal["text", "whole", "number", "flag", "any"]

# A question may be called like a column of ours.
ANSWER = "answer."


class Column(msgspec.Struct, frozen=True):
    """`any`: a text, a number, or several choices."""

    name: str
    kind: Kind = "text"


_TASK = (
    Column("bundle"),
    Column("revision", "whole"),
    Column("rubric"),
    Column("rater"),
    Column("task"),
    Column("status"),
    Column("changed"),
)
_PLACE = (
    Column("response"),
    Column("target"),
    Column("claim"),
    Column("start", "whole"),
    Column("end", "whole"),
    Column("text"),
)

LONG = (
    *_TASK,
    Column("kind"),
    *_PLACE,
    Column("question"),
    Column("value", "any"),
    Column("label"),
    Column("number", "number"),
    Column("answered", "flag"),
    Column("decided", "any"),
    Column("by"),
    Column("evidence"),
    Column("url"),
    Column("title"),
    Column("quote"),
    Column("opened"),
    Column("snapshot"),
    Column("note"),
)

_COUNTED = (Column("supporting", "whole"), Column("contradicting", "whole"), Column("active_seconds", "number"))


def wide(rubrics: Iterable[Rubric]) -> tuple[Column, ...]:
    """A column for each question of the rubrics; questions with one id share theirs."""
    kinds: dict[str, Kind] = {}
    for rubric in rubrics:
        for asking in rubric.questions.values():
            name = ANSWER + asking.question.id
            kind = _kind(asking.question)
            kinds[name] = kind if kinds.get(name, kind) == kind else "any"
    return (*_TASK, Column("unit"), *_PLACE, *(Column(name, kind) for name, kind in kinds.items()), *_COUNTED)


def as_text(value: Any) -> str:
    """A value of a column of any kind as text: several choices as a JSON list."""
    if isinstance(value, str):
        return value
    return canonical(list(value) if isinstance(value, tuple) else value).decode()


def in_order(row: Mapping[str, Any], columns: Iterable[Column]) -> list[Any]:
    """The values of a row; `None` where it has none."""
    return [row.get(column.name) for column in columns]


def _kind(question: Question) -> Kind:
    match question.kind:
        case "scale" | "number":
            return "number"
        case "choices":
            return "any"
    return "text"
