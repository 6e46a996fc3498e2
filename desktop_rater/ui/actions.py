"""All that can be done from a menu or by a key, as one table.

The menus, the palette, the sheet of keys and the table of the user guide are built from it; each key is bound once.
"""

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
    """One action. The first of `keys` is shown, and is the one that a user can change."""

    id: str
    menu: str
    where: str
    text: str
    keys: tuple[str, ...] = ()
    line_before: bool = False
    repeats: bool = True
    stays: bool = False  # the key that the whole window leans on: no other can take its place


@dataclass(frozen=True)
class Fixed:
    """A key that Qt or a part of the window takes by itself, wherever the focus is right for it."""

    where: str
    text: str
    keys: tuple[str, ...]


FILE = QT_TRANSLATE_NOOP("Actions", "&File")
EDIT = QT_TRANSLATE_NOOP("Actions", "&Edit")
TARGET = QT_TRANSLATE_NOOP("Actions", "&Target")
EVIDENCE = QT_TRANSLATE_NOOP("Actions", "E&vidence")
VIEW = QT_TRANSLATE_NOOP("Actions", "Vie&w")
HELP = QT_TRANSLATE_NOOP("Actions", "&Help")

ALWAYS = QT_TRANSLATE_NOOP("Actions", "Always")
ANSWERS = QT_TRANSLATE_NOOP("Actions", "Answers")
MOVING = QT_TRANSLATE_NOOP("Actions", "Moving")
TEXT = QT_TRANSLATE_NOOP("Actions", "Claims and text")
PAGES = QT_TRANSLATE_NOOP("Actions", "Pages")
WHERES = (ALWAYS, ANSWERS, MOVING, TEXT, PAGES)

