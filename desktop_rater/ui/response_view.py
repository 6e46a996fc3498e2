"""A response with its targets marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from desktop_rater.ui.read_text import ReadText
from desktop_rater.ui.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.task import Target


class ResponseView(ReadText):
    """Offsets, in and out, are code points of the response as it stands; Markdown is shown as its source."""

    target_clicked = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._targets: tuple[Target, ...] = ()
        self._done: Mapping[str, bool] = {}
        self._current: str | None = None
        self._claims: tuple[tuple[int, int], ...] = ()
        self.setMouseTracking(True)

    def show_response(self, text: str, targets: Sequence[Target]) -> None:
        """Show a response; its targets are placed."""
        self._targets = tuple(target for target in targets if target.start is not None and target.end is not None)
        self._done, self._current, self._claims = {}, None, ()
        self.show_text(text)
        self._mark()

    def show_state(self, done: Mapping[str, bool], current: str | None, claims: Sequence[tuple[int, int]] = ()) -> None:
        """Which targets are finished, which one is current, and the stretches of its claims."""
        moved = current != self._current
        state = (dict(done), current, tuple(claims))
        if state == (self._done, self._current, self._claims):
            return
        self._done, self._current, self._claims = state
        self._mark()
        if moved and current is not None:
            self._bring_into_view()

    def selected_stretch(self) -> tuple[int, int] | None:
        """Start and end of what is selected; `None` where nothing is."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        to_source = self.shown_map.to_source
        return to_source(cursor.selectionStart()), to_source(cursor.selectionEnd())

    def drop_selection(self) -> None:
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            found = self._target_at(self.cursorForPosition(event.position().toPoint()).position())
            if found is not None:
                self.target_clicked.emit(found)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._targets:
            self._mark()

    def _target_at(self, position: int) -> str | None:
        offset = self.shown_map.to_source(position)
        within = [one for one in self._targets if (one.start or 0) <= offset < (one.end or 0)]
        # Of targets inside each other, the smallest: the others can be reached beside it.
        return min(within, key=lambda one: (one.end or 0) - (one.start or 0)).id if within else None

    def _mark(self) -> None:
        colors = tokens(self)
        selections = []
        for target in sorted(self._targets, key=lambda one: one.id == self._current):
            if target.id == self._current:
                look = _look(colors.current, colors.accent, QTextCharFormat.UnderlineStyle.SingleUnderline)
            elif self._done.get(target.id):
                look = _look(colors.done, colors.ok, QTextCharFormat.UnderlineStyle.SingleUnderline)
            else:
                look = _look(colors.target, colors.edge, QTextCharFormat.UnderlineStyle.DotLine)
            selections.append(self._selection(target.start or 0, target.end or 0, look))
        bold = QTextCharFormat()
        bold.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        bold.setUnderlineColor(QColor(colors.accent))
        selections += [self._selection(start, end, bold) for start, end in self._claims]
        self.setExtraSelections(selections)

    def _selection(self, start: int, end: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._stretch(start, end)
        selection.format = look
        return selection

    def _stretch(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self.shown_map.to_shown(start))
        cursor.setPosition(self.shown_map.to_shown(end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _bring_into_view(self) -> None:
        target = next((one for one in self._targets if one.id == self._current), None)
        if target is None:
            return
        first = self.cursorRect(self._stretch(target.start or 0, target.start or 0))
        last = self.cursorRect(self._stretch(target.end or 0, target.end or 0))
        height, bar = self.viewport().height(), self.verticalScrollBar()
        if first.top() < 0 or (last.bottom() > height and last.bottom() - first.top() > height):
            bar.setValue(bar.value() + first.top() - 40)
        elif last.bottom() > height:
            bar.setValue(bar.value() + last.bottom() - height + 40)


def _look(back: str, line: str, style: QTextCharFormat.UnderlineStyle) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setBackground(QColor(back))
    look.setUnderlineStyle(style)
    look.setUnderlineColor(QColor(line))
    return look
