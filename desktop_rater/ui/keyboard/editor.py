"""Which key each action has, and another one for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_rater.ui import actions, theme
from desktop_rater.ui.bare_rows import BareList
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.keyboard.positions import is_latin, key_at
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.rows import LINE_ROLE, Line, Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from PySide6.QtGui import QKeyEvent

    from desktop_rater.ui.preferences import Preferences

MOST_ROWS = 7
LEAVING = {Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape}


class KeyField(QLineEdit):
    """Takes the next key that is pressed, whatever it does elsewhere. Tab and Esc leave it."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in LEAVING:
            self.clearFocus()
            super().keyPressEvent(event)
            return
        key = keys.portable(event.keyCombination())
        place = key_at(event)
        if place and not is_latin(event.key()) and place.isalnum():
            modifiers = key.rpartition("+")[0]
            key = f"{modifiers}+{place}" if modifiers else place
        if key:
            self.pressed.emit(key)


class KeysEditor(QWidget):
    """A key that can't be is refused with the reason, and nothing changes."""

    def __init__(
        self,
        preferences: Preferences,
        rubric_keys: Callable[[], Collection[str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("keys_editor")
        self._preferences = preferences
        self._rubric_keys = rubric_keys
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.list = BareList("key_list")
        self.list.setAccessibleName(self.tr("Actions and their keys"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_words(""))
        self.list.activated.connect(lambda _index: self.field.setFocus())
        column.addWidget(self.list)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.field = KeyField()
        self.field.setObjectName("new_key")
        self.field.setAccessibleName(self.tr("New key"))
        self.field.setPlaceholderText(self.tr("Press the new key here"))
        self.field.pressed.connect(self.take)
        row.addWidget(self.field, 1)
        for name, text, does in (
            ("usual_key", self.tr("Usual key"), self._reset_one),
            ("usual_keys", self.tr("All usual keys"), self._reset_all),
        ):
            button = KeyButton(text)
            button.setObjectName(name)
            button.clicked.connect(does)
            row.addWidget(button)
        column.addLayout(row)
        self.words = WrappedLabel(name="key_words")
        column.addWidget(self.words)
        preferences.changed.connect(lambda _name: self.refresh())
        self.refresh()
        self.list.setCurrentIndex(self.model.index(0))

    def refresh(self) -> None:
        """Show the keys as they are bound now."""
        own = keys.usable(self._preferences.now.keys)
        lines = []
        for row in actions.ROWS:
            shown = keys.all_shown(actions.keys_of(row, own))
            name = f"{actions.plain_words(row.menu)}: {actions.plain_words(row.text)}"
            lines.append(Line(row.id, name, end="  ".join(shown), bold=row.id in own))
        self.model.show(lines)
        self.list.fit_rows(MOST_ROWS)

    def take(self, key: str) -> None:
        """Give the chosen action a key, or say why not."""
        action = self._action()
        own = keys.usable(self._preferences.now.keys)
        why = keys.why_refused(key, action, own, self._rubric_keys())
        if why:
            self._show_words(why, "block")
            return
        self._preferences.set("keys", {**own, action: key})
        self._show_words(self.tr("{key} it is.").format(key=keys.shown(key)), "ok")

    def _action(self) -> str:
        line: Line = self.list.currentIndex().data(LINE_ROLE)
        return line.id

    def _reset_one(self) -> None:
        action = self._action()
        own = {name: key for name, key in self._preferences.now.keys.items() if name != action}
        first = actions.BY_ID[action].keys[:1]
        why = keys.why_refused(first[0], action, keys.usable(own)) if first else ""
        if why:
            self._show_words(why, "block")
            return
        self._preferences.set("keys", own)
        self._show_words("")

    def _reset_all(self) -> None:
        self._preferences.set("keys", {})
        self._show_words("")

    def _show_words(self, words: str, tone: str = "text2") -> None:
        self.words.setText(words)
        theme.quiet(self.words, tone)
        self.field.setText("")
