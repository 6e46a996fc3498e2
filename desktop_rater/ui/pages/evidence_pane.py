"""Evidence of the current place: one row per page, and the fields of the selected piece while they are edited."""

from collections.abc import Collection, Sequence
from datetime import datetime

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QStyle, QWidget

from desktop_rater.format.rating import NEUTRAL, Evidence, NeutralReason, Problem, Stance
from desktop_rater.format.values import Place
from desktop_rater.text.untrusted import is_blank
from desktop_rater.text.urls import host_of, page_key, readable_url
from desktop_rater.ui.pages.evidence_fields import STANCE_MARKS, EvidenceFields, ReasonRow, reason_text, stance_name
from desktop_rater.ui.pages.page_states import unreadable_text
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel, draw_text, elided_text, right_to_left
from desktop_rater.ui.widgets.layouts import fill, tight_column
from desktop_rater.ui.widgets.list_view import (
    LIST_ROW_ROLE,
    Index,
    ListRow,
    ListRowDelegate,
    ListRowModel,
    RowList,
    ink_of,
)
from desktop_rater.ui.widgets.theme_tokens import PANE, UNDER_LABEL

MOST_QUOTE_LINES = 5
MARK, PAD, ABOVE, BETWEEN, CHIP_GAP = 16, 11, 5, 8, 4
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop


class ClaimChip(Struct, frozen=True):
    """A claim that evidence speaks of, or may speak of while that is `open`; `current` is the one being rated."""

    name: str
    current: bool = False
    open: bool = False


class EvidenceRow(ListRow, frozen=True):
    """Row of evidence. `title` is the page's title, `end` its host, `detail` the quote.

    `opened` and `stored_text` are painted at the end of the first and second line. Where claims are recorded, chips
    take the place of `opened`, and `spoken_claims` is their text.
    """

    stance: str = ""
    opened: str = ""
    stored_text: str = ""
    is_warning: bool = False
    chips: tuple[ClaimChip, ...] = ()
    spoken_claims: str = ""
    warning: str = ""  # only spoken: it is shown below the list

    @property
    def spoken(self) -> str:
        about_page = (self.title, self.end, self.detail, self.warning, self.opened, self.stored_text)
        return ", ".join(part for part in (self.stance, self.spoken_claims, *about_page) if part)


