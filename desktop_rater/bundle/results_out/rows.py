"""Results as rows: the long form has one for each answer, the wide one for each thing that is rated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.results_out.columns import ANSWER
from desktop_rater.bundle.results_out.units import Unit, units
from desktop_rater.model.difference import place_named
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.rubric.values import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.bundle.results_out.rated import Rated
    from desktop_rater.model.rating import Evidence, Problem
    from desktop_rater.model.rubric import Question, Scope
    from desktop_rater.rubric import Rubric

Row = dict[str, Any]


def long_rows(rated: Rated) -> Iterator[Row]:
    """A row for each claim and each answer, then for each piece of evidence, and for what else the rating says."""
    head = _head(rated)
    for unit in units(rated):
        if unit.scope == "claim":  # a row of its own: it may have no answer
            yield {**head, "kind": "claim", **_place(unit)}
        for name, value in rated.labels(unit.where, unit.answers).items():
            yield {**head, "kind": "answer", **_place(unit), **_answer(rated, unit, name, value)}
    rating = rated.rating
    for piece in rating.evidence:
        yield {**head, "kind": "evidence", **_piece(rated, piece)}
    for name, border in rating.borders.items():
        fields = {"target": name, "start": border.start, "end": border.end, "text": border.quote}
        yield {**head, "kind": "border", **fields, "note": border.comment or None}
    for problem in rating.problems:
        yield {**head, "kind": "problem", **_problem(rated, problem)}
    if rating.skipped is not None or rating.status == "skipped":
        reason, comment = (rating.skipped.reason, rating.skipped.comment) if rating.skipped else ("", "")
        yield {**head, "kind": "skipped", "value": reason, "note": comment or None}
    if rating.note:
        yield {**head, "kind": "note", "note": rating.note}
    for name, seconds in _times(rated):
        yield {**head, "kind": "time", **name, "value": seconds, "number": seconds}


def wide_rows(rated: Rated) -> Iterator[Row]:
    """A row for the task, and for each response, target and claim that the rubric speaks of."""
    head = _head(rated)
    wanted = _scopes(rated.rubric)
    for unit in units(rated):
        if unit.scope in wanted:
            labels = rated.labels(unit.where, unit.answers)
            answers = {ANSWER + name: value for name, value in labels.items()}
            yield {**head, "unit": unit.scope, **_place(unit), **answers, **_counted(rated, unit)}


def _scopes(rubric: Rubric) -> set[Scope]:
    """What is asked about, what evidence hangs on, and what is split into claims."""
    wanted: set[Scope] = {"task", *(scope for scope, questions in rubric.asking.items() if questions)}
    if rubric.asking["claim"] or rubric.file.claims is not None:
        wanted |= {"target", "claim"}
    if rubric.file.evidence is not None:
        wanted.add(rubric.file.evidence.per)
    return wanted


def _head(rated: Rated) -> Row:
    rating = rated.rating
    return {
        "bundle": rated.bundle,
        "revision": rated.revision,
        "rubric": rating.rubric,
        "rater": rating.rater,
        "task": rating.task,
        "status": rating.status,
        "changed": rating.changed,
    }


def _place(unit: Unit) -> Row:
    return {
        "response": unit.response,
        "target": unit.target,
        "claim": unit.claim,
        "start": unit.start,
        "end": unit.end,
        "text": unit.text,
    }


def _answer(rated: Rated, unit: Unit, name: str, value: Any) -> Row:
    decided = rated.decided(unit.where).get(name)
    return {
        "question": name,
        "value": value,
        "label": label_of(rated.rubric.questions[name].question, value),
        "number": value if is_number(value) else None,
        "answered": name in unit.answers,
        "decided": decided.value if decided else None,
        "by": decided.by if decided else None,
    }


def label_of(question: Question, value: Any) -> str | None:
    """The rubric's words for a value: of a choice, of an anchor, of the level of a scale; `None` where it has none."""
    if isinstance(value, list | tuple):
        labels = {choice.id: choice.label for choice in question.choices}
        return ", ".join(str(labels.get(part, part)) for part in value)
    if is_number(value):
        anchor = next((anchor.label for anchor in question.anchors if anchor.at == value), None)
        return anchor or next((level.label for level in question.levels if value <= level.to), None)
    return next((choice.label for choice in question.choices if choice.id == value), None)


def _piece(rated: Rated, piece: Evidence) -> Row:
    return {
        "response": piece.response or _response_of(rated, piece.target),
        "target": piece.target,
        "claim": piece.claim,
        "value": piece.stance,
        "evidence": piece.id,
        "url": piece.url or None,
        "title": piece.title or None,
        "quote": piece.quote or None,
        "opened": piece.opened,
        "snapshot": piece.snapshot,
        "note": piece.note or None,
    }


def _problem(rated: Rated, problem: Problem) -> Row:
    at = place_named(problem.where)
    words = (one.comment for one in rated.rating.acknowledged if (one.rule, one.where) == (problem.rule, problem.where))
    return {
        "response": at.response or _response_of(rated, at.target),
        "target": at.target,
        "claim": at.claim,
        "evidence": at.evidence,
        "question": problem.rule,
        "value": problem.level,
        "note": next(words, None) or None,
    }


def _response_of(rated: Rated, name: str | None) -> str | None:
    target = rated.task.target(name) if name is not None else None
    return target.response if target is not None else None


def _times(rated: Rated) -> Iterator[tuple[Row, float]]:
    time = rated.rating.time
    yield {"question": "active_seconds"}, time.active_seconds
    yield {"question": "idle_seconds"}, time.idle_seconds
    for name, seconds in time.targets.items():
        response = _response_of(rated, name)
        yield {"question": "active_seconds", "response": response, "target": name}, seconds


def _counted(rated: Rated, unit: Unit) -> Row:
    """What can be added up: the pieces of evidence and the seconds of that very thing, and not of what is inside."""
    claims = {claim.id for claim in rated.rating.claims.get(unit.target or "", ())}
    here = [piece for piece in rated.rating.evidence if _hangs_on(piece, unit, claims)]
    time = rated.rating.time
    spent = {"task": time.active_seconds, "target": time.targets.get(unit.target or "")}
    return {
        "supporting": sum(piece.stance == SUPPORTING for piece in here),
        "contradicting": sum(piece.stance == CONTRADICTING for piece in here),
        "active_seconds": spent.get(unit.scope),
    }


def _hangs_on(piece: Evidence, unit: Unit, claims: set[str]) -> bool:
    """Of a claim that is not there it hangs on the target."""
    if unit.scope == "response":
        return piece.response == unit.response and piece.target is None
    claim = piece.claim if piece.claim in claims else None
    return unit.target is not None and (piece.target, claim) == (unit.target, unit.claim)
