"""Every action and its key, found by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QVBoxLayout, QWidget

from desktop_rater.ui import actions, theme
from desktop_rater.ui.bare_rows import BareList
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.plain import PlainLabel
from desktop_rater.ui.rows import Line, Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QAction

WIDTH, MOST_ROWS, TOP = 520, 12, 44
STEPS: dict[int, int] = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS,
    Qt.Key.Key_PageUp: -MOST_ROWS,
}
ENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}
STAYS = {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}


class Palette(QDialog):
    """What can be done in this room.

    The words that are typed match anywhere. Arrows choose, Enter does it, Esc leaves; the focus goes back.
    """

    def __init__(self, window: QWidget, built: Mapping[str, QAction], shown: Callable[[], Collection[str]]) -> None:
        super().__init__(window)
        # Inside the window: no window system has to place it, and the focus is back at once.
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName("palette")
        self.setAccessibleName(self.tr("Find an action"))
        theme.ground(self, "surface")
        self.hide()
        self._window = window
        self._actions = built
        self._shown = shown
        self._focus = FocusBack()
        frame = QFrame()
        frame.setObjectName("palette_frame")
        frame.setFrameShape(QFrame.Shape.Box)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        column = QVBoxLayout(frame)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        self.field = QLineEdit()
        self.field.setObjectName("palette_field")
        self.field.setAccessibleName(self.tr("Find an action"))
        self.field.setPlaceholderText(self.tr("Find an action"))
        self.field.textChanged.connect(lambda _text: self._fill())
        self.field.installEventFilter(self)
        column.addWidget(self.field)
        self.list = BareList("palette_list")
        self.list.setAccessibleName(self.tr("Actions"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._choose)
        column.addWidget(self.list)
        self._none = PlainLabel(self.tr("No action has these words."))
        self._none.setContentsMargins(8, 4, 8, 8)
        theme.quiet(self._none)
        column.addWidget(self._none)

    def ask(self) -> None:
        """Open over the window, with every action; where it is open, leave."""
        if self.isVisible():
            self._leave()
            return
        self._focus.remember()
        self.field.clear()
        self._fill()
        self.show()
        self.raise_()
        self.field.setFocus()

    def _fill(self) -> None:
        asked = self.field.text().casefold().split()
        shown = self._shown()
        rows = (row for row in actions.ROWS if row.id in shown)
        lines = [line for line in map(self._line, rows) if _matches(line, asked)]
        self.model.show(lines)
        self.list.setVisible(bool(lines))
        self._none.setVisible(not lines)
        if lines:
            self.list.setCurrentIndex(self.model.index(0))
        self.list.fit_rows(MOST_ROWS)
        wide = min(theme.px(WIDTH), self._window.width() - 32)
        self.resize(wide, self.sizeHint().height())
        self.move((self._window.width() - wide) // 2, theme.px(TOP))

    def _line(self, row: actions.Row) -> Line:
        action = self._actions[row.id]
        key = keys.shown(action.shortcut().toString()) if not action.shortcut().isEmpty() else ""
        end = key if action.isEnabled() else self.tr("not possible now")
        return Line(row.id, f"{actions.plain_words(row.menu)}: {actions.plain_words(row.text)}", end=end)

    def _choose(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        action = self._actions[self.model.lines[index.row()].id]
        self._leave()
        action.trigger()  # the focus is back by then: some actions ask where it is

    def _leave(self) -> None:
        self.hide()
        self._focus.give()

    def reject(self) -> None:
        """Leave without doing anything."""
        self._leave()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.field:
            return False
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            if event.reason() not in STAYS:
                self.hide()
            return False
        if not isinstance(event, QKeyEvent) or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if event.key() not in STEPS and event.key() not in ENDS:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # or it would be the window's
        elif event.type() == QEvent.Type.KeyPress:
            self._take(event.key())
        return True

    def _take(self, key: int) -> None:
        if key == Qt.Key.Key_Escape:
            self._leave()
        elif key in ENDS:
            self._choose(self.list.currentIndex())
        else:
            row = self.list.currentIndex().row() + STEPS[key]
            self.list.setCurrentIndex(self.model.index(max(0, min(row, self.model.rowCount() - 1))))


def _matches(line: Line, asked: list[str]) -> bool:
    known = f"{line.title} {line.end}".casefold()
    return all(word in known for word in asked)
