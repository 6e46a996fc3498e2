"""Pane with the context documents of a task."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.model.task import Document
from desktop_rater.text.untrusted import MAX_SHOWN_CHARACTERS
from desktop_rater.text.urls import host_of, page_key, readable_url
from desktop_rater.ui.pages.citation_views import PassageView
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, draw_text, visible
from desktop_rater.ui.widgets.layouts import Separator, horizontal_line, tight_column
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowDelegate, ListRowModel, RowList
from desktop_rater.ui.widgets.theme import font_of

FIRST_WORDS = 80


class DocumentDelegate(ListRowDelegate):
    """Delegate that paints the number as the mark. Names are elided in the middle: file names differ at their ends."""

    def paint_line(
        self, painter: QPainter, rect: QRect, text: str, end: str, ink: QColor, end_ink: QColor, *, bold: bool = False
    ) -> QRect:
        font = font_of(painter.font(), bold=bold)
        end_width = painter.fontMetrics().horizontalAdvance(end) + theme.px(8) if end else 0
        if " " not in text:
            text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width() - end_width)
        return super().paint_line(painter, rect, text, end, ink, end_ink, bold=bold)

    def paint_mark(self, painter: QPainter, rect: QRect, y: float, row: ListRow) -> None:
        del y
        width, pad = theme.px(20), theme.px(self._pad)
        left = rect.right() + 1 - pad - width if self.mirrored else rect.left() + pad
        font = font_of(self.font, bold=True)
        painter.setFont(font)
        painter.setPen(theme.color(self.view, "accent" if row.bold else "text2"))
        side = Qt.AlignmentFlag.AlignRight if self.mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
        draw_text(painter, QRect(left, rect.top(), width, rect.height()), flags, row.id)


class DocumentList(RowList):
    """List of documents, one line each; the current one is shown next to it."""

    delegate_class = DocumentDelegate

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, pad=16, parent=parent)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def fill_height(self) -> None:
        """Use all the available height."""
        self._most = 0
        self.setMinimumHeight(0)
        self.setMaximumHeight(16_777_215)


def document_name(document: Document) -> str:
    """Return the title of a document, or else its host, or else the start of its text."""
    if document.title.strip():
        return " ".join(document.title.split())
    return host_of(document.url) or " ".join(document.text[: 4 * FIRST_WORDS].split())[:FIRST_WORDS] or document.id


HEAD, FOLD_KEY = 34, "Ctrl D"
SIDE_BY_SIDE_WIDTH, LIST_WIDTH, MOST_ROWS = 620, 232, 4
Span = tuple[int, int]


class ContextPane(NamedGroup):
    """Pane with the list of documents and the text of one. Folded, only its head remains."""

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
        self._index = -1
        theme.set_ground(self, "surface")
        column = tight_column(self, spacing=0)
        column.addWidget(self._make_head())
        self._body = QWidget()
        column.addWidget(self._body, 1)
        self._make_body()
        self._body.hide()
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "panel")
        row = QHBoxLayout(head)
        row.setSpacing(8)
        row.addWidget(PlainLabel(self.tr("Context"), size="small", bold=True))
        self._count = ElidedLabel(name="context_count", size="small", ink="text2")
        row.addWidget(self._count, 1)
        self._next = LinkButton(self.tr("Next citation"), "Shift D", name="next_citation")
        theme.set_type(self._next, "small")
        self._next.clicked.connect(self.next_wanted)
        row.addWidget(self._next)
        self._fold = LinkButton("", FOLD_KEY, name="fold_context")
        theme.set_type(self._fold, "small")
        self._fold.clicked.connect(self.folded)
        row.addWidget(self._fold)
        theme.pad(row, 16, 0, 8, 0, height=HEAD)
        return head

    def _make_body(self) -> None:
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._body)
        self._sides.setContentsMargins(0, 0, 0, 0)
        self._sides.setSpacing(0)
        self.list = DocumentList("documents")
        self.list.setAccessibleName(self.tr("Documents"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._select_row)
        self._sides.addWidget(self.list)
        self._upright, self._level = Separator(upright=True), horizontal_line()
        for edge in (self._upright, self._level):
            self._sides.addWidget(edge)
        text_side = QWidget()
        column = tight_column(text_side, spacing=0)
        column.addWidget(self._make_title())
        self.view = PassageView("document_text")
        column.addWidget(self.view, 1)
        self._sides.addWidget(text_side, 1)

    def _make_title(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        theme.pad(row, 16, 6, 8, 2)
        row.setSpacing(8)
        self._title = ElidedLabel(name="document_title", size="interface", bold=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(self._title, 3)
        self._address = ElidedLabel(name="document_address", size="small", ink="text2")
        row.addWidget(self._address, 2)
        self._page = LinkButton(self.tr("Open the page"), name="open_document")
        theme.set_type(self._page, "small")
        self._page.clicked.connect(lambda: self.page_wanted.emit(self._documents[self._index].url))
        row.addWidget(self._page)
        return box

    # -- content

    def show_documents(self, documents: Sequence[Document], cited: Mapping[int, int]) -> None:
        """Show the documents of a new task; `cited` counts the citations of each, by index."""
        if not documents and not self._documents:
            return
        self._documents, self._cited, self._index = tuple(documents), dict(cited), -1
        self.setVisible(bool(documents))
        self.model.show([self._line(index, document) for index, document in enumerate(documents)])
        self._count.setText(self._count_text())
        self._next.setVisible(bool(cited))
        self._arrange()
        if documents:
            self.show_document(min(cited, default=0))
        self.filled.emit()

    def _line(self, index: int, document: Document) -> ListRow:
        times = self._cited.get(index, 0)
        end, state = (f"{times}×", self.tr("cited")) if times else ("", "")
        return ListRow(str(index + 1), document_name(document), end=end, bold=bool(times), state=state)

    def _count_text(self) -> str:
        total, cited = len(self._documents), len(self._cited)
        count_text = self.tr("1 document") if total == 1 else self.tr("{n} documents").format(n=total)
        return self.tr("{documents}, {n} cited").format(documents=count_text, n=cited) if cited else count_text

    @property
    def has_documents(self) -> bool:
        """Return whether the task has documents."""
        return bool(self._documents)

    @property
    def documents(self) -> tuple[Document, ...]:
        """Return the documents of the task."""
        return self._documents

    @property
    def document(self) -> int:
        """Return the index of the visible document."""
        return self._index

    def show_document(self, index: int) -> None:
        """Show a document by index."""
        if index == self._index or not 0 <= index < len(self._documents):
            return
        self._index = index
        document = self._documents[index]
        name = document_name(document)
        self._title.setText(name)
        self._address.setText(readable_url(document.url))
        self._address.setVisible(bool(document.url))
        self._page.setVisible(page_key(document.url) is not None)
        text_name = self.tr("Document {n} of {total}: {name}").format(
            n=index + 1, total=len(self._documents), name=name
        )
        self.view.setAccessibleName(visible(text_name))
        self.view.show_passages((), None)
        text = document.text
        self.view.show_text(text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]} …")
        self.list.setCurrentIndex(self.model.index(index))
        self.document_chosen.emit(index)

    def _select_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self.show_document(int(index.data(LIST_ROW_ROLE).id) - 1)

    # -- layout

    def set_open(self, wanted: bool) -> None:
        """Unfold the pane, or fold it to its head."""
        self.is_open = wanted and bool(self._documents)
        self._body.setVisible(self.is_open)
        self._fold.set_label(self.tr("Fold") if self.is_open else self.tr("Show"))
        self.setMaximumHeight(16_777_215 if self.is_open else theme.px(HEAD))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the list beside the text if there is space, otherwise above it; one document needs no list."""
        several, wide = len(self._documents) > 1, self.width() >= theme.px(SIDE_BY_SIDE_WIDTH)
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
