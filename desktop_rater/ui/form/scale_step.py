"""One step of a scale: its figure alone, or a line with what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen

from desktop_rater.ui import theme
from desktop_rater.ui.direction import right_to_left
from desktop_rater.ui.form.choice_button import ChoiceButton, cap_size, draw_cap
from desktop_rater.ui.plain import text_direction
from desktop_rater.ui.theme_tokens import CONTROL, CONTROL_RADIUS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

PAD, GAP = 7, 8
BOX, ABOVE = 20, 4  # of a line: the box around its figure, and the room above and beneath its words
LEAST_BOX = 26


class ScaleStep(ChoiceButton):
    """`words` is what the step means; the layout says whether they stand with it."""

    def __init__(self, figure: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(figure, parent=parent)
        self.words = words
        self._line = False
        self.set_meaning(words)

    def set_line(self, line: bool) -> None:
        """Whether it is a line with its sentence from now on, or its figure alone."""
        if line != self._line:
            self._line = line
            self.update()

    def width_of_line(self) -> int:
        """What it takes as a line, so that the words need no second one."""
        words = QFontMetrics(self._bold()).horizontalAdvance(self.words)
        return self.width() - self._words_room(self.rect()).width() + words + theme.px(GAP)

    def width_of_figure(self) -> int:
        """What the figure takes, with the cap where one may come."""
        cap = theme.px(5) + self._cap().width() if self._reserve or self._key else 0
        figure = QFontMetrics(self._bold()).horizontalAdvance(self.label)
        return max(theme.px(CONTROL), figure + 2 * theme.px(PAD) + cap)

    def height_of_line(self, width: int) -> int:
        """How high it is as a line: bold words may take a line more, and nothing moves then."""
        room = self._words_room(QRect(0, 0, width, 0)).width()
        metrics = QFontMetrics(self._bold())
        size = metrics.boundingRect(0, 0, max(room, 40), 10_000, Qt.TextFlag.TextWordWrap, self.words or " ")
        return max(theme.px(BOX), size.height()) + 2 * theme.px(ABOVE)

    def sizeHint(self) -> QSize:
        return QSize(self.width_of_figure(), theme.px(CONTROL))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(24), theme.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._line:
            super().paintEvent(_event)
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self._paint_line(painter)
        painter.end()

    def _paint_ground(self, painter: QPainter) -> None:
        """A line has a frame only where it says something: the box around its figure is what can be pressed."""
        colors, on = theme.tokens(self), self.isChecked()
        dashed = self._suggested and not on
        back = colors.sel if on else colors.hover if self.underMouse() else ""
        painter.setBrush(QColor(back) if back else Qt.BrushStyle.NoBrush)
        painter.setPen(Qt.PenStyle.NoPen)
        wide = (3.0 if colors.high else 2.0) if on else 1.5
        if on or dashed:
            style = Qt.PenStyle.SolidLine if on else Qt.PenStyle.DashLine
            painter.setPen(QPen(QColor(self._edge(None, on)), wide, style))
        inset = wide / 2
        radius = theme.px(CONTROL_RADIUS)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)

    def _paint_line(self, painter: QPainter) -> None:
        colors, on = theme.tokens(self), self.isChecked()
        ink = QColor(colors.text if self.isEnabled() else colors.text3)
        font = self._bold() if on else QFont(self.font())
        box = self._box(self.rect())
        painter.setFont(self._bold())
        painter.setBrush(QColor(colors.raised))
        painter.setPen(QPen(QColor(self._edge(None, on)), 1))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setPen(ink)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.label)
        painter.setFont(font)
        painter.setLayoutDirection(text_direction(self.words, self.layoutDirection()))
        backwards = right_to_left(self.words) or (self._mirrored and not self.words.isascii())
        side = Qt.AlignmentFlag.AlignRight if backwards or self._mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self._words_room(self.rect()), flags, self.words)
        if self._key:
            self._paint_cap(painter)

    def _paint_cap(self, painter: QPainter) -> None:
        cap = cap_size(self, self._key)
        left = theme.px(PAD) if self._mirrored else self.width() - theme.px(PAD) - cap.width()
        draw_cap(painter, QRectF(left, (self.height() - cap.height()) / 2, cap.width(), cap.height()), self._key, self)

    @property
    def _mirrored(self) -> bool:
        return self.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def _box(self, rect: QRect) -> QRect:
        """The box around the figure, in line with the first line of the words."""
        figure = QFontMetrics(self._bold()).horizontalAdvance(self.label)
        wide, high = max(theme.px(LEAST_BOX), figure + theme.px(10)), theme.px(BOX)
        pad = theme.px(ABOVE)
        left = rect.right() + 1 - pad - wide if self._mirrored else rect.left() + pad
        return QRect(left, rect.top() + pad, wide, high)

    def _words_room(self, rect: QRect) -> QRect:
        before = self._box(rect).width() + theme.px(ABOVE) + theme.px(GAP)
        after = theme.px(PAD) + (self._cap().width() + theme.px(5) if self._reserve else 0)
        left, right = (after, before) if self._mirrored else (before, after)
        return rect.adjusted(left, 0, -right, 0)
