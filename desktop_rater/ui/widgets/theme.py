"""The look of the whole window: colours, font, sizes and style sheet, and how they change while it is open."""

import re
from collections.abc import Callable
from typing import Any, Literal, cast

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPaintDevice, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLayout,
    QLineEdit,
    QListView,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from desktop_rater.ui.widgets.theme_tokens import LIGHT, SETS, TYPE, Tokens, Tone

FIELD_FRAME = 5  # border and padding of a field, above and below

# {number} is a size in pixels at 100 %. A field keeps its size when its border grows on focus.
_SHEET = """
QLineEdit, QPlainTextEdit[readOnly="false"] {
  background: <surface>; color: <text>; border: {1} solid <edge>; border-radius: {4}; padding: {4} {7};
  selection-background-color: <pick>; selection-color: <text>;
}
QLineEdit:focus, QPlainTextEdit[readOnly="false"]:focus {
  border: {2} solid <accent>; padding: {3} {6};
}
QLineEdit:disabled, QLineEdit:read-only { color: <text3>; background: <panel>; }
QPushButton {
  background: <raised>; color: <text>; border: {1} solid <edge>; border-radius: {4};
  padding: {4} {11}; min-height: {20};
}
QPushButton:hover { background: <hover>; }
QPushButton:focus { border: {2} solid <accent>; padding: {3} {10}; }
QPushButton:disabled { color: <text3>; }
QListView#claim_list, QListView#evidence_list {
  background: <surface>; border: {1} solid <line>; border-radius: {6};
}
QListView#offers { background: <raised>; border: {1} solid <edge>; }
QToolTip { background: <raised>; color: <text>; border: {1} solid <edge>; padding: {4} {8}; }
QMenuBar { background: <win>; color: <text>; spacing: 0; }
QMenuBar::item { background: transparent; padding: {4} {8}; border-radius: {4}; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: <hover>; }
QMenu { background: <raised>; color: <text>; border: {1} solid <edge>; padding: {4} 0; }
QMenu::item { padding: {5} {24}; }
QMenu::item:selected { background: <sel>; color: <text>; }
QMenu::item:disabled { color: <text3>; background: <raised>; }
QMenu::separator { height: 1px; background: <line>; margin: {4} 0; }
QTabBar#prompt_tabs::tab {
  background: transparent; border: none; border-bottom: {2} solid transparent; color: <text2>;
  padding: {2} 0; margin-right: {16};
}
QTabBar#prompt_tabs::tab:selected { color: <text>; border-bottom: {2} solid <accent>; }
QTabBar#prompt_tabs::tab:hover { color: <text>; }
QScrollBar:vertical { background: transparent; border: none; width: {10}; margin: 0; }
QScrollBar:horizontal { background: transparent; border: none; height: {10}; margin: 0; }
QScrollBar::handle { background: <edge>; border-radius: {3}; margin: {2}; }
QScrollBar::handle:vertical { min-height: {24}; }
QScrollBar::handle:horizontal { min-width: {24}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: <line>; }
QStatusBar { background: <win>; border: none; }
QStatusBar::item { border: none; }
"""


def style_sheet(colors: Tokens, px: Callable[[float], int]) -> str:
    """Return the style sheet of a set of colours at the zoom of the window."""
    text = _SHEET
    for size in range(30, 0, -1):
        text = text.replace(f"{{{size}}}", f"{max(1, px(size))}px")
    return re.sub(r"<(\w+)>", lambda match: getattr(colors, match[1]), text)


# The classes to which rules of the style sheet apply, and those that otherwise keep their last size hint.
_STYLED = (QLineEdit, QListView, QMenu, QMenuBar, QPlainTextEdit, QPushButton, QScrollBar, QTabBar)
_MEASURED = (QComboBox, QLabel)
_POLISHED, _OWN_STYLE = Qt.WidgetAttribute.WA_WState_Polished, Qt.WidgetAttribute.WA_SetStyle

