"""Short lists as the window shows them: frozen rows, one model and one delegate for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.direction import right_to_left
from desktop_rater.ui.theme_tokens import TYPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

Index = QModelIndex | QPersistentModelIndex
LINE_ROLE = Qt.ItemDataRole.UserRole
ROOT = QModelIndex()
PAD, MARK, MARK_ROOM = 12, 16, 24


@dataclass(frozen=True)
class Line:
    """One row: a title, with a second line if `detail` or `detail_end` say something. `tone` colours `detail_end`.

    `mark` is the name of a state or of a shape, `mark_tone` that of the label's tone that inks it.
    """

    id: str
    title: str
    end: str = ""
    detail: str = ""
    detail_end: str = ""
    mark: str = ""
    mark_tone: str = ""
    tone: str = ""
    bold: bool = False
    back: str = ""
    state: str = ""  # what the mark says, for those who hear it

    @property
    def spoken(self) -> str:
        """The row in one breath."""
        return ", ".join(part for part in (self.title, self.state, self.end, self.detail, self.detail_end) if part)


def line_data(line: Line, role: int) -> Any:
    """What a model says of a row."""
    if role == LINE_ROLE:
        return line
    if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
        return line.spoken
    return None


class Lines(QAbstractListModel):
    """A short list, held whole."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return line_data(self._lines[index.row()], role) if index.isValid() else None

    def show(self, lines: Sequence[Line]) -> None:
        """Show other rows. Those whose ids stay in place are only painted again, so that selection and scroll stay."""
        lines = tuple(lines)
        if [one.id for one in lines] != [one.id for one in self._lines]:
            self.beginResetModel()
            self._lines = lines
            self.endResetModel()
            return
        changed = [at for at, pair in enumerate(zip(self._lines, lines, strict=True)) if pair[0] != pair[1]]
        self._lines = lines
        for at in changed:
            self.dataChanged.emit(self.index(at), self.index(at))

    def row_of(self, name: str | None) -> int:
        """The row with that id, or −1."""
        return next((at for at, line in enumerate(self._lines) if line.id == name), -1)


