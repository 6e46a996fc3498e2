"""The evidence of the place at hand: a row a page; the fields of the selected one only while they are written in."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Evidence, Stance
from desktop_rater.ui import moves, spelling, theme
from desktop_rater.ui.evidence.fields import EvidenceFields
from desktop_rater.ui.evidence.table import EvidenceLine, EvidenceList
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.problems.language import said_of
from desktop_rater.ui.rows import LINE_ROLE, Lines
from desktop_rater.ui.theme_tokens import PANE, UNDER_LABEL

if TYPE_CHECKING:
    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.session import Session

MOST_ROWS = 4
ROOM_FOR_QUOTE = 800  # the height of the window from which on the selected row opens


class EvidencePane(QWidget):
    """Shown where the rubric asks for evidence."""

    wanted = Signal()
    page_wanted = Signal(object)  # Evidence
    removed = Signal(str)  # what it was
    fold_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence")
        self._session = session
        self._selected: str | None = None
        self._edited: str | None = None
        column = QVBoxLayout(self)
        theme.pad(column, PANE, 4, PANE, 8)
        column.setSpacing(theme.px(UNDER_LABEL))
        column.addLayout(self._make_head())
        self.list = EvidenceList("evidence_list")
        self.list.setAccessibleName(self.tr("Evidence"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.list.doubleClicked.connect(lambda _index: self.edit("quote"))
        column.addWidget(self.list)
        self.fields = EvidenceFields(session)
        self.fields.open_wanted.connect(self.open_selected)
        self.fields.remove_wanted.connect(self.remove)
        column.addWidget(self.fields)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(2)  # the links have room of their own on both sides
        self._title = ElidedLabel()
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self._title, bold=True)
        head.addWidget(self._title)
        self._empty = ElidedLabel(self.tr("No page yet"), name="evidence_empty")
        theme.quiet(self._empty)
        theme.write(self._empty, "small")
        self._empty.setIndent(theme.px(6))
        head.addWidget(self._empty, 1)
        head.addStretch(1)
        self.add_button = self._button("add_evidence", self.tr("+ Paste a link"), "E")
        self.add_button.clicked.connect(self.wanted)
        self._quote_button = self._button("quote_evidence", self.tr("Quote"), "Q")
        self._quote_button.clicked.connect(self.write_quote)
        self._open_button = self._button("open_evidence_page", self.tr("Open"), "O")
        self._open_button.clicked.connect(self.open_selected)
        self._fold_button = self._button("fold_evidence", self.tr("Fold"), "")
        self._fold_button.clicked.connect(self.fold_wanted)
        self._fold_button.hide()
        for button in (self.add_button, self._quote_button, self._open_button, self._fold_button):
            head.addWidget(button)
        return head

    def set_folding(self, *, folds: bool) -> None:
        """Whether the list can be folded into one line, where others have need of the room."""
        self._fold_button.setHidden(not folds)

    def _button(self, name: str, words: str, key: str) -> Link:
        button = Link(words, key)
        button.setObjectName(name)
        return button

    @property
    def selected(self) -> Evidence | None:
        """The piece that keys are about."""
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
        self._empty.setHidden(bool(pieces))
        for part in (self.list, self._quote_button, self._open_button):
            part.setVisible(bool(pieces))
        self.list.selectionModel().blockSignals(True)
        self.model.show([self._line(one) for one in pieces])
        row = self.model.row_of(self._selected)
        self.list.setCurrentIndex(self.model.index(row))
        self.list.selectionModel().blockSignals(False)
        self.list.viewport().update()
        self._fit(row)
        selected = self.selected
        self._show_fields()
        if selected is not None:
            self.fields.show_piece(selected, self._problems(selected))

    def select(self, evidence: str) -> None:
        """Let the keys be about a piece."""
        self._selected = evidence
        self.refresh()

    def edit(self, field: str = "") -> None:
        """Write in the fields of the selected piece, beginning at one of them."""
        if self.selected is not None:
            self._edited = self._selected
            self._show_fields()
            self.fields.focus_field(field)

    def write_quote(self) -> None:
        """Put the cursor into the quote of the selected piece."""
        self.edit("quote")

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
            self.page_wanted.emit(self.selected)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # ty: ignore[invalid-argument-type]
        self._fit(self.model.row_of(self._selected))

    def _fit(self, row: int) -> None:
        if self.model.rowCount():
            room = self.window().height() >= theme.px(ROOM_FOR_QUOTE)
            self.list.open_at(row if room and self._edited is None else -1)
            self.list.fit_rows(MOST_ROWS)

    def _show_fields(self) -> None:
        """Only while somebody writes in them, or there is no address yet."""
        selected = self.selected
        focus = QApplication.focusWidget()
        if selected is None:
            self._edited = None
        elif focus is not None and self.fields.isAncestorOf(focus):
            self._edited = selected.id
        elif self._edited != selected.id:
            self._edited = None
        self.fields.setVisible(selected is not None and (self._edited is not None or not selected.url))

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """The fields go when the cursor has left them; another window does not count as leaving."""
        if self._edited is None or new is None or self.fields.isAncestorOf(new) or new.window() is not self.window():
            return
        self._edited = None
        self.refresh()

    def _problems(self, piece: Evidence) -> tuple[Problem, ...]:
        where = f"{moves.where_of(self._session.stop)}/evidence/{piece.id}"
        return tuple(one for one in self._session.outcome.problems if one.where == where)

    def _line(self, piece: Evidence) -> EvidenceLine:
        problems = sorted(self._problems(piece), key=lambda one: one.level)
        quote = " ".join(piece.quote.split())
        trouble = said_of(problems[0]) if problems and not quote else ""
        name = " ".join(piece.title.split()) or without_scheme(piece.url) or self.tr("A page without an address")
        marks = {SUPPORTING: "supports", CONTRADICTING: "contradicts"}
        words = {SUPPORTING: self.list.stance_words[0], CONTRADICTING: self.list.stance_words[1]}
        return EvidenceLine(
            piece.id,
            name,
            end=host_of(piece.url) if piece.title else "",
            detail=spelling.quoted(quote) if quote else trouble,
            mark=marks.get(piece.stance or "", "todo"),
            stance=words.get(piece.stance or "", ""),
            opened=self._opened_words(piece),
            kept=self.tr("page kept") if piece.snapshot else "",
            warned=bool(trouble),
        )

    def _opened_words(self, piece: Evidence) -> str:
        if not piece.opened:
            return self.tr("not opened") if piece.url else ""
        when = datetime.fromisoformat(piece.opened).astimezone()
        return self.tr("opened {time}").format(time=spelling.clock(when))

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.pause_typing()
            self.select(index.data(LINE_ROLE).id)


def host_of(url: str) -> str:
    """The host of a URL, as far as it has one."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def without_scheme(url: str) -> str:
    """A URL as short as it can be shown."""
    return url.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
