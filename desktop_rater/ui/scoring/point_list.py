"""The list of points: as many lines as a point needs, its answer beside it as a shape and a word."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.plain import text_direction
from desktop_rater.ui.scoring.point_rows import ROW_ROLE, SHAPES, Index, PointModel, PointRow, says_words
from desktop_rater.ui.theme_tokens import TYPE

PAD, TOP, HEAD, SHAPE, SAYS, BAR = 12, 7, 27, 14, 104, 3
MOST_LINES, MOST_CHARACTERS = 5, 1_000


def lines_in(words: str, font: QFont, width: int) -> list[str]:
    """The words in lines of that width; where there are too many, the last one is elided."""
    words = " ".join(words[:MOST_CHARACTERS].split())
    layout = QTextLayout(words, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    found: list[str] = []
    while len(found) < MOST_LINES:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(width, 1))
        start = line.textStart()
        # Qt counts in UTF-16; what lies beyond is cut in the same units.
        found.append(_units(words, start, start + line.textLength()))
        last = start
    layout.endLayout()
    if len(found) == MOST_LINES:
        rest = _units(words, last, None)
        found[-1] = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return found or [""]


def _units(words: str, start: int, end: int | None) -> str:
    raw = words.encode("utf-16-le", "surrogatepass")
    return raw[2 * start : None if end is None else 2 * end].decode("utf-16-le", "replace").strip()


class PointDelegate(QStyledItemDelegate):
    """Paints heads and points."""

    def __init__(self, view: PointList, model: PointModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model

    def _room(self) -> int:
        return self._view.viewport().width() - theme.px(2 * PAD + SAYS)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = self._model.rows[index.row()]
        if row.is_head:
            return QSize(80, theme.px(HEAD))
        font = self._view.font()
        lines = len(lines_in(row.words, font, self._room()))
        return QSize(80, lines * QFontMetrics(font).lineSpacing() + 2 * theme.px(TOP))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: PointRow = index.data(ROW_ROLE)
        painter.save()
        if row.is_head:
            self._head(painter, option.rect, row.words)
        else:
            self._point(painter, option.rect, row, chosen=bool(option.state & QStyle.StateFlag.State_Selected))
        painter.restore()

    def _head(self, painter: QPainter, rect: QRect, words: str) -> None:
        line = theme.color(self._view, "line")
        painter.fillRect(rect, theme.color(self._view, "win"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
        font = self._small(bold=True)
        painter.setFont(font)
        painter.setPen(theme.color(self._view, "text2"))
        inner = rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), 0)
        flat = " ".join(words[:MOST_CHARACTERS].split())
        shown = QFontMetrics(font).elidedText(flat, Qt.TextElideMode.ElideRight, inner.width())
        painter.setLayoutDirection(text_direction(shown, self._view.layoutDirection()))
        painter.drawText(inner, self._start() | Qt.AlignmentFlag.AlignVCenter, shown)

    def _point(self, painter: QPainter, rect: QRect, row: PointRow, *, chosen: bool) -> None:
        view, colors = self._view, theme.tokens(self._view)
        painter.fillRect(rect, theme.color(view, "sel" if chosen else "panel"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(view, "line"))
        mirrored = view.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if chosen:
            bar = theme.px(BAR)
            painter.fillRect(QRect(rect.right() + 1 - bar if mirrored else rect.left(), rect.top(), bar, rect.height()),
                             theme.color(view, "accent"))  # fmt: skip
            if colors.high or view.hasFocus():
                painter.setPen(theme.color(view, "accent"))
                painter.drawRect(rect.adjusted(0, 0, -1, -1))
        room, pad = self._room(), theme.px(PAD)
        left = rect.right() + 1 - pad - room if mirrored else rect.left() + pad
        font = view.font()  # bold would break the lines elsewhere
        spacing = QFontMetrics(font).lineSpacing()
        painter.setFont(font)
        painter.setPen(theme.color(view, "text"))
        painter.setLayoutDirection(text_direction(row.words, view.layoutDirection()))
        for at, line in enumerate(lines_in(row.words, view.font(), room)):
            place = QRect(left, rect.top() + theme.px(TOP) + at * spacing, room + theme.px(4), spacing)
            shown = QFontMetrics(font).elidedText(line, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, self._start() | Qt.TextFlag.TextSingleLine, shown)
        says = QRect(rect.left() + pad if mirrored else left + room + theme.px(10), rect.top() + theme.px(TOP),
                     theme.px(SAYS - 10), spacing)  # fmt: skip
        self._says(painter, says, row.says)

    def _says(self, painter: QPainter, rect: QRect, says: str) -> None:
        size = theme.px(SHAPE)
        mirrored = self._view.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = rect.right() + 1 - size if mirrored else rect.left()
        ink = theme.color(self._view, "text" if says else "text2")
        where = QRectF(QPointF(x, rect.center().y() + 0.5 - size / 2), QRectF(0, 0, size, size).size())
        shapes.paint(painter, where, SHAPES.get(says, "ring"), ink, theme.color(self._view, "panel"))
        painter.setFont(self._small())
        painter.setPen(ink)
        painter.setLayoutDirection(self._view.layoutDirection())
        used = size + theme.px(6)
        words = rect.adjusted(0, 0, -used, 0) if mirrored else rect.adjusted(used, 0, 0, 0)
        painter.drawText(words, self._start() | Qt.AlignmentFlag.AlignVCenter, says_words(says))

    def _start(self) -> Qt.AlignmentFlag:
        return Qt.AlignmentFlag.AlignLeft

    def _small(self, *, bold: bool = False) -> QFont:
        font = QFont(self._view.font())
        font.setPixelSize(theme.px(TYPE["small"][0]))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font


class PointList(QListView):
    """`chosen` carries the number of the point to which the arrows or the pointer went."""

    chosen = Signal(int)

    def __init__(self, model: PointModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoring_points")
        self.setAccessibleName(self.tr("Points"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self._model = model
        self.setItemDelegate(PointDelegate(self, model))
        self.setModel(model)
        self.selectionModel().currentChanged.connect(self._moved)
        theme.paper(self, "panel")
        theme.follow(self, self.scheduleDelayedItemsLayout)

    def show_point(self, at: int) -> None:
        """Mark a point by its number."""
        selection = self.selectionModel()
        index = self._model.index(self._model.row_of(at))
        selection.blockSignals(True)
        selection.setCurrentIndex(index, selection.SelectionFlag.ClearAndSelect)
        selection.blockSignals(False)
        self.viewport().update()
        if index.isValid():
            self.scrollTo(index)

    def _moved(self, index: Index) -> None:
        if index.isValid() and not self._model.rows[index.row()].is_head:
            self.chosen.emit(self._model.rows[index.row()].at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def keyboardSearch(self, _search: str) -> None:
        """Letters do not search here."""
