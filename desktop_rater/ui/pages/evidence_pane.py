"""Evidence of the current place: one row per page, and the fields of the selected piece while they are edited."""

from collections.abc import Collection, Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import NEUTRAL, Evidence, NeutralReason, Problem, Stance
from desktop_rater.model.values import Place
from desktop_rater.text.shared_words import shares_nothing
from desktop_rater.text.untrusted import is_blank
from desktop_rater.text.urls import host_of, page_key, readable_url
from desktop_rater.ui.pages.evidence_fields import EvidenceFields
from desktop_rater.ui.pages.evidence_list import ClaimChip, EvidenceList, EvidenceRow
from desktop_rater.ui.pages.page_states import unreadable_text
from desktop_rater.ui.pages.stances import STANCE_MARKS, ReasonRow, reason_text, stance_name
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import tight_column
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
    address_entered = Signal(str)  # of new evidence
    address_left = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence")
        self._session = session
        self._selected: str | None = None
        self._edited: str | None = None
        self._place: Place | None = None
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
        column.addWidget(self._make_address())
        self.reasons = ReasonRow("neutral_reason")
        self.reasons.chosen.connect(self._set_reason)
        column.addWidget(self.reasons)
        self.warning = WrappedLabel(name="evidence_warning", size="small", ink="warn")
        self.warning.hide()
        column.addWidget(self.warning)
        self.fields = EvidenceFields(session)
        self.fields.open_wanted.connect(self.open_selected)
        self.fields.remove_wanted.connect(self.remove)
        self.fields.stance_wanted.connect(self.set_stance)
        self.fields.claim_wanted.connect(self.switch_claim)
        column.addWidget(self.fields)
        QApplication.instance().focusChanged.connect(self._focus_changed)  # ty: ignore[missing-attribute]

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(2)  # the links have padding of their own
        self._title = ElidedLabel(self.tr("Evidence"))
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.set_type(self._title, bold=True)
        head.addWidget(self._title)
        self._empty = ElidedLabel(self.tr("No pages yet"), name="evidence_empty", ink="text2", size="small")
        head.addSpacing(theme.px(6))
        head.addWidget(self._empty, 1)
        head.addStretch(0)  # only where the label is hidden
        self.add_button = LinkButton(self.tr("+ Paste a link"), "E", name="add_evidence", clicked=self.wanted)
        self._quote_button = LinkButton(self.tr("Quote"), "Q", name="quote_evidence", clicked=self.write_quote)
        self._open_button = LinkButton(self.tr("Open"), "O", name="open_evidence_page", clicked=self.open_selected)
        self._fold_button = LinkButton(self.tr("Fold"), "", name="fold_evidence", clicked=self.fold_wanted)
        self._fold_button.hide()
        for button in (self.add_button, self._quote_button, self._open_button, self._fold_button):
            head.addWidget(button)
        return head

    def _make_address(self) -> QWidget:
        """Return the line for the address of new evidence: there is no evidence before it has one."""
        self._address_box = QWidget()
        box = tight_column(self._address_box, spacing=4)
        self.address = LineField(
            name="new_address",
            placeholder=self.tr("Address of a page, Enter adds it"),
            label=self.tr("Address of new evidence"),
            entered=self._enter_address,
            left=self.leave_address,
        )
        self.address.setMinimumHeight(28)
        self.address.editingFinished.connect(self._fold_address)
        self._address_note = WrappedLabel(name="new_address_note", size="small", ink="block")
        self.address.textEdited.connect(self._address_note.hide)
        for part in (self.address, self._address_note):
            box.addWidget(part)
        self._address_box.hide()
        return self._address_box

    def ask_address(self) -> None:
        """Ask for the address of new evidence."""
        self.address.clear()
        self._address_note.hide()
        self._address_box.show()
        self.address.setFocus()

    def leave_address(self) -> None:
        """Close the line without adding anything."""
        self.address_left.emit()
        self._address_box.hide()

    def _fold_address(self) -> None:
        """Close the line when the focus leaves it, unless another window took the focus."""
        focus = QApplication.focusWidget()
        if focus is not None and focus is not self.address and focus.window() is self.window():
            self._address_box.hide()

    def _enter_address(self, _by: int) -> None:
        text = self.address.text().strip()
        url = text if "://" in text else f"https://{text}"
        known = {page_key(piece.url) for piece in self._session.evidence_here}
        if not text or page_key(url) is None:
            self._refuse_address(self.tr("This is not a web address."))
        elif page_key(url) in known and self._address_note.isHidden():  # it may speak for both sides
            self._refuse_address(self.tr("This page is evidence here already. Enter again adds it once more."))
        else:
            self.leave_address()
            self.address_entered.emit(url)

    def _refuse_address(self, why: str) -> None:
        self._address_note.setText(why)
        self._address_note.show()

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
        self._select_piece_of(pieces)
        count = len(session.claims)
        claims_text = self.tr("for both claims") if count == 2 else self.tr("for all {n} claims").format(n=count)
        self._empty.setText((claims_text if count > 1 else "") if pieces else self.tr("No pages yet"))
        self._empty.setHidden(not self._empty.text())
        for part in (self.list, self._quote_button, self._open_button):
            part.setVisible(bool(pieces))
        self.model.show([self._line(piece) for piece in pieces])
        row = self.model.row_of(self._selected)
        self.list.select_row(row)
        self._fit(row)
        selected = self.selected
        self._show_fields()
        self.warning.setText(self.quote_warning(selected) if selected is not None else "")
        self.warning.setHidden(not self.warning.text())
        if selected is not None:
            self.fields.show_piece(selected, self._problems(selected))

    def _select_piece_of(self, pieces: Sequence[Evidence]) -> None:
        """Keep the selection; at another claim, prefer evidence that speaks of it."""
        place, moved = self._session.place, self._session.place != self._place
        self._place = place
        ids = [piece.id for piece in pieces]
        here = [piece.id for piece in pieces if place.claim in piece.claim_ids]
        if self._selected not in ids:
            self._selected = next(reversed(here or ids), None)
        elif moved and here and self._selected not in here:
            self._selected = here[-1]

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
        """Set the stance of the selected piece; if it does not decide, ask why."""
        piece = self.selected
        if piece is None:
            return
        reason = piece.reason if piece.stance == stance else None
        self._session.set_stance(piece.id, stance, reason)
        if stance == NEUTRAL and not self._session.read_only:
            self.reasons.ask(reason)

    def _set_reason(self, reason: NeutralReason) -> None:
        if self.selected is not None:
            self._session.set_stance(self.selected.id, NEUTRAL, reason)

    def switch_claim(self, number: int) -> None:
        """Switch whether the selected piece speaks of a claim, counted from 1; 0 makes it speak of all."""
        piece = self.selected
        if piece is not None and number <= len(self._session.claims):
            claims = switched_claims([claim.id for claim in self._session.claims], piece.claim_ids, number)
            self._session.change_evidence(piece.id, claim=None, claims=claims)

    def remove(self) -> None:
        piece = self.selected
        if piece is not None:
            self._session.remove_evidence(piece.id)
            self.removed.emit(piece.title or readable_url(piece.url))

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

    def quote_warning(self, piece: Evidence) -> str:
        """Return a warning if the quote is not wholly readable, or shares no word with what it is evidence for."""
        if unreadable := unreadable_text(piece.quote, of_quote=True):
            return f"{unreadable}."
        session, passage = self._session, f"{piece.prefix} {piece.quote} {piece.suffix}"
        if is_blank(piece.quote) or piece.stance == NEUTRAL or session.task is None:
            return ""
        claims = [claim.text for claim in session.claims if claim.id in piece.claim_ids]
        target = session.target.quote or "" if session.target is not None else ""
        if not shares_nothing("\n".join(claims) or target, passage, session.task.prompt.lang or "en", piece.title):
            return ""
        if claims:
            return self.tr("This passage speaks of none of the claim's words.")
        return self.tr("This passage speaks of none of the target's words.")

    def _line(self, piece: Evidence) -> EvidenceRow:
        problems = sorted(self._problems(piece), key=lambda problem: problem.level)
        quote = " ".join(piece.quote.split())
        reason = reason_text(piece)
        names = [claim.id for claim in self._session.claims]
        unclear = bool(names) and not (piece.claim_ids and set(piece.claim_ids) <= set(names))
        problem_text = problem_message(problems[0]) if problems and not quote and not reason else ""
        if unclear:
            problem_text = self.tr("Which claims?")
        detail = ", ".join(part for part in (reason, formatting.quoted(quote) if quote else "") if part)
        warning = self.quote_warning(piece)
        name = " ".join(piece.title.split()) or without_scheme(piece.url) or self.tr("A page without an address")
        opened, stored = self._opened_text(piece), self.tr("page stored") if piece.snapshot else ""
        if names:  # the chips are where the time is painted otherwise
            opened, stored = "", ", ".join(part for part in (opened, stored) if part)
        return EvidenceRow(
            piece.id,
            name,
            end=short_host(piece.url) if piece.title else "",
            detail=problem_text or detail,
            mark=STANCE_MARKS.get(piece.stance, "todo"),
            stance=stance_name(piece.stance),
            opened=opened,
            stored_text=stored,
            is_warning=bool(problem_text or warning),
            warning=warning,
            chips=tuple(
                ClaimChip(f"c{number}", current=claim == self._session.place.claim, open=claim not in piece.claim_ids)
                for number, claim in enumerate(names, 1)
                if unclear or claim in piece.claim_ids
            ),
            spoken_claims=self._spoken_claims(piece, names),
        )

    def _spoken_claims(self, piece: Evidence, names: Sequence[str]) -> str:
        numbers = [str(number) for number, claim in enumerate(names, 1) if claim in piece.claim_ids]
        template = self.tr("for claim {n}") if len(numbers) == 1 else self.tr("for claims {n}")
        return template.format(n=", ".join(numbers)) if numbers else ""

    def _opened_text(self, piece: Evidence) -> str:
        if not piece.opened:
            return self.tr("not opened") if piece.url else ""
        when = datetime.fromisoformat(piece.opened).astimezone()
        time = formatting.clock(when)
        return time if self._session.claims else self.tr("opened {time}").format(time=time)

    def _select_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.pause_typing()
            self.select(index.data(LIST_ROW_ROLE).id)


def switched_claims(claims: Sequence[str], chosen: Collection[str], number: int) -> tuple[str, ...]:
    """Return the chosen claims with one more or less, counted from 1; all of them for 0."""
    return tuple(
        claim for index, claim in enumerate(claims, 1) if number == 0 or (claim in chosen) is not (index == number)
    )


def short_host(url: str) -> str:
    """Return the host of a URL without `www.`; "" if it has none."""
    return host_of(url).removeprefix("www.")


def without_scheme(url: str) -> str:
    """Return a URL for display, without its scheme, `www.` and trailing slash."""
    return readable_url(url).removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
