"""The look of the whole window: colours, font and sizes, and how they change while it is open.

The look belongs to the application, as its palette and font do; widgets ask for it here when they paint or measure.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QLayout, QWidget
from shiboken6 import isValid

from desktop_rater.ui.theme_style import style_sheet
from desktop_rater.ui.theme_tokens import LIGHT, SETS, TYPE, Tokens, Tone

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

FAMILY = "Inter"
FEATURES = ("tnum", "cv05", "cv08")  # figures of one width, a tailed l, a serifed I
INTERFACE = TYPE["interface"][0]
_APPLIED = "applied_look"


@dataclass(frozen=True)
class Look:
    """What the settings say about the look. `zoom` in per cent multiplies every size; `reading_size` is in pixels."""

    theme: Literal["system", "light", "dark"] = "system"
    contrast: Literal["system", "high", "normal"] = "system"
    zoom: int = 100
    reading_size: int = 15


class _Applied(QObject):
    """What is applied now. It lives with the application, and follows the system where the look says so."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.setObjectName(_APPLIED)
        self._app = app
        # Without it a style sheet takes a widget's own palette away whenever the widget gets another parent.
        QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
        self.look = Look()
        self.tokens = LIGHT
        # The chained call would let go of the hints at once: "already deleted".
        self._hints = app.styleHints()
        self._access = self._hints.accessibility() if hasattr(self._hints, "accessibility") else None
        self._plain = QPalette(app.palette())
        self._font = QFont(app.font())
        self._hints.colorSchemeChanged.connect(self._follow)
        if self._access is not None:
            self._access.contrastPreferenceChanged.connect(self._follow)

    def apply(self, look: Look) -> None:
        self.look, self.tokens = look, SETS[self._wanted(look)]
        app = self._app
        with _nothing_collected():
            app.setFont(interface_font(self._font, look.zoom))
            app.setPalette(palette_of(self.tokens, self._plain))
            app.setStyleSheet(style_sheet(self.tokens, self.px))
        self.changed.emit()

    def px(self, size: float) -> int:
        return round(size * self.look.zoom / 100)

    def _wanted(self, look: Look) -> str:
        dark = look.theme == "dark" or (look.theme == "system" and self._hints.colorScheme() == Qt.ColorScheme.Dark)
        high = look.contrast == "high" or (look.contrast == "system" and self._prefers_contrast())
        return f"{'high ' if high else ''}{'dark' if dark else 'light'}"

    def _prefers_contrast(self) -> bool:
        return self._access is not None and self._access.contrastPreference() == Qt.ContrastPreference.HighContrast

    def _follow(self) -> None:
        if self.tokens is not SETS[self._wanted(self.look)]:
            self.apply(self.look)


@contextmanager
def _nothing_collected() -> Generator[None]:
    """Qt goes through a list of all widgets: one that Python lets go of amid that ends the process."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def apply(app: QApplication, look: Look) -> None:
    """Give the application a look; a window that is open changes at once."""
    _applied(app).apply(look)


def _applied(app: QCoreApplication | None) -> _Applied:
    assert isinstance(app, QApplication)
    # It is asked for hundreds of times in each repaint: searching the application's children would be felt.
    found = getattr(app, _APPLIED, None)
    if found is None:
        found = _Applied(app)
        setattr(app, _APPLIED, found)
    return found


def _now() -> _Applied:
    return _applied(QApplication.instance())


def look() -> Look:
    """The look as it is applied."""
    return _now().look


def px(size: float) -> int:
    """A size of the design, at the zoom of the window."""
    return _now().px(size)


def reading_px(size: float = TYPE["reading"][0]) -> int:
    """A size of what is read, at the zoom of the window and the rater's own reading size."""
    applied = _now()
    return round(size * applied.look.reading_size / TYPE["reading"][0] * applied.look.zoom / 100)


def tokens(widget: QWidget | None = None) -> Tokens:
    """The colours as they are applied."""
    del widget
    return _now().tokens


def color(widget: QWidget | None, name: str) -> QColor:
    """One of the colours by its name."""
    return QColor(getattr(tokens(widget), name))


