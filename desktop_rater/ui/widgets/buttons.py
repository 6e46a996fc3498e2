"""Buttons: with a choice, an icon, or the key that presses them."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QEnterEvent, QFocusEvent, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import draw_text, set_tooltip, use_text_direction, visible
from desktop_rater.ui.widgets.theme import font_of, paint_box, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import CONTROL, CONTROL_RADIUS, TOOL, Tokens, Tone
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.focus import ENTER_AT, KEYS_DIMMED, TAKES_ENTER, TYPING, keeps_keys

BUTTON_PADDING = 7
BUTTON_GAP = 5
BUTTON_SHAPE_SIZE = 14
BOLD_ALLOWANCE = 2
MAX_BUTTON_WIDTH = 440
CAP_FONT_SIZE, DIMMED_OPACITY = 11, 0.35
_WRAPPED = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignAbsolute.value | Qt.TextFlag.TextWordWrap.value
_AT_LEFT, _AT_RIGHT = _WRAPPED | Qt.AlignmentFlag.AlignLeft.value, _WRAPPED | Qt.AlignmentFlag.AlignRight.value
_CENTERED = _WRAPPED | Qt.AlignmentFlag.AlignHCenter.value
_CAP_CENTER = Qt.AlignmentFlag.AlignCenter.value


class ButtonSizes(NamedTuple):
    """Sizes of buttons and key caps at a zoom."""

    padding: int
    gap: int
    shape: int
    bold: int
    radius: int
    least: int
    lines: int
    cap_font: int
    cap_padding: int
    cap_width: int
    cap_height: int


class KeyCap(NamedTuple):
    """Font and size of a key cap, and the sizes with which it was measured."""

    sizes: ButtonSizes
    font: QFont
    size: QSize


@cache
def _sizes_at(_zoom: int) -> ButtonSizes:
    lengths = (BUTTON_PADDING, BUTTON_GAP, BUTTON_SHAPE_SIZE, BOLD_ALLOWANCE, CONTROL_RADIUS, CONTROL, 12)
    return ButtonSizes(*map(theme.px, (*lengths, CAP_FONT_SIZE, 8, 16, 17)))


def button_sizes() -> ButtonSizes:
    """Return the sizes of buttons and key caps at the zoom of the window."""
    return _sizes_at(theme.look().zoom)


class PaintedButton(QAbstractButton):
    """A button that paints itself, also for the pointer over it. `wide`: its policy for a fixed height."""

    def __init__(
        self, parent: QWidget | None = None, *, name: str = "", wide: QSizePolicy.Policy | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        if wide is not None:
            self.setSizePolicy(wide, QSizePolicy.Policy.Fixed)


class ChoiceButton(PaintedButton):
    """Checkable button: an optional shape, the label, and the key cap at the end.

    Long labels wrap.
    """

    pointed = Signal(bool)  # the pointer or the focus has come or gone

    def __init__(
        self,
        label: str,
        key: str = "",
        hint: str = "",
        *,
        name: str = "",
        clicked: Callable[..., object] | SignalInstance | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, name=name, wide=QSizePolicy.Policy.Fixed)
        if clicked is not None:
            self.clicked.connect(clicked)
        self.label = visible(label)
        self._key = key
        self._cap_text = keys.KeyText()
        self._cap_known: KeyCap | None = None
        self._reserve = False
        self._tone: str = ""
        self._shape: str = ""
        self._place = (0, 0)
        self._suggested = False
        self._meaning = ""
        self._at_start = False
        self.setCheckable(True)
        set_tooltip(self, hint)
        self._set_here = False
        self.toggled.connect(self._toggled)
        self.update_name()

    def setChecked(self, on: bool) -> None:
        """Show whether the choice is chosen."""
        self._set_here = True
        super().setChecked(on)
        self._set_here = False

    def nextCheckState(self) -> None:
        self._set_here = True
        super().nextCheckState()
        self._set_here = False

    def _toggled(self, on: bool) -> None:
        self.update_name()
        if not self._set_here:
            # By a screen reader, which Qt reports as a change without a click.
            self.setChecked(not on)
            self.click()

    @property
    def key(self) -> str:
        """Return the key shown on the cap, empty if there is none."""
        return self._key

    def set_key(self, key: str) -> None:
        if key != self._key:
            self._key = key
            self.update_name()
            self.updateGeometry()
            self.update()

    def set_label(self, label: str) -> None:
        if visible(label) != self.label:
            self.label = visible(label)
            self.update_name()
            self.updateGeometry()
            self.update()

    def reserve_key(self) -> None:
        """Keep space for a key that is shown later, so that nothing moves then."""
        self._reserve = True

    def align_to_start(self) -> None:
        """Align the label with the start of the line, for a button wider than its label."""
        self._at_start = True

    def set_look(self, tone: str, shape: str) -> None:
        """Set the look that the rubric gives the choice; unknown names give a plain look."""
        self._tone = tone
        self._shape = shape if shape in shapes.SHAPES or shape in shapes.STATES else ""
        self.updateGeometry()
        self.update()

    def set_place(self, number: int, total: int) -> None:
        """Set the position among the choices, for screen readers."""
        self._place = number, total
        self.update_name()

    def set_meaning(self, meaning: str) -> None:
        """Set the meaning of a label that is only a number, for screen readers."""
        if meaning != self._meaning:
            self._meaning = meaning
            self.update_name()

    def set_suggested(self, suggested: bool) -> None:
        """Mark the choice as suggested by the bundle (a dashed edge) until the rater answers."""
        if suggested != self._suggested:
            self._suggested = suggested
            self.update_name()
            self.update()

    def update_name(self) -> None:
        """Update the accessible name, also after a change of how keys are written."""
        number, total = self._place
        place = self.tr("{n} of {total}").format(n=number, total=total) if total else ""
        chosen = self.tr("chosen") if self.isChecked() else self.tr("suggested") if self._suggested else ""
        cap = keys.KeyText(keys.cap_text(self._key))
        if cap != self._cap_text:
            self._cap_text, self._cap_known = cap, None
        parts = (self.label, self._meaning, self._cap_text, place, chosen)
        self.setAccessibleName(visible(", ".join(filter(None, parts))))

    def _bold(self) -> QFont:
        return font_of(self.font(), bold=True)

    def _cap(self) -> QSize:
        """Return the size of the key cap, the same whether or not it is shown, so that nothing moves."""
        return self._measured_cap(button_sizes()).size

    def _measured_cap(self, sizes: ButtonSizes) -> KeyCap:
        """Return the key cap, measured once for a text, a font and a zoom."""
        known = self._cap_known
        if known is None or known.sizes is not sizes:
            known = KeyCap(sizes, key_cap_font(self), key_cap_size(self, self._cap_text))
            self._cap_known = known
        return known

    def _label_size(self, sizes: ButtonSizes, used: int) -> QSize:
        """Return the size of the label, where shape and key cap have `used` some of the width."""
        bold, plain = QFontMetrics(self._bold()), QFontMetrics(self.font())
        room = theme.px(MAX_BUTTON_WIDTH - 2 * BUTTON_PADDING - BUTTON_GAP) - used
        size = bold.boundingRect(0, 0, room, 10_000, Qt.TextFlag.TextWordWrap, self.label).size()
        if size.height() < 2 * bold.height():
            # A bold label takes a little of the padding, so that nothing moves.
            size.setWidth(max(plain.horizontalAdvance(self.label), size.width() - 2 * sizes.bold))
        return size

    def sizeHint(self) -> QSize:
        sizes = button_sizes()
        cap = self._measured_cap(sizes).size.width()
        shape = sizes.shape + sizes.gap if self._shape else 0
        label = self._label_size(sizes, cap + shape)
        after = sizes.gap + cap if self._key or self._reserve else 0
        wide = label.width() + 2 * sizes.padding + shape + after + 1
        return QSize(max(sizes.least, wide), max(sizes.least, label.height() + sizes.lines))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(CONTROL), theme.px(CONTROL))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.pointed.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.pointed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.pointed.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._cap_known = None
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, on = theme.tokens(self), self.isChecked()
        look = theme.tone(self._tone) if self._shape else None
        with smooth_painter(self) as painter:
            edge = QColor(self._edge(colors, look, on))
            back = (look.tint if look else colors.sel) if on else colors.hover if self.underMouse() else colors.raised
            painter.setBrush(QColor(back))
            wide = 3.0 if on and colors.high else 2.0 if on else 1.0
            dashed = self._suggested and not on
            painter.setPen(QPen(edge, 1.5, Qt.PenStyle.DashLine) if dashed else QPen(edge, wide))
            inset = wide / 2
            sizes = button_sizes()
            radius = sizes.radius
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)
            ink = QColor(colors.text if self.isEnabled() else colors.text3)
            painter.setPen(ink)
            painter.setFont(self._bold() if on else self.font())
            self.paint_inside(painter, sizes, ink, look, edge if on else None)

    def _edge(self, colors: Tokens, look: Tone | None, on: bool) -> str:
        if not on:
            return colors.edge if self.isEnabled() else colors.line
        return look.ink if look is not None and not colors.high else colors.accent

    def paint_inside(
        self, painter: QPainter, sizes: ButtonSizes, ink: QColor, look: Tone | None, cap_ink: QColor | None
    ) -> None:
        """Paint shape, label and key cap in the painter's font and colour."""
        known = self._measured_cap(sizes)
        cap = known.size
        pad, lent = sizes.padding, sizes.bold
        after = sizes.gap + cap.width() if self._key or self._reserve else 0
        before = sizes.shape + sizes.gap if self._shape else 0
        mirrored = self.isRightToLeft()
        left, right = (after, before) if mirrored else (before, after)
        inner = self.rect().adjusted(pad + left - lent, 0, lent - pad - right, 0)
        use_text_direction(painter, self.label, mirrored=mirrored)
        flags = _CENTERED if not self._at_start else _AT_RIGHT if mirrored else _AT_LEFT
        draw_text(painter, inner, flags, self.label)
        if self._shape:
            size = sizes.shape
            x = self.width() - pad - size if mirrored else pad
            sign = QColor(look.ink) if look is not None else ink
            field = QRectF(x - 1, (self.height() - size) / 2 - 1, size + 2, size + 2)
            shapes.paint_shape(painter, field, self._shape, sign, theme.color(self, "raised"))
        if self._key:
            x = pad if mirrored else self.width() - pad - cap.width()
            where = QRectF(x, (self.height() - cap.height()) / 2, cap.width(), cap.height())
            draw_key_cap(painter, where, self._cap_text, self, ink=cap_ink, font=known.font)


