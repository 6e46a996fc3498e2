"""What was done to a rating, in words: "Target 7, claim 2, accuracy: Disputed"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop_rater.model.rating import Border, Evidence, Skipped
from desktop_rater.rubric.values import same
from desktop_rater.ui import moves, spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.history.looking_back import WENT_BACK
from desktop_rater.ui.preview.shown_url import host_of
from desktop_rater.ui.problems.ways_out import short_name
from desktop_rater.ui.skip_bar import reason_words
from desktop_rater.work.history import REDO, UNDO
from desktop_rater.work.rate import FROM_FILE

if TYPE_CHECKING:
    from desktop_rater.model.difference import Difference
    from desktop_rater.model.place import Place
    from desktop_rater.model.rubric import Question
    from desktop_rater.model.task import Task
    from desktop_rater.rubric import Rubric
    from desktop_rater.work.history import Told

translate = QCoreApplication.translate
LONGEST = 80


def all_words(told: Told, task: Task, rubric: Rubric) -> tuple[str, ...]:
    """Each thing that a revision changed."""
    if not told.revision:
        return (translate("History", "The task as it came"),)
    if told.rating is None:
        return (translate("History", "This state can't be read: what is stored was altered"),)
    if not told.differences:
        return (translate("History", "No answer changed"),)
    return tuple(words(one, task, rubric) for one in told.differences)


def way_words(told: Told) -> str:
    """How it came about, where the rater did not simply do it."""
    done = set(told.done)
    said = {
        UNDO: translate("History", "by Undo"),
        REDO: translate("History", "by Redo"),
        WENT_BACK: translate("History", "by going back"),
        FROM_FILE: translate("History", "from a file"),
    }
    return next((words for name, words in said.items() if name in done and len(done) == 1), "")


def words(one: Difference, task: Task, rubric: Rubric) -> str:
    """One thing, with its place in front."""
    what = _answer(one, rubric) if one.question else _what(one)
    place = place_words(one, task)
    if not place:
        return what[:1].upper() + what[1:]
    said = translate("History", "{place}, {what}") if one.question else translate("History", "{place}: {what}")
    return said.format(place=place, what=what)


def place_words(one: Difference, task: Task) -> str:
    """As in "Target 7, claim 2"; empty for the task as a whole."""
    place = one.place
    if place.target is None:
        return _response(place, task)
    number = _numbers(task).get(place.target)
    gone = translate("History", "Target {name}, which is no longer there").format(name=isolated(place.target[:LONGEST]))
    said = translate("History", "Target {n}").format(n=number) if number is not None else gone
    if place.claim is None or not one.claim_number:
        return said
    return translate("History", "{target}, claim {n}").format(target=said, n=one.claim_number)


def _response(place: Place, task: Task) -> str:
    if place.response is None:
        return ""
    if len(task.responses) < 2:
        return translate("History", "Response")
    return translate("History", "Response {name}").format(name=isolated(moves.spoken(place.response)[:LONGEST]))


def _numbers(task: Task) -> dict[str, int]:
    """How the targets are counted: through the responses, from the first word to the last."""
    order = {response.id: at for at, response in enumerate(task.responses)}
    targets = sorted(task.targets or (), key=lambda one: (order.get(one.response, 0), one.start or 0))
    return {target.id: number for number, target in enumerate(targets, 1)}


def _answer(one: Difference, rubric: Rubric) -> str:
    known = rubric.questions.get(one.question)
    name = _name(known.question, rubric) if known is not None else one.question[:LONGEST]
    if one.kind == "cleared":
        return translate("History", "{question}: no answer any more").format(question=name)
    value = _value(known.question if known is not None else None, one.value)
    return translate("History", "{question}: {value}").format(question=name, value=value)


def before_words(one: Difference, rubric: Rubric) -> str:
    """The answer that stood there before; empty where there was none."""
    value = one.value if one.kind == "cleared" else one.before
    if not one.question or value is None:
        return ""
    known = rubric.questions.get(one.question)
    return _value(known.question if known is not None else None, value)


def _name(question: Question, rubric: Rubric) -> str:
    """What a question is about; one that has no such name, or shares it with others, is quoted."""
    section = question.section
    alone = sum(known.question.section == section for known in rubric.questions.values()) == 1
    return short_name(question) if (section and alone) or question.kind == "text" else _quoted(question.ask)


def _value(question: Question | None, value: Any) -> str:
    """An answer as the form shows it."""
    if isinstance(value, (list, tuple)):
        return ", ".join(_value(question, part) for part in value) or translate("History", "nothing")
    choice = next((one for one in question.choices if same(one.id, value)), None) if question is not None else None
    if choice is not None:
        return choice.label
    if isinstance(value, str):
        return _quoted(value)
    return spelling.figure(value)[:LONGEST]


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return spelling.quoted(f"{flat[: LONGEST - 1]}…" if len(flat) > LONGEST else flat)


def _what(one: Difference) -> str:
    """What happened to what is no answer."""
    value = one.value
    if isinstance(value, Evidence):
        return _evidence(one.kind, value)
    if isinstance(value, Border):
        return _border(one.kind, value)
    said = {
        "claim_added": translate("History", "recorded, {text}"),
        "claim_changed": translate("History", "is now {text}"),
        "claim_removed": translate("History", "removed, {text}"),
        "acknowledged": translate("History", "a warning is acknowledged"),
        "open_again": translate("History", "a warning is open again"),
        "note": translate("History", "note to the QA lead, {text}"),
        "taken_up": translate("History", "the task is rated after all"),
        "skipped": translate("History", "the task is skipped: {reason}"),
        "finished": translate("History", "the task is finished"),
        "unfinished": translate("History", "the task is not finished any more"),
    }[one.kind]
    if one.kind == "note" and not value:
        return translate("History", "the note to the QA lead is removed")
    reason = reason_words(value.reason) if isinstance(value, Skipped) else ""
    return said.format(text=_quoted(value) if isinstance(value, str) else "", reason=reason[:LONGEST])


def _evidence(kind: str, piece: Evidence) -> str:
    name = _quoted(piece.title) if piece.title.strip() else host_of(piece.url)
    name = name or translate("History", "without a page")
    if kind == "evidence_removed":
        return translate("History", "evidence removed, {page}").format(page=name)
    stance = {
        "supporting": translate("History", "supports"),
        "contradicting": translate("History", "contradicts"),
    }.get(piece.stance or "", "")
    said = translate("History", "evidence added, {page}")
    if kind == "evidence_changed":
        said = translate("History", "evidence changed, {page}")
    quote = _quoted(piece.quote) if piece.quote.strip() else ""
    return ", ".join(part for part in (said.format(page=name), stance, quote) if part)


def _border(kind: str, border: Border) -> str:
    if kind == "border_back":
        return translate("History", "the borders are those of the bundle again")
    if (border.start, border.end) == (border.was_start, border.was_end):
        return translate("History", "the borders are reported, {text}").format(text=_quoted(border.comment))
    return translate("History", "it now holds {text}").format(text=_quoted(border.quote))