FAMILY = "Inter"
FONT_FEATURES = ("tnum", "cv05", "cv08")  # figures of one width, a tailed l, a serifed I
# Han characters have other shapes in each of these. Fonts of Noto, Windows and macOS.
HAN_FAMILIES = {
    "ja": ("Noto Sans CJK JP", "Noto Sans JP", "Yu Gothic UI", "Meiryo", "Hiragino Sans", "Hiragino Kaku Gothic ProN"),
    "ko": ("Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic", "Apple SD Gothic Neo"),
    "zh-Hans": ("Noto Sans CJK SC", "Noto Sans SC", "Microsoft YaHei UI", "Microsoft YaHei", "PingFang SC"),
    "zh-Hant": ("Noto Sans CJK TC", "Noto Sans TC", "Microsoft JhengHei UI", "Microsoft JhengHei", "PingFang TC"),
    "zh-HK": ("Noto Sans CJK HK", "Noto Sans HK", "Microsoft JhengHei UI", "Microsoft JhengHei", "PingFang HK"),
}
INTERFACE = TYPE["interface"][0]
_APPLIED = "applied_look"
_LIGHTER_ACCENT = "#9CC4FF"  # the dark accent has too little contrast on the current target


class Look(Struct, frozen=True):
    """The settings of the look. `zoom` in per cent multiplies every size; `reading_size` is in pixels."""

    theme: Literal["system", "light", "dark"] = "system"
    contrast: Literal["system", "high", "normal"] = "system"
    zoom: int = 100
    reading_size: int = 15


class _AppliedTheme(QObject):
    """The applied look. It belongs to the application and follows the system where the settings say so."""

    changed = Signal()
    # Of the class, since they are read hundreds of times in each repaint: a process has one application.
    look = Look()
    tokens = LIGHT
    language = ""  # of the texts that are judged, a BCP 47 tag

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.setObjectName(_APPLIED)
        self._app = app
        # Without it, reparenting a widget makes a style sheet discard the widget's own palette.
        QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
        # Kept in an attribute: chained, the hints would be deleted at once.
        self._hints = app.styleHints()
        self._access = self._hints.accessibility() if hasattr(self._hints, "accessibility") else None
        self._plain = QPalette(app.palette())
        self._font = QFont(app.font())
        self._hints.colorSchemeChanged.connect(self._follow)
        if self._access is not None:
            self._access.contrastPreferenceChanged.connect(self._follow)

    def apply(self, look: Look, *, styled: bool = True) -> None:
        zoom, colors = _AppliedTheme.look.zoom, _AppliedTheme.tokens
        _AppliedTheme.look, _AppliedTheme.tokens = look, SETS[self._set_name(look)]
        app = self._app
        recolored = self.tokens is not colors or not app.styleSheet()
        if recolored or look.zoom != zoom:
            app.setFont(interface_font(self._font, look.zoom))
        if recolored:
            app.setPalette(palette_of(self.tokens, self._plain))
            if styled or app.styleSheet():
                app.setStyleSheet(style_sheet(self.tokens, px))
        elif look.zoom != zoom:
            _replace_sizes(app, style_sheet(self.tokens, px))
        self.changed.emit()

    def _set_name(self, look: Look) -> str:
        dark = look.theme == "dark" or (look.theme == "system" and self._hints.colorScheme() == Qt.ColorScheme.Dark)
        # Qt older than 6.10 knows no preference.
        access = self._access
        prefers_contrast = access is not None and access.contrastPreference() == Qt.ContrastPreference.HighContrast
        high = look.contrast == "high" or (look.contrast == "system" and prefers_contrast)
        return f"{'high ' if high else ''}{'dark' if dark else 'light'}"

    def _follow(self) -> None:
        if self.tokens is not SETS[self._set_name(self.look)]:
            self.apply(self.look)


def _replace_sizes(app: QApplication, sheet: str) -> None:
    """Replace the style sheet by one that differs in sizes, and polish only the widgets to which its rules apply.

    `QApplication.setStyleSheet` would polish every widget once for each of its ancestors. It skips those that are not
    polished, and sends no event to those with a style of their own; without a style sheet in between, it has no rules
    cached. Later widgets are polished with the new sheet when they are first shown.
    """
    widgets = app.allWidgets()
    # While one style sheet exists, Qt keeps the table from which widgets are removed when they are deleted.
    other = QWidget()
    other.setStyleSheet(sheet)
    polished = [widget for widget in widgets if widget.testAttribute(_POLISHED)]
    unstyled = [widget for widget in widgets if not widget.testAttribute(_OWN_STYLE)]
    for widget in polished:
        widget.setAttribute(_POLISHED, False)
    for widget in unstyled:
        widget.setAttribute(_OWN_STYLE, True)
    app.setStyleSheet("")
    app.setStyleSheet(sheet)
    for widget in polished:
        widget.setAttribute(_POLISHED, True)
    for widget in unstyled:
        widget.setAttribute(_OWN_STYLE, False)
    style, event = app.style(), QEvent(QEvent.Type.StyleChange)
    for widget in polished:
        if isinstance(widget, _STYLED):
            style.polish(widget)
    for widget in widgets:
        if isinstance(widget, (*_STYLED, *_MEASURED)):
            app.sendEvent(widget, event)


