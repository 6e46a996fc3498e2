"""The only door through which text from outside reaches a label, a tooltip or a message box: as plain text.

Qt guesses whether a text is HTML; a task that begins with `<img src=…>` would load a picture.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop_rater.ui.direction import has_direction, right_to_left


class PlainLabel(QLabel):
    """A label that shows its text as it stands."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        if name:
            self.setObjectName(name)


class WrappedLabel(PlainLabel):
    """A plain label that takes as many lines as it needs."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(text, parent, name=name)
        self.setWordWrap(True)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        # Qt's own is the height at the least width, which would make every scroll area around it too long.
        return QSize(40, self.fontMetrics().height())


class ElidedLabel(PlainLabel):
    """A plain label of one line that ends in … where there is no room; the whole text is its tooltip then."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(text, parent, name=name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(_one_line(self.text())) + 2, self.fontMetrics().height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        text = _one_line(self.text())
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        if (shown != text) != bool(self.toolTip()):
            set_tooltip(self, text if shown != text else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        mirrored, backwards = self.layoutDirection() == Qt.LayoutDirection.RightToLeft, right_to_left(text)
        painter.setLayoutDirection(text_direction(text, self.layoutDirection()))
        trails = bool(self.alignment() & Qt.AlignmentFlag.AlignRight)
        right = trails is not mirrored if trails else backwards or mirrored
        start = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        start |= Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(self.rect(), start | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
        painter.end()


def text_direction(text: str, otherwise: Qt.LayoutDirection) -> Qt.LayoutDirection:
    """The way a text runs by itself, else `otherwise`."""
    if not has_direction(text):
        return otherwise
    return Qt.LayoutDirection.RightToLeft if right_to_left(text) else Qt.LayoutDirection.LeftToRight


def _one_line(text: str) -> str:
    return " ".join(text.split())


def plain_tooltip(text: str) -> str:
    """`text` as a tooltip that shows it as it stands."""
    return GuiQt.convertFromPlainText(text) if text else ""


def set_tooltip(widget: QWidget, text: str) -> None:
    """Give a widget a tooltip of plain text."""
    widget.setToolTip(plain_tooltip(text))


def set_window_title(window: QWidget, text: str) -> None:
    """Give a window a title that is `text` as it stands."""
    # Qt takes [*] for the place where it says that something is not saved; two in a row are one that is meant.
    window.setWindowTitle(text.replace("[*]", "[*][*]"))


def set_markdown(document: QTextDocument, text: str) -> None:
    """Fill a document with Markdown, in which HTML stays the text that it is."""
    features = QTextDocument.MarkdownFeature
    # A line before it: at the very start, a block between two lines of --- would be dropped as a head of the file.
    document.setMarkdown(f"\n{text}", features.MarkdownDialectGitHub | features.MarkdownNoHTML)


def set_cleaned_html(document: QTextDocument, html: str) -> None:
    """Fill a document with HTML of a page that the reader has cleaned; the document itself must load nothing."""
    document.setHtml(html)
