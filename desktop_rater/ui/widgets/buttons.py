"""Buttons that show an icon or the key that presses them."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, SignalInstance
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui.rating.form.choice_button import ChoiceButton, button_sizes, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets import icons, shapes, theme
from desktop_rater.ui.widgets.labels import set_tooltip, visible
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.widgets.theme_tokens import CONTROL_RADIUS, TOOL
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.focus import ENTER_AT, TAKES_ENTER

GLYPH = 16


class GlyphButton(QAbstractButton):
    """An icon button; in a right-to-left window it shows the icon `turned`. The key comes before the icon."""

    pad, gap = 5, 6
    glyph_first = False

    def __init__(
        self,
        label: str,
        glyph: str,
        key: str = "",
        *,
        turned: str = "",
        cap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._label, self._glyph, self._turned = visible(label), glyph, turned or glyph
        self._key = key
        self._cap = cap
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        self.setAccessibleName(visible(", ".join(part for part in (self._label, keys.cap_text(self._key)) if part)))
        set_tooltip(self, self.accessibleName())
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        cap = key_cap_size(self, self._key).width() + theme.px(self.gap) if self._cap else 0
        return QSize(theme.px(GLYPH + 2 * self.pad) + cap, theme.px(TOOL))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = smooth_painter(self)
        if self.underMouse() and self.isEnabled():
            painter.setBrush(QColor(colors.hover))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(QRectF(self.rect()), px(CONTROL_RADIUS), px(CONTROL_RADIUS))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        on_the_left = mirrored is not self.glyph_first
        ink = QColor(colors.text if self.isEnabled() else colors.edge)
        self._paint_glyph(painter, self._field(QSize(px(GLYPH), px(GLYPH)), left=on_the_left), ink, mirrored=mirrored)
        if self._cap:
            cap = self._field(key_cap_size(self, self._key), left=not on_the_left)
            draw_key_cap(painter, cap, self._key, self)
        painter.end()

    def _field(self, size: QSize, *, left: bool) -> QRectF:
        """Return the rectangle of the icon or the key, at one of the two ends."""
        x = theme.px(self.pad) if left else self.width() - theme.px(self.pad) - size.width()
        return QRectF(x, self.height() / 2 - size.height() / 2, size.width(), size.height())

    def _paint_glyph(self, painter: QPainter, rect: QRectF, ink: QColor, *, mirrored: bool) -> None:
        name = self._turned if mirrored else self._glyph
        if name in icons.ICONS:
            icons.paint_icon(painter, rect, name, ink)
        else:
            shapes.paint_shape(painter, rect, name, ink, theme.color(self, "surface"))


class StepButton(GlyphButton):
    """A button to the previous or next item. A `forward` one has its arrow behind the key, the others before it."""

    pad, gap = 4, 4

    def __init__(self, label: str, key: str, *, forward: bool, parent: QWidget | None = None) -> None:
        self.glyph_first = not forward
        glyphs = ("chevron-right", "chevron-left") if forward else ("chevron-left", "chevron-right")
        super().__init__(label, glyphs[0], key, turned=glyphs[1], cap=True, parent=parent)


MIN_TARGET_SIZE = 24  # the smallest target for a pointer


class KeyButton(ChoiceButton):
    """A button with its key. `primary`: the default action; `flat`: its border shows under the pointer only.

    `enter_at`: the list or field in which Enter presses the button, if Enter does so nowhere else.
    """

    underlined = False

    def __init__(
        self,
        label: str,
        key: str = "",
        *,
        name: str = "",
        clicked: Callable[..., object] | SignalInstance | None = None,
        primary: bool = False,
        flat: bool = False,
        enter_at: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(label, key, name=name, clicked=clicked, parent=parent)
        self.setCheckable(False)
        if enter_at is not None:
            self.setProperty(ENTER_AT, enter_at)
            enter_at.setProperty(TAKES_ENTER, True)
        self._primary = primary
        self._flat = flat

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        painter = smooth_painter(self)
        ink = QColor(colors.text if self.isEnabled() else colors.text3)
        over = self.underMouse() and self.isEnabled()
        filled = self._primary and self.isEnabled()
        if filled:
            ink = QColor(colors.accent_text)
            painter.setBrush(QColor(colors.accent))
            painter.setPen(shapes.NO_PEN)
        elif over or not self._flat:
            painter.setBrush(QColor(colors.hover if over else colors.raised))
            painter.setPen(QPen(QColor(colors.edge if self.isEnabled() else colors.line), 1))
        sizes = button_sizes()
        if filled or over or not self._flat:
            radius = sizes.radius
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        font = self._bold() if self._primary else QFont(self.font())
        if self.underlined:
            font.setUnderline(True)
            ink = QColor(colors.accent)
        painter.setPen(ink)
        painter.setFont(font)
        look = theme.tone(self._tone) if self._shape else None
        self.paint_inside(painter, sizes, ink, look, ink if filled or not self.isEnabled() else None)
        painter.end()


class LinkButton(KeyButton):
    """A flat button no higher than necessary beside a heading. `underlined`: it looks like a link of a page."""

    def __init__(self, label: str, key: str = "", *, underlined: bool = False, **more: Any) -> None:
        super().__init__(label, key, flat=True, **more)
        self.underlined = underlined

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(MIN_TARGET_SIZE))