def key_cap_font(widget: QWidget) -> QFont:
    """Return the font of key caps."""
    return font_of(widget.font(), pixels=button_sizes().cap_font, bold=True)


def key_cap_size(widget: QWidget, key: str) -> QSize:
    """Return the size of a key cap; as for one letter if there is no key yet."""
    sizes = button_sizes()
    wide = QFontMetrics(key_cap_font(widget)).horizontalAdvance(keys.cap_text(key) or "0")
    return QSize(max(wide + sizes.cap_padding, sizes.cap_width), sizes.cap_height)


def draw_key_cap(
    painter: QPainter, where: QRectF, key: str, widget: QWidget, *, ink: QColor | None = None, font: QFont | None = None
) -> None:
    """Draw a key cap, in `ink` on a filled or checked button; `font` is its font if that is known."""
    colors = theme.tokens(widget)
    painter.setOpacity(DIMMED_OPACITY if is_key_dimmed(key, widget) else 1)
    painter.setFont(font or key_cap_font(widget))
    paint_box(painter, where.adjusted(0.5, 0.5, -0.5, -0.5), 3, edge=QPen(ink or QColor(colors.edge), 1))
    draw_text(painter, where, _CAP_CENTER, keys.cap_text(key), ink=ink or QColor(colors.text2))
    painter.setOpacity(1)


