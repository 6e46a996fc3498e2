"""The rows of the link checklist: how each link stands, and how a row is painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from desktop_rater.text.hidden import hidden_characters
from desktop_rater.ui import theme
from desktop_rater.ui.evidence import without_scheme
from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.preview.shown_url import shown_url
from desktop_rater.ui.rows import LINE_ROLE, Index, Line, LineDelegate, LineList, Lines

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from desktop_rater.rubric.links import TaskLink

PAD, BETWEEN = 16, 12
LEAST_URL = 0.45  # of a row: what stands beside the address gives way before it does
LONGEST = 2_000


@dataclass(frozen=True)
class LinkLine(Line):
    """`title` is the address, `detail` what it is to the rating, `end` when it was opened; not so, it is `strong`."""

    strong: bool = False
    url: str = ""

    @property
    def spoken(self) -> str:
        """The row in one breath."""
        return ", ".join(part for part in (self.state, self.title, self.detail, self.end) if part)


def next_unopened(links: Sequence[TaskLink], opened: Collection[str], here: str | None, after: int) -> int | None:
    """The row of the next link to open, round to the first; those of the response `here` come before the others.

    A page of both responses stands where the response at hand has it.
    """
    mine: dict[str | None, int] = {}
    for row, link in enumerate(links):
        if link.response == here and not link.placeholder:
            mine.setdefault(link.page, row)

    def order(row: int) -> tuple[bool, bool, int]:
        at = mine.get(links[row].page, row)
        return links[row].page not in mine, at <= after, at

    rows = [row for row, link in enumerate(links) if link.counts and link.page not in opened]
    return min(rows, key=order, default=None)


def shown_address(url: str) -> str:
    """A URL as a row shows it: without its scheme, and with nothing in it that can't be seen."""
    short = without_scheme(url[:LONGEST])
    hidden = {at for at, _name in hidden_characters(short)}
    return "".join(quote(one) if at in hidden else one for at, one in enumerate(short))


def elided_address(address: str, metrics: QFontMetrics, width: int) -> str:
    """An address in so much room: its host stays as long as it can, and of its path both ends."""
    if metrics.horizontalAdvance(address) <= width:
        return address
    host, slash, path = address.partition("/")
    room = width - metrics.horizontalAdvance(host + slash)
    if room < metrics.horizontalAdvance("…"):
        # Who a host belongs to stands at its end.
        return metrics.elidedText(host, Qt.TextElideMode.ElideLeft, width)
    return host + slash + metrics.elidedText(path, Qt.TextElideMode.ElideMiddle, room)


class LinkLines(Lines):
    """The rows; the tooltip of one is its whole address."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and index.isValid():
            line: LinkLine = super().data(index, LINE_ROLE)
            return plain_tooltip(shown_url(line.url[:LONGEST]).spoken)
        return super().data(index, role)


class LinkDelegate(LineDelegate):
    """Rows of 28: a shape, the address, what it is to the rating, and when it was opened."""

    def __init__(self, view: LinkRows) -> None:
        super().__init__(view, two_lines=False, pad=PAD)
        self._view = view

    def height(self) -> int:
        return QFontMetrics(self.font).height() + theme.px(12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: LinkLine = index.data(LINE_ROLE)
        painter.save()
        rect: QRect = option.rect
        inner = self.frame(painter, rect, option.state, line)
        trailing = theme.px(8)  # the room of a mark at the far side is not needed
        inner = inner.adjusted(-trailing if self.mirrored else 0, 0, 0 if self.mirrored else trailing, 0)
        self.mark(painter, rect, rect.center().y(), line)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        ends = self._view.end_width(self)
        room = self._beside(painter, inner, line.end, self._end_font(line), "text" if line.strong else "text2", ends)
        room = self._beside(painter, room, line.detail, self.small, "text2", 0)
        self._address(painter, room, line)
        painter.restore()

    def _end_font(self, line: LinkLine) -> QFont:
        font = QFont(self.small)
        font.setWeight(QFont.Weight.DemiBold if line.strong else QFont.Weight.Normal)
        return font

    def end_room(self, line: LinkLine) -> int:
        """How wide the end of a row is."""
        return QFontMetrics(self._end_font(line)).horizontalAdvance(line.end)

    def _beside(self, painter: QPainter, room: QRect, words: str, font: QFont, ink: str, least: int) -> QRect:
        """Write words at the end of the room; what is left of it."""
        metrics = QFontMetrics(font)
        most = round(room.width() * (1 - LEAST_URL))
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, most)
        painter.setFont(font)
        painter.setPen(theme.color(self._widget, ink))
        side = Qt.AlignmentFlag.AlignLeft if self.mirrored else Qt.AlignmentFlag.AlignRight
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(room, flags, shown)
        used = max(metrics.horizontalAdvance(shown), min(least, most))
        used += theme.px(BETWEEN) if used else 0
        return room.adjusted(used if self.mirrored else 0, 0, 0 if self.mirrored else -used, 0)

    def _address(self, painter: QPainter, room: QRect, line: LinkLine) -> None:
        painter.setFont(self.font)
        painter.setPen(theme.color(self._widget, "text"))
        side = Qt.AlignmentFlag.AlignRight if self.mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(room, flags, elided_address(line.title, QFontMetrics(self.font), room.width()))


class LinkRows(LineList):
    """The list; its ends stand in one column."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, parent=parent)
        self._link_delegate = LinkDelegate(self)
        self.line_delegate = self._link_delegate
        self.setItemDelegate(self.line_delegate)
        self._ends: tuple[LinkLine, ...] = ()

    def show_ends(self, lines: Sequence[LinkLine]) -> None:
        """Keep the column as wide as the widest of these."""
        self._ends = tuple({(line.end, line.strong): line for line in lines}.values())
        self.viewport().update()

    def end_width(self, delegate: LinkDelegate) -> int:
        return max(map(delegate.end_room, self._ends), default=0)
