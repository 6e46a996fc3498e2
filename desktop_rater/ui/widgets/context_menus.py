"""Context menus: rows of their own, and actions of the window with their keys."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QPlainTextEdit, QTextEdit, QWidget

from desktop_rater.ui.widgets.labels import visible

translate = QCoreApplication.translate


@dataclass(frozen=True)
class MenuRow:
    """A row of a context menu. `key` is only shown."""

    text: str
    run: Callable[[], object]
    key: QKeySequence.StandardKey | None = None
    enabled: bool = True


def show_menu(widget: QWidget, place: QPoint, rows: Sequence[MenuRow | str]) -> QMenu:
    """Show a menu at a place on the screen. A text is the id of an action of the window; an empty one is a line."""
    menu = QMenu(widget)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for row in rows:
        if isinstance(row, MenuRow):
            action = menu.addAction(visible(row.text).replace("&", "&&"))
            action.setEnabled(row.enabled)
            action.triggered.connect(lambda _on=False, run=row.run: run())
            if row.key is not None:
                action.setShortcut(QKeySequence(row.key))
                action.setShortcutVisibleInContextMenu(True)
        elif not row:
            menu.addSeparator()
        elif (action := widget.window().findChild(QAction, f"action_{row}")) is not None:
            action.setShortcutVisibleInContextMenu(True)
            menu.addAction(action)
    menu.popup(place)
    return menu


def offer_menu(view: QAbstractScrollArea, rows: Callable[[QPoint], Sequence[MenuRow | str]]) -> None:
    """Show a menu on a right click and the menu key; `rows` gets the place in the view."""
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def show(place: QPoint) -> None:
        offered = rows(place)
        if offered:
            show_menu(view, view.viewport().mapToGlobal(place), offered)

    view.customContextMenuRequested.connect(show)


def text_rows(view: QTextEdit | QPlainTextEdit) -> list[MenuRow | str]:
    """Return the rows of every text: copy, select all, find."""
    selected = view.textCursor().hasSelection()
    keys = QKeySequence.StandardKey
    return [
        MenuRow(translate("Menus", "Copy"), view.copy, keys.Copy, selected),
        MenuRow(translate("Menus", "Select all"), view.selectAll, keys.SelectAll),
        "",
        "find",
    ]


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)
