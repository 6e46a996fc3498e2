"""The rows of the link checklist: how each link stands, and how a row is painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from PySide6.QtCore import QAbstractListModel, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from desktop_rater.text.hidden import hidden_characters
from desktop_rater.ui import theme
from desktop_rater.ui.evidence.pane import without_scheme
from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.preview.shown_url import shown_url
from desktop_rater.ui.rows import LINE_ROLE, ROOT, Index, Line, LineDelegate, LineList, line_data

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtCore import QObject
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


class LinkLines(QAbstractListModel):
    """The rows, each made when it is looked at: a tool may answer with thousands of links."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._make: Callable[[int], LinkLine] | None = None
        self._made: dict[int, LinkLine] = {}

    def show(self, count: int, make: Callable[[int], LinkLine], *, anew: bool) -> None:
        """So many rows, and what makes one; `anew` where they are those of another task."""
        if anew:
            self.beginResetModel()
        self._count, self._make, self._made = count, make, {}
        if anew:
            self.endResetModel()
        elif count:
            self.dataChanged.emit(self.index(0), self.index(count - 1))

    def line(self, row: int) -> LinkLine:
        if row not in self._made:
            assert self._make is not None, "no row is looked at before there are some"
            self._made[row] = self._make(row)
        return self._made[row]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.ToolTipRole:  # its whole address
            return plain_tooltip(shown_url(self.line(index.row()).url[:LONGEST]).spoken)
        return line_data(self.line(index.row()), role)


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
        ends = max(self._width(words, strong=strong) for words, strong in self._view.end_words)
        font = self._end_font(strong=line.strong)
        room = self._beside(painter, inner, line.end, font, "text" if line.strong else "text2", ends)
        room = self._beside(painter, room, line.detail, self.small, "text2", 0)
        self._address(painter, room, line)
        painter.restore()

    def _end_font(self, *, strong: bool) -> QFont:
        font = QFont(self.small)
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        return font

    def _width(self, words: str, *, strong: bool) -> int:
        return QFontMetrics(self._end_font(strong=strong)).horizontalAdvance(words)

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
        self.not_opened, self.opened, self.now = self.tr("not opened"), self.tr("opened"), self.tr("now")
        self.end_words = ((self.not_opened, True), (self.opened, False), (self.now, False), ("00:00", False))
        self.line_delegate = LinkDelegate(self)
        self.setItemDelegate(self.line_delegate)
