"""The table of all actions with menu items or keys, from the rows of every screen and of plug-ins."""

import sys
from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from desktop_rater.hooks import load_rows
from desktop_rater.ui.window import rating_actions
from desktop_rater.ui.window.action_row import (
    ALWAYS,
    ANSWERS,
    EDIT,
    EVIDENCE,
    FILE,
    HELP,
    KEY_CONTEXTS,
    MOVING,
    PAGES,
    RATE,
    TARGET,
    TEXT,
    VIEW,
    ActionRow,
    FixedKey,
)

__all__ = ["ALWAYS", "ANSWERS", "FIXED", "KEY_CONTEXTS", "MOVING", "PAGES", "ROWS", "TEXT", "ActionRow", "FixedKey"]

CONTEXT = "Actions"
MENUS = (FILE, EDIT, TARGET, EVIDENCE, VIEW, HELP)
_CORE_ROWS: tuple[ActionRow, ...] = (
    *rating_actions.RATING_ROWS,
    *rating_actions.REVIEW_ROWS,
    *rating_actions.REPORT_ROWS,
    *rating_actions.START_ROWS,
)


def _with_plugins(rows: Iterable[ActionRow]) -> tuple[ActionRow, ...]:
    """Return rows with those of plug-ins, each after the row that it follows and others that do, else at the end."""
    table = list(rows)
    for row in [row for group in load_rows("actions").values() for row in group]:
        ids = [known.id for known in table]
        if row.id not in ids:
            at = ids.index(row.after) + 1 if row.after in ids else len(ids)
            table.insert(next((number for number in range(at, len(ids)) if not table[number].after), len(ids)), row)
    return tuple(table)


ROWS = _with_plugins(_CORE_ROWS)
FIXED: tuple[FixedKey, ...] = rating_actions.FIXED
BY_ID = {row.id: row for row in ROWS}
# macOS shows these in its menu of the program, under its own names, and switches programs by its command key with Tab.
_ROLES = {
    "about": QAction.MenuRole.AboutRole,
    "settings": QAction.MenuRole.PreferencesRole,
    "quit": QAction.MenuRole.QuitRole,
}
_MAC_KEYS = {"Ctrl+Tab": "Meta+Tab"}


class ActionScope(Struct, frozen=True):
    """The current screen and role, and whether a language model is set; they decide about the available actions."""

    screen: str = RATE
    lead: bool = False
    model: bool = False

    def holds(self, row: ActionRow) -> bool:
        allowed = (self.lead or not row.lead) and (self.model or not row.needs_model)
        return allowed and (not row.screens or self.screen in row.screens.split())


def actions_in(scope: ActionScope) -> tuple[ActionRow, ...]:
    """Return the actions available in a scope."""
    return tuple(row for row in ROWS if scope.holds(row))


def share_screen(row: ActionRow, other: ActionRow) -> bool:
    """Return whether two actions share a screen, so that they can't have the same key."""
    return not row.screens or not other.screens or not set(row.screens.split()).isdisjoint(other.screens.split())


def action_text(text: str) -> str:
    """Return a text of the table in the language of the window."""
    return QCoreApplication.translate(CONTEXT, text)


def plain_action_text(text: str) -> str:
    """Return a text of the table without the mark of its menu key."""
    return action_text(text).replace("&", "")


def keys_of(row: ActionRow, own: Mapping[str, str], platform: str = sys.platform) -> tuple[str, ...]:
    """Return the keys of an action, the user's own instead of the first."""
    keys = tuple(_MAC_KEYS.get(key, key) for key in row.keys) if platform == "darwin" else row.keys
    key = own.get(row.id)
    return keys if key is None else (key, *(default for default in keys[1:] if default != key))


def build(window: QMainWindow, run: Callable[[str], object]) -> dict[str, QAction]:
    """Create the actions of the window by id, in its menus; `run` performs one by its id."""
    menus = {name: window.menuBar().addMenu(action_text(name)) for name in MENUS}
    built: dict[str, QAction] = {}
    # Actions of other screens only come first in a menu: there they matter most.
    for row in sorted(ROWS, key=lambda row: not row.screens or RATE in row.screens):
        action = QAction(action_text(row.text), window)
        action.setObjectName(f"action_{row.id}")
        action.setMenuRole(_ROLES.get(row.id, QAction.MenuRole.NoRole))  # else Qt guesses by the text
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setAutoRepeat(row.repeats)
        action.triggered.connect(lambda _checked=False, name=row.id: run(name))
        window.addAction(action)
        if row.line_before:
            menus[row.menu].addSeparator()
        menus[row.menu].addAction(action)
        built[row.id] = action
    return {row.id: built[row.id] for row in ROWS}


def show_only(
    window: QMainWindow, built: Mapping[str, QAction], visible: Collection[str], previous: Collection[str]
) -> None:
    """Show these actions in the menus instead of the previous ones; those hidden for other reasons stay hidden."""
    for name, action in built.items():
        if (name in visible) is not (name in previous):
            action.setVisible(name in visible)
    for entry in window.menuBar().actions():
        menu = entry.menu()
        if isinstance(menu, QMenu):
            entry.setVisible(any(item.isVisible() and not item.isSeparator() for item in menu.actions()))


def set_keys(built: Mapping[str, QAction], own: Mapping[str, str], visible: Collection[str]) -> None:
    """Bind these actions to their keys, and unbind all others."""
    for action in built.values():  # unbind all first: two actions on one key would both be disabled
        action.setShortcuts([])
    for row in ROWS:
        if row.id in visible:
            built[row.id].setShortcuts([QKeySequence(key) for key in keys_of(row, own)])
