"""Context documents of a task beside its responses, with the passages that a response cites."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QSplitter, QWidget

from desktop_rater.format.citations import Citation
from desktop_rater.format.task import Document
from desktop_rater.text.untrusted import MAX_SHOWN_CHARACTERS
from desktop_rater.text.urls import host_of, page_key, readable_url
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, draw_text, visible
from desktop_rater.ui.widgets.layouts import (
    NamedGroup,
    OrderedSplitter,
    Separator,
    horizontal_line,
    tight_column,
    tight_row,
)
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowDelegate, ListRowModel, RowList
from desktop_rater.ui.widgets.text_document import ReadDocument, Typography
from desktop_rater.ui.widgets.text_view import TextView, VisibleText
from desktop_rater.ui.widgets.theme import font_of, smooth_painter
from desktop_rater.ui.window.window_place import PaneSizes

MAX_PAINTED = 500


def paint_marks(view: TextView, document: ReadDocument, spans: "Sequence[Span]", current: "Span | None") -> None:
    """Mark the visible spans of a text view; draw a box around the current one."""
    look = document.look
    painter = smooth_painter(view.viewport())
    scroll, height = view.verticalScrollBar().value(), view.viewport().height()
    painter.translate(-view.scrolled)
    sight = VisibleText(document, scroll - look.line, scroll + height + look.line)
    first, last = sight.span
    visible = [span for span in spans if span[0] < last and span[1] > first][:MAX_PAINTED]
    for span in visible:
        if span != current:
            for piece in sight.pieces(*span):
                _tint(painter, piece.field(look.size))
    if current is not None:
        for piece in sight.pieces(*current):
            _box(painter, piece.field(look.size), look)
    painter.end()


def _tint(painter: QPainter, field: QRectF) -> None:
    colors = theme.tokens()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.sel))
    painter.drawRoundedRect(field.adjusted(-1, 1, 1, -1), 2, 2)
    painter.setPen(QPen(QColor(colors.accent), 1, Qt.PenStyle.DotLine))
    painter.drawLine(field.bottomLeft(), field.bottomRight())


def _box(painter: QPainter, field: QRectF, look: Typography) -> None:
    colors = theme.tokens()
    edge = colors.box * max(1.0, look.size / 15)
    painter.setPen(QPen(QColor(colors.cur_edge), edge))
    painter.setBrush(QColor(colors.cur))
    painter.drawRoundedRect(field.adjusted(-1.25, edge / 2, 1.25, -edge / 2), 2, 2)


Span = tuple[int, int]


class CitedView(ResponseView):
    """View with citations given by their offsets in the file's text. Signals carry their index."""

    citation_clicked = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._cited: tuple[Citation, ...] = ()
        self._titles: tuple[str, ...] = ()
        self._displayed: tuple[object, list[tuple[Span, int]]] = (None, [])
        self._selected_citation: int | None = None
        super().__init__(name, parent)

    def show_citations(self, cited: Sequence[Citation], titles: Sequence[str]) -> None:
        """Mark the citations; `titles` holds the title of the document that each one cites."""
        self._cited, self._titles, self._selected_citation = tuple(cited), tuple(titles), None
        self._displayed = (None, [])
        self.viewport().update()

    def show_citation(self, index: int | None) -> None:
        """Select a citation and scroll to it."""
        self._selected_citation = index
        span = self._current_span()
        if span is not None:
            self._bring_span(*span)
        self.viewport().update()

    def _spans(self) -> list[tuple[Span, int]]:
        """Return the displayed span and index of each citation that the rendered Markdown shows."""
        if self._displayed[0] is not self.shown_map:
            spans = (
                (self.shown_map.shown_span(citation.start, citation.end), index)
                for index, citation in enumerate(self._cited)
            )
            self._displayed = self.shown_map, sorted((span, index) for span, index in spans if span is not None)
        return self._displayed[1]

    def _current_span(self) -> Span | None:
        return (
            next((span for span, index in self._spans() if index == self._selected_citation), None)
            if self._selected_citation is not None
            else None
        )

    def _bring_span(self, first: int, last: int) -> None:
        top = self.cursorRect(self._cursor(first, first)).top()
        bottom = self.cursorRect(self._cursor(last, last)).bottom()
        height, bar = self.viewport().height(), self.verticalScrollBar()
        if top < 0:
            bar.setValue(bar.value() + top - height // 3)
        elif bottom > height:
            bar.setValue(bar.value() + bottom - height * 2 // 3)

    def citation_at(self, point: QPoint) -> int | None:
        """Return the index of the citation under a point of the view."""
        spans = self._spans()
        position = self.cursorForPosition(point).position()
        before = bisect_right(spans, position, key=lambda entry: entry[0][0]) - 1
        if before < 0:
            return None
        span, index = spans[before]
        return index if position <= span[1] and self._is_over(span, point) else None

    def _is_over(self, span: Span, point: QPoint) -> bool:
        """Return whether a point is over a span: right of a line's end, the nearest position is still in that line."""
        first, last = (self.cursorRect(self._cursor(position, position)) for position in span)
        if first.top() != last.top():
            return first.top() <= point.y() <= last.bottom()
        left, right = sorted((first.x(), last.x()))
        return first.top() <= point.y() <= first.bottom() and left <= point.x() <= right

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if plain and self._cited and not self.textCursor().hasSelection():
            index = self.citation_at(event.position().toPoint())
            if index is not None:
                self.citation_clicked.emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._cited:
            over = self.citation_at(event.position().toPoint()) is not None
            shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
            if self.viewport().cursor().shape() != shape:
                self.viewport().setCursor(shape)

    def _tip(self, point: QPoint) -> str:
        index = self.citation_at(point) if self._cited else None
        return "\n".join(filter(None, (self._titles[index] if index is not None else "", super()._tip(point))))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._cited:
            spans = [span for span, _index in self._spans()]
            paint_marks(self, self._read, spans, self._current_span())
        super().paintEvent(event)


MARGIN, COLUMN = 16, 660


class PassageView(TextView):
    """View of a document. Spans are code points of its text; the current one is boxed and scrolled to."""

    KIND = "prompt"

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._spans: tuple[Span, ...] = ()
        self._current: Span | None = None
        super().__init__(name, parent)

    def show_passages(self, spans: Sequence[Span], current: Span | None) -> None:
        """Mark the cited passages, and select the one of the current citation."""
        self._spans, self._current = tuple(spans), current
        if current is not None:
            self._scroll_to(current)
        self.viewport().update()

    @property
    def current(self) -> Span | None:
        return self._current

    def _scroll_to(self, span: Span) -> None:
        displayed = self._displayed_span(span)
        if displayed is None:
            return
        cursor = self.textCursor()
        cursor.setPosition(displayed[0])
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - self.viewport().height() // 4)

    def _displayed_span(self, span: Span) -> Span | None:
        return self.shown_map.shown_span(*span)

    def _frame(self) -> None:
        near, column = theme.px(MARGIN), theme.reading_px(COLUMN)
        far = max(near, self.viewport().width() - near - column)
        self._set_margins(near, far, top=theme.px(4), bottom=theme.px(16))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current passage in view when the lines wrap anew."""
        self._frame()
        super().resizeEvent(event)
        if self._current is not None and event.oldSize().width() != event.size().width():
            self._scroll_to(self._current)

    def showEvent(self, event: QShowEvent) -> None:
        """Keep the scroll position: Qt scrolls to a hidden cursor on showing, when there is no height yet."""
        value = self.verticalScrollBar().value()
        super().showEvent(event)
        self.verticalScrollBar().setValue(value)

    def paintEvent(self, event: QPaintEvent) -> None:
        spans = [displayed for span in self._spans if (displayed := self._displayed_span(span)) is not None]
        if spans or self._current is not None:
            current = self._displayed_span(self._current) if self._current is not None else None
            paint_marks(self, self._read, spans, current)
        super().paintEvent(event)


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
        painter.setFont(font_of(self.font, bold=True))
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


class ContextPane(NamedGroup):
    """Pane with the list of documents and the text of one. Folded, only its head remains."""

    page_wanted = Signal(str)
    document_chosen = Signal(int)
    folded = Signal()
    next_wanted = Signal()
    filled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="context_pane")
        self.setAccessibleName(self.tr("Context"))
        self.is_open = False
        self._documents: tuple[Document, ...] = ()
        self._cited: Mapping[int, int] = {}
        self._index = -1
        theme.set_ground(self, "surface")
        self._body = QWidget()
        tight_column(self, self._make_head(), (self._body, 1), spacing=0)
        self._make_body()
        self._body.hide()
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.set_ground(head, "panel")
        self._count = ElidedLabel(name="context_count", size="small", ink="text2")
        self._next = LinkButton(self.tr("Next citation"), "Shift D", name="next_citation", clicked=self.next_wanted)
        theme.set_type(self._next, "small")
        self._fold = LinkButton("", FOLD_KEY, name="fold_context", clicked=self.folded)
        theme.set_type(self._fold, "small")
        row = tight_row(
            head,
            PlainLabel(self.tr("Context"), size="small", bold=True),
            (self._count, 1),
            self._next,
            self._fold,
            spacing=8,
        )
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
        self.view = PassageView("document_text")
        tight_column(text_side, self._make_title(), (self.view, 1), spacing=0)
        self._sides.addWidget(text_side, 1)

    def _make_title(self) -> QWidget:
        box = QWidget()
        self._title = ElidedLabel(name="document_title", size="interface", bold=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._address = ElidedLabel(name="document_address", size="small", ink="text2")
        self._page = LinkButton(
            self.tr("Open the page"),
            name="open_document",
            clicked=lambda: self.page_wanted.emit(self._documents[self._index].url),
        )
        theme.set_type(self._page, "small")
        row = tight_row(box, (self._title, 3), (self._address, 2), self._page, spacing=8)
        row.setAlignment(self._title, Qt.AlignmentFlag.AlignLeading)  # beside no address
        theme.pad(row, 16, 6, 8, 2)
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


MIN_COLUMN_WIDTH, SHARE_BELOW = 430, 0.46


class ContextSplitter(OrderedSplitter):
    """Splitter with the documents beside the responses if there is space, otherwise below.

    A low window folds the documents. A fold chosen by the rater applies to later tasks too.
    """

    def __init__(
        self, responses: QSplitter, context: ContextPane, sizes: PaneSizes, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setObjectName("context_room")
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self._responses, self.context, self._sizes = responses, context, sizes
        self._by_hand: bool | None = None
        self._low = False
        for pane in (responses, context):
            self.addWidget(pane)
        context.folded.connect(self.toggle)
        context.filled.connect(self._apply)
        self.splitterMoved.connect(self._store_share)
        sizes.changed.connect(self._apply)
        theme.follow(self, self._apply)

    def toggle(self) -> None:
        """Fold or unfold the documents."""
        if self.context.has_documents:
            self._by_hand = not self.context.is_open
            self._apply()

    def set_open(self, wanted: bool) -> None:
        """Fold or unfold the documents on request of another part of the window."""
        if wanted != self.context.is_open:
            self._by_hand = wanted
            self._apply()

    def fold(self, *, low: bool) -> None:
        """Set whether the window is low."""
        if low != self._low:
            self._low = low
            self._apply()

    def _apply(self) -> None:
        self.context.set_open(self._by_hand if self._by_hand is not None else not self._low)
        self._divide()

    def _divide(self) -> None:
        """Divide the space. Folded, the documents are one line at the bottom."""
        is_open, side_by_side = self.context.is_open, self._fits_beside()
        orientation = Qt.Orientation.Horizontal if side_by_side else Qt.Orientation.Vertical
        if self.orientation() != orientation:
            self.setOrientation(orientation)
        available = max(1, self.width() if side_by_side else self.height())
        default = 1 / (self._responses.count() + 1) if side_by_side else SHARE_BELOW
        proportion = self._sizes.share(self._name, default)
        share = round(available * proportion) if is_open else self.context.maximumHeight()
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1 if is_open else 0)
        self.setSizes([available - share, share])

    @property
    def _name(self) -> str:
        side_by_side = self.orientation() == Qt.Orientation.Horizontal
        return f"context {'beside' if side_by_side else 'below'} {self._responses.count()}/context"

    def _store_share(self) -> None:
        if self.context.is_open:
            self._sizes.store_share(self._name, self, 1)

    def _fits_beside(self) -> bool:
        return self.context.is_open and self.width() >= theme.px(MIN_COLUMN_WIDTH) * (self._responses.count() + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (
            self._fits_beside() is not (self.orientation() == Qt.Orientation.Horizontal)
            or event.oldSize().height() <= 0
        ):
            self._divide()
