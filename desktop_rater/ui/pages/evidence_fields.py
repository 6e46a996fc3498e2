"""Fields of one piece of evidence."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Evidence, Problem, Stance
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.choice_row import ClaimButtons
from desktop_rater.ui.pages.stances import STANCE_MARKS, stance_name
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.rating.form.question import FieldProblems
from desktop_rater.ui.rating.form.typed_questions import FieldEdit, GrowingTextEdit
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, visible
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.widgets.theme import set_ink


class EvidenceFields(QFrame):
    """Fields for stance, address, title, quote, note and, if claims are recorded, the claims it speaks of."""

    open_wanted = Signal()
    remove_wanted = Signal()
    stance_wanted = Signal(str)
    claim_wanted = Signal(int)  # to switch, counted from 1

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence_fields")
        self._session = session
        self._piece: Evidence | None = None
        self._with_page: Evidence | None = None  # the piece before its address was changed to that of another page
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 2, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._add_stance()
        self.url = self._line("url", self.tr("Address"), "https://")
        self.url.setProperty("offers", "page")
        self.title = self._line("title", self.tr("Title"), "")
        self.quote = self._text("quote", self.tr("Quote"), self.tr("The decisive passage"))
        self.note = self._line("note", self.tr("Note"), self.tr("optional"))
        self.claims = ClaimButtons("evidence_claim")
        self.claims.switched.connect(self.claim_wanted)
        self._claim_label = self._put(self.tr("Speaks of"), self.claims)
        self._problems = FieldProblems("evidence_problems")
        self._grid.addWidget(self._problems, self._grid.rowCount(), 1)

    def show_piece(self, piece: Evidence, problems: Sequence[Problem]) -> None:
        """Show a piece of evidence; a field whose value is unchanged keeps its cursor."""
        self._piece = piece
        if piece.snapshot or (self._with_page is not None and self._with_page.id != piece.id):
            self._with_page = piece
        for stance, button in self.stances.items():
            button.setChecked(piece.stance == stance)
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
        fields = {"url": self.url, "title": self.title, "quote": self.quote, "note": self.note}
        if name == "claim":
            self.claims.focus_first()
        else:
            fields.get(name, self.quote).setFocus()

    def _show_claims(self, piece: Evidence) -> None:
        claims = self._session.claims
        self.claims.setVisible(bool(claims))
        self._claim_label.setVisible(bool(claims))
        self.claims.show_claims(claims, piece.claim_ids)

    def _add_stance(self) -> None:
        row = FlowLayout(spacing=5, alike=False)
        keys: dict[Stance, str] = {SUPPORTING: "S", CONTRADICTING: "C", NEUTRAL: "Shift S"}
        self.stances: dict[Stance, ChoiceButton] = {}
        for stance, key in keys.items():
            button = self.stances[stance] = ChoiceButton(stance_name(stance), key)
            button.setObjectName(f"stance_{stance}")
            button.set_look("", STANCE_MARKS[stance])
            button.clicked.connect(partial(self._set_stance, stance))
            row.addWidget(button)
        row.addWidget(KeyButton(self.tr("Open"), "O", flat=True, name="open_evidence", clicked=self.open_wanted))
        remove_button = KeyButton(
            self.tr("Remove"), "Del", flat=True, name="remove_evidence", clicked=self.remove_wanted
        )
        row.addWidget(remove_button)
        self._grid.addLayout(row, 0, 0, 1, 2)

    def _set_stance(self, stance: Stance) -> None:
        if self._piece is not None and self._piece.stance == stance:
            self._session.set_stance(self._piece.id, None)
        else:
            self.stance_wanted.emit(stance)

    def _line(self, name: str, label: str, placeholder: str) -> FieldEdit:
        field = FieldEdit(name=f"evidence_{name}", placeholder=visible(placeholder))
        field.textEdited.connect(partial(self._store_text, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _text(self, name: str, label: str, placeholder: str) -> GrowingTextEdit:
        field = GrowingTextEdit(name=f"evidence_{name}", placeholder=visible(placeholder))
        field.typed.connect(partial(self._store_text, name))
        field.left.connect(self._session.pause_typing)
        self._put(label, field)
        return field

    def _put(self, label: str, field: QWidget) -> PlainLabel:
        text_label = PlainLabel(label)
        set_ink(text_label)
        text_label.setBuddy(field)
        if not field.accessibleName():
            field.setAccessibleName(visible(label))
        row = self._grid.rowCount()
        self._grid.addWidget(text_label, row, 0)
        self._grid.addWidget(field, row, 1)
        return text_label

    def _store_text(self, name: str, text: str) -> None:
        piece, before = self._piece, self._with_page
        if piece is None:
            return
        fields: dict[str, str | None] = {name: text}
        if name == "url":  # the stored page belongs to its own address only
            same = before is not None and page_key(text) == page_key(before.url)
            fields["snapshot"] = before.snapshot if before is not None and same else None
        self._session.change_evidence(piece.id, typing=True, **fields)
