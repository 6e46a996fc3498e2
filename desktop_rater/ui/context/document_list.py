"""The documents of a task in a list: number, name, how often a response cites them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QFrame

from desktop_rater.ui import theme
from desktop_rater.ui.rows import LineDelegate, LineList

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.task import Document
    from desktop_rater.ui.rows import Line

FIRST_WORDS = 80


class DocumentDelegate(LineDelegate):
    """The number stands where other lists have a shape. Names of files differ at their ends, so the middle is cut."""

    def pair(
        self, painter: QPainter, rect: QRect, text: str, end: str, ink: QColor, end_ink: QColor, *, bold: bool = False
    ) -> None:
        font = QFont(painter.font())
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        taken = painter.fontMetrics().horizontalAdvance(end) + theme.px(8) if end else 0
        if " " not in text:
            text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width() - taken)
        super().pair(painter, rect, text, end, ink, end_ink, bold=bold)

    def mark(self, painter: QPainter, rect: QRect, y: float, line: Line) -> None:
        del y
        room, pad = theme.px(20), theme.px(self._pad)
        left = rect.right() + 1 - pad - room if self.mirrored else rect.left() + pad
        font = QFont(self.font)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color(self._widget, "accent" if line.bold else "text2"))
        side = Qt.AlignmentFlag.AlignRight if self.mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(left, rect.top(), room, rect.height()), flags, line.id)


class DocumentList(LineList):
    """One line each; what is selected is shown beside it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, pad=16, parent=parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.line_delegate = DocumentDelegate(self, two_lines=False, pad=16)
        self.setItemDelegate(self.line_delegate)

    def fill_height(self) -> None:
        """Be as high as there is room."""
        self._most = 0
        self.setMinimumHeight(0)
        self.setMaximumHeight(16_777_215)


def name_of(document: Document) -> str:
    """Its title, else where it comes from, else how it begins."""
    if document.title.strip():
        return " ".join(document.title.split())
    return _host_of(document.url) or " ".join(document.text[: 4 * FIRST_WORDS].split())[:FIRST_WORDS] or document.id


def _host_of(url: str) -> str:
    """The host of an address; "" where it has none."""
    try:
        return urlsplit(url).netloc
    except ValueError:  # what stands there is no address
        return ""