def apply(app: QApplication, look: Look, *, styled: bool = True) -> None:
    """Apply a look to the application; open windows change at once.

    An application without a style sheet stays without one unless `styled`. Its widgets are built in half the time:
    with one, each widget is told of a new style whenever it or one of its ancestors is put into another widget.
    """
    _applied(app).apply(look, styled=styled)


def use_language(language: str) -> None:
    """Show Han characters of texts in the shapes of a language; pages have their own."""
    before, _AppliedTheme.language = _AppliedTheme.language, language
    if han_families(language) != han_families(before):
        _current().changed.emit()


def follow_language(widget: QWidget) -> None:
    """Show Han characters of a widget in the shapes of the language of the judged texts, now and when it changes."""

    def take_families() -> None:
        font, before = QFont(widget.font()), widget.font().families()
        others = [family for family in before if not any(family in table for table in HAN_FAMILIES.values())]
        font.setFamilies([*han_families(), *others])
        if font.families() != before:
            widget.setFont(font)

    follow(widget, take_families)


def han_families(language: str | None = None) -> list[str]:
    """Return the installed fonts with the shapes of Han characters of a language; empty for most languages.

    The language is that of the judged texts by default.
    """
    main, *parts = (_AppliedTheme.language if language is None else language).lower().replace("_", "-").split("-")
    if main in {"zh", "yue"}:
        is_simplified = "hans" in parts or not (main == "yue" or {"hant", "tw", "hk", "mo"}.intersection(parts))
        in_hong_kong = main == "yue" or not {"hk", "mo"}.isdisjoint(parts)
        main = "zh-Hans" if is_simplified else "zh-HK" if in_hong_kong else "zh-Hant"
    if main not in HAN_FAMILIES:
        return []
    installed = QFontDatabase.families()
    return [family for family in HAN_FAMILIES[main] if family in installed]


def text_font(before: QFont, language: str | None = None) -> QFont:
    """Return the interface font for texts in a language, by default that of the judged texts.

    The fonts for Han characters come first: Qt would take these characters from another font than the second.
    """
    font = interface_font(before)
    families = han_families(language)
    others = [family for family in font.families() if not any(family in table for table in HAN_FAMILIES.values())]
    font.setFamilies([*families, *others] or font.families())
    return font


def fixed_font() -> QFont:
    """Return the font for program output, with the shapes of Han characters of the language of the judged texts."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if families := han_families():
        fixed = [family.replace("Sans CJK", "Sans Mono CJK") for family in families if "Sans CJK" in family]
        font.setFamilies([*fixed, font.family(), *families])
    return font


def add_style_sheet() -> None:
    """Style the widgets that have been built without a style sheet, and all later ones."""
    app = QApplication.instance()
    if isinstance(app, QApplication) and not app.styleSheet():
        app.setStyleSheet(style_sheet(_AppliedTheme.tokens, px))


def _applied(app: QCoreApplication | None) -> _AppliedTheme:
    assert isinstance(app, QApplication)
    applied = getattr(app, _APPLIED, None)
    if applied is None:
        applied = _AppliedTheme(app)
        setattr(app, _APPLIED, applied)
    return applied


def _current() -> _AppliedTheme:
    return _applied(QApplication.instance())


def look() -> Look:
    """Return the applied look."""
    return _AppliedTheme.look


def px(size: float) -> int:
    """Return a design size at the zoom of the window."""
    return round(size * _AppliedTheme.look.zoom / 100)


def reading_px(size: float = TYPE["reading"][0]) -> int:
    """Return the size of a reading text, at the zoom of the window and the rater's reading size."""
    applied = _AppliedTheme.look
    return round(size * applied.reading_size / TYPE["reading"][0] * applied.zoom / 100)


def tokens(widget: QWidget | None = None) -> Tokens:
    """Return the applied colours."""
    del widget
    return _AppliedTheme.tokens


