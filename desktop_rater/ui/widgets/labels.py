"""Plain-text labels, tooltips, titles and painted text: the only way for text from outside to reach them; direction.

A character that can't be seen, or that reorders others, is spelled out, such as [U+202E], and has no effect.
"""

import re
import unicodedata
from typing import Any

from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QWidget

from desktop_rater.format.rubric import GuidelineDocument, SourcedStruct
from desktop_rater.text.untrusted import has_unseen, spelled_out
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.widgets.theme_tokens import MARK_RADIUS

_STRONG = {"L": False, "R": True, "AL": True}
_ISOLATES = {"LRI", "RLI", "FSI"}
FIRST_STRONG, POP = "\u2068", "\u2069"
# Hebrew, Arabic and their neighbours, Devanagari: marks above and below the letters.
_TALL = "[\u0590-\u08ff\u0900-\u097f\ufb1d-\ufdff\ufe70-\ufefc]"
_LETTER = re.compile(r"[^\W\d_]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_FAR_EAST = "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_MAX_SCANNED = 2_000


def right_to_left(text: str) -> bool:
    """Return whether the first character with a strong direction runs from right to left.

    Isolated parts do not count, unless there is nothing else.
    """
    if text.isascii():
        return False
    depth = 0
    inside: bool | None = None
    for character in text[:_MAX_SCANNED]:
        kind = unicodedata.bidirectional(character)
        depth = depth + 1 if kind in _ISOLATES else max(0, depth - (kind == "PDI"))
        strong = _STRONG.get(kind)
        if strong is not None and not depth:
            return strong
        inside = strong if inside is None else inside
    return bool(inside)


def isolated(text: str) -> str:
    """Return a text with bidirectional isolation, so that it can't disturb the text around it."""
    text = visible(text)
    return f"{FIRST_STRONG}{text}{POP}" if has_right_to_left(text) else text


def has_direction(text: str) -> bool:
    """Return whether any character has a direction of its own, unlike digits and punctuation."""
    if text.isascii():
        return text.lower() != text.upper()
    return any(unicodedata.bidirectional(character) in _STRONG for character in text[:_MAX_SCANNED])


def has_right_to_left(text: str) -> bool:
    """Return whether parts may run from right to left, so that neighbours in the text may be apart on the screen."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_tall(text: str) -> bool:
    """Return whether most of its letters have marks above and below."""
    return _mostly(_TALL, text)


def has_no_blanks(text: str) -> bool:
    """Return whether it is written without spaces between words, like Chinese and Japanese."""
    return _mostly(_FAR_EAST, text)


def _mostly(pattern: str, text: str) -> bool:
    if text.isascii():
        return False
    letters = _LETTER.findall(text[:_MAX_SCANNED])
    return len(re.findall(pattern, "".join(letters))) * 2 > len(letters)


def visible(text: str) -> str:
    """Return a text for the screen and screen readers: hidden characters are spelled out.

    Whole isolates such as this module adds stay. They move nothing that the letters themselves would not move.
    """
    if text.isascii() and text.isprintable():
        return text
    return spelled_out(text, keep=_whole_isolates(text)) if has_unseen(text) else text


def _whole_isolates(text: str) -> set[int]:
    """Return the offsets of both ends of each isolate whose direction is that of its own letters."""
    ends: set[int] = set()
    opened: list[int] = []
    for offset, character in enumerate(text):
        kind = unicodedata.bidirectional(character)
        if kind in _ISOLATES:
            opened.append(offset)
        elif kind == "PDI" and opened and text[begin := opened.pop()] == FIRST_STRONG:
            ends |= {begin, offset}
    return ends


def draw_text(
    painter: QPainter,
    rect: QRect | QRectF,
    flags: int | Qt.AlignmentFlag,
    text: str,
    *,
    font: QFont | None = None,
    ink: QColor | QPen | None = None,
) -> None:
    """Paint a text literally, by default in the font and colour of the painter."""
    if font is not None:
        painter.setFont(font)
    if ink is not None:
        painter.setPen(ink)
    # Qt puts a joiner beside the ellipsis of an elided Arabic word; it is none of the text's own characters.
    text = text.replace("\u200d…", "…").replace("…\u200d", "…")
    painter.drawText(rect, flags, visible(text))


def name_widget(widget: QWidget, name: str, spoken: str) -> None:
    """Give a widget the name by which it is found, and the one that screen readers say."""
    widget.setObjectName(name)
    widget.setAccessibleName(spoken)


def set_optional_text(label: QLabel, text: str) -> None:
    """Show a text; hide the label if the text is empty."""
    label.setText(text)
    label.setVisible(bool(text))


def select_range(cursor: QTextCursor, first: int, last: int) -> QTextCursor:
    """Select from one position to another, where the cursor then is, and return it."""
    cursor.setPosition(first)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    return cursor


class PlainLabel(QLabel):
    """A label that shows its text literally. `size` and `bold` set its type, `ink` its colour."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        name: str = "",
        size: str = "",
        bold: bool = False,
        ink: str = "",
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        if name:
            self.setObjectName(name)
        if size or bold:
            theme.set_type(self, size or "interface", bold=bold)
        if ink:
            theme.set_ink(self, ink)

    def setText(self, text: str) -> None:
        super().setText(visible(text))


class WrappedLabel(PlainLabel):
    """A plain label that takes as many lines as it needs."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **look: Any) -> None:
        super().__init__(text, parent, **look)
        self.setWordWrap(True)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        # Qt's own hint is the height at the minimum width, which would make every scroll area too long.
        return QSize(40, self.fontMetrics().height())


class ElidedLabel(PlainLabel):
    """A plain label of one line, or of those that its height allows; elided text is in its tooltip."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **look: Any) -> None:
        super().__init__(text, parent, **look)
        self._trails = False  # the text is at the end of the line
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setAlignment(self, alignment: Qt.AlignmentFlag) -> None:
        self._trails = bool(alignment & Qt.AlignmentFlag.AlignRight)
        super().setAlignment(alignment)

    def show_at_end(self, on: bool) -> None:
        """Show the text at the end of the line, or at its start."""
        if on is not self._trails:
            self.setAlignment(Qt.AlignmentFlag.AlignRight if on else Qt.AlignmentFlag.AlignLeft)

    def minimumSizeHint(self) -> QSize:
        text = self.text()
        if text.isascii() and "\n" not in text:
            return QSize(24, self.fontMetrics().height())  # Qt would lay out the whole text for it
        return QSize(24, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(_one_line(self.text())) + 2, self.fontMetrics().height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        text = _one_line(self.text())
        lines = self.height() // self.fontMetrics().lineSpacing()
        elided = elided_text(self.fontMetrics(), text, self.width(), lines)
        if (elided != text) != bool(self.toolTip()):
            set_tooltip(self, text if elided != text else "")
        with QPainter(self) as painter:
            mirrored = self.isRightToLeft()
            use_text_direction(painter, text, mirrored=mirrored)
            right = not mirrored if self._trails else mirrored or right_to_left(text)
            flags = RIGHT_LINE if right else LEFT_LINE
            draw_text(painter, self.rect(), flags ^ _WRAPPED if lines > 1 else flags, elided)


# As numbers, since Qt takes them without a call: where one line of text is painted.
_LINE = (Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute).value | Qt.TextFlag.TextSingleLine.value
LEFT_LINE, RIGHT_LINE = Qt.AlignmentFlag.AlignLeft.value | _LINE, Qt.AlignmentFlag.AlignRight.value | _LINE

_WRAPPED = Qt.TextFlag.TextSingleLine.value | Qt.TextFlag.TextWordWrap.value  # what differs in several lines


def elided_text(metrics: QFontMetrics, text: str, width: int, lines: int = 1) -> str:
    """Return a text with an ellipsis at its end if it does not fit into that many lines."""
    if lines <= 1:
        fits = metrics.horizontalAdvance(text) < width
        return text if fits else metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def fits_wrapped(text: str) -> bool:
        bounds = metrics.boundingRect(QRect(0, 0, width, 10_000), Qt.TextFlag.TextWordWrap.value, text)
        return round(bounds.height() / metrics.lineSpacing()) <= lines  # heights of lines are rounded

    if fits_wrapped(text):
        return text
    low, high = 0, len(text)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if fits_wrapped(f"{text[:middle]}…") else (low, middle)
    return f"{text[:low]}…"


def use_text_direction(painter: QPainter, text: str, *, mirrored: bool) -> None:
    """Have a text painted in its own direction, else in that of its `mirrored` widget."""
    if text.isascii() and not mirrored and not QGuiApplication.isRightToLeft():
        return
    backwards = right_to_left(text) if has_direction(text) else mirrored
    if backwards is not QGuiApplication.isRightToLeft():  # the direction with which a painter begins
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)


def text_direction(text: str, otherwise: Qt.LayoutDirection) -> Qt.LayoutDirection:
    """Return the direction of a text, else `otherwise`."""
    if not has_direction(text):
        return otherwise
    return Qt.LayoutDirection.RightToLeft if right_to_left(text) else Qt.LayoutDirection.LeftToRight


def _one_line(text: str) -> str:
    return " ".join(text.split())


TOOLTIP_TEXT = "tooltip_text"


def plain_tooltip(text: str) -> str:
    """Return a tooltip that shows `text` literally."""
    return GuiQt.convertFromPlainText(visible(text)) if text else ""


def set_tooltip(widget: QWidget, text: str) -> None:
    """Give a widget a plain-text tooltip, which screen readers read as its description if it has no other."""
    if widget.accessibleDescription() in ("", widget.property(TOOLTIP_TEXT)):
        widget.setProperty(TOOLTIP_TEXT, visible(text))
        widget.setAccessibleDescription(visible(text))  # Qt would pass on the tooltip with its markup
    widget.setToolTip(plain_tooltip(text))


def set_window_title(window: QWidget, text: str) -> None:
    """Give a window the literal title `text`."""
    # Qt replaces [*] by its marker for unsaved changes; [*][*] is a literal [*].
    window.setWindowTitle(visible(text).replace("[*]", "[*][*]"))


def set_markdown(document: QTextDocument, text: str) -> None:
    """Fill a document with Markdown; HTML in it stays literal text."""
    features = QTextDocument.MarkdownFeature
    # The empty first line: a block between two lines of --- at the start would be dropped as front matter.
    document.setMarkdown(f"\n{text}", features.MarkdownDialectGitHub | features.MarkdownNoHTML)


def set_cleaned_html(document: QTextDocument, html: str) -> None:
    """Fill a document with cleaned HTML of a page; the document itself must not load anything."""
    document.setHtml(html)


class ZoomedComboBox(QComboBox):
    """A combo box that becomes small again with the window's zoom."""

    def minimumSizeHint(self) -> QSize:
        # Qt computes both hints alike, but keeps this one when the font changes.
        return self.sizeHint()


SIDE = 6
MAX_NAME = 24  # characters of a document's name
translate = QCoreApplication.translate


def source_text(sourced: SourcedStruct, document: GuidelineDocument | None = None) -> str:
    """Return whose question or rule it is, as in the badge."""
    if sourced.source == "guideline":
        name = " ".join(document.name.split()) if document is not None else translate("SourceBadge", "Guideline")
        return visible(name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1].rstrip()}…")
    return translate("SourceBadge", "This project’s rule")


