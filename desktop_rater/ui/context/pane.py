"""The documents that a response was written from, in a pane of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.text.pages import page_of
from desktop_rater.text.weight import MOST_SHOWN
from desktop_rater.ui import theme
from desktop_rater.ui.context.document_list import DocumentList, name_of
from desktop_rater.ui.context.passage_view import PassageView
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.rows import LINE_ROLE, Line, Lines
from desktop_rater.ui.separator import Separator, line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.task import Document

HEAD, KEY = 34, "Ctrl D"
BESIDE, LIST_WIDTH, MOST_ROWS = 620, 232, 4
Span = tuple[int, int]


class ContextPane(QWidget):
    """Folded it is one line that says how many documents there are."""

    page_wanted = Signal(str)
    document_chosen = Signal(int)
    folded = Signal()
    next_wanted = Signal()
    filled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("context_pane")
        self.setAccessibleName(self.tr("Context"))
        self.is_open = False
        self._documents: tuple[Document, ...] = ()
        self._cited: Mapping[int, int] = {}
        self._at = -1
        theme.ground(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        self._body = QWidget()
        column.addWidget(self._body, 1)
        self._make_body()
        self._body.hide()
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.ground(head, "panel")
        row = QHBoxLayout(head)
        row.setSpacing(8)
        title = PlainLabel(self.tr("Context"))
        theme.write(title, "small", bold=True)
        row.addWidget(title)
        self._count = ElidedLabel(name="context_count")
        theme.write(self._count, "small")
        theme.quiet(self._count)
        row.addWidget(self._count, 1)
        self._next = Link(self.tr("Next citation"), "Shift D")
        self._next.setObjectName("next_citation")
        theme.write(self._next, "small")
        self._next.clicked.connect(self.next_wanted)
        row.addWidget(self._next)
        self._fold = Link("", KEY)
        self._fold.setObjectName("fold_context")
        theme.write(self._fold, "small")
        self._fold.clicked.connect(self.folded)
        row.addWidget(self._fold)

        def measure() -> None:
            row.setContentsMargins(theme.px(16), 0, theme.px(8), 0)
            head.setFixedHeight(theme.px(HEAD))

        theme.follow(head, measure)
        return head

    def _make_body(self) -> None:
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._body)
        self._sides.setContentsMargins(0, 0, 0, 0)
        self._sides.setSpacing(0)
        self.list = DocumentList("documents")
        self.list.setAccessibleName(self.tr("Documents"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self._sides.addWidget(self.list)
        self._upright, self._level = Separator(upright=True), line()
        for edge in (self._upright, self._level):
            self._sides.addWidget(edge)
        shown = QWidget()
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_title())
        self.view = PassageView("document_text")
        column.addWidget(self.view, 1)
        self._sides.addWidget(shown, 1)

    def _make_title(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        theme.pad(row, 16, 6, 8, 2)
        row.setSpacing(8)
        self._title = ElidedLabel(name="document_title")
        theme.write(self._title, bold=True)
        row.addWidget(self._title, 3)
        self._address = ElidedLabel(name="document_address")
        theme.write(self._address, "small")
        theme.quiet(self._address)
        row.addWidget(self._address, 2)
        self._page = Link(self.tr("Open the page"))
        self._page.setObjectName("open_document")
        theme.write(self._page, "small")
        self._page.clicked.connect(lambda: self.page_wanted.emit(self._documents[self._at].url))
        row.addWidget(self._page)
        return box

    # -- what it shows

    def show_documents(self, documents: Sequence[Document], cited: Mapping[int, int]) -> None:
        """Show the documents of another task; `cited` counts how often each of them is cited."""
        self._documents, self._cited, self._at = tuple(documents), dict(cited), -1
        self.setVisible(bool(documents))
        self.model.show([self._line(at, one) for at, one in enumerate(documents)])
        self._count.setText(self._words())
        self._next.setVisible(bool(cited))
        self._arrange()
        if documents:
            self.show_document(min(cited, default=0))
        self.filled.emit()

    def _line(self, at: int, document: Document) -> Line:
        times = self._cited.get(at, 0)
        end, state = (f"{times}×", self.tr("cited")) if times else ("", "")
        return Line(str(at + 1), name_of(document), end=end, bold=bool(times), state=state)

    def _words(self) -> str:
        total, cited = len(self._documents), len(self._cited)
        words = self.tr("1 document") if total == 1 else self.tr("{n} documents").format(n=total)
        return self.tr("{documents}, {n} cited").format(documents=words, n=cited) if cited else words

    @property
    def has_documents(self) -> bool:
        """Whether the task has some."""
        return bool(self._documents)

    @property
    def document(self) -> int:
        """The number of the document that is shown, from 0."""
        return self._at

    def show_document(self, at: int) -> None:
        """Show one of the documents."""
        if at == self._at or not 0 <= at < len(self._documents):
            return
        self._at = at
        document = self._documents[at]
        name = name_of(document)
        self._title.setText(name)
        self._address.setText(document.url)
        self._address.setVisible(bool(document.url))
        self._page.setVisible(page_of(document.url) is not None)
        words = self.tr("Document {n} of {total}: {name}").format(n=at + 1, total=len(self._documents), name=name)
        self.view.setAccessibleName(words)
        self.view.show_passages((), None)
        text = document.text
        self.view.show_text(text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} …")
        self.list.setCurrentIndex(self.model.index(at))
        self.document_chosen.emit(at)

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.show_document(int(index.data(LINE_ROLE).id) - 1)

    # -- room

    def set_open(self, wanted: bool) -> None:
        """Open it, or fold it to its head."""
        self.is_open = wanted and bool(self._documents)
        self._body.setVisible(self.is_open)
        self._fold.set_label(self.tr("Fold") if self.is_open else self.tr("Show"))
        self.setMaximumHeight(16_777_215 if self.is_open else theme.px(HEAD))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """The list beside the text where there is room, else above it; one document needs no list."""
        several, wide = len(self._documents) > 1, self.width() >= theme.px(BESIDE)
        self.list.setVisible(several)
        self._upright.setVisible(several and wide)
        self._level.setVisible(several and not wide)
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self._sides.setDirection(direction)
        if wide:
            self.list.setFixedWidth(theme.px(LIST_WIDTH))
            self.list.fill_height()
        else:
            self.list.setMinimumWidth(0)
            self.list.setMaximumWidth(16_777_215)
            self.list.fit_rows(MOST_ROWS)
