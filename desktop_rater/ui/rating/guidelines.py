"""Guidelines pane: rendered, searchable, opened at the section of the current question."""

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QBuffer, QPoint, QSize, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QImage,
    QImageReader,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
)
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.fields import LineField
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.text_view import TextView, height_at
from desktop_rater.ui.widgets.theme_tokens import PANE

PICTURE_FORMATS = {b"png", b"jpeg", b"webp"}
MOST_PIXELS, DECODED_PIXELS, DECODED_MIB = 16_000_000, 2_500_000, 128


def read_picture(data: bytes) -> QImage:
    """Decode a picture, at most `DECODED_PIXELS` large; a null image if it is none that can be shown."""
    QImageReader.setAllocationLimit(DECODED_MIB)
    buffer = QBuffer()
    buffer.setData(data)
    reader = QImageReader(buffer)
    reader.setAutoTransform(True)
    size = reader.size()
    pixels = size.width() * size.height() if size.isValid() else 0
    if bytes(reader.format().data()) not in PICTURE_FORMATS or not 0 < pixels <= MOST_PIXELS:
        return QImage()
    if pixels > DECODED_PIXELS:
        scale = (DECODED_PIXELS / pixels) ** 0.5
        reader.setScaledSize(QSize(max(1, int(size.width() * scale)), max(1, int(size.height() * scale))))
    return reader.read()


class GuidelineView(TextView):
    """View of untrusted Markdown with pictures of its bundle: nothing is fetched, no link followed, HTML is text."""

    KIND = "prompt"

    def __init__(self, parent: QWidget | None = None) -> None:
        self._waiting: tuple[str, Mapping[str, bytes]] = ("", {})
        self._pictures: dict[str, bytes] = {}
        self._undecoded: dict[str, bytes] = {}
        self._images: dict[str, QImage] = {}
        super().__init__("guidelines_text", parent)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load nothing, so that no image in the text is fetched."""
        del kind, name

    def show_guidelines(self, text: str, pictures: Mapping[str, bytes]) -> None:
        """Show guidelines, which are laid out when they are first looked at."""
        self._waiting = text, pictures
        if self.isVisible():
            self.lay_out()

    def lay_out(self) -> None:
        """Lay out the guidelines if that has not been done yet."""
        text, pictures = self._waiting
        if (text, pictures) == (self._text, self._pictures):
            return  # the next task of the same bundle
        self._pictures = self._undecoded = dict(pictures)
        self._known_pictures = self._pictures.keys()
        self._images = {}
        self.show_text(text, plain=False)
        self._decode()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.lay_out()
        self._decode()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line at the top there when the width changes."""
        bar, top = self.verticalScrollBar(), self.cursorForPosition(QPoint(1, 1)).position()
        scrolled = bar.value() > 0 and event.size().width() != event.oldSize().width()
        into_line = bar.value() - height_at(self.document(), top)
        super().resizeEvent(event)
        self._fit_pictures()
        if scrolled:
            self.document().size()  # lays the text out for the new width
            bar.setValue(round(height_at(self.document(), top) + into_line))

    def _decode(self) -> None:
        """Decode the pictures once they can be seen."""
        if self._undecoded and self.isVisible():
            self._images = {name: read_picture(data) for name, data in self._undecoded.items()}
            self._undecoded = {}
            self._lay_anew()

    def _place_pictures(self) -> None:
        """Put each picture below the paragraph that names it."""
        document = self._read
        for name, image in self._images.items():
            document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), image)
        for place, name in document.pictures:
            if name in self._images and not self._images[name].isNull():
                place.movePosition(QTextCursor.MoveOperation.EndOfBlock)
                below = QTextBlockFormat()
                below.setBottomMargin(document.look.gap)
                place.insertBlock(below, QTextCharFormat())
                place.insertImage(self._picture_format(name))

    def _picture_format(self, name: str) -> QTextImageFormat:
        """Return the format of a picture in its own size, or as wide as the text has space."""
        image = self._images[name]
        width = min(image.width(), max(1, self.viewport().width() - 2 * theme.px(PANE)))
        form = QTextImageFormat()
        form.setName(name)
        form.setWidth(width)
        form.setHeight(max(1, round(image.height() * width / image.width())))
        return form

    def _fit_pictures(self) -> None:
        for place, name in self._read.pictures if self._images else ():
            if name in self._images and not self._images[name].isNull():
                place.setPosition(place.position())
                place.movePosition(QTextCursor.MoveOperation.PreviousCharacter, QTextCursor.MoveMode.KeepAnchor)
                place.setCharFormat(self._picture_format(name))
                place.movePosition(QTextCursor.MoveOperation.EndOfBlock)

    def headings(self) -> Iterator[QTextBlock]:
        self.lay_out()
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                yield block
            block = block.next()

    def go_to_heading(self, name: str) -> bool:
        """Scroll a heading to the top; return whether it exists."""
        wanted = _normalized(name)
        heading = next((block for block in self.headings() if _normalized(block.text()) == wanted), None)
        if heading is None:
            return False
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(QTextCursor(heading)).top() - theme.px(4))
        return True

    def _lay_anew(self) -> None:
        """Keep the scroll position across a change of theme."""
        position = self.verticalScrollBar().value()
        super()._lay_anew()
        self.verticalScrollBar().setValue(position)

    def _frame(self) -> None:
        frame = self._read.rootFrame()
        look = frame.frameFormat()
        look.setMargin(theme.px(PANE))
        frame.setFrameFormat(look)
        self._place_pictures()