def is_key_dimmed(key: str, widget: QWidget) -> bool:
    """Return whether a key would only type now, or stay in a bar or a list that the widget is not a part of."""
    state, focus = widget.window().property(KEYS_DIMMED), widget.window().focusWidget()
    if key == "Enter":
        receiver = widget.property(ENTER_AT)
        taken = state == TYPING or keeps_keys(focus) or bool(focus and focus.property(TAKES_ENTER))
        return taken and not keeps_keys(widget) if receiver is None else focus is not receiver
    plain = len(key.removeprefix("Shift ")) == 1 or (state == TYPING and key in {"Del", "Delete", "Backspace"})
    return bool(state) and plain and (state == TYPING or not keeps_keys(widget))


GLYPH = 16


class GlyphButton(PaintedButton):
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
        super().__init__(parent, wide=QSizePolicy.Policy.Fixed)
        self._label, self._glyph, self._turned = visible(label), glyph, turned or glyph
        self._key = key
        self._cap = cap
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
        with smooth_painter(self) as painter:
            if self.underMouse() and self.isEnabled():
                paint_box(painter, QRectF(self.rect()), px(CONTROL_RADIUS), fill=QColor(colors.hover))
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            on_the_left = mirrored is not self.glyph_first
            ink = QColor(colors.text if self.isEnabled() else colors.edge)
            self._paint_glyph(
                painter, self._field(QSize(px(GLYPH), px(GLYPH)), left=on_the_left), ink, mirrored=mirrored
            )
            if self._cap:
                cap = self._field(key_cap_size(self, self._key), left=not on_the_left)
                draw_key_cap(painter, cap, self._key, self)

    def _field(self, size: QSize, *, left: bool) -> QRectF:
        """Return the rectangle of the icon or the key, at one of the two ends."""
        x = theme.px(self.pad) if left else self.width() - theme.px(self.pad) - size.width()
        return QRectF(x, self.height() / 2 - size.height() / 2, size.width(), size.height())

    def _paint_glyph(self, painter: QPainter, rect: QRectF, ink: QColor, *, mirrored: bool) -> None:
        name = self._turned if mirrored else self._glyph
        if name in shapes.ICONS:
            shapes.paint_icon(painter, rect, name, ink)
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
        with smooth_painter(self) as painter:
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


class LinkButton(KeyButton):
    """A flat button no higher than necessary beside a heading. `underlined`: it looks like a link of a page."""

    def __init__(self, label: str, key: str = "", *, underlined: bool = False, **more: Any) -> None:
        super().__init__(label, key, flat=True, **more)
        self.underlined = underlined

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(MIN_TARGET_SIZE))
