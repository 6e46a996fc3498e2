"""Texts for changes of a rating, as in "Target 7, claim 2, accuracy: Disputed"."""

from typing import Any

from PySide6.QtCore import QCoreApplication

from desktop_rater.model.change import REDO_ACTION, UNDO_ACTION
from desktop_rater.model.difference import Difference
from desktop_rater.model.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Border, Evidence, SkipReason
from desktop_rater.model.rubric import Question
from desktop_rater.model.task import Task
from desktop_rater.model.values import Place
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.condition import same_value
from desktop_rater.rubric.repeat import REPEAT_ACTION
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.pages.address_bar import display_host
from desktop_rater.ui.pages.stances import reason_text, verdict_name
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form_bars import skip_reason_text
from desktop_rater.ui.rating.problem_fixes import question_subject
from desktop_rater.ui.rating.session import WENT_BACK
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.work.rating.history import RevisionEntry
from desktop_rater.work.rating.save import FROM_FILE_ACTION

translate = QCoreApplication.translate
MAX_HISTORY_TEXT_LENGTH = 80


def revision_texts(entry: RevisionEntry, task: Task, rubric: Rubric) -> tuple[str, ...]:
    """Return a text for each change of a revision."""
    if not entry.revision:
        return (translate("History", "The task as received"),)
    if entry.rating is None:
        return (translate("History", "This state can't be read: the stored data was altered"),)
    if not entry.differences:
        return (translate("History", "No answer changed"),)
    return tuple(difference_text(difference, task, rubric) for difference in entry.differences)


def revision_origin_text(entry: RevisionEntry) -> str:
    """Return how a revision came about, if not by an ordinary edit."""
    actions = set(entry.done)
    texts = {
        UNDO_ACTION: translate("History", "by Undo"),
        REDO_ACTION: translate("History", "by Redo"),
        WENT_BACK: translate("History", "by restoring an earlier state"),
        REPEAT_ACTION: translate("History", "by repeating another target's answers"),
        FROM_FILE_ACTION: translate("History", "from a file"),
    }
    return next((text for name, text in texts.items() if name in actions and len(actions) == 1), "")


def difference_text(difference: Difference, task: Task, rubric: Rubric) -> str:
    """Return a text for one change, with its place in front."""
    change = _answer_text(difference, rubric) if difference.question else _change_text(difference)
    place = difference_place_text(difference, task)
    if not place:
        return change[:1].upper() + change[1:]
    template = (
        translate("History", "{place}, {what}") if difference.question else translate("History", "{place}: {what}")
    )
    return template.format(place=place, what=change)


def difference_place_text(difference: Difference, task: Task) -> str:
    """Return the place, as in "Target 7, claim 2"; empty for the task as a whole."""
    place = difference.place
    if place.target is None:
        return _response_text(place, task)
    order = {response.id: index for index, response in enumerate(task.responses)}
    targets = sorted(task.targets or (), key=lambda target: (order.get(target.response, 0), target.start or 0))
    number = next((number for number, target in enumerate(targets, 1) if target.id == place.target), None)
    gone = translate("History", "Target {name}, which is no longer there").format(
        name=isolated(place.target[:MAX_HISTORY_TEXT_LENGTH])
    )
    text = translate("History", "Target {n}").format(n=number) if number is not None else gone
    if place.claim is None or not difference.claim_number:
        return text
    return translate("History", "{target}, claim {n}").format(target=text, n=difference.claim_number)


def _response_text(place: Place, task: Task) -> str:
    if place.response is None:
        return ""
    if len(task.responses) < 2:
        return translate("History", "Response")
    return translate("History", "Response {name}").format(
        name=isolated(task_stops.response_letter(place.response)[:MAX_HISTORY_TEXT_LENGTH])
    )


def _answer_text(difference: Difference, rubric: Rubric) -> str:
    compiled = rubric.questions.get(difference.question)
    name = (
        _question_text(compiled.question, rubric)
        if compiled is not None
        else difference.question[:MAX_HISTORY_TEXT_LENGTH]
    )
    if difference.kind == "cleared":
        return translate("History", "{question}: answer cleared").format(question=name)
    value = _value_text(compiled.question if compiled is not None else None, difference.value)
    return translate("History", "{question}: {value}").format(question=name, value=value)