class GuidelinesPane(QWidget):
    """Pane under the response, closed at first."""

    shut_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("guidelines")
        self.text = GuidelineView()
        self.text.setAccessibleName(self.tr("Guidelines"))
        tight_column(self, horizontal_line(), self._make_head(), horizontal_line(), (self.text, 1), spacing=0)
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "panel")
        theme.follow(head, lambda: head.setFixedHeight(theme.px(40)))
        title = PlainLabel(self.tr("Guidelines"), bold=True)
        self._result_label = ElidedLabel(name="guidelines_found", ink="text2")
        self.search = LineField(
            name="guidelines_search",
            placeholder=self.tr("Search the guidelines"),
            label=self.tr("Search the guidelines"),
            entered=self._find,
            left=self.text_focus,
        )
        self.search.setMaximumWidth(theme.px(220))
        self.search.textChanged.connect(lambda _text: self._find(0))
        row = tight_row(
            head,
            title,
            (self._result_label, 1),
            (self.search, 3),
            spacing=theme.px(4),
            margins=(theme.px(PANE), 0, theme.px(8), 0),
        )
        for name, label, by in (("previous_hit", self.tr("Previous"), -1), ("next_hit", self.tr("Next"), 1)):
            button = KeyButton(label, flat=True, name=name, clicked=lambda _on=False, step=by: self._find(step))
            row.addWidget(button)
        shut = KeyButton(self.tr("Close"), "G", flat=True, name="close_guidelines", clicked=self.shut_wanted)
        row.addWidget(shut)
        return head

    def show_text(self, text: str, pictures: Mapping[str, bytes] | None = None) -> None:
        """Show guidelines (Markdown), with the pictures of their bundle by name."""
        self.text.show_guidelines(text, pictures or {})
        self._result_label.setText("")

    @property
    def is_empty(self) -> bool:
        self.text.lay_out()
        return self.text.document().isEmpty()

    def open_at(self, section: str) -> None:
        """Open the pane, at the section with that heading if there is one."""
        self.show()
        parent = self.parentWidget()
        layout = parent.layout() if parent is not None else None
        if layout is not None:
            layout.activate()  # the text needs its width before headings have a position
        found_section = not section or self.text.go_to_heading(section)
        self._result_label.setText("" if found_section else self.tr("No section “{name}”").format(name=section))
        # Again after the new layout: until then the scroll range is too short.
        QTimer.singleShot(0, self.text, lambda: self.text.go_to_heading(section))

    def text_focus(self) -> None:
        """Return the focus from the search field to the text."""
        self.text.setFocus()

    def _find(self, by: int) -> None:
        text = self.search.text()
        if not text:
            self._result_label.setText("")
            return
        hits = list(self._hits(text))
        if not hits:
            self._result_label.setText(self.tr("Not found"))
            return
        here = self.text.textCursor().selectionStart()
        later = [index for index, hit in enumerate(hits) if hit.selectionStart() >= here + (by > 0)]
        earlier = [index for index, hit in enumerate(hits) if hit.selectionStart() < here]
        index = (earlier[-1] if earlier else len(hits) - 1) if by < 0 else later[0] if later else 0
        self.text.setTextCursor(hits[index])
        self.text.ensureCursorVisible()
        self._result_label.setText(self.tr("{n} of {total}").format(n=index + 1, total=len(hits)))

    def _hits(self, text: str) -> Iterator[QTextCursor]:
        cursor = QTextCursor(self.text.document())
        while True:
            cursor = self.text.document().find(text, cursor)
            if cursor.isNull():
                return
            yield QTextCursor(cursor)


def _normalized(text: str) -> str:
    return " ".join(text.split()).casefold()
