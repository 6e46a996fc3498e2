"""Rows and columns of results: a row for each statement of a rating, or for each rated item."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from desktop_rater.format.edit import parse_place
from desktop_rater.format.errors import BundleFault
from desktop_rater.format.rating import (
    CONTRADICTING,
    NEUTRAL,
    SUPPORTING,
    ClaimSpan,
    DecidedValue,
    Evidence,
    LibraryName,
    Problem,
    Rating,
)
from desktop_rater.format.rubric import Question, Scope
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.format.task import Response, Task
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import is_number
from desktop_rater.rubric.load import format_answer


class RatedTask(msgspec.Struct, frozen=True, kw_only=True):
    """Task with its exported rating, and the bundle it comes from."""

    bundle: str
    revision: int
    rubric: Rubric
    task: Task
    rating: Rating

    def decided(self, where: str) -> dict[str, DecidedValue]:
        """Return the values decided by facts at a place: question → decision."""
        return self.rating.decided.get(where, {})

    def labels(self, where: str, answers: dict[str, Any]) -> dict[str, Any]:
        """Return the effective values at a place in the order of the rubric: answered, otherwise decided."""
        decided = self.decided(where)
        return {
            name: answers.get(name, decided[name].value if name in decided else None)
            for name in self.rubric.order
            if name in answers or name in decided
        }


class ExportUnit(msgspec.Struct, frozen=True, kw_only=True):
    """Unit with its answers. `where` is the place as in problems, `text` its text. Offsets are code points.

    `spans` are those of a claim; its `start` and `end` reach from the first to the last.
    """

    scope: Scope
    where: str
    response: str | None = None
    target: str | None = None
    claim: str | None = None
    start: int | None = None
    end: int | None = None
    spans: tuple[ClaimSpan, ...] = ()
    text: str | None = None
    answers: dict[str, Any] = {}


def export_units(rated: RatedTask) -> Iterator[ExportUnit]:
    """Yield all units of a task, in order: a target after its response, and its claims after it."""
    given = rated.rating.answers
    yield ExportUnit(scope="task", where="task", answers=given.task)
    for response in rated.task.responses:
        answers = given.responses.get(response.id, {})
        yield ExportUnit(scope="response", where=f"responses/{response.id}", response=response.id, answers=answers)
        for target in rated.task.targets or ():
            if target.response == response.id:
                where = f"targets/{target.id}"
                yield ExportUnit(
                    scope="target",
                    where=where,
                    response=response.id,
                    target=target.id,
                    start=target.start,
                    end=target.end,
                    text=target.quote,
                    answers=given.targets.get(target.id, {}),
                )
                yield from _claims(rated, response, target.id)


def _claims(rated: RatedTask, response: Response, target: str) -> Iterator[ExportUnit]:
    for claim in rated.rating.claims.get(target, ()):
        ranges = claim.ranges_in(response.text)
        yield ExportUnit(
            scope="claim",
            where=f"targets/{target}/claims/{claim.id}",
            response=response.id,
            target=target,
            claim=claim.id,
            start=min((start for start, _end in ranges), default=None),
            end=max((end for _start, end in ranges), default=None),
            spans=tuple(ClaimSpan(start=start, end=end, quote=response.text[start:end]) for start, end in ranges),
            text=claim.text,
            answers=claim.answers,
        )


class TaskTexts:
    """Texts of the tasks by bundle, revision and id, which identify a task."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, int, str], int] = {}

    def add(self, rated: RatedTask) -> bool:
        """Return whether the task is new. Raises `BundleFault` if it has another text than before."""
        task, key = rated.task, (rated.bundle, rated.revision, rated.task.id)
        text = hash((task.prompt.text, *(response.text for response in task.responses)))
        if self._texts.get(key, text) != text:
            raise BundleFault(f"Task {task.id!r} of {key[0]} revision {key[1]} has different texts in two results")
        is_new = key not in self._texts
        self._texts[key] = text
        return is_new


def grouped_by_task(rated: Iterable[RatedTask]) -> list[list[RatedTask]]:
    """Return all ratings of each task. Raises `BundleFault` if a task has different texts."""
    texts = TaskTexts()
    groups: dict[tuple[str, int, str], list[RatedTask]] = {}
    for rated_task in rated:
        texts.add(rated_task)
        groups.setdefault((rated_task.bundle, rated_task.revision, rated_task.task.id), []).append(rated_task)
    return list(groups.values())


def task_names(groups: Sequence[Sequence[RatedTask]]) -> list[str]:
    """Return a different name for each task: its id, with its bundle and revision if necessary."""
    tasks = [group[0] for group in groups]
    names = [rated.task.id for rated in tasks]
    if len(set(names)) < len(names):
        names = [f"{rated.bundle}@{rated.revision}/{rated.task.id}" for rated in tasks]
    return names


