"""A button that is a small picture, with its key before it where there is room to show one."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui import icons, keys, shapes, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.plain import set_tooltip
from desktop_rater.ui.theme_tokens import CONTROL_RADIUS, TOOL

GLYPH, PAD, GAP = 16, 5, 6


class GlyphButton(QAbstractButton):
    """`turned` ones are another picture in a window that runs from right to left."""

    def __init__(
        self,
        words: str,
        glyph: str,
        key: str = "",
        *,
        turned: str = "",
        cap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._words, self._glyph, self._turned = words, glyph, turned or glyph
        self._key = key
        self._cap = cap
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self.setAccessibleName(", ".join(part for part in (self._words, keys.cap(self._key)) if part))
        set_tooltip(self, self.accessibleName())
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        cap = cap_size(self, self._key).width() + theme.px(GAP) if self._cap else 0
        return QSize(theme.px(GLYPH + 2 * PAD) + cap, theme.px(TOOL))

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
        ink = QColor(colors.text if self.isEnabled() else colors.edge)
        side, middle = px(GLYPH), self.height() / 2
        x = px(PAD) if mirrored else self.width() - px(PAD) - side
        self._paint_glyph(painter, QRectF(x, middle - side / 2, side, side), ink, mirrored=mirrored)
        if self._cap:
            cap = cap_size(self, self._key)
            left = self.width() - px(PAD) - cap.width() if mirrored else px(PAD)
            draw_cap(painter, QRectF(left, middle - cap.height() / 2, cap.width(), cap.height()), self._key, self)
        painter.end()

    def _paint_glyph(self, painter: QPainter, where: QRectF, ink: QColor, *, mirrored: bool) -> None:
        name = self._turned if mirrored else self._glyph
        if name in icons.ICONS:
            icons.paint(painter, where, name, ink)
        else:
            shapes.paint(painter, where, name, ink, theme.color(self, "surface"))
