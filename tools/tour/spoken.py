"""What a screen reader finds in a window, as text: the widgets in the order of reading, with role, name and states."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QDialog, QWidget

from desktop_rater.ui.window.page_window import PageWindow

MOST_CHARACTERS = 200
Role = QAccessible.Role
# Roles that are spoken, as Orca names them; others have only names.
ROLES = {
    Role.Border: "panel",  # of a frame
    Role.Button: "button",
    Role.Cell: "table cell",
    Role.CheckBox: "check box",
    Role.ColumnHeader: "column header",
    Role.ComboBox: "combo box",
    Role.EditableText: "entry",
    Role.Grouping: "panel",
    Role.List: "list",
    Role.ListItem: "list item",
    Role.MenuBar: "menu bar",
    Role.MenuItem: "menu",
    Role.PageTab: "page tab",
    Role.PageTabList: "page tab list",
    Role.RadioButton: "radio button",
    Role.RowHeader: "row header",
    Role.StaticText: "",
    Role.Table: "table",
    Role.Tree: "tree",
    Role.TreeItem: "tree item",
}
STATES = ("checked", "disabled", "expanded", "focused", "readOnly", "selected")
SPOKEN_STATES = {"disabled": "grayed", "readOnly": "read only"}


def spoken_text(window: QWidget) -> str:
    """Return what a screen reader says of the visible parts of a window and its other windows, a line for each."""
    kinds = (QDialog, PageWindow)
    others = [one for kind in kinds for one in window.findChildren(kind) if one.isWindow() and one.isVisible()]
    roots = (QAccessible.queryAccessibleInterface(one) for one in (window, *others))
    return "".join(f"{line}\n" for root in roots for line in _lines(root, 0))


def _lines(node: QAccessibleInterface, depth: int) -> Iterator[str]:
    state = node.state()
    if state.invisible:
        return
    words = _words(node)
    if words:
        yield "  " * depth + words
        depth += node.role() in {
            Role.Border,
            Role.Grouping,
            Role.List,
            Role.Table,
            Role.Tree,
            Role.MenuBar,
            Role.PageTabList,
        }
    for at in range(node.childCount()):
        child = node.child(at)
        if child is not None and child.isValid():
            yield from _lines(child, depth)


def _words(node: QAccessibleInterface) -> str:
    """Return the line of a node; nothing for one that is not spoken: without a role, or without a name."""
    role = ROLES.get(node.role())
    name = node.text(QAccessible.Text.Name)
    value = node.text(QAccessible.Text.Value) if node.role() == Role.EditableText else ""
    if role is None or not (name or value):
        return ""
    description = node.text(QAccessible.Text.Description)
    state = node.state()
    is_text = node.role() == Role.StaticText
    states = [] if is_text else [SPOKEN_STATES.get(one, one) for one in STATES if getattr(state, one)]
    parts = (name, value, role, description if description not in name else "", *states)
    return " · ".join(_one_line(part) for part in parts if part)


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= MOST_CHARACTERS else f"{words[:MOST_CHARACTERS]} …"
