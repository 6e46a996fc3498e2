"""Text that is read, not written: it is shown as it stands, and never read back from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

from desktop_rater.text.weight import has_long_word
from desktop_rater.ui import theme
from desktop_rater.ui.direction import is_tall, right_to_left
from desktop_rater.ui.read_document import ReadDocument, Type
from desktop_rater.ui.theme_tokens import TYPE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.text.offsets import ShownMap
    from desktop_rater.text.rendered import RenderedMap

GAP, INDENT = 12, 20
TALL = TYPE["tall reading"][0] / TYPE["reading"][0], TYPE["tall reading"][1] / TYPE["reading"][1]


class ReadText(QTextEdit):
    """Text with room between its lines, running the way its script runs."""

    KIND = "reading"
    PAINTS_POINTS = False  # whether it paints the points of lists itself

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._text = ""
        self._plain = True
        self._wanted: tuple[tuple[int, int], ...] = ()  # stretches that have to be seen
        self._read = ReadDocument(self, self.font(), self._type(""), hide_points=self.PAINTS_POINTS)
        theme.follow(self, self._lay_anew)

    @property
    def shown_map(self) -> ShownMap | RenderedMap:
        """Where what is shown stands in the text."""
        return self._read.map

    @property
    def is_rendered(self) -> bool:
        """Whether Markdown is shown as what it means, and not as its source."""
        return self._read.is_rendered

    @property
    def backwards(self) -> bool:
        """Whether the text runs from right to left."""
        return self._read.look.backwards

    def _set_margins(self, near: int, far: int, *, top: int, bottom: int) -> None:
        """Pixels around the text: `near` where its lines begin, `far` where they end. The same again change nothing."""
        frame = self._read.rootFrame()
        form = frame.frameFormat()
        left, right = (far, near) if self.backwards else (near, far)
        if (form.leftMargin(), form.rightMargin()) != (left, right):
            form.setLeftMargin(left)
            form.setRightMargin(right)
            form.setTopMargin(top)
            form.setBottomMargin(bottom)
            frame.setFrameFormat(form)

    def show_text(self, text: str, *, plain: bool = True) -> None:
        """Show a text from its start; Markdown, unless it is `plain`."""
        self._text, self._plain = text, plain
        self._lay_anew()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)

    def _lay_anew(self) -> None:
        before = self._read
        font, look = theme.interface_font(self.font()), self._type(self._text)
        self._read = ReadDocument(self, font, look, hide_points=self.PAINTS_POINTS)
        self._read.fill(self._text, plain=self._plain, wanted=self._wanted)
        self._frame()
        self._show_document(self._read)
        before.deleteLater()

    def _show_document(self, read: ReadDocument) -> None:
        """Show a document. Where it breaks inside words is said while the shorter words stand there: see `weight`."""
        usual, anywhere = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere
        breaks = has_long_word(self._text)
        if breaks:
            self.setWordWrapMode(anywhere)
        self.setDocument(read)
        if not breaks and self.wordWrapMode() == anywhere:
            self.setWordWrapMode(usual)

    def changeEvent(self, event: QEvent) -> None:
        """Qt writes a text in the font of its widget whenever that one changes: this one has a size of its own."""
        super().changeEvent(event)
        shown = self.document()
        if event.type() == QEvent.Type.FontChange and isinstance(shown, ReadDocument):
            shown.setDefaultFont(shown.own_font)

    def _frame(self) -> None:
        """Hook: the margins of the document, before it is shown."""

    def _type(self, text: str) -> Type:
        size, line = map(float, TYPE[self.KIND])
        backwards = right_to_left(text)
        if is_tall(text):
            size, line = size * TALL[0], line * TALL[1]
        px = theme.reading_px if self.KIND == "reading" else theme.px
        link, edge = theme.color(self, "accent"), theme.color(self, "edge")
        return Type(px(size), px(line), px(GAP), px(INDENT), link, edge, backwards)


class FittedText(ReadText):
    """As high as its text, up to a number of lines; then it scrolls."""

    KIND = "prompt"

    def __init__(self, name: str, most_lines: int, parent: QWidget | None = None) -> None:
        self.most_lines = most_lines
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _lay_anew(self) -> None:
        super()._lay_anew()
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self.updateGeometry())
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        most = self.most_lines * self._read.look.line + 4
        return QSize(200, min(int(self.document().size().height()) + 2, most))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.sizeHint().height(), self._read.look.line + 4))


def fixed_font() -> QFont:
    """The font for what programs wrote."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