ColumnKind = Literal["text", "whole", "number", "flag", "any", "time", "enum", "list"]

# Prefix of questions, which may have the name of another column.
ANSWER = "answer."


class ExportColumn(msgspec.Struct, frozen=True):
    """Column of a table. `enum`: one of few texts; `list`: texts; `any`: a text, a number, or several choices."""

    name: str
    kind: ColumnKind = "text"


def columns_of_kinds(**kinds: ColumnKind) -> tuple[ExportColumn, ...]:
    """Return a column for each name → kind."""
    return tuple(ExportColumn(name, kind) for name, kind in kinds.items())


_TASK = columns_of_kinds(
    bundle="enum", revision="whole", rubric="enum", rater="enum", task="text", status="enum", changed="time"
)
_PLACE = columns_of_kinds(response="text", target="text", claim="text", start="whole", end="whole", text="text")
_VALUE = columns_of_kinds(
    question="enum", value="any", label="text", number="number", answered="flag", decided="any", by="enum"
)
_EVIDENCE = columns_of_kinds(
    evidence="text", url="text", title="text", quote="text", opened="time", snapshot="text", library="text"
)
_COUNTED = columns_of_kinds(supporting="whole", contradicting="whole", neutral="whole", active_seconds="number")
_NOTES = columns_of_kinds(reason="enum", note="text")
LONG_COLUMNS = (*_TASK, ExportColumn("kind", "enum"), *_PLACE, *_VALUE, *_EVIDENCE, *_NOTES)


def wide_columns(rubrics: Iterable[Rubric]) -> tuple[ExportColumn, ...]:
    """Return the wide columns, with one for each question of the rubrics; questions with the same id share a column."""
    kinds: dict[str, ColumnKind] = {}
    for rubric in rubrics:
        for asking in rubric.questions.values():
            name = ANSWER + asking.question.id
            kind = _kind(asking.question)
            kinds[name] = kind if kinds.get(name, kind) == kind else "any"
    return (*_TASK, ExportColumn("unit", "enum"), *_PLACE, *columns_of_kinds(**kinds), *_COUNTED)


def as_text(value: Any) -> str:
    """Convert a value of any column to text: several choices as a JSON list."""
    if isinstance(value, str):
        return value
    return canonical_json(list(value) if isinstance(value, tuple) else value).decode()


def values_in_order(row: Mapping[str, Any], columns: Iterable[ExportColumn]) -> list[Any]:
    """Return the values of a row in the order of the columns; `None` if missing."""
    return [row.get(column.name) for column in columns]


def _kind(question: Question) -> ColumnKind:
    match question.kind:
        case "scale" | "number":
            return "number"
        case "choices":
            return "list"
        case "choice":
            return "enum"
    return "text"


Row = dict[str, Any]


def long_rows(rated: RatedTask) -> Iterator[Row]:
    """Yield a row for each claim, answer and piece of evidence, and for the other parts of the rating."""
    head = _head(rated)
    for unit in export_units(rated):
        if unit.scope == "claim":  # a row of its own: it may have no answer
            yield {**head, "kind": "claim", **_place(unit)}
        for name, value in rated.labels(unit.where, unit.answers).items():
            yield {**head, "kind": "answer", **_place(unit), **_answer(rated, unit, name, value)}
    rating = rated.rating
    for piece in rating.evidence:
        yield from ({**head, "kind": "evidence", **row} for row in _piece(rated, piece))
    yield from ({**head, "kind": "link", **row} for row in _links(rating))
    yield from ({**head, "kind": "research", **row} for row in _research(rated))
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


def wide_rows(rated: RatedTask) -> Iterator[Row]:
    """Yield a row for the task, and for each response, target and claim that the rubric refers to."""
    head = _head(rated)
    wanted = _scopes(rated.rubric)
    for unit in export_units(rated):
        if unit.scope in wanted:
            labels = rated.labels(unit.where, unit.answers)
            answers = {ANSWER + name: value for name, value in labels.items()}
            yield {**head, "unit": unit.scope, **_place(unit), **answers, **_counted(rated, unit)}


def _scopes(rubric: Rubric) -> set[Scope]:
    wanted: set[Scope] = {"task", *(scope for scope, questions in rubric.questions_by_scope.items() if questions)}
    if rubric.questions_by_scope["claim"] or rubric.file.claims is not None:
        wanted |= {"target", "claim"}
    if rubric.file.evidence is not None:
        wanted.add(rubric.file.evidence.per)
    return wanted


def _head(rated: RatedTask) -> Row:
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


def _place(unit: ExportUnit) -> Row:
    return {column.name: getattr(unit, column.name) for column in _PLACE}