class SourceBadge(PlainLabel):
    """A label with a solid edge for the guideline's rules and a dashed one for the project's; hidden without one."""

    def __init__(
        self,
        sourced: SourcedStruct | None = None,
        remark: str = "",
        document: GuidelineDocument | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", parent, name="source_badge")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._solid = False
        theme.set_type(self, "small", bold=True)
        theme.follow(self, lambda: self.setContentsMargins(theme.px(SIDE), 1, theme.px(SIDE), 1))
        if sourced is None:
            self.hide()
        else:
            self._write(sourced, remark, document)

    def show_source(
        self, sourced: SourcedStruct | None, remark: str = "", document: GuidelineDocument | None = None
    ) -> None:
        """Show another source; the tooltip has the document, the place in it, and a remark."""
        self.setHidden(sourced is None)
        if sourced is not None:
            self._write(sourced, remark, document)

    def _write(self, sourced: SourcedStruct, remark: str, document: GuidelineDocument | None) -> None:
        self._solid = sourced.source == "guideline"
        text = title = source_text(sourced, document)
        if self._solid and document is not None:
            edition = self.tr("edition {edition}").format(edition=document.edition) if document.edition else ""
            title = ", ".join(filter(None, (document.name, edition)))
        details = ". ".join(part for part in (sourced.guideline if self._solid else "", remark) if part)
        if not details:
            details = (
                self.tr("The guideline states this.")
                if self._solid
                else self.tr("The guideline does not state this; this project decided it.")
            )
        self.setText(text)
        theme.set_ink(self, "accent" if self._solid else "text2")
        set_tooltip(self, details if title == text else f"{title}: {details}")
        self.setAccessibleName(visible(f"{title}: {details}"))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with smooth_painter(self) as painter:
            edge = QPen(theme.color(self, "accent" if self._solid else "edge"), 1)
            if not self._solid:
                edge.setDashPattern([3, 2])
            painter.setPen(edge)
            height = min(self.height(), self.fontMetrics().height() + 2)
            box = QRectF(0.5, (self.height() - height) // 2 + 0.5, self.width() - 1, height - 1)
            painter.drawRoundedRect(box, MARK_RADIUS, MARK_RADIUS)
