"""Find text in a pane."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QTextEdit, QWidget
from shiboken6 import isValid

from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column

MAX_MATCHES = 999
BACKWARDS = "Shift Enter"
FIND_DELAY_MS = 120
NARROW = 540  # beside a page there is no space for a long key cap


class FindBar(QFrame):
    """The find bar at the foot of a text pane. It selects the match; the text itself stays unchanged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self._view: QTextEdit | None = None
        self._before: QWidget | None = None
        outer = tight_column(self, spacing=0)
        outer.addWidget(horizontal_line())
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 12, 6)
        row.setSpacing(8)
        outer.addLayout(row)
        self.field = QLineEdit()
        self.field.setObjectName("find_field")
        self.field.setAccessibleName(self.tr("Find in the text"))
        self.field.setMinimumWidth(80)
        self.field.textChanged.connect(lambda _text: self._pause.start())
        self.field.installEventFilter(self)
        row.addWidget(self.field, 1)
        self.count = PlainLabel(name="find_count", ink="text2")
        row.addWidget(self.count)
        self._previous = self._button("find_previous", self.tr("Previous"), BACKWARDS, -1)
        self._next = self._button("find_next", self.tr("Next"), "Enter", 1)
        close = KeyButton(self.tr("Close"), "Esc", flat=True, name="find_close", clicked=self.shut)
        for button in (self._previous, self._next, close):
            row.addWidget(button)
        self._pause = QTimer(self, singleShot=True, interval=FIND_DELAY_MS)
        self._pause.timeout.connect(self._search)
        self.hide()

    def _button(self, name: str, text: str, key: str, direction: int) -> KeyButton:
        return KeyButton(text, key, flat=True, name=name, clicked=lambda: self.go(direction))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._previous.set_key("" if self.width() < theme.px(NARROW) else BACKWARDS)

    def search_in(self, view: QTextEdit) -> None:
        """Search in a view, starting with its selection if that is short."""
        self._view = view
        if not self.isVisible() or self._before is None:
            self._before = QApplication.focusWidget()
        self.field.setPlaceholderText(self.tr("Find in: {name}").format(name=view.accessibleName()))
        selected = view.textCursor().selectedText()
        if selected and len(selected) < 80 and "\u2029" not in selected:
            self.field.setText(selected)
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._show_count()

    def go(self, direction: int) -> None:
        """Go to the next or previous match, wrapping around."""
        view = self._live_view()
        if view is None or not self.field.text():
            return
        self._pause.stop()
        flag = QTextDocument.FindFlag.FindBackward if direction < 0 else QTextDocument.FindFlag(0)
        match = view.document().find(self.field.text(), view.textCursor(), flag)
        if match.isNull():
            start = QTextCursor(view.document())
            start.movePosition(QTextCursor.MoveOperation.End if direction < 0 else QTextCursor.MoveOperation.Start)
            match = view.document().find(self.field.text(), start, flag)
        if not match.isNull():
            view.setTextCursor(match)
            view.ensureCursorVisible()
        self._show_count()

    def shut(self) -> None:
        self._pause.stop()
        self.hide()
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()
            return
        view = self._live_view()
        if view is not None:
            view.setFocus()

    def _live_view(self) -> QTextEdit | None:
        """Return the view unless it has been deleted with its task."""
        return self._view if self._view is not None and isValid(self._view) else None

    def _search(self) -> None:
        """Search from the start of the current match, so that further typing extends it."""
        view = self._live_view()
        if view is not None:
            cursor = view.textCursor()
            cursor.setPosition(cursor.selectionStart())
            view.setTextCursor(cursor)
            self.go(1)

    def _show_count(self) -> None:
        starts = self._places()
        total = formatting.number(len(starts))
        view = self._live_view()
        position = view.textCursor().selectionStart() if view is not None and view.textCursor().hasSelection() else -1
        if not self.field.text():
            text = ""
        elif not starts:
            text = self.tr("not found")
        elif len(starts) > MAX_MATCHES:
            text = self.tr("more than {n}").format(n=formatting.number(MAX_MATCHES))
        elif position in starts:
            text = self.tr("{n} of {total}").format(n=formatting.number(starts.index(position) + 1), total=total)
        else:
            text = self.tr("{total} places").format(total=total) if len(starts) > 1 else self.tr("1 place")
        self.count.setText(text)
        for button in (self._previous, self._next):
            button.setEnabled(bool(starts))

    def _places(self) -> list[int]:
        view, starts = self._live_view(), []
        if view is None or not self.field.text():
            return starts
        cursor = view.document().find(self.field.text(), 0)
        while not cursor.isNull() and len(starts) <= MAX_MATCHES:
            starts.append(cursor.selectionStart())
            cursor = view.document().find(self.field.text(), cursor)
        return starts

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
