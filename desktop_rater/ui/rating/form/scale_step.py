"""One step of a scale: its number alone, or a line with its meaning."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.rating.form.choice_button import ChoiceButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import draw_text, right_to_left, text_direction
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.widgets.theme_tokens import CONTROL, CONTROL_RADIUS

STEP_PADDING, STEP_TEXT_GAP = 7, 8
STEP_BOX_HEIGHT, STEP_LINE_PADDING = (
    20,
    4,
)  # of a line: the box around its number, and the padding above and beneath its text
MIN_STEP_BOX_WIDTH = 26


class ScaleStep(ChoiceButton):
    """Button for a step. `meaning` is the meaning of the step; the layout decides whether it is shown."""

    def __init__(self, figure: str, meaning: str, parent: QWidget | None = None) -> None:
        super().__init__(figure, parent=parent)
        self.meaning = meaning
        self._line = False
        self.set_meaning(meaning)

    def set_line(self, line: bool) -> None:
        """Show the step as a line with its sentence, or as its number alone."""
        if line != self._line:
            self._line = line
            self.update()

    def width_of_line(self) -> int:
        text_width = QFontMetrics(self._bold()).horizontalAdvance(self.meaning)
        return self.width() - self._text_rect(self.rect()).width() + text_width + theme.px(STEP_TEXT_GAP)

    def width_of_figure(self) -> int:
        """Return the width of the number, with the key cap if there may be one."""
        cap = theme.px(5) + self._cap().width() if self._reserve or self._key else 0
        figure = QFontMetrics(self._bold()).horizontalAdvance(self.label)
        return max(theme.px(CONTROL), figure + 2 * theme.px(STEP_PADDING) + cap)

    def height_of_line(self, width: int) -> int:
        """Return the height of the step as a line, measured in bold so that nothing moves when it is chosen."""
        room = self._text_rect(QRect(0, 0, width, 0)).width()
        metrics = QFontMetrics(self._bold())
        size = metrics.boundingRect(0, 0, max(room, 40), 10_000, Qt.TextFlag.TextWordWrap, self.meaning or " ")
        return max(theme.px(STEP_BOX_HEIGHT), size.height()) + 2 * theme.px(STEP_LINE_PADDING)

    def sizeHint(self) -> QSize:
        return QSize(self.width_of_figure(), theme.px(CONTROL))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(24), theme.px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._line:
            super().paintEvent(_event)
            return
        painter = smooth_painter(self)
        self._paint_ground(painter)
        self._paint_line(painter)
        painter.end()

    def _paint_ground(self, painter: QPainter) -> None:
        """Paint the frame of a line if it is chosen or suggested; else the box of its number marks it as a button."""
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
        box = self._box_rect(self.rect())
        painter.setFont(self._bold())
        painter.setBrush(QColor(colors.raised))
        painter.setPen(QPen(QColor(self._edge(None, on)), 1))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setPen(ink)
        draw_text(painter, box, Qt.AlignmentFlag.AlignCenter, self.label)
        painter.setFont(font)
        painter.setLayoutDirection(text_direction(self.meaning, self.layoutDirection()))
        backwards = right_to_left(self.meaning) or (self._mirrored and not self.meaning.isascii())
        side = Qt.AlignmentFlag.AlignRight if backwards or self._mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        draw_text(painter, self._text_rect(self.rect()), flags, self.meaning)
        if self._key:
            self._paint_cap(painter)

    def _paint_cap(self, painter: QPainter) -> None:
        cap = key_cap_size(self, self._key)
        left = theme.px(STEP_PADDING) if self._mirrored else self.width() - theme.px(STEP_PADDING) - cap.width()
        draw_key_cap(
            painter, QRectF(left, (self.height() - cap.height()) / 2, cap.width(), cap.height()), self._key, self
        )

    @property
    def _mirrored(self) -> bool:
        return self.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def _box_rect(self, rect: QRect) -> QRect:
        """Return the box around the number, aligned with the first line of the text."""
        figure = QFontMetrics(self._bold()).horizontalAdvance(self.label)
        wide, high = max(theme.px(MIN_STEP_BOX_WIDTH), figure + theme.px(10)), theme.px(STEP_BOX_HEIGHT)
        pad = theme.px(STEP_LINE_PADDING)
        left = rect.right() + 1 - pad - wide if self._mirrored else rect.left() + pad
        return QRect(left, rect.top() + pad, wide, high)

    def _text_rect(self, rect: QRect) -> QRect:
        before = self._box_rect(rect).width() + theme.px(STEP_LINE_PADDING) + theme.px(STEP_TEXT_GAP)
        after = theme.px(STEP_PADDING) + (self._cap().width() + theme.px(5) if self._reserve else 0)
        left, right = (after, before) if self._mirrored else (before, after)
        return rect.adjusted(left, 0, -right, 0)
