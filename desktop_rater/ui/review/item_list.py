"""The list of the review room as it looks: heads of groups, quotes, and the label of each rater as its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyleOptionViewItem

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.review.item_rows import ROW_ROLE, ItemModel, ItemRow
from desktop_rater.ui.rows import MARK_ROOM, PAD, Line, LineDelegate, ink_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from desktop_rater.ui.review.looks import Token

    Index = QModelIndex | QPersistentModelIndex

HEAD, SHAPE, GAP = 27, 16, 7


class ItemDelegate(LineDelegate):
    """Rows of two lines, heads of one."""

    def __init__(self, view: QWidget, model: ItemModel) -> None:
        super().__init__(view, two_lines=True, pad=PAD)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - by kind alone
        # Asked for each row of a long list: nothing of Qt's model is asked here.
        head = self._model.rows[index.row()].is_head
        return QSize(80, theme.px(HEAD) if head else self.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ItemRow = index.data(ROW_ROLE)
        painter.save()
        if row.is_head:
            self._head(painter, option.rect, row)
        else:
            self._item(painter, option.rect, option.state, row)
        painter.restore()

    def _head(self, painter: QPainter, rect: QRect, row: ItemRow) -> None:
        line = theme.color(self._widget, "line")
        painter.fillRect(rect, theme.color(self._widget, "win"))
        painter.fillRect(rect.left(), rect.top(), rect.width(), 1, line)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
        font = QFont(self.small)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        inner = rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), 0)
        self.pair(painter, inner, row.title, row.end, self.soft, self.soft, bold=True)

    def _item(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ItemRow) -> None:
        room = theme.px(MARK_ROOM)
        inner = self.frame(painter, rect, state, Line("", ""))
        inner = inner.adjusted(0, 0, room, 0) if self.mirrored else inner.adjusted(-room, 0, 0, 0)
        height = QFontMetrics(self.font).height()
        top = QRect(inner.left(), inner.top() + theme.px(5), inner.width(), height)
        used = self._tokens(painter, top, row.tokens)
        words = top.adjusted(used, 0, 0, 0) if self.mirrored else top.adjusted(0, 0, -used, 0)
        painter.setFont(self.font)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        self.pair(painter, words, row.title, "", theme.color(self._widget, "text"), self.soft, bold=selected)
        painter.setFont(self.small)
        below = QRect(top.left(), top.bottom() + theme.px(4), top.width(), QFontMetrics(self.small).height())
        below = self._state(painter, below, row.state)
        self.pair(painter, below, row.detail, row.end, self.soft, self.soft)

    def _state(self, painter: QPainter, rect: QRect, state: str) -> QRect:
        """How far it is reviewed, at the end of the second line; the room that is left."""
        if not state:
            return rect
        size = theme.px(14)
        left = rect.left() if self.mirrored else rect.right() + 1 - size
        ink = theme.color(self._widget, ink_of(state))
        field = QRectF(left, rect.center().y() + 0.5 - size / 2, size, size)
        shapes.paint(painter, field, state, ink, theme.color(self._widget, "panel"))
        used = size + theme.px(5)
        return rect.adjusted(used, 0, 0, 0) if self.mirrored else rect.adjusted(0, 0, -used, 0)

    def _tokens(self, painter: QPainter, rect: QRect, tokens: Sequence[Token]) -> int:
        """Paint labels at the end of a line, in the order of the raters; how much room they take."""
        small = QFontMetrics(self.small)
        widths = [self._width(one, small) for one in tokens]
        gap = theme.px(GAP)
        whole = sum(widths) + gap * max(0, len(widths) - 1)
        x = rect.left() if self.mirrored else rect.right() + 1 - whole
        painter.setFont(self.small)
        for token, wide in zip(tokens, widths, strict=True):
            self._token(painter, QRect(x, rect.top(), wide, rect.height()), token)
            x += wide + gap
        return whole + theme.px(8) if tokens else 0

    def _width(self, token: Token, metrics: QFontMetrics) -> int:
        shape = theme.px(SHAPE) if token.shape else 0
        words = metrics.horizontalAdvance(_words(token))
        return shape + words + (theme.px(2) if shape and words else 0)

    def _token(self, painter: QPainter, rect: QRect, token: Token) -> None:
        size, widget = theme.px(SHAPE), self._widget
        tone = theme.tone(token.tone)
        if token.shape:
            ink = QColor(tone.ink) if tone is not None else theme.color(widget, ink_of(token.shape))
            field = QRectF(rect.left(), rect.center().y() + 0.5 - size / 2, size, size)
            shapes.paint(painter, field, token.shape, ink, theme.color(widget, "surface"))
        painter.setPen(self.soft)
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(rect, end | Qt.TextFlag.TextSingleLine, _words(token))


def _words(token: Token) -> str:
    return " ".join(part for part in (token.words, str(token.count) if token.count else "") if part)


class ItemList(QListView):
    """Letters are keys of the room; heads are passed over. Left and right go from rater to rater."""

    sideways = Signal(int)

    def __init__(self, model: ItemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_list")
        self.setAccessibleName(self.tr("Places, most disagreement first"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(ItemDelegate(self, model))
        self.setModel(model)
        theme.paper(self, "panel")
        theme.follow(self, self.scheduleDelayedItemsLayout)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.sideways.emit(-step if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else step)
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, _search: str) -> None:
        """Letters do not search here."""

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """A row that changed is painted anew: it is as high as before."""
        QAbstractItemView.dataChanged(self, first, last, roles)
