"""A button that is a small picture, with its key beside it where there is room to show one."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui import icons, shapes, theme
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.plain import set_tooltip
from desktop_rater.ui.theme_tokens import CONTROL_RADIUS, TOOL

GLYPH = 16


class GlyphButton(QAbstractButton):
    """`turned` ones are another picture in a window that runs from right to left. The key comes before the picture."""

    pad, gap = 5, 6
    glyph_first = False

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
        cap = cap_size(self, self._key).width() + theme.px(self.gap) if self._cap else 0
        return QSize(theme.px(GLYPH + 2 * self.pad) + cap, theme.px(TOOL))

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
        on_the_left = mirrored is not self.glyph_first
        ink = QColor(colors.text if self.isEnabled() else colors.edge)
        self._paint_glyph(painter, self._field(QSize(px(GLYPH), px(GLYPH)), left=on_the_left), ink, mirrored=mirrored)
        if self._cap:
            cap = self._field(cap_size(self, self._key), left=not on_the_left)
            draw_cap(painter, cap, self._key, self)
        painter.end()

    def _field(self, size: QSize, *, left: bool) -> QRectF:
        """The place of the picture or of the key, at one of the two ends."""
        x = theme.px(self.pad) if left else self.width() - theme.px(self.pad) - size.width()
        return QRectF(x, self.height() / 2 - size.height() / 2, size.width(), size.height())

    def _paint_glyph(self, painter: QPainter, where: QRectF, ink: QColor, *, mirrored: bool) -> None:
        name = self._turned if mirrored else self._glyph
        if name in icons.ICONS:
            icons.paint(painter, where, name, ink)
        else:
            shapes.paint(painter, where, name, ink, theme.color(self, "surface"))


class StepButton(GlyphButton):
    """To the previous or the next one. `forward` steps have the arrow behind the key, the others before it."""

    pad, gap = 4, 4

    def __init__(self, words: str, key: str, *, forward: bool, parent: QWidget | None = None) -> None:
        self.glyph_first = not forward
        ways = ("chevron-right", "chevron-left") if forward else ("chevron-left", "chevron-right")
        super().__init__(words, ways[0], key, turned=ways[1], cap=True, parent=parent)
