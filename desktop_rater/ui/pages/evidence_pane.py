"""Evidence of the current place: one row per page, and the fields of the selected piece while they are edited."""

from datetime import datetime

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Evidence, Problem, Stance
from desktop_rater.text.urls import host_of
from desktop_rater.ui.pages.evidence_fields import EvidenceFields
from desktop_rater.ui.pages.evidence_list import EvidenceList, EvidenceRow
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRowModel
from desktop_rater.ui.widgets.theme_tokens import PANE, UNDER_LABEL

MOST_ROWS = 4
MIN_HEIGHT_FOR_QUOTE = 800  # the selected row opens from this window height on


class EvidencePane(QWidget):
    """Pane that is visible where the rubric asks for evidence."""

    wanted = Signal()
    page_wanted = Signal(object)  # Evidence
    removed = Signal(str)  # title or URL of the removed piece
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
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._select_row)
        self.list.doubleClicked.connect(lambda _index: self.edit("quote"))
        column.addWidget(self.list)
        self.fields = EvidenceFields(session)
        self.fields.open_wanted.connect(self.open_selected)
        self.fields.remove_wanted.connect(self.remove)
        column.addWidget(self.fields)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(2)  # the links have padding of their own
        self._title = ElidedLabel()
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.set_type(self._title, bold=True)
        head.addWidget(self._title)
        self._empty = ElidedLabel(self.tr("No pages yet"), name="evidence_empty", ink="text2", size="small")
        self._empty.setIndent(theme.px(6))
        head.addWidget(self._empty, 1)
        head.addStretch(1)
        self.add_button = LinkButton(self.tr("+ Paste a link"), "E", name="add_evidence")
        self.add_button.clicked.connect(self.wanted)
        self._quote_button = LinkButton(self.tr("Quote"), "Q", name="quote_evidence")
        self._quote_button.clicked.connect(self.write_quote)
        self._open_button = LinkButton(self.tr("Open"), "O", name="open_evidence_page")
        self._open_button.clicked.connect(self.open_selected)
        self._fold_button = LinkButton(self.tr("Fold"), "", name="fold_evidence")
        self._fold_button.clicked.connect(self.fold_wanted)
        self._fold_button.hide()
        for button in (self.add_button, self._quote_button, self._open_button, self._fold_button):
            head.addWidget(button)
        return head

    def set_folding(self, *, folds: bool) -> None:
        """Set whether the list offers to fold, because the pane shares its space with others."""
        self._fold_button.setHidden(not folds)

    @property
    def selected(self) -> Evidence | None:
        """Return the piece that keys act on."""
        return next((piece for piece in self._session.evidence if piece.id == self._selected), None)

    def refresh(self) -> None:
        session = self._session
        pieces = session.evidence
        names = [claim.id for claim in session.claims]
        number = names.index(session.place.claim) + 1 if session.place.claim in names else 0
        self._title.setText(self.tr("Evidence for claim {n}").format(n=number) if number else self.tr("Evidence"))
        if not any(piece.id == self._selected for piece in pieces):
            self._selected = pieces[-1].id if pieces else None
        self._empty.setHidden(bool(pieces))
        for part in (self.list, self._quote_button, self._open_button):
            part.setVisible(bool(pieces))
        self.model.show([self._line(piece) for piece in pieces])
        row = self.model.row_of(self._selected)
        self.list.select_row(row)
        self._fit(row)
        selected = self.selected
        self._show_fields()
        if selected is not None:
            self.fields.show_piece(selected, self._problems(selected))

    def select(self, evidence: str) -> None:
        self._selected = evidence
        self.refresh()

    def edit(self, field: str = "") -> None:
        """Edit the selected piece, beginning at the given field."""
        if self.selected is not None:
            self._edited = self._selected
            self._show_fields()
            self.fields.focus_field(field)

    def write_quote(self) -> None:
        self.edit("quote")

    def set_stance(self, stance: Stance) -> None:
        if self.selected is not None:
            self._session.set_stance(self.selected.id, stance)

    def remove(self) -> None:
        piece = self.selected
        if piece is not None:
            self._session.remove_evidence(piece.id)
            self.removed.emit(piece.title or piece.url)

    def open_selected(self) -> None:
        if self.selected is not None:
            self.page_wanted.emit(self.selected)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # ty: ignore[invalid-argument-type]
        self._fit(self.model.row_of(self._selected))

    def _fit(self, row: int) -> None:
        if self.model.rowCount():
            fits = self.window().height() >= theme.px(MIN_HEIGHT_FOR_QUOTE)
            self.list.open_at(row if fits and self._edited is None else -1)
            self.list.fit_rows(MOST_ROWS)

    def _show_fields(self) -> None:
        """Show the fields only while they are edited, or while the address is missing."""
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
        """Hide the fields when the focus has left them; a focus change to another window does not count."""
        if self._edited is None or new is None or self.fields.isAncestorOf(new) or new.window() is not self.window():
            return
        self._edited = None
        self.refresh()

    def _problems(self, piece: Evidence) -> tuple[Problem, ...]:
        where = f"{task_stops.place_path(self._session.stop)}/evidence/{piece.id}"
        return tuple(problem for problem in self._session.outcome.problems if problem.where == where)

    def _line(self, piece: Evidence) -> EvidenceRow:
        problems = sorted(self._problems(piece), key=lambda problem: problem.level)
        quote = " ".join(piece.quote.split())
        problem_text = problem_message(problems[0]) if problems and not quote else ""
        name = " ".join(piece.title.split()) or without_scheme(piece.url) or self.tr("A page without an address")
        marks = {SUPPORTING: "supports", CONTRADICTING: "contradicts"}
        stance_names = {SUPPORTING: self.list.stance_words[0], CONTRADICTING: self.list.stance_words[1]}
        return EvidenceRow(
            piece.id,
            name,
            end=short_host(piece.url) if piece.title else "",
            detail=formatting.quoted(quote) if quote else problem_text,
            mark=marks.get(piece.stance or "", "todo"),
            stance=stance_names.get(piece.stance or "", ""),
            opened=self._opened_text(piece),
            stored_text=self.tr("page stored") if piece.snapshot else "",
            is_warning=bool(problem_text),
        )

    def _opened_text(self, piece: Evidence) -> str:
        if not piece.opened:
            return self.tr("not opened") if piece.url else ""
        when = datetime.fromisoformat(piece.opened).astimezone()
        return self.tr("opened {time}").format(time=formatting.clock(when))

    def _select_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.pause_typing()
            self.select(index.data(LIST_ROW_ROLE).id)


def short_host(url: str) -> str:
    """Return the host of a URL without `www.`; "" if it has none."""
    return host_of(url).removeprefix("www.")


def without_scheme(url: str) -> str:
    """Return a URL without its scheme, `www.` and trailing slash."""
    return url.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
