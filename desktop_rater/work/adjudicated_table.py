"""What was decided as rows: one for each question at each place, with where the value comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.judged import judged_questions
from desktop_rater.bundle.results_out.columns import Column
from desktop_rater.model.difference import place_named
from desktop_rater.model.strict_json import read_object, read_struct
from desktop_rater.model.task import Task
from desktop_rater.rubric.words import answer_words
from desktop_rater.store import received
from desktop_rater.work.as_rated import Places
from desktop_rater.work.audit_desk import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop_rater.audit.adjudication import Decision
    from desktop_rater.audit.filed import Audit
    from desktop_rater.audit.judged import Judged, Value
    from desktop_rater.audit.reviews import Reviews
    from desktop_rater.bundle.results_out.rows import Row
    from desktop_rater.rubric import Rubric
    from desktop_rater.store.store import Store

COLUMNS = (
    Column("bundle"),
    Column("rubric"),
    Column("task"),
    Column("where"),
    Column("response"),
    Column("target"),
    Column("start", "whole"),
    Column("end", "whole"),
    Column("text"),
    Column("question"),
    Column("value", "any"),
    Column("label"),
    Column("is_label", "flag"),
    Column("source"),
    Column("how"),
    Column("votes_for", "whole"),
    Column("votes_against", "whole"),
    Column("lead"),
    Column("comment"),
    Column("gold", "any"),
)


def rows(store: Store, audit: Audit, reviews: Reviews, decisions: Iterable[Decision]) -> Iterator[Row]:
    """A row for each decision; `gold` is what the gold says there, and decides nothing.

    Of several gold answers it is that of the one which says the same, else of the first.
    """
    rubric = audit.rubric
    questions = {one.id: one for one in judged_questions(rubric)}
    language = language_of(store, audit)
    head = {"bundle": audit.bundle, "rubric": audit.rubric.ref}
    task: Task | None = None
    for one in decisions:
        if task is None or task.id != one.task:
            line = received.text(store, audit.texts[one.task])
            task = Places(read_struct(read_object(line), Task), audit.rubric, language).all
        question = questions[one.question]
        said = (question.value(values.get(one.where, {})) for values in reviews.gold.get(one.task, ()))
        golds = [value for value in said if value is not None]
        gold = one.value if one.value in golds else next(iter(golds), None)
        gold_there = {"gold": plain(rubric, question, gold)}
        yield {**head, "task": one.task, **_place(task, one.where), **_decided(rubric, question, one), **gold_there}


def _place(task: Task, where: str) -> Row:
    place = place_named(where)
    target = task.target(place.target) if place.target is not None else None
    return {
        "where": where,
        "response": place.response if target is None else target.response,
        "target": place.target,
        "start": None if target is None else target.start,
        "end": None if target is None else target.end,
        "text": None if target is None else target.quote,
    }


def _decided(rubric: Rubric, question: Judged, one: Decision) -> Row:
    return {
        "question": one.question,
        "value": plain(rubric, question, one.value),
        "label": words(rubric, question, one.value),
        "is_label": one.label,
        "source": one.source,
        "how": one.how or None,
        "votes_for": one.votes_for,
        "votes_against": one.against,
        "lead": one.lead or None,
        "comment": one.comment or None,
    }


def plain(rubric: Rubric, question: Judged, value: Value | None) -> Any:
    """A value as it is answered: several choices are a list again, and whole numbers are whole."""
    if isinstance(value, str):
        return msgspec.json.decode(value) if _is_several(rubric, question) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def words(rubric: Rubric, question: Judged, value: Value | None) -> str | None:
    """A value as it is read."""
    if value is None:
        return None
    if _is_several(rubric, question):
        return answer_words(rubric.questions[question.question].question, plain(rubric, question, value))
    return question.words(value)


def _is_several(rubric: Rubric, question: Judged) -> bool:
    return rubric.questions[question.question].question.kind == "choices"
