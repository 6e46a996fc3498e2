"""Views of a response with its citations and of a document with the cited passages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from desktop_rater.text.citations import Citation
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.text_document import ReadDocument, Typography
from desktop_rater.ui.widgets.text_view import TextView, VisibleText
from desktop_rater.ui.widgets.theme import smooth_painter

MAX_PAINTED = 500


def paint_marks(view: TextView, document: ReadDocument, spans: Sequence[Span], current: Span | None) -> None:
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