class EvidenceRowDelegate(ListRowDelegate):
    """Delegate for rows of two lines, one of which may be expanded."""

    view: "EvidenceList"
    _whole = QRect()

    def height_of(self, index: Index) -> int:
        lines = self._quote_lines(index.data(LIST_ROW_ROLE)) if index.row() == self.view.open_row else 1
        return self.height() + (lines - 1) * QFontMetrics(self.small).lineSpacing()

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        assert isinstance(row, EvidenceRow), "the list has no others"
        # All parts are placed from left to right, and mirrored if the window is right-to-left.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._whole = rect
        self.paint_background(painter, rect, state, row)
        if index.row() + 1 < index.model().rowCount():
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self.view, "line"))
        column = self._columns(rect, row)
        first = QFontMetrics(self.font).height()
        top = rect.top() + theme.px(ABOVE)
        self._stance(painter, QRect(rect.left(), top, rect.width(), first), column, row)
        chips_left = self._chips(painter, QRect(rect.left(), top, rect.width(), first), row)
        title_area = QRect(column[1], top, column[2] - column[1], first)
        if row.chips:  # in the place of the end text
            title_area.setRight(chips_left - theme.px(CHIP_GAP))
        painter.setFont(self.font)
        self._page(painter, title_area, row)
        painter.setFont(self.small)
        quote_area = QRect(
            column[1],
            title_area.bottom() + theme.px(1),
            min(column[2], title_area.right()) - column[1],
            rect.bottom() - title_area.bottom(),
        )
        self._quote(painter, quote_area, row, whole=index.row() == self.view.open_row)
        self._ends(painter, rect, top, first, column[2], row)

    def _mirrored_rect(self, area: QRect) -> QRect:
        return QStyle.visualRect(self.view.layoutDirection(), self._whole, area)

    def _flags(self, *, end: bool = False) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if end is not self.mirrored else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute

    def _columns(self, rect: QRect, line: EvidenceRow) -> tuple[int, int, int]:
        """Return the left edges of the stance text, the page, and the end texts of a row."""
        bold, small = QFontMetrics(self.font), QFontMetrics(self.small)
        stances = {row.stance or self.view.no_stance for row in self.view.model().rows}  # ty: ignore[missing-attribute]
        word = rect.left() + theme.px(PAD + MARK + 4)
        page = word + max(map(bold.horizontalAdvance, stances)) + theme.px(BETWEEN)
        end = rect.right() - theme.px(PAD) - max(map(small.horizontalAdvance, (line.opened, line.stored_text)))
        return word, page, end - theme.px(BETWEEN)

    def _stance(self, painter: QPainter, where: QRect, column: tuple[int, int, int], line: EvidenceRow) -> None:
        side = theme.px(MARK)
        place = self._mirrored_rect(QRect(where.left() + theme.px(PAD), where.top(), side, where.height()))
        field = QRectF(place.left(), where.center().y() + 0.5 - side / 2, side, side)
        ink = theme.color(self.view, ink_of(line.mark))
        shapes.paint_shape(painter, field, line.mark, ink, theme.color(self.view, "surface"))
        painter.setFont(self.font)
        painter.setPen(theme.color(self.view, "text" if line.stance else "text3"))
        area = QRect(column[0], where.top(), column[1] - column[0], where.height())
        text = line.stance or self.view.no_stance
        draw_text(painter, self._mirrored_rect(area), self._flags() | Qt.TextFlag.TextSingleLine, text)

    def _page(self, painter: QPainter, where: QRect, line: EvidenceRow) -> None:
        """Paint the title, elided, and the host, which takes at most half of the width, or what the title leaves."""
        small, metrics = QFontMetrics(self.small), painter.fontMetrics()
        left = where.width() - metrics.horizontalAdvance(line.title) - theme.px(5)
        host = small.elidedText(line.end, Qt.TextElideMode.ElideRight, max(where.width() // 2, left))
        host_width = small.horizontalAdvance(host) + theme.px(5) if host else 0
        title = metrics.elidedText(line.title, Qt.TextElideMode.ElideRight, where.width() - host_width)
        painter.setPen(theme.color(self.view, "text"))
        draw_text(painter, self._mirrored_rect(where), self._flags() | Qt.TextFlag.TextSingleLine, title)
        if host:
            painter.setFont(self.small)
            painter.setPen(self.soft)
            left = where.left() + metrics.horizontalAdvance(title) + theme.px(5)
            area = QRect(left, where.top(), where.right() - left + 1, where.height())
            draw_text(painter, self._mirrored_rect(area), self._flags() | Qt.TextFlag.TextSingleLine, host)

    def _quote(self, painter: QPainter, where: QRect, line: EvidenceRow, *, whole: bool) -> None:
        ink = theme.color(self.view, "warn" if line.is_warning else "text2")
        metrics = painter.fontMetrics()
        if line.is_warning:
            side = theme.px(14)
            mark = self._mirrored_rect(QRect(where.left(), where.top(), side, side))
            field = QRectF(mark.left(), where.top() + (metrics.height() - side) / 2, side, side)
            shapes.paint_shape(painter, field, "warns", ink, theme.color(self.view, "surface"))
            where = where.adjusted(side + theme.px(4), 0, 0, 0)
        painter.setPen(ink)
        backwards = right_to_left(line.detail)
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
        where = self._mirrored_rect(where)
        side_flag = Qt.AlignmentFlag.AlignRight if backwards or self.mirrored else Qt.AlignmentFlag.AlignLeft
        start = side_flag | Qt.AlignmentFlag.AlignAbsolute
        if whole:
            text = elided_text(metrics, line.detail, where.width(), MOST_QUOTE_LINES)
            draw_text(painter, where, WRAP | start, text)
        else:
            first = QRect(where.left(), where.top(), where.width(), metrics.height())
            elided = metrics.elidedText(line.detail, Qt.TextElideMode.ElideRight, where.width())
            draw_text(painter, first, Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignTop | start, elided)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def _chips(self, painter: QPainter, where: QRect, line: EvidenceRow) -> int:
        """Paint the chips of the claims at the end of the first line; return their left edge."""
        painter.setFont(self.small)
        left = where.right() - theme.px(PAD) + 1
        accent, ground = theme.color(self.view, "accent"), theme.color(self.view, "surface")
        for chip in reversed(line.chips):
            width = painter.fontMetrics().horizontalAdvance(chip.name) + theme.px(8)
            left -= width
            filled = chip.current and not chip.open
            pen_style = Qt.PenStyle.DashLine if chip.open else Qt.PenStyle.SolidLine
            edge = accent if filled else theme.color(self.view, "warn" if chip.open else "edge")
            painter.setPen(QPen(edge, 1, pen_style))
            painter.setBrush(accent if filled else Qt.BrushStyle.NoBrush)
            box = self._mirrored_rect(QRect(left, where.top(), width, where.height()))
            painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(3), theme.px(3))
            painter.setPen(ground if filled else theme.color(self.view, "text"))
            draw_text(painter, box, Qt.AlignmentFlag.AlignCenter, chip.name)
            left -= theme.px(CHIP_GAP)
        return left

    def _ends(self, painter: QPainter, rect: QRect, top: int, first: int, left: int, line: EvidenceRow) -> None:
        painter.setPen(self.soft)
        painter.setFont(self.small)
        area = QRect(left, top, rect.right() - theme.px(PAD) - left + 1, first)
        for place, text in ((area, line.opened), (area.translated(0, first), line.stored_text)):
            draw_text(painter, self._mirrored_rect(place), self._flags(end=True) | Qt.TextFlag.TextSingleLine, text)

    def _quote_lines(self, line: EvidenceRow) -> int:
        column = self._columns(QRect(0, 0, self.view.viewport().width(), 10), line)
        metrics = QFontMetrics(self.small)
        mark_width = theme.px(14) + theme.px(4) if line.is_warning else 0
        width = max(60, column[2] - column[1] - mark_width)
        bounds = metrics.boundingRect(QRect(0, 0, width, 10_000), WRAP.value, line.detail)
        return max(1, min(MOST_QUOTE_LINES, round(bounds.height() / metrics.lineSpacing())))


class EvidenceList(RowList):
    """List of evidence. `open_row` is the expanded row; −1 if the window is too low for one."""

    delegate_class = EvidenceRowDelegate

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=True, pad=PAD, parent=parent)
        self.setUniformItemSizes(False)
        self.open_row = -1
        self.no_stance = self.tr("Stance?")

    def open_at(self, row: int) -> None:
        if row != self.open_row:
            self.open_row = row
            self.scheduleDelayedItemsLayout()

    def fit_rows(self, most: int) -> None:
        """Set the height to the rows, at most `most` collapsed ones plus the extra height of the expanded one."""
        self._most = most
        rows = [self.sizeHintForRow(row) for row in range(self.model().rowCount())]
        limit = most * self.row_delegate.height() + max(0, max(rows, default=0) - self.row_delegate.height())
        self.setFixedHeight(min(sum(rows), limit) + 2 * self.frameWidth())
        self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._most and event.size().width() != event.oldSize().width():
            self.fit_rows(self._most)  # the quote of the expanded row takes other lines


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
        column = tight_column(self, self._make_head(), spacing=theme.px(UNDER_LABEL))
        theme.pad(column, PANE, 4, PANE, 8)
        self.list = EvidenceList("evidence_list")
        self.list.setAccessibleName(self.tr("Evidence"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._select_row)
        self.list.doubleClicked.connect(lambda _index: self.edit("quote"))
        fill(column, self.list, self._make_address())
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
        self._title = ElidedLabel(self.tr("Evidence"), bold=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
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
        tight_column(self._address_box, self.address, self._address_note, spacing=4)
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

    def mark_neutral(self, stance: str, claim: str | None) -> None:
        """Mark the page of a stance as not deciding; where there are several, the rater selects one first."""
        here = (piece for piece in self._session.evidence_here if piece.stance == stance)
        pieces = [piece.id for piece in here if claim is None or claim in piece.claim_ids]
        if pieces:
            self.select(pieces[0])
        if len(pieces) == 1:
            self.set_stance(NEUTRAL)

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
        from desktop_rater.text.shared_words import shares_nothing  # noqa: PLC0415 - only for a quote

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
        source = short_host(piece.url) if piece.title else ""
        if piece.library is not None:
            source = self.tr("from {library}").format(library=formatting.library_text(piece.library))
        opened, stored = self._opened_text(piece), self.tr("page stored") if piece.snapshot else ""
        if names:  # the chips are where the time is painted otherwise
            opened, stored = "", ", ".join(part for part in (opened, stored) if part)
        return EvidenceRow(
            piece.id,
            name,
            end=source,
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