ROWS: tuple[Row, ...] = (
    Row("import", FILE, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Import a bundle…"), ("Ctrl+O",)),
    Row("sample", FILE, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Open the sample"), ("Ctrl+Shift+O",)),
    Row("practice", FILE, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Open the practice sample")),
    Row("export", FILE, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Export results…"), ("Ctrl+Shift+E",)),
    Row(
        "back_up",
        FILE,
        ALWAYS,
        QT_TRANSLATE_NOOP("Actions", "Back up now"),
        line_before=True,
        repeats=False,
    ),
    Row("restore", FILE, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Restore a backup…"), repeats=False),
    Row("settings", FILE, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Settings…"), ("Ctrl+,",), line_before=True),
    Row("quit", FILE, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Quit"), ("Ctrl+Q",), line_before=True),
    Row("undo", EDIT, ANSWERS, QT_TRANSLATE_NOOP("Actions", "Undo"), ("Ctrl+Z",)),
    Row("redo", EDIT, ANSWERS, QT_TRANSLATE_NOOP("Actions", "Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    Row("history", EDIT, ANSWERS, QT_TRANSLATE_NOOP("Actions", "History of this task"), ("F7",), repeats=False),
    Row(
        "clear",
        EDIT,
        ANSWERS,
        QT_TRANSLATE_NOOP("Actions", "Clear the answer"),
        ("Backspace",),
        line_before=True,
        repeats=False,
    ),
    Row(
        "confirm_suggestions",
        EDIT,
        ANSWERS,
        QT_TRANSLATE_NOOP("Actions", "Confirm the suggestions here"),
        ("Z",),
        repeats=False,
    ),
    Row(
        "confirm_suggestion",
        EDIT,
        ANSWERS,
        QT_TRANSLATE_NOOP("Actions", "Confirm the suggestion for this question"),
        ("Shift+Z",),
        repeats=False,
    ),
    Row(
        "confirm_all_suggestions",
        EDIT,
        ANSWERS,
        QT_TRANSLATE_NOOP("Actions", "Confirm every suggestion of this task"),
        ("Alt+Z",),
        repeats=False,
    ),
    Row("write", EDIT, TEXT, QT_TRANSLATE_NOOP("Actions", "Write the comment"), ("W",)),
    Row("note", EDIT, TEXT, QT_TRANSLATE_NOOP("Actions", "Note to the QA lead…"), ("M",), repeats=False),
    Row("leave", EDIT, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Leave the field"), ("Esc",), stays=True),
    Row(
        "go_on",
        TARGET,
        MOVING,
        QT_TRANSLATE_NOOP("Actions", "Go on"),
        ("Return", "Enter", "Ctrl+Return", "Ctrl+Enter"),
        repeats=False,
        stays=True,
    ),
    Row("next_target", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Next target"), ("J", "Ctrl+J")),
    Row("previous_target", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Previous target"), ("K", "Ctrl+Shift+J")),
    Row("next_claim", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Next claim"), ("Shift+J",)),
    Row("previous_claim", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Previous claim"), ("Shift+K",)),
    Row("claim", TARGET, TEXT, QT_TRANSLATE_NOOP("Actions", "Claim from the selection"), ("L",), repeats=False),
    Row("next_problem", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Next problem"), ("F8",), line_before=True),
    Row("previous_problem", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Previous problem"), ("Shift+F8",)),
    Row(
        "acknowledge",
        TARGET,
        MOVING,
        QT_TRANSLATE_NOOP("Actions", "Acknowledge the warning…"),
        ("V",),
        repeats=False,
    ),
    Row("border", TARGET, TEXT, QT_TRANSLATE_NOOP("Actions", "Correct the target's borders"), ("B",), repeats=False),
    Row(
        "finish",
        TARGET,
        MOVING,
        QT_TRANSLATE_NOOP("Actions", "Finish the task"),
        ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
        line_before=True,
        repeats=False,
    ),
    Row("next_task", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Next task"), ("Ctrl+PgDown",)),
    Row("previous_task", TARGET, MOVING, QT_TRANSLATE_NOOP("Actions", "Previous task"), ("Ctrl+PgUp",)),
    Row("skip", TARGET, TEXT, QT_TRANSLATE_NOOP("Actions", "Skip the task…"), ("X",), repeats=False),
    Row("evidence", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Add evidence"), ("E",), repeats=False),
    Row(
        "paste_links",
        EVIDENCE,
        PAGES,
        QT_TRANSLATE_NOOP("Actions", "Add every link copied"),
        ("Ctrl+V",),
        repeats=False,
    ),
    Row("quote", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Write the quote"), ("Q",), repeats=False),
    Row("open_link", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Open the page"), ("O",)),
    Row("next_link", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Open the next unopened link"), ("Shift+O",)),
    Row("address", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Go to an address"), ("Alt+D",), line_before=True),
    Row("reader_or_page", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Reader or page"), ("R",)),
    Row(
        "search_claim",
        EVIDENCE,
        PAGES,
        QT_TRANSLATE_NOOP("Actions", "Search the web for this claim"),
        ("Alt+S",),
        repeats=False,
    ),
    Row("page_back", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Page before"), ("Alt+Left",)),
    Row("page_forward", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Page after"), ("Alt+Right",)),
    Row("fetch_again", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Fetch the page again"), ("Ctrl+R",)),
    Row(
        "open_outside",
        EVIDENCE,
        PAGES,
        QT_TRANSLATE_NOOP("Actions", "Open in the browser of the system…"),
        ("Alt+O",),
        repeats=False,
    ),
    Row(
        "fetch_task_links",
        EVIDENCE,
        PAGES,
        QT_TRANSLATE_NOOP("Actions", "Fetch the links of this task"),
        line_before=True,
        repeats=False,
    ),
    Row(
        "fetch_bundle_links",
        EVIDENCE,
        PAGES,
        QT_TRANSLATE_NOOP("Actions", "Fetch every link of this bundle"),
        repeats=False,
    ),
    Row("whole_page", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "All of the page, or its main text alone")),
    Row(
        "find_read",
        EVIDENCE,
        PAGES,
        QT_TRANSLATE_NOOP("Actions", "Where did I read this…"),
        ("Ctrl+Shift+F",),
        repeats=False,
    ),
    Row("supports", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "It supports"), ("S",), line_before=True),
    Row("contradicts", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "It contradicts"), ("C",)),
    Row("remove", EVIDENCE, PAGES, QT_TRANSLATE_NOOP("Actions", "Remove"), ("Delete",), repeats=False),
    Row("toggle_tasks", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Task list"), ("Ctrl+B",)),
    Row("filter", VIEW, MOVING, QT_TRANSLATE_NOOP("Actions", "Filter tasks"), ("/",)),
    Row("find", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Find in the text"), ("Ctrl+F",)),
    Row("guideline", VIEW, MOVING, QT_TRANSLATE_NOOP("Actions", "Guideline at this question"), ("G",)),
    Row("pause", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Pause the clock"), ("Ctrl+Shift+P",), repeats=False),
    Row("tools", VIEW, MOVING, QT_TRANSLATE_NOOP("Actions", "Tool output"), ("T",)),
    Row("context", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Documents of the context"), ("Ctrl+D",)),
    Row("next_citation", VIEW, MOVING, QT_TRANSLATE_NOOP("Actions", "Next citation"), ("Shift+D",)),
    Row("markdown_source", VIEW, TEXT, QT_TRANSLATE_NOOP("Actions", "Show Markdown as its source")),
    Row("differences", VIEW, TEXT, QT_TRANSLATE_NOOP("Actions", "Show differences"), ("Ctrl+Shift+D",), repeats=False),
    Row(
        "scroll_together",
        VIEW,
        TEXT,
        QT_TRANSLATE_NOOP("Actions", "Scroll together"),
        ("Ctrl+Shift+L",),
        repeats=False,
    ),
    Row("text_or_page", VIEW, PAGES, QT_TRANSLATE_NOOP("Actions", "From the page to the text and back"), ("Ctrl+Tab",)),
    Row("next_pane", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Next pane"), ("F6",), line_before=True),
    Row("previous_pane", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Previous pane"), ("Shift+F6",)),
    Row("zoom_in", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Larger"), ("Ctrl++", "Ctrl+="), line_before=True),
    Row("zoom_out", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Smaller"), ("Ctrl+-",)),
    Row("zoom_reset", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Usual size"), ("Ctrl+0",)),
    Row("usual_panes", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Usual widths of the panes")),
    Row("full_screen", VIEW, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Full screen"), ("F11",)),
    Row("palette", HELP, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Find an action"), ("Ctrl+K",)),
    Row("keys", HELP, ALWAYS, QT_TRANSLATE_NOOP("Actions", "All keys"), ("F1",)),
    Row("check_store", HELP, ALWAYS, QT_TRANSLATE_NOOP("Actions", "Check the store"), line_before=True, repeats=False),
)

FIXED: tuple[Fixed, ...] = (
    Fixed(MOVING, QT_TRANSLATE_NOOP("Actions", "A row of the list, or a question of the form"), ("Up", "Down")),
    Fixed(PAGES, QT_TRANSLATE_NOOP("Actions", "On a page: a sentence on or back"), ("Down", "Up")),
    Fixed(PAGES, QT_TRANSLATE_NOOP("Actions", "On a page: a sentence more or less"), ("Shift+Right", "Shift+Left")),
    Fixed(PAGES, QT_TRANSLATE_NOOP("Actions", "On a page: a link on or back, which Enter opens"), ("Right", "Left")),
    Fixed(MOVING, QT_TRANSLATE_NOOP("Actions", "Inside a pane, from part to part"), ("Tab", "Shift+Tab")),
    Fixed(MOVING, QT_TRANSLATE_NOOP("Actions", "Press the button that has the focus"), ("Space",)),
)


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


def build(window: QMainWindow, does: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """The actions of the window by id, in its menus; `does` says what each of them does."""
    menus: dict[str, QMenu] = {}
    built: dict[str, QAction] = {}
    for row in ROWS:
        action = QAction(words(row.text), window)
        action.setObjectName(f"action_{row.id}")
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setAutoRepeat(row.repeats)
        action.triggered.connect(lambda _checked=False, run=does[row.id]: run())
        window.addAction(action)
        menu = menus.get(row.menu) or window.menuBar().addMenu(words(row.menu))
        menus[row.menu] = menu
        if row.line_before:
            menu.addSeparator()
        menu.addAction(action)
        built[row.id] = action
    set_keys(built, {})
    return built


def set_keys(built: Mapping[str, QAction], own: Mapping[str, str]) -> None:
    """Bind the actions to their keys."""
    for action in built.values():  # all of them first: two actions on one key would both be silent
        action.setShortcuts([])
    for row in ROWS:
        built[row.id].setShortcuts([QKeySequence(key) for key in keys_of(row, own)])