def _answer(rated: RatedTask, unit: ExportUnit, name: str, value: Any) -> Row:
    decided = rated.decided(unit.where).get(name)
    return {
        "question": name,
        "value": value,
        "label": value_label(rated.rubric.questions[name].question, value),
        "number": value if is_number(value) else None,
        "answered": name in unit.answers,
        "decided": decided.value if decided else None,
        "by": decided.by if decided else None,
    }


def value_label(question: Question, value: Any) -> str | None:
    """Return the rubric's text for a value: of a choice, an anchor or a scale level; `None` if there is none."""
    if isinstance(value, list | tuple):
        return format_answer(question, value)
    if is_number(value):
        anchor = next((anchor.label for anchor in question.anchors if anchor.at == value), None)
        return anchor or next((level.label for level in question.levels if value <= level.to), None)
    return next((choice.label for choice in question.choices if choice.id == value), None)


def _piece(rated: RatedTask, piece: Evidence) -> Iterator[Row]:
    """Yield a row for each claim that the evidence speaks of; one without a claim if it names none."""
    for claim in piece.claim_ids or (None,):
        yield {
            "response": piece.response or _response_of(rated, piece.target),
            "target": piece.target,
            "claim": claim,
            "value": piece.stance,
            "evidence": piece.id,
            "url": piece.url or None,
            "title": piece.title or None,
            "quote": piece.quote or None,
            "opened": piece.opened,
            "snapshot": piece.snapshot,
            "library": libraries_cell(piece.library),
            "reason": piece.reason,
            "note": piece.note or None,
        }


def libraries_cell(*libraries: LibraryName | None) -> str | None:
    """Return offline libraries with their dates: "Wikipedia, 2026-03-01; Papers"."""
    names = (", ".join(filter(None, (library.name, library.date))) for library in libraries if library is not None)
    return "; ".join(names) or None


def _links(rating: Rating) -> Iterator[Row]:
    for url, verdict in rating.link_verdicts.items():
        yield {"url": url, "question": "verdict", "value": verdict}
    for url in rating.links_counted:
        yield {"url": url, "question": "opened", "value": "counted"}


def _research(rated: RatedTask) -> Iterator[Row]:
    for entry in rated.rating.research:
        yield {
            "response": entry.response or _response_of(rated, entry.target),
            "target": entry.target,
            "question": entry.kind,
            "value": entry.query or entry.outcome,
            "number": entry.seconds,
            "url": entry.url,
            "title": entry.title,
            "opened": entry.at,
            "note": entry.engine,
            "library": libraries_cell(*entry.libraries or ()),
        }


def _problem(rated: RatedTask, problem: Problem) -> Row:
    place = parse_place(problem.where)
    words = (
        acknowledgement.comment
        for acknowledgement in rated.rating.acknowledged
        if (acknowledgement.rule, acknowledgement.where) == (problem.rule, problem.where)
    )
    return {
        "response": place.response or _response_of(rated, place.target),
        "target": place.target,
        "claim": place.claim,
        "evidence": place.evidence,
        "question": problem.rule,
        "value": problem.level,
        "note": next(words, None) or None,
    }


def _response_of(rated: RatedTask, name: str | None) -> str | None:
    target = rated.task.target(name) if name is not None else None
    return target.response if target is not None else None


def _times(rated: RatedTask) -> Iterator[tuple[Row, float]]:
    time = rated.rating.time
    yield {"question": "active_seconds"}, time.active_seconds
    yield {"question": "idle_seconds"}, time.idle_seconds
    for name, seconds in time.targets.items():
        response = _response_of(rated, name)
        yield {"question": "active_seconds", "response": response, "target": name}, seconds


def _counted(rated: RatedTask, unit: ExportUnit) -> Row:
    """Return the numbers that can be summed: evidence and seconds of this unit only, without nested units."""
    claims = {claim.id for claim in rated.rating.claims.get(unit.target or "", ())}
    here = [piece for piece in rated.rating.evidence if _hangs_on(piece, unit, claims)]
    time = rated.rating.time
    spent = {"task": time.active_seconds, "target": time.targets.get(unit.target or "")}
    return {
        "supporting": sum(piece.stance == SUPPORTING for piece in here),
        "contradicting": sum(piece.stance == CONTRADICTING for piece in here),
        "neutral": sum(piece.stance == NEUTRAL for piece in here),
        "active_seconds": spent.get(unit.scope),
    }


def _hangs_on(piece: Evidence, unit: ExportUnit, claims: set[str]) -> bool:
    """Return whether evidence belongs to a unit; evidence of a missing claim belongs to the target."""
    if unit.scope == "response":
        return piece.response == unit.response and piece.target is None
    if unit.target is None or piece.target != unit.target:
        return False
    return unit.claim in piece.claim_ids if unit.claim is not None else claims.isdisjoint(piece.claim_ids)
