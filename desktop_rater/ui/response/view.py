"""A response with its targets marked. Offsets, in and out, are code points of the response as it stands in the file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QTextEdit, QToolTip
from shiboken6 import isValid

from desktop_rater.text.hidden import hidden_characters
from desktop_rater.ui import theme
from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.read_text import ReadText
from desktop_rater.ui.response.link import link_at
from desktop_rater.ui.response.mark import Mark, QuietMark, mark_of
from desktop_rater.ui.response.paint import Brush
from desktop_rater.ui.text_lines import Sight
from desktop_rater.ui.word_choice import WordChoice, words_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.task import Target
    from desktop_rater.ui.labels import TargetState

MARGIN, PLAIN_MARGIN, FAR_MARGIN, COLUMN = 60, 16, 24, 660
CHOOSING = {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End}
RECORDING = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_L}


class ResponseView(ReadText):
    """The marks are painted from where the lines of text lie: they move nothing."""

    PAINTS_POINTS = True

    target_clicked = Signal(str)
    words_chosen = Signal()  # by the keys: they are selected
    choosing_ended = Signal()
    page_wanted = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._targets: tuple[Target, ...] = ()
        self._states: Mapping[str, TargetState] = {}
        self._current: str | None = None
        self._claim: tuple[int, int] | None = None
        self._marks: tuple[Mark, ...] = ()
        self._hidden: tuple[tuple[int, str], ...] = ()
        self._layers: dict[str, tuple[QuietMark, ...]] = {}
        self._quiet: tuple[QuietMark, ...] = ()
        self._choice: WordChoice | None = None
        self._before: QWidget | None = None  # where the keys went before words were chosen
        super().__init__(name, parent)
        self.setMouseTracking(True)

    def show_response(self, text: str, targets: Sequence[Target], *, plain: bool = True) -> None:
        """Show a response; its targets are placed."""
        placed = [target for target in targets if target.start is not None and target.end is not None]
        framed = bool(self._targets) == bool(placed)
        self._targets = tuple(sorted(placed, key=_stretch))
        self._wanted = tuple(_stretch(target) for target in self._targets)
        self._states, self._current, self._claim = {}, None, None
        # Where only borders have changed nothing is laid anew: the rater's place in the text stays.
        same = framed and (text, plain) == (self._text, self._plain)
        if same and all(self.shown_map.shown_span(*one) is not None for one in self._wanted):
            self._mark()
        else:
            self.show_text(text, plain=plain)

    def forget(self) -> None:
        """Another text comes, even where it says the same: nothing of the one that lies here stays."""
        self.stop_choosing()
        self._text, self._targets, self._layers = "", (), {}

    def show_states(
        self, states: Mapping[str, TargetState], current: str | None, claim: tuple[int, int] | None = None
    ) -> None:
        """How each target stands, which one is current, and where its current claim stands."""
        moved = current != self._current
        if (states, current, claim) == (self._states, self._current, self._claim):
            return
        self._states, self._current, self._claim = dict(states), current, claim
        self._mark()
        if moved:
            self.stop_choosing()
            self._bring_into_view()

    def show_layer(self, name: str, marks: Sequence[QuietMark]) -> None:
        """Put quiet marks under the text, in the place of those of that name; spans are code points."""
        if tuple(marks) != self._layers.get(name, ()):
            self._layers[name] = tuple(marks)
            self._lay_quiet()
            self.viewport().update()

    def layer(self, name: str) -> tuple[QuietMark, ...]:
        """The quiet marks of a name."""
        return self._layers.get(name, ())

    @property
    def has_targets(self) -> bool:
        """Whether there is a margin with their shapes."""
        return bool(self._targets)

    @property
    def hidden(self) -> tuple[tuple[int, str], ...]:
        """Position and name of each character that can't be seen."""
        return self._hidden

    # -- what is selected

    def selected_stretch(self) -> tuple[int, int] | None:
        """Start and end of what is selected; `None` where nothing is."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        start, end = self.shown_map.source_span(cursor.selectionStart(), cursor.selectionEnd())
        return (start, end) if start < end else None

    def drop_selection(self) -> None:
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def choose_words(self) -> bool:
        """Let the keys choose words of the current target, from its first one on; `False` where it has none."""
        mark = self._current_mark()
        if mark is None:
            return False
        begin, end = mark.span
        words = words_in(self._between(begin, end))
        if not words:
            return False
        self._before = QApplication.focusWidget()
        self.setFocus()
        self._choose(WordChoice(tuple((begin + first, begin + last) for first, last in words)))
        return True

    def stop_choosing(self, *, keep: bool = False) -> None:
        """The keys go back to where they went before; with `keep` what is chosen stays selected."""
        if self._choice is None:
            return
        self._choice = None
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible() and self.hasFocus():
            before.setFocus()
        if not keep:
            self.drop_selection()
        self.choosing_ended.emit()

    def _choose(self, choice: WordChoice) -> None:
        self._choice = choice
        first, last = choice.span
        self.setTextCursor(self._cursor(*((last, first) if choice.active < choice.anchor else (first, last))))

    # -- keys and mouse

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(event):
            event.accept()
            return True
        return super().event(event)

    def _takes(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if self._choice is not None and plain and event.key() in RECORDING | {Qt.Key.Key_Escape}:
            return True
        return event.key() == Qt.Key.Key_O and plain and self._link_at(self.textCursor().position()) is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._choice is not None and self._choose_by(event):
            return
        link = self._link_at(self.textCursor().position()) if event.key() == Qt.Key.Key_O else None
        if link is not None:
            self.page_wanted.emit(link)
            return
        super().keyPressEvent(event)

    def _choose_by(self, event: QKeyEvent) -> bool:
        choice, key = self._choice, event.key()
        assert choice is not None
        if key in RECORDING:
            self.stop_choosing(keep=True)
            self.words_chosen.emit()
        elif key == Qt.Key.Key_Escape:
            self.stop_choosing()
        elif key in CHOOSING:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            onward = Qt.Key.Key_Left if self.backwards else Qt.Key.Key_Right
            if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
                choice = choice.at(0 if key == Qt.Key.Key_Home else len(choice.words), extend=extend)
            else:
                choice = choice.moved(1 if key == onward else -1, extend=extend)
            self._choose(choice)
        else:
            return False
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self.stop_choosing()
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.stop_choosing()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or self.textCursor().hasSelection():
            return
        position = self.cursorForPosition(event.position().toPoint()).position()
        link = self._link_at(position) if event.modifiers() & Qt.KeyboardModifier.ControlModifier else None
        found = self._target_at(position)
        if link is not None:
            self.page_wanted.emit(link)
        elif found is not None:
            self.target_clicked.emit(found)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tooltip(self._tip(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, point: QPoint) -> str:
        """What a place in the text does not show by itself."""
        position = self.cursorForPosition(point).position()
        hidden = [name for at, name in self._hidden if abs(at - position) <= 1]
        return "\n".join((*hidden, *filter(None, [self._link_at(position)])))

    def _link_at(self, position: int) -> str | None:
        return link_at(self._read, self._text, position)

    def _target_at(self, position: int) -> str | None:
        within = [mark for mark in self._marks if mark.span[0] <= position < mark.span[1]]
        # Of targets inside each other, the smallest: the others can be reached beside it.
        smallest = min(within, key=lambda mark: mark.span[1] - mark.span[0], default=None)
        return self._targets[smallest.number - 1].id if smallest is not None else None

    # -- how it looks

    def _lay_anew(self) -> None:
        self._choice = None
        self._marks = ()  # of the text that was; Qt resizes the view while the new one comes in
        super()._lay_anew()
        to_shown = self.shown_map.to_shown
        self._hidden = tuple((to_shown(offset), name) for offset, name in hidden_characters(self._text))
        self._lay_quiet()
        self._mark()

    def _lay_quiet(self) -> None:
        """Where the quiet marks stand in what is shown; marks of Markdown are not there."""
        found = []
        for marks in self._layers.values():
            for mark in marks:
                span = self.shown_map.shown_span(*mark.span)
                if span is not None and span[0] < span[1]:
                    found.append(replace(mark, span=span))
        self._quiet = tuple(found)

    def _frame(self) -> None:
        """The margin with the shapes on the reading side; a column no wider than is good to read."""
        near = theme.px(MARGIN if self._targets else PLAIN_MARGIN)
        column = theme.reading_px(COLUMN)
        far = max(theme.px(FAR_MARGIN if self._targets else PLAIN_MARGIN), self.viewport().width() - near - column)
        self._set_margins(near, far, top=theme.px(4), bottom=theme.px(24))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._frame()
        super().resizeEvent(event)

    def _mark(self) -> None:
        colors, spans = theme.tokens(self), [self.shown_map.shown_span(*_stretch(one)) for one in self._targets]
        self._marks = tuple(
            mark_of(self._states.get(target.id), span, number, colors)
            for number, (target, span) in enumerate(zip(self._targets, spans, strict=True), 1)
            if span is not None
        )
        here = self._current_mark()
        pale = [mark for mark in self._marks if mark.words_ink is not None and mark is not here]
        self.setExtraSelections([self._inked(mark, mark.words_ink) for mark in pale if mark.words_ink is not None])
        self.viewport().update()

    def _inked(self, mark: Mark, ink: QColor) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._cursor(*mark.span)
        form = QTextCharFormat()
        form.setForeground(ink)
        selection.format = form
        return selection

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        scroll = self.verticalScrollBar().value()
        painter.translate(0, -scroll)
        area, line = event.rect(), self._read.look.line
        sight = Sight(self._read, area.top() + scroll - line, area.bottom() + scroll + line)
        form = self._read.rootFrame().frameFormat()
        width = self.viewport().width()
        margin = width - form.rightMargin() if self.backwards else form.leftMargin()
        brush = Brush(painter, sight, self._read.look, theme.tokens(self), margin=margin)
        brush.grounds(width - form.leftMargin() - form.rightMargin())
        brush.quiet(sight.among(self._quiet))
        here = self._current_mark()
        claim = self.shown_map.shown_span(*self._claim) if self._claim is not None else None
        brush.marks(sight.among(self._marks), here.number if here is not None else None, claim)
        brush.flags(self._hidden)
        painter.end()
        super().paintEvent(event)

    def _current_mark(self) -> Mark | None:
        return next((mark for mark in self._marks if self._targets[mark.number - 1].id == self._current), None)

    def _cursor(self, first: int, last: int) -> QTextCursor:
        cursor = QTextCursor(self._read)
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _between(self, first: int, last: int) -> str:
        return self._cursor(first, last).selectedText()

    def _bring_into_view(self) -> None:
        mark = self._current_mark()
        if mark is None:
            return
        first, last = (self.cursorRect(self._cursor(at, at)) for at in mark.span)
        height, bar = self.viewport().height(), self.verticalScrollBar()
        if first.top() < 0 or (last.bottom() > height and last.bottom() - first.top() > height):
            bar.setValue(bar.value() + first.top() - 40)
        elif last.bottom() > height:
            bar.setValue(bar.value() + last.bottom() - height + 40)


def _stretch(target: Target) -> tuple[int, int]:
    return target.start or 0, target.end or 0
