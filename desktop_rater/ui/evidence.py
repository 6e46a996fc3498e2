"""The evidence of the place at hand: a row a page, and the fields of the selected one beneath."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Evidence, Stance
from desktop_rater.ui import moves
from desktop_rater.ui.evidence_fields import EvidenceFields
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.rows import LINE_ROLE, Line, LineList, Lines
from desktop_rater.ui.tokens import quiet

if TYPE_CHECKING:
    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.session import Session

MOST_ROWS = 4


class EvidencePane(QWidget):
    """Shown where the rubric asks for evidence."""

    wanted = Signal()
    opened = Signal(str)  # a URL
    removed = Signal(str)  # what it was

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence")
        self._session = session
        self._selected: str | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(6)
        head = QHBoxLayout()
        self._title = PlainLabel()
        font = QFont(self._title.font())
        font.setWeight(QFont.Weight.DemiBold)
        self._title.setFont(font)
        head.addWidget(self._title)
        head.addStretch(1)
        self.add_button = KeyButton(self.tr("Add a page"), "E", flat=True)
        self.add_button.setObjectName("add_evidence")
        self.add_button.clicked.connect(self.wanted)
        head.addWidget(self.add_button)
        column.addLayout(head)
        self._empty = WrappedLabel(self.tr("No page yet. Copy a link and press E."))
        quiet(self._empty)
        column.addWidget(self._empty)
        self.list = LineList("evidence_list", two_lines=True)
        self.list.setAccessibleName(self.tr("Evidence"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        column.addWidget(self.list)
        self.fields = EvidenceFields(session)
        self.fields.open_wanted.connect(self.open_selected)
        self.fields.remove_wanted.connect(self.remove)
        column.addWidget(self.fields)

    @property
    def selected(self) -> Evidence | None:
        """The piece whose fields are shown."""
        return next((one for one in self._session.evidence if one.id == self._selected), None)

    def refresh(self) -> None:
        """Show the evidence of the current place."""
        session = self._session
        pieces = session.evidence
        names = [claim.id for claim in session.claims]
        number = names.index(session.place.claim) + 1 if session.place.claim in names else 0
        self._title.setText(self.tr("Evidence for claim {n}").format(n=number) if number else self.tr("Evidence"))
        if not any(one.id == self._selected for one in pieces):
            self._selected = pieces[-1].id if pieces else None
        self._empty.setVisible(not pieces)
        self.list.setVisible(bool(pieces))
        self.list.selectionModel().blockSignals(True)
        self.model.show([self._line(one) for one in pieces])
        self.list.setCurrentIndex(self.model.index(self.model.row_of(self._selected)))
        self.list.selectionModel().blockSignals(False)
        self.list.viewport().update()
        if pieces:
            self.list.fit_rows(MOST_ROWS)
        selected = self.selected
        self.fields.setVisible(selected is not None)
        if selected is not None:
            self.fields.show_piece(selected, self._problems(selected))

    def select(self, evidence: str) -> None:
        """Show the fields of a piece."""
        self._selected = evidence
        self.refresh()

    def set_stance(self, stance: Stance) -> None:
        """Of the selected piece."""
        if self.selected is not None:
            self._session.set_stance(self.selected.id, stance)

    def remove(self) -> None:
        """Remove the selected piece."""
        piece = self.selected
        if piece is not None:
            self._session.remove_evidence(piece.id)
            self.removed.emit(piece.title or piece.url)

    def open_selected(self) -> None:
        """Open the page of the selected piece."""
        if self.selected is not None:
            self.opened.emit(self.selected.url)

    def _problems(self, piece: Evidence) -> tuple[Problem, ...]:
        where = f"{moves.where_of(self._session.stop)}/evidence/{piece.id}"
        return tuple(one for one in self._session.outcome.problems if one.where == where)

    def _line(self, piece: Evidence) -> Line:
        problems = sorted(self._problems(piece), key=lambda one: one.level)
        stance = {SUPPORTING: self.tr("Supports"), CONTRADICTING: self.tr("Contradicts")}.get(piece.stance or "")
        tone = ("block" if problems[0].level == "block" else "warn") if problems else ""
        name = " ".join(piece.title.split()) or without_scheme(piece.url) or self.tr("A page without an address")
        return Line(
            piece.id,
            name,
            end=host_of(piece.url) if piece.title else "",
            detail=f"“{' '.join(piece.quote.split())}”"
            if piece.quote
            else stance or self.tr("Supports or contradicts?"),
            detail_end=(problems[0].message or "") if problems and piece.id != self._selected else "",
            mark="supports"
            if piece.stance == SUPPORTING
            else "contradicts"
            if piece.stance == CONTRADICTING
            else "todo",
            tone=tone,
        )

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.pause_typing()
            self.select(index.data(LINE_ROLE).id)


def host_of(url: str) -> str:
    """The host of a URL, as far as it has one."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def without_scheme(url: str) -> str:
    """A URL as short as it can be shown."""
    return url.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
