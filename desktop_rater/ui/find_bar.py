"""Find words in the text of a pane."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QTextEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop_rater.ui import spelling, theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel
from desktop_rater.ui.separator import line

MOST = 999
BACKWARDS = "Shift Enter"
PAUSE_MS = 120
NARROW = 540  # beside a page there is no room for a long key cap


class FindBar(QFrame):
    """At the foot of the text pane while it is wanted. What is found is selected; the text itself stays as it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self._view: QTextEdit | None = None
        self._before: QWidget | None = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(line())
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
        self.count = PlainLabel(name="find_count")
        theme.quiet(self.count)
        row.addWidget(self.count)
        self._previous = self._button("find_previous", self.tr("Previous"), BACKWARDS, -1)
        self._next = self._button("find_next", self.tr("Next"), "Enter", 1)
        shut = KeyButton(self.tr("Close"), "Esc", flat=True)
        shut.setObjectName("find_close")
        shut.clicked.connect(self.shut)
        for button in (self._previous, self._next, shut):
            row.addWidget(button)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self.hide()

    def _button(self, name: str, text: str, key: str, by: int) -> KeyButton:
        button = KeyButton(text, key, flat=True)
        button.setObjectName(name)
        button.clicked.connect(lambda: self.go(by))
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._previous.set_key("" if self.width() < theme.px(NARROW) else BACKWARDS)

    def look_in(self, view: QTextEdit) -> None:
        """Look in a view, for what is selected there if that is short."""
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

    def go(self, by: int) -> None:
        """To the next or the previous place, round to the first again."""
        view = self._there()
        if view is None or not self.field.text():
            return
        self._pause.stop()
        flag = QTextDocument.FindFlag.FindBackward if by < 0 else QTextDocument.FindFlag(0)
        found = view.document().find(self.field.text(), view.textCursor(), flag)
        if found.isNull():
            start = QTextCursor(view.document())
            start.movePosition(QTextCursor.MoveOperation.End if by < 0 else QTextCursor.MoveOperation.Start)
            found = view.document().find(self.field.text(), start, flag)
        if not found.isNull():
            view.setTextCursor(found)
            view.ensureCursorVisible()
        self._show_count()

    def shut(self) -> None:
        """Close; the focus goes back to where it was."""
        self._pause.stop()
        self.hide()
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()
            return
        view = self._there()
        if view is not None:
            view.setFocus()

    def _there(self) -> QTextEdit | None:
        """The view, unless it went with its task."""
        return self._view if self._view is not None and isValid(self._view) else None

    def _search(self) -> None:
        """From where the last place began: what is typed on goes on to match there."""
        view = self._there()
        if view is not None:
            cursor = view.textCursor()
            cursor.setPosition(cursor.selectionStart())
            view.setTextCursor(cursor)
            self.go(1)

    def _show_count(self) -> None:
        starts = self._places()
        total = spelling.number(len(starts))
        view = self._there()
        at = view.textCursor().selectionStart() if view is not None and view.textCursor().hasSelection() else -1
        if not self.field.text():
            words = ""
        elif not starts:
            words = self.tr("not found")
        elif len(starts) > MOST:
            words = self.tr("more than {n}").format(n=spelling.number(MOST))
        elif at in starts:
            words = self.tr("{n} of {total}").format(n=spelling.number(starts.index(at) + 1), total=total)
        else:
            words = self.tr("{total} places").format(total=total) if len(starts) > 1 else self.tr("1 place")
        self.count.setText(words)
        for button in (self._previous, self._next):
            button.setEnabled(bool(starts))

    def _places(self) -> list[int]:
        view, starts = self._there(), []
        if view is None or not self.field.text():
            return starts
        cursor = view.document().find(self.field.text(), 0)
        while not cursor.isNull() and len(starts) <= MOST:
            starts.append(cursor.selectionStart())
            cursor = view.document().find(self.field.text(), cursor)
        return starts

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes to the next place and Esc closes: neither is the window's here."""
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
