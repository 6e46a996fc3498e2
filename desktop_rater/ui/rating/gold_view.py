"""Gold answer for one target, response or task: widgets and texts of the comparison with the rater's."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import Claim, Evidence
from desktop_rater.model.rubric import Choice, Question
from desktop_rater.model.values import Place
from desktop_rater.rubric.condition import same_value
from desktop_rater.rubric.evaluation import BY_CLAIMS
from desktop_rater.rubric.gold import AnswerComparison, GoldComparison, GoldDecision, GoldJudgement
from desktop_rater.rubric.load import format_answer
from desktop_rater.text.unrendered import shown_words
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.pages.stances import page_with_stance
from desktop_rater.ui.rating.claims.target_label import LabelMark
from desktop_rater.ui.rating.form_bars import skip_reason_text
from desktop_rater.ui.rating.task_stops import response_letter
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, visible
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE


def gold_place_text(place: Place, targets: Sequence[str]) -> str:
    """Return the name of a place; `targets` are the ids of the task's targets in text order."""
    if place.target is not None:
        return QCoreApplication.translate("GoldWords", "Target {n}").format(n=targets.index(place.target) + 1)
    if place.response is not None:
        return QCoreApplication.translate("GoldWords", "Response {name}").format(name=response_letter(place.response))
    return QCoreApplication.translate("GoldWords", "Whole task")


def gold_answer_text(question: Question, value: Any) -> str:
    """Return an answer as text; a dash if there is none."""
    return "–" if value is None else format_answer(question, value)


def answered_choice(question: Question, value: Any) -> Choice | None:
    """Return the choice for an answer."""
    return (
        next((choice for choice in question.choices if same_value(choice.id, value)), None)
        if value is not None
        else None
    )


def gold_headline(judgement: GoldJudgement) -> tuple[str, Choice | None]:
    """Return a short text of the gold's answers for a place, and the first choice with a shape."""
    answered = [comparison for comparison in judgement.counted if comparison.gold is not None]
    text = ", ".join(_named_answer(comparison.question, comparison.gold) for comparison in answered)
    shaped = (answered_choice(comparison.question, comparison.gold) for comparison in answered)
    return text or "–", next((choice for choice in shaped if choice is not None and choice.shape), None)


def _named_answer(question: Question, value: Any) -> str:
    """Return an answer; with the name of its question unless it is a claim label, which is clear by itself."""
    answer = gold_answer_text(question, value)
    return answer if question.per == "claim" else f"{question.section or question.ask}: {answer}"


def differing_answers_text(judgement: GoldJudgement) -> str:
    """Return the rater's differing answers among those that count."""
    differing = [comparison for comparison in judgement.counted if not comparison.same]
    return ", ".join(_named_answer(comparison.question, comparison.own) for comparison in differing)


def decision_text(decision: GoldDecision) -> str:
    """Return the reason for a gold answer, with the rubric rule that decided it."""
    value = gold_answer_text(decision.question, decision.value)
    if decision.by == BY_CLAIMS:
        return QCoreApplication.translate("GoldWords", "{value}: the worst of its claims.").format(value=value)
    template = QCoreApplication.translate("GoldWords", "{value}, by the rule {rule}. {message}")
    return template.format(value=value, rule=decision.by, message=decision.message).strip()


def gold_score_text(comparison: GoldComparison) -> str:
    """Return the score of the current task."""
    if comparison.own_skipped is not None and comparison.gold_skipped is not None:
        return QCoreApplication.translate("GoldWords", "You skipped this task, as does the gold answer.")
    if comparison.own_skipped is not None:
        return QCoreApplication.translate("GoldWords", "You skipped this task. The gold answer rates it.")
    if comparison.gold_skipped is not None:
        template = QCoreApplication.translate("GoldWords", "The gold answer skips this task: {reason}. {comment}")
        reason = skip_reason_text(comparison.gold_skipped.reason)
        return template.format(reason=reason, comment=comparison.gold_skipped.comment).strip()
    if not comparison.total:
        return QCoreApplication.translate("GoldWords", "The gold answer has nothing to compare with yours.")
    if comparison.partial and comparison.per_target:
        template = QCoreApplication.translate(
            "GoldWords", "The gold answer covers part of the task: {n} of {total} targets match."
        )
    elif comparison.partial:
        template = QCoreApplication.translate(
            "GoldWords", "The gold answer covers part of the task: {n} of {total} answers match."
        )
    elif comparison.per_target:
        template = QCoreApplication.translate("GoldWords", "{n} of {total} targets match the gold answer.")
    else:
        template = QCoreApplication.translate("GoldWords", "{n} of {total} answers match the gold answer.")
    return template.format(n=formatting.number(comparison.same), total=formatting.number(comparison.total))


def sitting_score_text(scores: Sequence[tuple[int, int]], *, per_target: bool) -> str:
    """Return the score of the sitting; empty after one task only."""
    if len(scores) < 2:
        return ""
    if per_target:
        template = QCoreApplication.translate("GoldWords", "This session: {n} of {total} targets in {tasks} tasks.")
    else:
        template = QCoreApplication.translate("GoldWords", "This session: {n} of {total} answers in {tasks} tasks.")
    same_, total = (formatting.number(sum(parts)) for parts in zip(*scores, strict=True))
    return template.format(n=same_, total=total, tasks=formatting.number(len(scores)))


MAX_GOLD_TEXT_LENGTH = 600  # shown characters of a gold text
MAX_GOLD_ITEMS = 12  # claims and evidence items


