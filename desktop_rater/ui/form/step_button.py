"""To the previous or the next one: an arrow and its key."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.plain import set_tooltip
from desktop_rater.ui.theme_tokens import CONTROL_RADIUS, TOOL


class StepButton(QAbstractButton):
    """`forward` steps have the arrow behind the key, the others before it; both mirror with the window."""

    def __init__(self, words: str, key: str, *, forward: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self._forward = forward
        self.setAccessibleName(f"{words}, {key}")
        set_tooltip(self, self.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme.px(16 + 4 + 8) + cap_size(self, self._key).width(), theme.px(TOOL))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() and self.isEnabled():
            painter.setBrush(QColor(colors.hover))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(QRectF(self.rect()), px(CONTROL_RADIUS), px(CONTROL_RADIUS))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        arrow_last = self._forward != mirrored
        cap, size, pad = cap_size(self, self._key), px(16), px(4)
        ink = QColor(colors.text if self.isEnabled() else colors.edge)
        arrow_x = self.width() - pad - size if arrow_last else pad
        cap_x = pad if arrow_last else self.width() - pad - cap.width()
        middle = self.height() / 2
        name = "chevron-right" if arrow_last else "chevron-left"
        field = QRectF(arrow_x, middle - size / 2, size, size)
        shapes.paint(painter, field, name, ink, QColor(colors.panel))
        draw_cap(painter, QRectF(cap_x, middle - cap.height() / 2, cap.width(), cap.height()), self._key, self)
        painter.end()
