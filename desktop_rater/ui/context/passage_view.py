"""The text of a document, with the passages that a response cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.ui import theme
from desktop_rater.ui.context.cited_paint import paint_marks
from desktop_rater.ui.read_text import ReadText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

Span = tuple[int, int]
MARGIN, COLUMN = 16, 660


class PassageView(ReadText):
    """Spans are code points of the document's text; the one at hand is boxed and in view."""

    KIND = "prompt"

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._spans: tuple[Span, ...] = ()
        self._current: Span | None = None
        super().__init__(name, parent)

    def show_passages(self, spans: Sequence[Span], current: Span | None) -> None:
        """Mark what is cited, and what is cited by the citation at hand."""
        self._spans, self._current = tuple(spans), current
        if current is not None:
            self._bring(current)
        self.viewport().update()

    @property
    def current(self) -> Span | None:
        return self._current

    def _bring(self, span: Span) -> None:
        shown = self._shown(span)
        if shown is None:
            return
        cursor = self.textCursor()
        cursor.setPosition(shown[0])
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - self.viewport().height() // 4)

    def _shown(self, span: Span) -> Span | None:
        return self.shown_map.shown_span(*span)

    def _frame(self) -> None:
        near, column = theme.px(MARGIN), theme.reading_px(COLUMN)
        far = max(near, self.viewport().width() - near - column)
        self._set_margins(near, far, top=theme.px(4), bottom=theme.px(16))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The passage at hand stays in view where the lines break anew."""
        self._frame()
        super().resizeEvent(event)
        if self._current is not None and event.oldSize().width() != event.size().width():
            self._bring(self._current)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt scrolls to a cursor that is not seen, and at first there is no height to see it in."""
        at = self.verticalScrollBar().value()
        super().showEvent(event)
        self.verticalScrollBar().setValue(at)

    def paintEvent(self, event: QPaintEvent) -> None:
        spans = [shown for span in self._spans if (shown := self._shown(span)) is not None]
        if spans or self._current is not None:
            current = self._shown(self._current) if self._current is not None else None
            paint_marks(self, self._read, spans, current)
        super().paintEvent(event)
