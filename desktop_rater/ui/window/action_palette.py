"""The action palette: finds an action by typing."""

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QVBoxLayout, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import PlainLabel
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.window import actions, keys
from desktop_rater.ui.window.focus import FocusRestorer

WIDTH, MOST_ROWS, TOP = 520, 12, 44
STEPS: dict[int, int] = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS,
    Qt.Key.Key_PageUp: -MOST_ROWS,
}
ENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}
STAYS = {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}


class ActionPalette(QDialog):
    """The actions available on the current screen.

    Typed words match anywhere. The arrows choose, Enter runs the action, Esc closes; the focus returns.
    """

    def __init__(self, window: QWidget, built: Mapping[str, QAction], available: Callable[[], Collection[str]]) -> None:
        super().__init__(window)
        # Inside the window: no window manager has to place it, and the focus returns at once.
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName("palette")
        self.setAccessibleName(self.tr("Find an action"))
        theme.set_ground(self, "surface")
        self.hide()
        self._window = window
        self._actions = built
        self._available = available
        self._focus = FocusRestorer()
        frame = QFrame()
        frame.setObjectName("palette_frame")
        frame.setFrameShape(QFrame.Shape.Box)
        outer = tight_column(self)
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
        self.list = RowList("palette_list", two_lines=False, marks=False)
        self.list.setAccessibleName(self.tr("Actions"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.clicked.connect(self._choose)
        column.addWidget(self.list)
        self._none = PlainLabel(self.tr("No matching actions."))
        self._none.setContentsMargins(8, 4, 8, 8)
        theme.set_ink(self._none)
        column.addWidget(self._none)

    def ask(self) -> None:
        """Open over the window with every action; close it if it is open."""
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
        terms = self.field.text().casefold().split()
        available = self._available()
        rows = (row for row in actions.ROWS if row.id in available)
        lines = [line for line in map(self._line, rows) if _matches(line, terms)]
        self.model.show(lines)
        self.list.setVisible(bool(lines))
        self._none.setVisible(not lines)
        if lines:
            self.list.setCurrentIndex(self.model.index(0))
        self.list.fit_rows(MOST_ROWS)
        width = min(theme.px(WIDTH), self._window.width() - 32)
        self.resize(width, self.sizeHint().height())
        self.move((self._window.width() - width) // 2, theme.px(TOP))

    def _line(self, row: actions.ActionRow) -> ListRow:
        action = self._actions[row.id]
        key = keys.key_text(action.shortcut().toString()) if not action.shortcut().isEmpty() else ""
        end = key if action.isEnabled() else self.tr("unavailable")
        return ListRow(row.id, f"{actions.plain_action_text(row.menu)}: {actions.plain_action_text(row.text)}", end=end)

    def _choose(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        action = self._actions[self.model.rows[index.row()].id]
        self._leave()
        action.trigger()  # the focus has returned by then: some actions depend on it

    def _leave(self) -> None:
        self.hide()
        self._focus.restore()

    def reject(self) -> None:
        """Close without running an action."""
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
            event.accept()  # otherwise the window's shortcut would take it
        elif event.type() == QEvent.Type.KeyPress:
            self._handle_key(event.key())
        return True

    def _handle_key(self, key: int) -> None:
        if key == Qt.Key.Key_Escape:
            self._leave()
        elif key in ENDS:
            self._choose(self.list.currentIndex())
        else:
            row = self.list.currentIndex().row() + STEPS[key]
            self.list.setCurrentIndex(self.model.index(max(0, min(row, self.model.rowCount() - 1))))


def _matches(line: ListRow, terms: list[str]) -> bool:
    text = f"{line.title} {line.end}".casefold()
    return all(word in text for word in terms)
