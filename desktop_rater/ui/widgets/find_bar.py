"""Find bar, and the search in one text view."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from desktop_rater.text.spans import Utf16Map
from desktop_rater.text.text_search import SEPARATOR, folded, phrase_pattern, word_patterns
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import ElidedLabel, name_widget, select_range, visible
from desktop_rater.ui.widgets.layouts import announce, horizontal_line, tight_column, tight_row

MAX_MATCHES = 9_999
BACKWARDS = "Shift Enter"
FIND_DELAY_MS = 120
NARROW = 820  # beside a page there is no space for key caps


class Match(NamedTuple):
    """A match: the number of a text, and start and end in its code points."""

    text: int
    start: int
    end: int


class SearchedTexts:
    """Texts that are searched at once, in the order in which they are read."""

    def __init__(self, texts: Iterable[str]) -> None:
        starts, pieces, at = [], [], 0
        for text in texts:
            starts.append(at)
            pieces.append(folded(text))
            at += len(text) + 1
        self._starts = starts
        self._whole = SEPARATOR.join(pieces)
        self._marks = not self._whole.isascii()

    def find(self, query: str) -> list[Match]:
        """Return the places of a phrase; else those of its words, if all of them are there."""
        phrase = phrase_pattern(query, marks=self._marks)
        if phrase is None:
            return []
        matches = self._places([phrase])
        if not matches:
            words = [self._places([pattern]) for pattern in word_patterns(query, marks=self._marks)]
            matches = sorted(place for places in words for place in places) if all(words) else []
        return matches[: MAX_MATCHES + 1]

    def _places(self, patterns: Sequence[Any]) -> list[Match]:
        places: list[Match] = []
        for pattern in patterns:
            for match in pattern.finditer(self._whole):
                text = bisect_right(self._starts, match.start()) - 1
                before = self._starts[text]
                places.append(Match(text, match.start() - before, match.end() - before))
                if len(places) > MAX_MATCHES:
                    break
        return places


class FindScope(Protocol):
    """The texts in which the bar searches."""

    @property
    def name(self) -> str: ...

    def find(self, query: str) -> list[Match]:
        """Return the places of a query, in order."""
        ...

    def start(self) -> tuple[int, int]:
        """Return the number of the text that is being read, and the offset in it."""
        ...

    def place_name(self, match: Match) -> str:
        """Return where a match is, such as "in the prompt"; empty if there is one text only."""
        ...

    def show(self, match: Match) -> None:
        """Show and select a match."""
        ...

    def focus(self) -> None:
        """Give the focus to the text."""
        ...


def select_span(view: QTextEdit | QPlainTextEdit, start: int, end: int) -> None:
    """Select a span of a view's shown text, given in code points, and scroll to it."""
    raw = Utf16Map(view.document().toRawText())
    cursor = select_range(
        view.textCursor(), raw.to_utf16(min(start, len(raw.text))), raw.to_utf16(min(end, len(raw.text)))
    )
    view.setTextCursor(cursor)
    view.ensureCursorVisible()


def cursor_offset(view: QTextEdit | QPlainTextEdit) -> int:
    """Return the offset, in code points, at which the selection of a view begins."""
    raw = Utf16Map(view.document().toRawText())
    return raw.to_code_point(min(view.textCursor().selectionStart(), raw.units))


class ViewScope(Struct, frozen=True):
    """Search in one view, which may be deleted meanwhile."""

    view: QTextEdit

    @property
    def name(self) -> str:
        return self.view.accessibleName()

    def find(self, query: str) -> list[Match]:
        return SearchedTexts([self.view.document().toRawText()]).find(query) if isValid(self.view) else []

    def start(self) -> tuple[int, int]:
        return (0, cursor_offset(self.view)) if isValid(self.view) else (0, 0)

    def place_name(self, match: Match) -> str:
        del match
        return ""

    def show(self, match: Match) -> None:
        select_span(self.view, match.start, match.end)

    def focus(self) -> None:
        if isValid(self.view):
            self.view.setFocus()