def font_of(before: QFont, *, pixels: int = 0, bold: bool | None = None) -> QFont:
    """Return a font in another size or weight."""
    font = QFont(before)
    if pixels:
        font.setPixelSize(pixels)
    if bold is not None:
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def smooth_painter(device: QPaintDevice) -> QPainter:
    """Return a painter that draws smooth edges."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def paint_box(
    painter: QPainter,
    rect: QRect | QRectF,
    radius: float,
    *,
    fill: QColor | Qt.BrushStyle = Qt.BrushStyle.NoBrush,
    edge: QPen | QColor | Qt.PenStyle = Qt.PenStyle.NoPen,
) -> None:
    """Paint a rectangle with round corners."""
    painter.setBrush(fill)
    painter.setPen(edge)
    painter.drawRoundedRect(rect, radius, radius)


def color(widget: QWidget | None, name: str) -> QColor:
    """Return a colour by its name."""
    del widget
    return QColor(getattr(_AppliedTheme.tokens, name))


def tone(name: str) -> Tone | None:
    """Return the look of a label tone; `None` for an unknown tone, which is shown plain."""
    return _AppliedTheme.tokens.tones.get(name)


def code_inks(tokens: Tokens) -> dict[str, str]:
    """Return the colour of each kind of token of code; all can be read on the ground of code and of targets."""
    return {
        "comment": tokens.text2,
        "keyword": _LIGHTER_ACCENT if tokens.dark else tokens.accent,
        "string": tokens.ok,
        "number": tokens.warn,
        "name": tokens.tones["disputed"].ink,
    }


def follow(widget: QWidget, measure: Callable[[], object]) -> None:
    """Call `measure` now and after each change of the look, as long as the widget exists."""
    measure()
    _Follower(widget, measure)


class _Follower(QObject):
    """Calls `measure` on changes; deleted with its widget, and its connection with it."""

    def __init__(self, widget: QWidget, measure: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._measure = measure
        _current().changed.connect(self._run)

    def _run(self) -> None:
        if isValid(self._widget):
            self._measure()


def set_ink(widget: QWidget, name: str = "text2") -> None:
    """Colour the text of a label, as secondary text by default."""
    before = widget.property("ink")
    if before == name:
        return
    widget.setProperty("ink", name)
    if before is not None:
        _ink(widget)
    else:
        follow(widget, lambda: _ink(widget))


def _ink(widget: QWidget) -> None:
    ink = color(widget, cast("str", widget.property("ink")))
    palette = widget.palette()
    # On a background of `Base`, Qt draws labels in `Text`.
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
        palette.setColor(role, ink)
    widget.setPalette(palette)


def set_ground(widget: QWidget, name: str) -> None:
    """Fill the background of a pane."""
    widget.setAutoFillBackground(True)
    _role(widget, QPalette.ColorRole.Window, name)


def set_paper(widget: QWidget, name: str) -> None:
    """Give a list or a text another background than the surface."""
    _role(widget, QPalette.ColorRole.Base, name)


def _role(widget: QWidget, role: QPalette.ColorRole, name: str) -> None:
    def fill() -> None:
        palette = widget.palette()
        palette.setColor(role, color(widget, name))
        widget.setPalette(palette)

    follow(widget, fill)


def set_type(widget: QWidget, kind: str = "interface", *, bold: bool = False) -> None:
    """Set a widget's type size and weight."""

    def measure() -> None:
        font = QFont(widget.font())
        font.setPixelSize(px(TYPE[kind][0]))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        widget.setFont(font)

    follow(widget, measure)


def pad(
    layout: QLayout,
    left: float,
    top: float,
    right: float,
    bottom: float,
    *,
    spacing: float | None = None,
    height: float | None = None,
) -> None:
    """Set the margins of a widget's layout, its spacing, and the height of the widget, at the zoom of the window."""
    widget = layout.parentWidget()
    assert widget is not None, "the layout is that of a widget"

    def measure() -> None:
        layout.setContentsMargins(px(left), px(top), px(right), px(bottom))
        if spacing is not None:
            layout.setSpacing(px(spacing))
        if height is not None:
            widget.setFixedHeight(px(height))

    follow(widget, measure)


def interface_font(before: QFont, zoom: int = 100) -> QFont:
    """Return Inter if it is installed, else the system's interface font."""
    font = QFont(FAMILY) if FAMILY in QFontDatabase.families() else QFont(before)
    font.setPixelSize(max(1, round(INTERFACE * zoom / 100)))
    for feature in FONT_FEATURES:
        font.setFeature(QFont.Tag(feature), 1)
    return font


def palette_of(colors: Tokens, plain: QPalette) -> QPalette:
    """Return the palette of a set of colours."""
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
