"""One target, response or task of the gold answer: each answer beside the rater's own, why, and where to read on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.claims import LabelMark
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.practice import gold_words
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from desktop_rater.model.rating import Claim, Evidence
    from desktop_rater.rubric.against_gold import Compared, Judgement

LONGEST = 600  # characters of a gold's text that are shown
MOST = 12  # claims, and pieces of evidence


class GoldDetails(QWidget):
    """Made anew for each place: there are few parts, and each place has other ones."""

    guideline_wanted = Signal(str)
    page_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gold_details")
        theme.ground(self, "panel")
        self.section = ""
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._box: QWidget | None = None

    def show_judgement(self, judgement: Judgement | None) -> None:
        """Show another place, or none."""
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
        column.addWidget(self._answers(judgement))
        for head, words in self._texts(judgement):
            column.addWidget(_text(head, words))
        for one in judgement.evidence[:MOST]:
            column.addWidget(self._evidence(one))
        if self.section:
            column.addWidget(self._guideline(), 0, Qt.AlignmentFlag.AlignLeading)
        column.addStretch(1)
        self._outer.addWidget(self._box)
        self._box.show()

    def _answers(self, judgement: Judgement) -> QWidget:
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.px(12))
        grid.setVerticalSpacing(theme.px(6))
        for column, stretch in enumerate((3, 2, 2)):
            grid.setColumnStretch(column, stretch)
        for column, words in ((1, self.tr("Gold")), (2, self.tr("You"))):
            head = PlainLabel(words)
            theme.write(head, "small")
            theme.quiet(head)
            grid.addWidget(head, 0, column)
        for row, one in enumerate(judgement.compared, 1):
            self._add_row(grid, row, one)
        return box

    def _add_row(self, grid: QGridLayout, row: int, one: Compared) -> None:
        top = Qt.AlignmentFlag.AlignTop
        ask = WrappedLabel(one.question.ask)
        theme.quiet(ask)
        grid.addWidget(ask, row, 0, top)
        gold = _Value(one, own=False)
        grid.addWidget(gold, row, 1, top)
        own = _Value(one, own=True)
        words = self.tr("as the gold") if one.same else self.tr("differs")
        own.setAccessibleName(f"{one.question.ask} {gold.words}, {self.tr('You')}: {own.words}, {words}")
        grid.addWidget(own, row, 2, top)

    def _texts(self, judgement: Judgement) -> list[tuple[str, str]]:
        found = [(self.tr("Why"), gold_words.decision_words(one)) for one in judgement.decisions]
        found += [(one.ask, words) for one, words in judgement.words]
        claims = [self._claim(number, one, judgement) for number, one in enumerate(judgement.claims[:MOST], 1)]
        return found + claims

    def _claim(self, number: int, claim: Claim, judgement: Judgement) -> tuple[str, str]:
        questions = {one.question.id: one.question for one in judgement.compared}
        said = [
            gold_words.value_words(questions[name], value) for name, value in claim.answers.items() if name in questions
        ]
        head = self.tr("Claim {n}").format(n=number)
        return head, f"{claim.text}: {', '.join(said)}" if said else claim.text

    def _evidence(self, piece: Evidence) -> QWidget:
        stances = {SUPPORTING: self.tr("Supports"), CONTRADICTING: self.tr("Contradicts")}
        stance = stances.get(piece.stance or "", self.tr("Page"))
        words = f"{stance}: {piece.title or piece.url}"
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(2))
        column.addWidget(WrappedLabel(words))
        if piece.quote:
            column.addWidget(WrappedLabel(spelling.quoted(piece.quote[:LONGEST])))
        opens = KeyButton(self.tr("Open the page"), flat=True)
        opens.setAccessibleName(f"{self.tr('Open the page')}: {piece.title or piece.url}")
        opens.clicked.connect(lambda _on=False, url=piece.url: self.page_wanted.emit(url))
        column.addWidget(opens, 0, Qt.AlignmentFlag.AlignLeading)
        return box

    def _guideline(self) -> QWidget:
        link = KeyButton(self.tr("Guideline: {section}").format(section=self.section), "G")
        link.setObjectName("gold_guideline")
        link.clicked.connect(lambda: self.guideline_wanted.emit(self.section))
        return link


class _Value(QWidget):
    """An answer with its shape; where the rater's differs from the gold's it is struck by a mark of its own."""

    def __init__(self, one: Compared, *, own: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        value = one.own if own else one.gold
        self.words = gold_words.value_words(one.question, value)
        row = QGridLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(theme.px(6))
        row.setColumnStretch(1, 1)
        choice = gold_words.choice_of(one.question, value)
        if choice is not None and choice.shape:
            mark = LabelMark(self)
            mark.show_label(choice.tone, choice.shape)
            row.addWidget(mark, 0, 0, Qt.AlignmentFlag.AlignTop)
        elif own and not one.same:
            mark = LabelMark(self)
            mark.show_label("", "cross")
            row.addWidget(mark, 0, 0, Qt.AlignmentFlag.AlignTop)
        label = WrappedLabel(self.words)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        theme.write(label, bold=not one.same)
        row.addWidget(label, 0, 1)


def _text(head: str, words: str) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.px(2))
    title = PlainLabel(head)
    theme.write(title, "small")
    theme.quiet(title)
    column.addWidget(title)
    column.addWidget(WrappedLabel(words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"))
    return box