class FindBar(QFrame):
    """The find bar at the foot of a pane. It selects the match; the text itself stays unchanged."""

    targets_wanted = Signal()  # select the targets with matches

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self._scope: FindScope | None = None
        self._before: QWidget | None = None
        self._current: Match | None = None
        self._start = (0, 0)
        self.field = QLineEdit()
        name_widget(self.field, "find_field", self.tr("Find in the text"))
        self.field.setMinimumWidth(80)
        self.field.textChanged.connect(lambda _text: self._pause.start())
        self.field.installEventFilter(self)
        row = tight_row(None, (self.field, 1), spacing=8, margins=(16, 6, 12, 6))
        self.count = ElidedLabel(name="find_count", ink="text2")
        self.count.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._below = QHBoxLayout()  # for the count in a narrow pane
        self._below.setContentsMargins(16, 0, 12, 0)
        tight_column(self, horizontal_line(), row, self._below, spacing=0)
        self._row = row
        row.addWidget(self.count)
        self._previous = self._button("find_previous", self.tr("Previous"), BACKWARDS, -1)
        self._next = self._button("find_next", self.tr("Next"), "Enter", 1)
        self._close = KeyButton(self.tr("Close"), "Esc", flat=True, name="find_close", clicked=self.shut)
        self._select = KeyButton(
            self.tr("Select the targets"), flat=True, name="find_select", clicked=self.targets_wanted
        )
        for button in (self._previous, self._next, self._select, self._close):
            row.addWidget(button)
        self._pause = DelayedCall(self, FIND_DELAY_MS, self._search)
        self.hide()

    def _button(self, name: str, text: str, key: str, direction: int) -> KeyButton:
        return KeyButton(text, key, flat=True, name=name, clicked=lambda: self.go(direction))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < theme.px(NARROW)
        for button, key in ((self._previous, BACKWARDS), (self._next, "Enter"), (self._close, "Esc")):
            button.set_key("" if narrow else key)
        if narrow is not (self._below.indexOf(self.count) >= 0):
            self._below.setContentsMargins(16, 0, 12, 6 if narrow else 0)
            (self._row if narrow else self._below).removeWidget(self.count)
            if narrow:
                self._below.addWidget(self.count)
            else:
                self._row.insertWidget(1, self.count)

    def search_in(self, scope: FindScope, text: str = "") -> None:
        """Search in texts, starting where the rater reads; `text`: what to search for, if anything."""
        focus = QApplication.focusWidget()
        if not self.isVisible() or self._before is None:
            self._before = focus
        if not self.isVisible() or focus is not self.field:
            self._current = None
        self._scope = scope
        self._select.setVisible(not isinstance(scope, ViewScope))
        self._start = scope.start()
        self.field.setPlaceholderText(visible(self.tr("Find in: {name}").format(name=scope.name)))
        if text:
            self.field.setText(text)
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._show_count(self._matches())

    def go(self, direction: int) -> None:
        """Go to the next or previous match, wrapping around."""
        self._pause.stop()
        matches = self._matches()
        if self._scope is not None and matches:
            self._current = matches[self._next_index(matches, direction)]
            self._scope.show(self._current)
        self._show_count(matches)

    def _next_index(self, matches: Sequence[Match], direction: int) -> int:
        if self._current in matches:
            return (matches.index(self._current) + direction) % len(matches)
        at = self._current[:2] if self._current is not None else self._start
        index = bisect_left(matches, at)
        return (index if direction > 0 else index - 1) % len(matches)

    def shut(self) -> None:
        self._pause.stop()
        self.hide()
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()
        elif self._scope is not None:
            self._scope.focus()

    def _matches(self) -> list[Match]:
        text = self.field.text()
        return self._scope.find(text) if self._scope is not None and text else []

    def _search(self) -> None:
        """Search from the start of the current match, so that further typing extends it."""
        if self._current is not None:
            self._start, self._current = self._current[:2], None
        self.go(1)

    def _show_count(self, matches: Sequence[Match]) -> None:
        total = formatting.number(len(matches))
        if len(matches) > MAX_MATCHES:
            total = self.tr("more than {n}").format(n=formatting.number(MAX_MATCHES))
        if not self.field.text():
            text = ""
        elif not matches:
            text = self.tr("not found")
        elif self._scope is not None and self._current is not None and self._current in matches:
            position = formatting.number(matches.index(self._current) + 1)
            text = self.tr("{n} of {total}").format(n=position, total=total)
            text = ", ".join(filter(None, (text, self._scope.place_name(self._current))))
        else:
            text = self.tr("{total} places").format(total=total) if len(matches) > 1 else self.tr("1 place")
        self.count.setText(text)
        if self.isVisible() and text:
            announce(self.count, text)
        self.count.updateGeometry()
        for button in (self._previous, self._next, self._select):
            button.setEnabled(bool(matches))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Enter (next match) and Esc (close) before the window does."""
        if watched is not self.field or not isinstance(event, QKeyEvent):
            return False
        shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and (plain or shift)
        if not enter and not (event.key() == Qt.Key.Key_Escape and plain):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            if not enter:
                self.shut()
            else:
                self.go(-1 if shift else 1)
            return True
        return False
