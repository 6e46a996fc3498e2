"""All that can be done from a menu or by a key, as one table of the rows of every room.

The menus, the palette, the sheet of keys and the table of the user guide are built from it; in each room a key is bound
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from desktop_rater.ui.action_table import rating, reporting, reviewing, scoring
from desktop_rater.ui.action_table.row import (
    ALWAYS,
    ANSWERS,
    EDIT,
    EVIDENCE,
    FILE,
    HELP,
    MOVING,
    PAGES,
    TARGET,
    TEXT,
    VIEW,
    WHERES,
    Fixed,
    Row,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from PySide6.QtWidgets import QMainWindow

__all__ = ["ALWAYS", "ANSWERS", "FIXED", "MOVING", "PAGES", "ROWS", "TEXT", "WHERES", "Fixed", "Row"]

CONTEXT = "Actions"
RATE = "rate"
MENUS = (FILE, EDIT, TARGET, EVIDENCE, VIEW, HELP)
ROWS: tuple[Row, ...] = (*rating.ROWS, *reviewing.ROWS, *reporting.ROWS, *scoring.ROWS)
FIXED: tuple[Fixed, ...] = rating.FIXED
BY_ID = {row.id: row for row in ROWS}


@dataclass(frozen=True)
class Scope:
    """Where the user stands, and in which role: by it a row is there or not."""

    room: str = RATE
    lead: bool = False

    def holds(self, row: Row) -> bool:
        """Whether an action is good here."""
        return (self.lead or not row.lead) and (not row.room or self.room in row.room.split())


def here(scope: Scope) -> tuple[Row, ...]:
    """The actions that are good there."""
    return tuple(row for row in ROWS if scope.holds(row))


def meet(one: Row, other: Row) -> bool:
    """Whether two actions are good in the same place, so that they can't have the same key."""
    return not one.room or not other.room or not set(one.room.split()).isdisjoint(other.room.split())


def words(text: str) -> str:
    """A text of the table in the language of the window."""
    return QCoreApplication.translate(CONTEXT, text)


def plain_words(text: str) -> str:
    """The same without the mark of its menu key."""
    return words(text).replace("&", "")


def keys_of(row: Row, own: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of an action, the user's own in the place of the first."""
    key = own.get(row.id)
    return row.keys if key is None else (key, *(one for one in row.keys[1:] if one != key))


def build(window: QMainWindow, run: Callable[[str], object]) -> dict[str, QAction]:
    """The actions of the window by id, in its menus; `run` does one of them."""
    menus = {name: window.menuBar().addMenu(words(name)) for name in MENUS}
    built: dict[str, QAction] = {}
    # What only another room knows stands first in a menu: there it matters most.
    for row in sorted(ROWS, key=lambda row: not row.room or RATE in row.room):
        action = QAction(words(row.text), window)
        action.setObjectName(f"action_{row.id}")
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
    window: QMainWindow, built: Mapping[str, QAction], shown: Collection[str], before: Collection[str]
) -> None:
    """Show these actions in the menus instead of those before; what somebody else hid among both stays hidden."""
    for name, action in built.items():
        if (name in shown) is not (name in before):
            action.setVisible(name in shown)
    for entry in window.menuBar().actions():
        menu = entry.menu()
        if isinstance(menu, QMenu):
            entry.setVisible(any(one.isVisible() and not one.isSeparator() for one in menu.actions()))


def set_keys(built: Mapping[str, QAction], own: Mapping[str, str], shown: Collection[str]) -> None:
    """Bind these actions to their keys, and no others."""
    for action in built.values():  # all of them first: two actions on one key would both be silent
        action.setShortcuts([])
    for row in ROWS:
        if row.id in shown:
            built[row.id].setShortcuts([QKeySequence(key) for key in keys_of(row, own)])