def previous_answer_text(difference: Difference, rubric: Rubric) -> str:
    """Return the previous answer; empty if there was none."""
    value = difference.value if difference.kind == "cleared" else difference.before
    if not difference.question or value is None:
        return ""
    compiled = rubric.questions.get(difference.question)
    return _value_text(compiled.question if compiled is not None else None, value)


def _question_text(question: Question, rubric: Rubric) -> str:
    """Return the short name of a question; quote its text if it has none or shares it."""
    section = question.section
    alone = sum(compiled.question.section == section for compiled in rubric.questions.values()) == 1
    return question_subject(question) if (section and alone) or question.kind == "text" else _quoted_text(question.ask)


def _value_text(question: Question | None, value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_value_text(question, part) for part in value) or translate("History", "nothing")
    choice = (
        next((candidate for candidate in question.choices if same_value(candidate.id, value)), None)
        if question is not None
        else None
    )
    if choice is not None:
        return choice.label
    if isinstance(value, str):
        return _quoted_text(value)
    return formatting.figure(value)[:MAX_HISTORY_TEXT_LENGTH]


def _quoted_text(text: str) -> str:
    flat = " ".join(text.split())
    return formatting.quoted(f"{flat[: MAX_HISTORY_TEXT_LENGTH - 1]}…" if len(flat) > MAX_HISTORY_TEXT_LENGTH else flat)


def _change_text(difference: Difference) -> str:
    value = difference.value
    if isinstance(value, Evidence):
        return _evidence_text(difference.kind, value)
    if isinstance(value, Border):
        return _border_text(difference.kind, value)
    if difference.kind == "link_judged":
        page, verdict = value
        template = translate("History", "link {page}: {verdict}")
        none = translate("History", "no verdict")
        return template.format(page=page[:MAX_HISTORY_TEXT_LENGTH], verdict=verdict_name(verdict).lower() or none)
    template = {
        "claim_added": translate("History", "recorded, {text}"),
        "claim_changed": translate("History", "is now {text}"),
        "claim_removed": translate("History", "removed, {text}"),
        "acknowledged": translate("History", "a warning was acknowledged"),
        "open_again": translate("History", "acknowledgement of a warning withdrawn"),
        "note": translate("History", "note to the QA lead, {text}"),
        "taken_up": translate("History", "skip withdrawn"),
        "skipped": translate("History", "the task is skipped: {reason}"),
        "finished": translate("History", "the task is finished"),
        "unfinished": translate("History", "the task is unfinished again"),
    }[difference.kind]
    if difference.kind == "note" and not value:
        return translate("History", "the note to the QA lead is removed")
    reason = skip_reason_text(value.reason) if isinstance(value, SkipReason) else ""
    return template.format(
        text=_quoted_text(value) if isinstance(value, str) else "", reason=reason[:MAX_HISTORY_TEXT_LENGTH]
    )


def _evidence_text(kind: str, piece: Evidence) -> str:
    name = _quoted_text(piece.title) if piece.title.strip() else display_host(piece.url)
    name = name or translate("History", "without a page")
    if kind == "evidence_removed":
        return translate("History", "evidence removed, {page}").format(page=name)
    names = {
        SUPPORTING: translate("History", "supports"),
        CONTRADICTING: translate("History", "contradicts"),
        NEUTRAL: translate("History", "does not decide, {reason}").format(reason=reason_text(piece)),
    }
    stance = names[piece.stance] if piece.stance is not None else ""
    template = translate("History", "evidence added, {page}")
    if kind == "evidence_changed":
        template = translate("History", "evidence changed, {page}")
    quote = _quoted_text(piece.quote) if not is_blank(piece.quote) else ""
    return ", ".join(part for part in (template.format(page=name), stance, quote) if part)


def _border_text(kind: str, border: Border) -> str:
    if kind == "border_back":
        return translate("History", "borders reset to the bundle's")
    if (border.start, border.end) == (border.was_start, border.was_end):
        return translate("History", "the borders are reported, {text}").format(text=_quoted_text(border.comment))
    return translate("History", "now contains {text}").format(text=_quoted_text(border.quote))
