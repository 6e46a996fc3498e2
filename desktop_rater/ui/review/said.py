"""What each rater says at one place, as the rows and columns of the comparison. Pure but for the language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from desktop_rater.audit.disagreement import depth_of
from desktop_rater.model.place import TASK
from desktop_rater.rubric.words import answer_words
from desktop_rater.ui import spelling
from desktop_rater.ui.history.words import before_words
from desktop_rater.ui.history.words import words as difference_words
from desktop_rater.ui.problems.ways_out import short_name
from desktop_rater.ui.returned.words import reason_words
from desktop_rater.ui.review import said_cells
from desktop_rater.ui.review.cells import Cell, Column, Comparison, Part, Row
from desktop_rater.ui.review.words import VERDICT_MARKS, time_on_it, verdict_words
from desktop_rater.ui.skip_bar import reason_words as skip_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop_rater.audit.audited_task import AuditedTask, OfRater
    from desktop_rater.audit.items import Entry, Item
    from desktop_rater.audit.judged import Judged
    from desktop_rater.audit.verdicts import Verdict
    from desktop_rater.model.difference import Difference
    from desktop_rater.rubric import Rubric
    from desktop_rater.ui.review.looks import Looks

translate = QCoreApplication.translate
KEYS = 9
NONE = "text2"


@dataclass(frozen=True)
class Said:
    """One place of a task, with what the list knows of it. `changed`: rater → what is new since it was sent back."""

    task: AuditedTask
    item: Item
    looks: Looks
    changed: dict[str, tuple[Difference, ...]]

    @property
    def where(self) -> str:
        return self.item.where

    @property
    def label(self) -> Judged | None:
        """The question whose answer is the label of this place."""
        named = [one.label.question for one in self.item.entries if one.label is not None]
        return self.looks.judged.get(named[0]) if named else None

    @property
    def others(self) -> tuple[Judged, ...]:
        """The other questions that are judged at places like this, as far as somebody answered."""
        label, depth = self.label, depth_of(self.where)
        taken = {label.id, label.question} if label is not None else set()
        given = {name for one in self.task.raters for name in one.filed.digest.values.get(self.where, {})}
        judged = self.looks.judged.values()
        return tuple(one for one in judged if one.per == depth and one.id not in taken and one.question in given)


def comparison(said: Said) -> Comparison:
    """All raters of a task at one place, people before models. Rows in which nobody has anything are left out."""
    raters = [(entry, said.task.of(entry.rater)) for entry in said.item.entries]
    there = [(entry, of) for entry, of in raters if of is not None]
    lines = [(row, [row.cell(*one) for one in there]) for row in _rows(said)]
    kept = [(row.row, cells) for row, cells in lines if row.always or any(cell.parts for cell in cells)]
    none = _none()
    columns = []
    for at, (entry, _of) in enumerate(there):
        cells = tuple(cells[at] if cells[at].parts else none for _row, cells in kept)
        model = translate("Review", "a model") if entry.model else ""
        key = str(at + 1) if at < KEYS else ""
        columns.append(Column(entry.rater, cells, key, time_on_it(entry.seconds), model))
    return Comparison(tuple(row for row, _cells in kept), tuple(columns), (said.item.task, said.where))


def without_answers(raters: Sequence[str], words: str, name: tuple[str, str]) -> Comparison:
    """What is shown of raters while the lead has not answered: who they are."""
    row = Row("blind", translate("Review", "Answers"))
    cell = Cell((Part(words, NONE),))
    columns = (Column(rater, (cell,), str(at) if at <= KEYS else "") for at, rater in enumerate(raters, 1))
    return Comparison((row,), tuple(columns), name)


def _none() -> Cell:
    return Cell((Part(translate("Review", "None"), NONE),))


@dataclass(frozen=True)
class _Line:
    row: Row
    cell: Callable[[Entry, OfRater], Cell]
    always: bool = False


def _rows(said: Said) -> Iterator[_Line]:
    where, task = said.where, said.task
    differ = len({one.label.value for one in said.item.entries if one.label is not None and not one.model})
    note = translate("Review", "{n} differ").format(n=spelling.number(differ)) if differ > 1 else ""
    head = translate("Review", "Label")
    if said.label is not None and not said.label.closing:
        head = _short(said, said.label)
    yield _Line(Row("label", head, note), lambda entry, of: _label(said, entry, of), always=True)
    yield _Line(Row("gold", translate("Review", "Gold")), lambda entry, _of: _gold(said, entry))
    for judged in _of_their_own(said):
        yield _Line(Row(judged.id, _short(said, judged), _differ(said, judged)), _answer(said, judged))
    yield _Line(Row("rests", translate("Review", "Rests on")), lambda _entry, of: _rests(said, of))
    yield _Line(Row("claims", translate("Review", "Claims")), lambda _entry, of: said_cells.claims(task, of, where))
    if _takes_evidence(said):
        evidence = Row("evidence", translate("Review", "Evidence"))
        yield _Line(evidence, lambda _entry, of: said_cells.evidence(of, where), always=True)
    comment = Row("comment", translate("Review", "Comment"))
    yield _Line(comment, lambda _entry, of: said_cells.comments(of, where), always=True)
    yield _Line(Row("note", translate("Review", "Note to you")), lambda _entry, of: _text(of.rating.note))
    warnings = Row("warnings", translate("Review", "Warnings"))
    yield _Line(warnings, lambda _entry, of: said_cells.warnings(of, where), always=True)
    changed = Row("changed", translate("Review", "Changed since"))
    yield _Line(changed, lambda entry, of: _changed(said, entry, of))
    yield _Line(Row("revisions", translate("Review", "Revisions")), lambda _entry, of: said_cells.revisions(of), True)
    if any(one.signing is not None and one.signing.kind != "unsigned" for one in task.raters):
        signed = Row("signature", translate("Review", "Signed"))
        yield _Line(signed, lambda _entry, of: said_cells.signature(of))
    yield _Line(Row("verdict", translate("Review", "Verdict")), lambda entry, _of: verdict_cell(entry), True)


def _takes_evidence(said: Said) -> bool:
    return any(said.where in one.outcome.evidence for one in said.task.raters) or any(
        one.filed.digest.evidence.get(said.where) for one in said.task.raters
    )


def _short(said: Said, judged: Judged) -> str:
    name = short_name(said.task.rubric.questions[judged.question].question)
    return name[:1].upper() + name[1:]


def _differ(said: Said, judged: Judged) -> str:
    people = [one for one in said.task.raters if not one.model]
    given = {judged.value(one.filed.digest.values.get(said.where, {})) for one in people} - {None}
    return translate("Review", "{n} differ").format(n=spelling.number(len(given))) if len(given) > 1 else ""


def _of_their_own(said: Said) -> tuple[Judged, ...]:
    """Questions that are compared in rows: where nothing is decided they are judgements, and lead to no label."""
    return tuple(one for one in said.others if one.decisive)


def _text(words: str) -> Cell:
    return Cell((Part(words),)) if words.strip() else Cell()


def _label(said: Said, entry: Entry, of: OfRater) -> Cell:
    if entry.skipped or of.rating.skipped is not None:
        skipped = of.rating.skipped
        why = skip_words(skipped.reason) if skipped is not None else ""
        words = translate("Review", "Skipped: {why}").format(why=why) if why else translate("Review", "Skipped")
        parts = [Part(words, bold=True, small=False, mark="skipped")]
        if skipped is not None and skipped.comment:
            parts.append(Part(skipped.comment, NONE, deep=True))
        return Cell(tuple(parts))
    if entry.label is None:
        return Cell((Part(translate("Review", "No label"), NONE, small=False),))
    look = said.looks.look(entry.label.question, entry.label.value)
    mark, tone = (look.shape, look.tone) if look is not None else ("", "")
    parts = [Part(said.looks.words(entry.label), bold=True, small=False, mark=mark, tone=tone)]
    for judged in said.others:
        value = None if judged.decisive else judged.value(of.filed.digest.values.get(said.where, {}))
        if value is not None and _follows(said, judged):
            words = f"{short_name(said.task.rubric.questions[judged.question].question)} {judged.words(value).lower()}"
            parts.append(Part(words, NONE, deep=bool(mark)))
    return Cell(tuple(parts))


def _follows(said: Said, judged: Judged) -> bool:
    """Whether a question is asked because of the label, as a severity is, and does not lead to it."""
    relevant = said.task.rubric.questions[judged.question].question.relevant
    return said.label is not None and said.label.question in relevant


def _gold(said: Said, entry: Entry) -> Cell:
    gold = said.item.gold
    if not gold or entry.label is None:
        return Cell()
    if entry.label in gold:
        return Cell((Part(translate("Review", "Same"), mark="done"),))
    labels = ", ".join(said.looks.words(one) for one in gold)
    words = translate("Review", "Differs: gold is {label}").format(label=labels)
    return Cell((Part(words, mark="failed"),))


def _answer(said: Said, judged: Judged) -> Callable[[Entry, OfRater], Cell]:
    def cell(_entry: Entry, of: OfRater) -> Cell:
        value = judged.value(of.filed.digest.values.get(said.where, {}))
        if value is None:
            return Cell()
        look = said.looks.look(judged.id, value)
        question = said.task.rubric.questions[judged.question].question
        words = judged.words(value)
        if question.kind == "choices":
            given = of.filed.digest.values.get(said.where, {}).get(judged.question)
            words = answer_words(question, given)
        mark, tone = (look.shape, look.tone) if look is not None else ("", "")
        return Cell((Part(words, mark=mark, tone=tone),))

    return cell


def _rests(said: Said, of: OfRater) -> Cell:
    """What decided the label, in the words of the rubric, and the facts that lead there."""
    messages = said_cells.decisions(said.task.rubric, of, said.where)
    parts = [Part(words) for words in messages]
    counts = said_cells.sides(of, said.where)
    if counts is not None and any(counts):
        words = translate("Review", "{n} for, {m} against")
        parts.append(Part(words.format(n=spelling.number(counts[0]), m=spelling.number(counts[1])), NONE))
    values = of.filed.digest.values.get(said.where, {})
    for judged in said.others:
        value = None if judged.decisive or _follows(said, judged) else judged.value(values)
        if value is not None and (judged.id not in said.looks.closing or said.looks.closes(judged.id, value)):
            name = short_name(said.task.rubric.questions[judged.question].question)
            parts.append(Part(f"{name[:1].upper()}{name[1:]}: {judged.words(value)}", NONE))
    return Cell(tuple(parts))


def _changed(said: Said, entry: Entry, of: OfRater) -> Cell:
    if entry.rater not in said.changed:
        return Cell()
    found = [one for one in said.changed[entry.rater] if _stands_at(one, said.where)]
    if not found:
        return Cell((Part(translate("Review", "Nothing here"), NONE),))
    told = dict.fromkeys(_difference(one, of, said.task.rubric) for one in found)
    return Cell(tuple(Part(words, mark="part") for words in told))


def _difference(one: Difference, of: OfRater, rubric: Rubric) -> str:
    """What changed, and from what; the target itself needs no name, it stands above."""
    here = replace(one, place=TASK) if one.question and one.place.claim is None else one
    words, before = difference_words(here, of.task, rubric), before_words(one, rubric)
    return translate("Review", "{words}, before: {before}").format(words=words, before=before) if before else words


def _stands_at(one: Difference, where: str) -> bool:
    kind, _, name = where.partition("/")
    place = one.place
    if kind == "targets":
        return place.target == name
    if kind == "responses":
        return place.response == name and place.target is None
    return place.response is None and place.target is None


def verdict_cell(entry: Entry) -> Cell:
    """What the lead said of it, and why."""
    verdict = entry.verdict
    if verdict is None or verdict.kind == "none":
        return Cell((Part(translate("Review", "Not yet"), NONE, small=False),))
    mark = VERDICT_MARKS.get(verdict.kind, "")
    parts = [Part(verdict_words(verdict.kind), bold=not entry.outdated, small=False, mark=mark)]
    if entry.outdated:
        parts.append(Part(translate("Review", "Of an earlier rating"), "warn", deep=True))
    parts += [Part(words, NONE, deep=True) for words in _why(verdict)]
    return Cell(tuple(parts))


def _why(verdict: Verdict) -> Iterator[str]:
    if verdict.reason:
        yield reason_words(verdict.reason)
    if verdict.comment:
        yield spelling.quoted(verdict.comment)
