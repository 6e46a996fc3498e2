"""A response whose citations are marked and lead to what they cite."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal

from desktop_rater.ui.context.cited_paint import paint_marks
from desktop_rater.ui.response.view import ResponseView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent
    from PySide6.QtWidgets import QWidget

    from desktop_rater.text.citations import Citation

Span = tuple[int, int]


class CitedView(ResponseView):
    """Citations come by their places in the text of the file, and are told of by their number among them."""

    citation_clicked = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._cited: tuple[Citation, ...] = ()
        self._titles: tuple[str, ...] = ()
        self._seen: tuple[object, list[tuple[Span, int]]] = (None, [])
        self._at: int | None = None
        super().__init__(name, parent)

    def show_citations(self, cited: Sequence[Citation], titles: Sequence[str]) -> None:
        """Mark them; `titles` says for each which document it names."""
        self._cited, self._titles, self._at = tuple(cited), tuple(titles), None
        self._seen = (None, [])
        self.viewport().update()

    def show_citation(self, at: int | None) -> None:
        """Stand at one of them, and have it in view."""
        self._at = at
        span = self._span_at_hand()
        if span is not None:
            self._bring_span(*span)
        self.viewport().update()

    def _spans(self) -> list[tuple[Span, int]]:
        """Where each citation is shown, with its number; what Markdown does not show has no place."""
        if self._seen[0] is not self.shown_map:
            places = ((self.shown_map.shown_span(one.start, one.end), at) for at, one in enumerate(self._cited))
            self._seen = self.shown_map, sorted((span, at) for span, at in places if span is not None)
        return self._seen[1]

    def _span_at_hand(self) -> Span | None:
        return next((span for span, at in self._spans() if at == self._at), None) if self._at is not None else None

    def _bring_span(self, first: int, last: int) -> None:
        top = self.cursorRect(self._cursor(first, first)).top()
        bottom = self.cursorRect(self._cursor(last, last)).bottom()
        height, bar = self.viewport().height(), self.verticalScrollBar()
        if top < 0:
            bar.setValue(bar.value() + top - height // 3)
        elif bottom > height:
            bar.setValue(bar.value() + bottom - height * 2 // 3)

    def citation_at(self, point: QPoint) -> int | None:
        """The number of the citation under a point of the view."""
        spans = self._spans()
        position = self.cursorForPosition(point).position()
        before = bisect_right(spans, position, key=lambda one: one[0][0]) - 1
        if before < 0:
            return None
        span, at = spans[before]
        return at if position <= span[1] and self._is_over(span, point) else None

    def _is_over(self, span: Span, point: QPoint) -> bool:
        """Beside the end of a line the nearest place is still the line's last, though nothing stands there."""
        first, last = (self.cursorRect(self._cursor(at, at)) for at in span)
        if first.top() != last.top():
            return first.top() <= point.y() <= last.bottom()
        left, right = sorted((first.x(), last.x()))
        return first.top() <= point.y() <= first.bottom() and left <= point.x() <= right

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if plain and self._cited and not self.textCursor().hasSelection():
            at = self.citation_at(event.position().toPoint())
            if at is not None:
                self.citation_clicked.emit(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._cited:
            over = self.citation_at(event.position().toPoint()) is not None
            shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
            if self.viewport().cursor().shape() != shape:
                self.viewport().setCursor(shape)

    def _tip(self, point: QPoint) -> str:
        at = self.citation_at(point) if self._cited else None
        return "\n".join(filter(None, (self._titles[at] if at is not None else "", super()._tip(point))))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._cited:
            spans = [span for span, _at in self._spans()]
            paint_marks(self, self._read, spans, self._span_at_hand())
        super().paintEvent(event)
