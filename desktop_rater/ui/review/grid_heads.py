"""The heads of the comparison: whose answers a column holds, and what a row is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.plain import text_direction
from desktop_rater.ui.review.grid_lines import paint_column
from desktop_rater.ui.theme_tokens import TYPE

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from desktop_rater.ui.review.cells import Column
    from desktop_rater.ui.review.grid import ComparisonModel, Grid

HEIGHT, PAD, GAP = 38, 12, 8


class RaterHeads(QHeaderView):
    """Key, name, and the time on it; a click chooses the rater."""

    def __init__(self, model: ComparisonModel, grid: Grid) -> None:
        super().__init__(Qt.Orientation.Horizontal, grid)
        self._model, self._grid = model, grid
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(False)
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEIGHT)))

    def sizeHint(self) -> QSize:
        return QSize(0, theme.px(HEIGHT))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        column = self._model.shown.columns[section]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_column(painter, rect, self, chosen=section == self._grid.chosen_column)
        self._words(painter, rect.adjusted(theme.px(PAD), 0, -theme.px(PAD), 0), column)
        painter.restore()

    def _words(self, painter: QPainter, rect: QRect, column: Column) -> None:
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if column.key:
            cap = cap_size(self, column.key)
            x = rect.right() + 1 - cap.width() if mirrored else rect.left()
            where = QRectF(x, rect.center().y() - cap.height() / 2 + 0.5, cap.width(), cap.height())
            draw_cap(painter, where, column.key, self)
            used = cap.width() + theme.px(GAP)
            rect = rect.adjusted(0, 0, -used, 0) if mirrored else rect.adjusted(used, 0, 0, 0)
        bold = QFont(self._grid.font())
        bold.setWeight(QFont.Weight.DemiBold)
        small = QFont(self._grid.font())
        small.setPixelSize(theme.px(TYPE["small"][0]))
        aside = " · ".join(part for part in (column.model, column.aside) if part)
        whole = QFontMetrics(bold).horizontalAdvance(column.rater)
        most = rect.width() - min(whole, rect.width() // 2) - theme.px(GAP)
        aside = QFontMetrics(small).elidedText(aside, Qt.TextElideMode.ElideRight, most)
        near, far = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        near, far = (far, near) if mirrored else (near, far)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | Qt.TextFlag.TextSingleLine
        painter.setFont(small)
        painter.setPen(theme.color(self, "text2"))
        painter.drawText(rect, far | flags, aside)
        painter.setFont(bold)
        painter.setPen(theme.color(self, "text"))
        left_over = rect.width() - QFontMetrics(small).horizontalAdvance(aside) - theme.px(GAP)
        name = QFontMetrics(bold).elidedText(column.rater, Qt.TextElideMode.ElideRight, left_over)
        painter.setLayoutDirection(text_direction(name, self.layoutDirection()))
        painter.drawText(rect, near | flags, name)


class RowHeads(QHeaderView):
    """What a row is about, at its top; beneath it what is to be seen in it."""

    def __init__(self, model: ComparisonModel, grid: Grid) -> None:
        super().__init__(Qt.Orientation.Vertical, grid)
        self._model, self._grid = model, grid
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        below = self.length() - self.offset()
        painter = QPainter(self.viewport())  # Qt paints the rest as if it were one more head
        painter.fillRect(0, below, self.width(), max(0, self.height() - below), theme.color(self, "surface"))
        painter.end()

    def _font(self) -> QFont:
        font = QFont(self._grid.font())
        font.setPixelSize(theme.px(TYPE["small"][0]))
        return font

    def height_of(self, section: int) -> int:
        """How high the head of a row has to be."""
        row = self._model.shown.rows[section]
        lines = QFontMetrics(self._font()).lineSpacing()
        return self._words_height(row.words) + theme.px(14) + (lines + theme.px(2) if row.note else 0)

    def _words_height(self, words: str) -> int:
        wide = max(theme.px(24), self.width() - theme.px(PAD) - theme.px(4))
        flags = Qt.TextFlag.TextWordWrap
        return QFontMetrics(self._font()).boundingRect(QRect(0, 0, wide, 10_000), flags, words).height()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        row = self._model.shown.rows[section]
        px = theme.px
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, theme.color(self, "panel"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self, "line"))
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), theme.color(self, "line"))
        painter.setFont(self._font())
        painter.setPen(theme.color(self, "text2"))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        near, far = (px(4), px(PAD)) if mirrored else (px(PAD), px(4))
        inner = rect.adjusted(near, px(7), -far, -px(4))
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(inner, flags, row.words)
        if row.note:
            top = inner.top() + self._words_height(row.words) + px(2)
            height = QFontMetrics(self._font()).lineSpacing()
            self._note(painter, QRect(inner.left(), top, inner.width(), height), row.note, flags)
        painter.restore()

    def _note(self, painter: QPainter, rect: QRect, note: str, flags: Qt.AlignmentFlag | Qt.TextFlag) -> None:
        size = theme.px(14)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        ink = theme.color(self, "warn")
        left = rect.right() + 1 - size if mirrored else rect.left()
        field = QRectF(left - 1, rect.center().y() - size / 2 - 0.5, size + 2, size + 2)
        shapes.paint(painter, field, "warns", ink, theme.color(self, "panel"))
        used = size + theme.px(4)
        painter.setPen(ink)
        words = rect.adjusted(0, 0, -used, 0) if mirrored else rect.adjusted(used, 0, 0, 0)
        painter.drawText(words, int(flags), note)