class GoldDetails(QWidget):
    """Details of one place, rebuilt for each place, since the parts differ."""

    guideline_wanted = Signal(str)
    page_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gold_details")
        theme.set_ground(self, "panel")
        self.section = ""
        self._outer = tight_column(self)
        self._box: QWidget | None = None

    def show_judgement(self, judgement: GoldJudgement | None) -> None:
        if self._box is not None:
            self._outer.removeWidget(self._box)
            self._box.hide()
            self._box.deleteLater()
            self._box = None
        self.section = judgement.section if judgement is not None else ""
        if judgement is None:
            return
        self._box = QWidget()
        column = QVBoxLayout(self._box)
        theme.pad(column, PANE, 12, PANE, 12)
        column.setSpacing(theme.px(12))
        if judgement.compared:
            column.addWidget(self._answers(judgement))
        for head, text in self._reasons(judgement):
            column.addWidget(_text_block(head, text))
        for piece in judgement.evidence[:MAX_GOLD_ITEMS]:
            column.addWidget(self._evidence(piece))
        if self.section:
            column.addWidget(self._guideline(), 0, Qt.AlignmentFlag.AlignLeading)
        column.addStretch(1)
        self._outer.addWidget(self._box)
        self._box.show()

    def _answers(self, judgement: GoldJudgement) -> QWidget:
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.px(12))
        grid.setVerticalSpacing(theme.px(6))
        for column, stretch in enumerate((3, 2, 2)):
            grid.setColumnStretch(column, stretch)
        for column, title in ((1, self.tr("Gold")), (2, self.tr("You"))):
            head = PlainLabel(title)
            theme.set_type(head, "small")
            theme.set_ink(head)
            grid.addWidget(head, 0, column)
        for row, comparison in enumerate(judgement.compared, 1):
            self._add_row(grid, row, comparison)
        return box

    def _add_row(self, grid: QGridLayout, row: int, comparison: AnswerComparison) -> None:
        top = Qt.AlignmentFlag.AlignTop
        ask = WrappedLabel(comparison.question.ask, ink="text2")
        grid.addWidget(ask, row, 0, top)
        gold = _AnswerLabel(comparison, own=False)
        grid.addWidget(gold, row, 1, top)
        own = _AnswerLabel(comparison, own=True)
        verdict = self.tr("same as gold") if comparison.same else self.tr("differs")
        own.setAccessibleName(
            visible(f"{comparison.question.ask} {gold.answer_text}, {self.tr('You')}: {own.answer_text}, {verdict}")
        )
        grid.addWidget(own, row, 2, top)

    def _reasons(self, judgement: GoldJudgement) -> list[tuple[str, str]]:
        reasons = [(self.tr("Why"), decision_text(decision)) for decision in judgement.decisions]
        reasons += [(question.ask, text) for question, text in judgement.words]
        claims = [
            self._claim(number, claim, judgement) for number, claim in enumerate(judgement.claims[:MAX_GOLD_ITEMS], 1)
        ]
        return reasons + claims

    def _claim(self, number: int, claim: Claim, judgement: GoldJudgement) -> tuple[str, str]:
        questions = {comparison.question.id: comparison.question for comparison in judgement.compared}
        answers = [
            gold_answer_text(questions[name], value) for name, value in claim.answers.items() if name in questions
        ]
        head = self.tr("Claim {n}").format(n=number)
        return head, ": ".join(filter(None, (shown_words(claim.text), ", ".join(answers))))

    def _evidence(self, piece: Evidence) -> QWidget:
        page = piece.title or readable_url(piece.url)
        text = page_with_stance(piece, page) if piece.stance else self.tr("Page: {page}").format(page=page)
        box = QWidget()
        column = tight_column(box, spacing=theme.px(2))
        column.addWidget(WrappedLabel(text))
        if piece.quote:
            column.addWidget(WrappedLabel(formatting.quoted(piece.quote[:MAX_GOLD_TEXT_LENGTH])))
        opens = KeyButton(
            self.tr("Open the page"), flat=True, clicked=lambda _on=False, url=piece.url: self.page_wanted.emit(url)
        )
        opens.setAccessibleName(visible(f"{self.tr('Open the page')}: {page}"))
        column.addWidget(opens, 0, Qt.AlignmentFlag.AlignLeading)
        return box

    def _guideline(self) -> QWidget:
        return KeyButton(
            self.tr("Guideline: {section}").format(section=self.section),
            "G",
            name="gold_guideline",
            clicked=lambda: self.guideline_wanted.emit(self.section),
        )


class _AnswerLabel(NamedGroup):
    """Answer with its shape; the rater's has a cross if it differs from the gold's."""

    def __init__(self, comparison: AnswerComparison, *, own: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        value = comparison.own if own else comparison.gold
        self.answer_text = gold_answer_text(comparison.question, value)
        row = QGridLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(theme.px(6))
        row.setColumnStretch(1, 1)
        choice = answered_choice(comparison.question, value)
        if choice is not None and choice.shape:
            mark = LabelMark(self)
            mark.show_label(choice.tone, choice.shape)
            row.addWidget(mark, 0, 0, Qt.AlignmentFlag.AlignTop)
        elif own and not comparison.same:
            mark = LabelMark(self)
            mark.show_label("", "cross")
            row.addWidget(mark, 0, 0, Qt.AlignmentFlag.AlignTop)
        label = WrappedLabel(self.answer_text)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        theme.set_type(label, bold=not comparison.same)
        row.addWidget(label, 0, 1)


def _text_block(head: str, text: str) -> QWidget:
    box = QWidget()
    column = tight_column(box, spacing=theme.px(2))
    title = PlainLabel(head)
    theme.set_type(title, "small")
    theme.set_ink(title)
    column.addWidget(title)
    column.addWidget(
        WrappedLabel(text if len(text) <= MAX_GOLD_TEXT_LENGTH else f"{text[: MAX_GOLD_TEXT_LENGTH - 1]}…")
    )
    return box