def tone(name: str) -> Tone | None:
    """How the labels of a tone look; `None` for a tone that is not known here, which looks plain."""
    return tokens().tones.get(name)


def follow(widget: QWidget, measure: Callable[[], object]) -> None:
    """Call `measure` now, and again whenever the look changes, for as long as the widget is there."""
    measure()
    _Follower(widget, measure)


class _Follower(QObject):
    """Goes with its widget, and its connection with it."""

    def __init__(self, widget: QWidget, measure: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._measure = measure
        _now().changed.connect(self._run)

    def _run(self) -> None:
        if isValid(self._widget):
            self._measure()


def quiet(widget: QWidget, name: str = "text2") -> None:
    """Write a label in one of the colours, secondary text by default."""
    followed = widget.property("ink") is not None
    widget.setProperty("ink", name)
    if followed:
        _ink(widget)
    else:
        follow(widget, lambda: _ink(widget))


def _ink(widget: QWidget) -> None:
    ink = color(widget, cast("str", widget.property("ink")))
    palette = widget.palette()
    # On a background of `Base` Qt writes labels in `Text`.
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
        palette.setColor(role, ink)
    widget.setPalette(palette)


def ground(widget: QWidget, name: str) -> None:
    """Fill a pane with one of the colours."""
    widget.setAutoFillBackground(True)
    _role(widget, QPalette.ColorRole.Window, name)


def paper(widget: QWidget, name: str) -> None:
    """Give a list or a text another ground than the surface."""
    _role(widget, QPalette.ColorRole.Base, name)


def _role(widget: QWidget, role: QPalette.ColorRole, name: str) -> None:
    def fill() -> None:
        palette = widget.palette()
        palette.setColor(role, color(widget, name))
        widget.setPalette(palette)

    follow(widget, fill)


def write(widget: QWidget, kind: str = "interface", *, bold: bool = False) -> None:
    """Give a widget one of the sizes of type, and one of the two weights."""

    def measure() -> None:
        font = QFont(widget.font())
        font.setPixelSize(px(TYPE[kind][0]))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        widget.setFont(font)

    follow(widget, measure)


def pad(layout: QLayout, left: float, top: float, right: float, bottom: float) -> None:
    """The margins of a widget's layout, at the zoom of the window."""
    widget = layout.parentWidget()
    assert widget is not None, "the layout is that of a widget"
    follow(widget, lambda: layout.setContentsMargins(px(left), px(top), px(right), px(bottom)))


def interface_font(before: QFont, zoom: int = 100) -> QFont:
    """Inter where it is installed, else the system's own font for interfaces."""
    font = QFont(FAMILY) if FAMILY in QFontDatabase.families() else QFont(before)
    font.setPixelSize(max(1, round(INTERFACE * zoom / 100)))
    for feature in FEATURES:
        font.setFeature(QFont.Tag(feature), 1)
    return font


def palette_of(colors: Tokens, plain: QPalette) -> QPalette:
    """The palette of a set of colours."""
    role = QPalette.ColorRole
    roles: dict[Any, str] = {
        role.Window: colors.win,
        role.WindowText: colors.text,
        role.Base: colors.surface,
        role.AlternateBase: colors.panel,
        role.Text: colors.text,
        role.Button: colors.raised,
        role.ButtonText: colors.text,
        role.BrightText: colors.accent_text,
        role.Light: colors.raised,
        role.Midlight: colors.line,
        role.Mid: colors.edge,
        role.Dark: colors.edge,
        role.Shadow: colors.line,
        role.Highlight: colors.pick,
        role.HighlightedText: colors.text,
        role.PlaceholderText: colors.text3,
        role.Link: colors.accent,
        role.LinkVisited: colors.accent,
        role.ToolTipBase: colors.raised,
        role.ToolTipText: colors.text,
        role.Accent: colors.accent,
    }
    palette = QPalette(plain)
    for name, value in roles.items():
        palette.setColor(name, QColor(value))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(colors.text3))
    return palette
