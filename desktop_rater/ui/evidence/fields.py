"""The fields of one piece of evidence."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QHBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Evidence
from desktop_rater.ui.chooser import Chooser
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.problem_words import ProblemWords
from desktop_rater.ui.form.typed import FieldEdit, GrowingEdit
from desktop_rater.ui.plain import PlainLabel
from desktop_rater.ui.problems.language import said_of
from desktop_rater.ui.theme import quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.session import Session


class EvidenceFields(QFrame):
    """Stance, address, title, quote, note and, where claims are recorded, the claim that it speaks about."""

    open_wanted = Signal()
    remove_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence_fields")
        self._session = session
        self._piece: Evidence | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 2, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._add_stance()
        self.url = self._line("url", self.tr("Address"), "https://")
        self.title = self._line("title", self.tr("Title"), "")
        self.quote = self._text("quote", self.tr("Quote"), self.tr("The passage that decides"))
        self.note = self._line("note", self.tr("Note"), self.tr("optional"))
        self.claim = Chooser()
        self.claim.setObjectName("evidence_claim")
        self.claim.setAccessibleName(self.tr("The claim that it speaks about"))
        self.claim.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.claim.setMinimumContentsLength(12)
        self.claim.activated.connect(self._claim_chosen)
        self._claim_label = self._put(self.tr("About"), self.claim)
        self._problems = ProblemWords("evidence_problems")
        self._grid.addWidget(self._problems, self._grid.rowCount(), 1)

    def show_piece(self, piece: Evidence, problems: Sequence[Problem]) -> None:
        """Show a piece; a field that holds the value already keeps its cursor."""
        self._piece = piece
        self.supports.setChecked(piece.stance == SUPPORTING)
        self.contradicts.setChecked(piece.stance == CONTRADICTING)
        for field, text in ((self.url, piece.url), (self.title, piece.title), (self.note, piece.note)):
            field.show_text(text)
        self.quote.show_text(piece.quote)
        self._show_claims(piece)
        words = {"block": [], "warn": []}
        for problem in problems:
            words[problem.level].append(said_of(problem))
        self._problems.show_words(words["block"], words["warn"])

    def focus_field(self, name: str = "") -> None:
        """Begin at a field by its name; at the quote where it is not known."""
        fields = {"url": self.url, "title": self.title, "quote": self.quote, "note": self.note, "claim": self.claim}
        fields.get(name, self.quote).setFocus()

    def _show_claims(self, piece: Evidence) -> None:
        claims = self._session.claims
        self.claim.setVisible(bool(claims))
        self._claim_label.setVisible(bool(claims))
        wanted = [self.tr("No claim")] + [f"{at + 1}. {' '.join(one.text.split())}" for at, one in enumerate(claims)]
        if [self.claim.itemText(at) for at in range(self.claim.count())] != wanted:
            self.claim.clear()
            self.claim.addItems(wanted)
        ids = [one.id for one in claims]
        self.claim.setCurrentIndex(ids.index(piece.claim) + 1 if piece.claim in ids else 0)

    def _claim_chosen(self, at: int) -> None:
        ids = [one.id for one in self._session.claims]
        if self._piece is not None:
            self._session.change_evidence(self._piece.id, claim=ids[at - 1] if at else None)

    def _add_stance(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(5)
        self.supports = ChoiceButton(self.tr("Supports"), "S")
        self.supports.setObjectName("stance_supporting")
        self.supports.clicked.connect(lambda: self._set_stance(on=self.supports.isChecked(), stance=SUPPORTING))
        self.contradicts = ChoiceButton(self.tr("Contradicts"), "C")
        self.contradicts.setObjectName("stance_contradicting")
        self.contradicts.clicked.connect(
            lambda: self._set_stance(on=self.contradicts.isChecked(), stance=CONTRADICTING)
        )
        row.addWidget(self.supports)
        row.addWidget(self.contradicts)
        row.addStretch(1)
        opening = KeyButton(self.tr("Open"), "O", flat=True)
        opening.setObjectName("open_evidence")
        opening.clicked.connect(self.open_wanted)
        row.addWidget(opening)
        removing = KeyButton(self.tr("Remove"), "Del", flat=True)
        removing.setObjectName("remove_evidence")
        removing.clicked.connect(self.remove_wanted)
        row.addWidget(removing)
        self._grid.addLayout(row, 0, 0, 1, 2)

    def _set_stance(self, *, on: bool, stance: str) -> None:
        if self._piece is not None:
            self._session.change_evidence(self._piece.id, stance=stance if on else None)

    def _line(self, name: str, label: str, placeholder: str) -> FieldEdit:
        field = FieldEdit()
        field.setObjectName(f"evidence_{name}")
        field.setPlaceholderText(placeholder)
        field.textEdited.connect(partial(self._typed, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _text(self, name: str, label: str, placeholder: str) -> GrowingEdit:
        field = GrowingEdit()
        field.setObjectName(f"evidence_{name}")
        field.setPlaceholderText(placeholder)
        field.typed.connect(partial(self._typed, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _put(self, label: str, field: QWidget) -> PlainLabel:
        words = PlainLabel(label)
        quiet(words)
        words.setBuddy(field)
        if not field.accessibleName():
            field.setAccessibleName(label)
        row = self._grid.rowCount()
        self._grid.addWidget(words, row, 0)
        self._grid.addWidget(field, row, 1)
        return words

    def _typed(self, name: str, text: str) -> None:
        if self._piece is not None:
            self._session.change_evidence(self._piece.id, typing=True, **{name: text})
