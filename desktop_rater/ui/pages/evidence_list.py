"""List of evidence with stance, page and quote in each row; the selected row shows its whole quote."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QStyle, QWidget

from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import draw_text, elided_text, right_to_left
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, Index, ListRow, ListRowDelegate, RowList, ink_of

MOST_QUOTE_LINES = 5
MARK, PAD, ABOVE, BETWEEN, CHIP_GAP = 16, 11, 5, 8, 4
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True)
class ClaimChip:
    """A claim that evidence speaks of, or may speak of while that is `open`; `current` is the one being rated."""

    name: str
    current: bool = False
    open: bool = False


@dataclass(frozen=True)
class EvidenceRow(ListRow):
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
        parts = (self.stance, self.spoken_claims, self.title, self.end, self.detail, self.warning)
        parts = (*parts, self.opened, self.stored_text)
        return ", ".join(part for part in parts if part)


class EvidenceRowDelegate(ListRowDelegate):
    """Delegate for rows of two lines, one of which may be expanded."""

    view: EvidenceList
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
        """Paint the title, elided, and the host, which takes at most half of the width."""
        small = QFontMetrics(self.small)
        host = small.elidedText(line.end, Qt.TextElideMode.ElideRight, where.width() // 2)
        host_width = small.horizontalAdvance(host) + theme.px(5) if host else 0
        metrics = painter.fontMetrics()
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
        rows = [self.sizeHintForRow(row) for row in range(self.model().rowCount())]
        limit = most * self.row_delegate.height() + max(0, max(rows, default=0) - self.row_delegate.height())
        self.setFixedHeight(min(sum(rows), limit) + 2 * self.frameWidth())
        self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
