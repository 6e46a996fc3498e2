"""The guidelines beside the task: rendered, searchable, opened at the section of the question at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, QUrl, Signal
from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.line_field import LineField
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.read_text import ReadText
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Iterator


class GuidelineText(ReadText):
    """Markdown of a stranger: nothing is loaded, no link is followed, HTML stays the text that it is."""

    KIND = "prompt"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("guidelines_text", parent)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Nothing: a picture in the text would otherwise be fetched."""
        del kind, name

    def headings(self) -> Iterator[QTextBlock]:
        """The blocks that are headings."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                yield block
            block = block.next()

    def go_to_heading(self, name: str) -> bool:
        """Bring a heading to the top, and say whether there is one."""
        wanted = _plain(name)
        found = next((one for one in self.headings() if _plain(one.text()) == wanted), None)
        if found is None:
            return False
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(QTextCursor(found)).top() - theme.px(4))
        return True

    def _lay_anew(self) -> None:
        """In another look the text stays where it was."""
        at = self.verticalScrollBar().value()
        super()._lay_anew()
        self.verticalScrollBar().setValue(at)

    def _frame(self) -> None:
        frame = self._read.rootFrame()
        look = frame.frameFormat()
        look.setMargin(theme.px(PANE))
        frame.setFrameFormat(look)


class Guidelines(QWidget):
    """A pane under the response, shut until it is wanted."""

    shut_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("guidelines")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line())
        column.addWidget(self._make_head())
        column.addWidget(line())
        self.text = GuidelineText()
        self.text.setAccessibleName(self.tr("Guidelines"))
        column.addWidget(self.text, 1)
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.ground(head, "panel")
        theme.follow(head, lambda: head.setFixedHeight(theme.px(40)))
        row = QHBoxLayout(head)
        row.setContentsMargins(theme.px(PANE), 0, theme.px(8), 0)
        row.setSpacing(theme.px(4))
        title = PlainLabel(self.tr("Guidelines"))
        theme.write(title, bold=True)
        row.addWidget(title)
        self._found = ElidedLabel(name="guidelines_found")
        theme.quiet(self._found)
        row.addWidget(self._found, 1)
        self.search = LineField()
        self.search.setObjectName("guidelines_search")
        self.search.setPlaceholderText(self.tr("Search the guidelines"))
        self.search.setAccessibleName(self.tr("Search the guidelines"))
        self.search.setMaximumWidth(theme.px(220))
        self.search.textChanged.connect(lambda _text: self._find(0))
        self.search.entered.connect(self._find)
        self.search.left.connect(self.text_focus)
        row.addWidget(self.search)
        for name, words, by in (("previous_hit", self.tr("Previous"), -1), ("next_hit", self.tr("Next"), 1)):
            button = KeyButton(words, flat=True)
            button.setObjectName(name)
            button.clicked.connect(lambda _on=False, step=by: self._find(step))
            row.addWidget(button)
        shut = KeyButton(self.tr("Close"), "G", flat=True)
        shut.setObjectName("close_guidelines")
        shut.clicked.connect(self.shut_wanted)
        row.addWidget(shut)
        return head

    def show_text(self, text: str) -> None:
        """The guidelines of another bundle."""
        self.text.show_text(text, plain=False)
        self._found.setText("")

    @property
    def is_empty(self) -> bool:
        """Whether the bundle has no guidelines."""
        return self.text.document().isEmpty()

    def open_at(self, section: str) -> None:
        """Show the pane, at the section of that heading where there is one."""
        self.show()
        parent = self.parentWidget()
        layout = parent.layout() if parent is not None else None
        if layout is not None:
            layout.activate()  # the text needs its width before a heading has a place
        there = not section or self.text.go_to_heading(section)
        self._found.setText("" if there else self.tr("No section “{name}”").format(name=section))
        # Again when the text has its new height: until then it can't be scrolled so far.
        QTimer.singleShot(0, self.text, lambda: self.text.go_to_heading(section))

    def text_focus(self) -> None:
        """From the search back to the text."""
        self.text.setFocus()

    def _find(self, by: int) -> None:
        words = self.search.text()
        if not words:
            self._found.setText("")
            return
        hits = list(self._hits(words))
        if not hits:
            self._found.setText(self.tr("Not found"))
            return
        here = self.text.textCursor().selectionStart()
        later = [at for at, hit in enumerate(hits) if hit.selectionStart() >= here + (by > 0)]
        earlier = [at for at, hit in enumerate(hits) if hit.selectionStart() < here]
        at = (earlier[-1] if earlier else len(hits) - 1) if by < 0 else later[0] if later else 0
        self.text.setTextCursor(hits[at])
        self.text.ensureCursorVisible()
        self._found.setText(self.tr("{n} of {total}").format(n=at + 1, total=len(hits)))

    def _hits(self, words: str) -> Iterator[QTextCursor]:
        cursor = QTextCursor(self.text.document())
        while True:
            cursor = self.text.document().find(words, cursor)
            if cursor.isNull():
                return
            yield QTextCursor(cursor)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
