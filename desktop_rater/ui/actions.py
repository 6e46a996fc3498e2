"""All that can be done from a menu or by a key, as one table. The menus are built from it; each key is bound once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QMainWindow, QMenu

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # its stub says `object`
        """Mark a text for the translators' tools, which find this very call."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

CONTEXT = "Actions"


@dataclass(frozen=True)
class Row:
    """One action. The first of `keys` is shown; a menu may be "" for what is in none."""

    id: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    line_before: bool = False


FILE = QT_TRANSLATE_NOOP("Actions", "&File")
EDIT = QT_TRANSLATE_NOOP("Actions", "&Edit")
TARGET = QT_TRANSLATE_NOOP("Actions", "&Target")
EVIDENCE = QT_TRANSLATE_NOOP("Actions", "E&vidence")
VIEW = QT_TRANSLATE_NOOP("Actions", "&View")

ROWS: tuple[Row, ...] = (
    Row("import", FILE, QT_TRANSLATE_NOOP("Actions", "Import a bundle…"), ("Ctrl+O",)),
    Row("sample", FILE, QT_TRANSLATE_NOOP("Actions", "Open the sample"), ("Ctrl+Shift+O",)),
    Row("export", FILE, QT_TRANSLATE_NOOP("Actions", "Export results…"), ("Ctrl+Shift+E",)),
    Row("quit", FILE, QT_TRANSLATE_NOOP("Actions", "Quit"), ("Ctrl+Q",), line_before=True),
    Row("undo", EDIT, QT_TRANSLATE_NOOP("Actions", "Undo"), ("Ctrl+Z",)),
    Row("redo", EDIT, QT_TRANSLATE_NOOP("Actions", "Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    Row("clear", EDIT, QT_TRANSLATE_NOOP("Actions", "Clear the answer"), ("Backspace",), line_before=True),
    Row("write", EDIT, QT_TRANSLATE_NOOP("Actions", "Write the comment"), ("W",)),
    Row("leave", "", QT_TRANSLATE_NOOP("Actions", "Leave the field"), ("Esc",)),
    Row("go_on", TARGET, QT_TRANSLATE_NOOP("Actions", "Go on"), ("Return", "Enter", "Ctrl+Return", "Ctrl+Enter")),
    Row("next_target", TARGET, QT_TRANSLATE_NOOP("Actions", "Next target"), ("J", "Ctrl+J")),
    Row("previous_target", TARGET, QT_TRANSLATE_NOOP("Actions", "Previous target"), ("K", "Ctrl+Shift+J")),
    Row("next_claim", TARGET, QT_TRANSLATE_NOOP("Actions", "Next claim"), ("Shift+J",)),
    Row("previous_claim", TARGET, QT_TRANSLATE_NOOP("Actions", "Previous claim"), ("Shift+K",)),
    Row("claim", TARGET, QT_TRANSLATE_NOOP("Actions", "Claim from the selection"), ("L",)),
    Row("next_problem", TARGET, QT_TRANSLATE_NOOP("Actions", "Next problem"), ("F8",), line_before=True),
    Row("previous_problem", TARGET, QT_TRANSLATE_NOOP("Actions", "Previous problem"), ("Shift+F8",)),
    Row(
        "finish",
        TARGET,
        QT_TRANSLATE_NOOP("Actions", "Finish the task"),
        ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
        line_before=True,
    ),
    Row("next_task", TARGET, QT_TRANSLATE_NOOP("Actions", "Next task"), ("Ctrl+PgDown",)),
    Row("previous_task", TARGET, QT_TRANSLATE_NOOP("Actions", "Previous task"), ("Ctrl+PgUp",)),
    Row("skip", TARGET, QT_TRANSLATE_NOOP("Actions", "Skip the task…"), ("X",)),
    Row("evidence", EVIDENCE, QT_TRANSLATE_NOOP("Actions", "Add evidence"), ("E",)),
    Row("open_link", EVIDENCE, QT_TRANSLATE_NOOP("Actions", "Open the page"), ("O",)),
    Row("next_link", EVIDENCE, QT_TRANSLATE_NOOP("Actions", "Open the next link of the response"), ("Shift+O",)),
    Row("supports", EVIDENCE, QT_TRANSLATE_NOOP("Actions", "It supports"), ("S",), line_before=True),
    Row("contradicts", EVIDENCE, QT_TRANSLATE_NOOP("Actions", "It contradicts"), ("C",)),
    Row("remove", EVIDENCE, QT_TRANSLATE_NOOP("Actions", "Remove"), ("Delete",)),
    Row("filter", VIEW, QT_TRANSLATE_NOOP("Actions", "Filter tasks"), ("/",)),
    Row("tools", VIEW, QT_TRANSLATE_NOOP("Actions", "Tool output"), ("T",)),
    Row("next_pane", VIEW, QT_TRANSLATE_NOOP("Actions", "Next pane"), ("F6",), line_before=True),
    Row("previous_pane", VIEW, QT_TRANSLATE_NOOP("Actions", "Previous pane"), ("Shift+F6",)),
)


def words(text: str) -> str:
    """A text of the table in the language of the window."""
    return QCoreApplication.translate(CONTEXT, text)


def build(window: QMainWindow, does: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """The actions of the window by id, in its menus; `does` says what each of them does."""
    menus: dict[str, QMenu] = {}
    built: dict[str, QAction] = {}
    for row in ROWS:
        action = QAction(words(row.text), window)
        action.setObjectName(f"action_{row.id}")
        action.setShortcuts([QKeySequence(key) for key in row.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _checked=False, run=does[row.id]: run())
        window.addAction(action)
        if row.menu:
            menu = menus.get(row.menu) or window.menuBar().addMenu(words(row.menu))
            menus[row.menu] = menu
            if row.line_before:
                menu.addSeparator()
            menu.addAction(action)
        built[row.id] = action
    return built