class LineDelegate(QStyledItemDelegate):
    """Paints rows of one or two lines, as high as the font needs; the text as it stands, never as HTML."""

    def __init__(self, parent: QWidget, *, two_lines: bool, pad: int = PAD) -> None:
        super().__init__(parent)
        self._widget = parent
        self._two_lines = two_lines
        self._pad = pad

    @property
    def font(self) -> QFont:
        """The font of titles."""
        return self._widget.font()

    @property
    def small(self) -> QFont:
        """The font of what stands beneath them."""
        font = QFont(self.font)
        font.setPixelSize(theme.px(TYPE["small"][0]))
        return font

    def height(self) -> int:
        """The height of a row: 44 for two lines, 30 for one, where the font is the usual one."""
        first = QFontMetrics(self.font).height()
        return first + QFontMetrics(self.small).height() + theme.px(13) if self._two_lines else first + theme.px(14)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - all rows are alike
        return QSize(80, self.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: Line = index.data(LINE_ROLE)
        painter.save()
        rect, state = option.rect, option.state
        inner = self.frame(painter, rect, state, line)
        height = QFontMetrics(self.font).height()
        top = QRect(inner.left(), inner.top() + theme.px(5), inner.width(), height) if self._two_lines else inner
        self.mark(painter, rect, top.center().y(), line)
        painter.setFont(self.font)
        self.pair(painter, top, line.title, line.end, theme.color(self._widget, "text"), self.soft, bold=line.bold)
        if self._two_lines:
            painter.setFont(self.small)
            below = QRect(top.left(), top.bottom() + theme.px(4), top.width(), QFontMetrics(self.small).height())
            self.pair(painter, below, line.detail, line.detail_end, self.soft, self.tone(line))
        painter.restore()

    @property
    def soft(self) -> QColor:
        """The ink of what is secondary."""
        return theme.color(self._widget, "text2")

    def tone(self, line: Line) -> QColor:
        """The ink of the end of the second line."""
        return theme.color(self._widget, line.tone) if line.tone else self.soft

    @property
    def mirrored(self) -> bool:
        """Whether the window runs from right to left."""
        return self._widget.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def frame(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, line: Line) -> QRect:
        """Paint the background; the room for words."""
        colors = theme.tokens()
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        back = colors.sel if selected else getattr(colors, line.back) if line.back else colors.hover if hovered else ""
        if back:
            painter.fillRect(rect, QColor(back))
        if selected:
            rail = theme.px(3)
            left = rect.right() - rail + 1 if self.mirrored else rect.left()
            painter.fillRect(left, rect.top(), rail, rect.height(), QColor(colors.accent))
        if selected and colors.high:
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        pad, room = theme.px(self._pad), theme.px(MARK_ROOM)
        leading, trailing = (0, room) if self.mirrored else (room, 0)
        return rect.adjusted(pad + leading, 0, -pad - trailing, 0)

    def mark(self, painter: QPainter, rect: QRect, y: float, line: Line) -> None:
        """Paint the mark of a row, `y` its middle."""
        size, pad = theme.px(MARK), theme.px(self._pad)
        left = rect.right() + 1 - pad - size if self.mirrored else rect.left() + pad
        tone = theme.tone(line.mark_tone)
        ink = QColor(tone.ink) if tone is not None else theme.color(self._widget, ink_of(line.mark))
        where = QRectF(left, y + 0.5 - size / 2, size, size)
        shapes.paint(painter, where, line.mark, ink, theme.color(self._widget, "surface"))

    def pair(
        self, painter: QPainter, rect: QRect, text: str, end: str, ink: QColor, end_ink: QColor, *, bold: bool = False
    ) -> None:
        """One line in the painter's font: a text that is elided, and a word at the end that is not."""
        font = QFont(painter.font())
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        trailing = Qt.AlignmentFlag.AlignLeft if self.mirrored else Qt.AlignmentFlag.AlignRight
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        if end:
            end = painter.fontMetrics().elidedText(end, Qt.TextElideMode.ElideRight, rect.width() * 2 // 3)
            painter.setPen(end_ink)
            painter.drawText(rect, trailing | Qt.AlignmentFlag.AlignAbsolute | flags, end)
            used = painter.fontMetrics().horizontalAdvance(end) + theme.px(8)
            rect = rect.adjusted(used if self.mirrored else 0, 0, 0 if self.mirrored else -used, 0)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
        painter.setPen(ink)
        flat = " ".join(text.split())
        shown = painter.fontMetrics().elidedText(flat, Qt.TextElideMode.ElideRight, rect.width())
        backwards = right_to_left(flat)
        # The … stands where the text goes on, which is the left in Arabic.
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
        start = Qt.AlignmentFlag.AlignRight if backwards else Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect, start | Qt.AlignmentFlag.AlignAbsolute | flags, shown)


def ink_of(mark: str) -> str:
    """The colour of a state, by its name."""
    return shapes.STATES[mark][1] if mark in shapes.STATES else "text2"


class LineList(QListView):
    """A list of `Line`s. `whole(most)` makes it as high as its rows, up to `most` of them."""

    def __init__(self, name: str, *, two_lines: bool, pad: int = PAD, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._most = 0
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.line_delegate = LineDelegate(self, two_lines=two_lines, pad=pad)
        self.setItemDelegate(self.line_delegate)

    def keyboardSearch(self, _search: str) -> None:
        """Letters answer; they do not search in lists."""

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """A row that changed is painted anew. A QListView would lay all rows out again, which are as high as before."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._most:
            self.fit_rows(self._most)

    def fit_rows(self, most: int) -> None:
        """Be as high as the rows, at most `most` of them."""
        self._most = most
        rows = max(1, min(most, self.model().rowCount()))
        self.setFixedHeight(rows * self.line_delegate.height() + 2 * self.frameWidth())
