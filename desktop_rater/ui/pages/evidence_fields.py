"""Fields of one piece of evidence."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QHBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Evidence, Problem
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.rating.form.question import FieldProblems
from desktop_rater.ui.rating.form.typed_questions import FieldEdit, GrowingTextEdit
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, ZoomedComboBox
from desktop_rater.ui.widgets.theme import set_ink


class EvidenceFields(QFrame):
    """Fields for stance, address, title, quote, note and, if claims are recorded, the claim it is about."""

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
        self.quote = self._text("quote", self.tr("Quote"), self.tr("The decisive passage"))
        self.note = self._line("note", self.tr("Note"), self.tr("optional"))
        self.claim = ZoomedComboBox()
        self.claim.setObjectName("evidence_claim")
        self.claim.setAccessibleName(self.tr("Claim this evidence is about"))
        self.claim.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.claim.setMinimumContentsLength(12)
        self.claim.activated.connect(self._store_claim)
        self._claim_label = self._put(self.tr("About"), self.claim)
        self._problems = FieldProblems("evidence_problems")
        self._grid.addWidget(self._problems, self._grid.rowCount(), 1)

    def show_piece(self, piece: Evidence, problems: Sequence[Problem]) -> None:
        """Show a piece of evidence; a field whose value is unchanged keeps its cursor."""
        self._piece = piece
        self.supports.setChecked(piece.stance == SUPPORTING)
        self.contradicts.setChecked(piece.stance == CONTRADICTING)
        for field, text in ((self.url, piece.url), (self.title, piece.title), (self.note, piece.note)):
            field.show_text(text)
        self.quote.show_text(piece.quote)
        self._show_claims(piece)
        texts = {"block": [], "warn": []}
        for problem in problems:
            texts[problem.level].append(problem_message(problem))
        self._problems.show_words(texts["block"], texts["warn"])

    def focus_field(self, name: str = "") -> None:
        """Focus a field by name; the quote if the name is unknown."""
        fields = {"url": self.url, "title": self.title, "quote": self.quote, "note": self.note, "claim": self.claim}
        fields.get(name, self.quote).setFocus()

    def _show_claims(self, piece: Evidence) -> None:
        claims = self._session.claims
        self.claim.setVisible(bool(claims))
        self._claim_label.setVisible(bool(claims))
        items = [self.tr("No claim")] + [
            f"{index + 1}. {' '.join(claim.text.split())}" for index, claim in enumerate(claims)
        ]
        if [self.claim.itemText(index) for index in range(self.claim.count())] != items:
            self.claim.clear()
            self.claim.addItems(items)
        ids = [claim.id for claim in claims]
        self.claim.setCurrentIndex(ids.index(piece.claim) + 1 if piece.claim in ids else 0)

    def _store_claim(self, index: int) -> None:
        ids = [claim.id for claim in self._session.claims]
        if self._piece is not None:
            self._session.change_evidence(self._piece.id, claim=ids[index - 1] if index else None)

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
        row.addWidget(KeyButton(self.tr("Open"), "O", flat=True, name="open_evidence", clicked=self.open_wanted))
        remove_button = KeyButton(
            self.tr("Remove"), "Del", flat=True, name="remove_evidence", clicked=self.remove_wanted
        )
        row.addWidget(remove_button)
        self._grid.addLayout(row, 0, 0, 1, 2)

    def _set_stance(self, *, on: bool, stance: str) -> None:
        if self._piece is not None:
            self._session.change_evidence(self._piece.id, stance=stance if on else None)

    def _line(self, name: str, label: str, placeholder: str) -> FieldEdit:
        field = FieldEdit()
        field.setObjectName(f"evidence_{name}")
        field.setPlaceholderText(placeholder)
        field.textEdited.connect(partial(self._store_text, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _text(self, name: str, label: str, placeholder: str) -> GrowingTextEdit:
        field = GrowingTextEdit()
        field.setObjectName(f"evidence_{name}")
        field.setPlaceholderText(placeholder)
        field.typed.connect(partial(self._store_text, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _put(self, label: str, field: QWidget) -> PlainLabel:
        text_label = PlainLabel(label)
        set_ink(text_label)
        text_label.setBuddy(field)
        if not field.accessibleName():
            field.setAccessibleName(label)
        row = self._grid.rowCount()
        self._grid.addWidget(text_label, row, 0)
        self._grid.addWidget(field, row, 1)
        return text_label

    def _store_text(self, name: str, text: str) -> None:
        if self._piece is not None:
            self._session.change_evidence(self._piece.id, typing=True, **{name: text})
