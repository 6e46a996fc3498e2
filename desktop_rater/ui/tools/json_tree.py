"""JSON that can be folded. Large values are cut: what a tool answered may have any size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QTreeView, QWidget

from desktop_rater.text.offsets import ShownMap
from desktop_rater.ui.read_text import fixed_font

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ROWS = 5_000
MOST_CHARACTERS = 2_000
OPEN_LEVELS = 2


def is_foldable(value: Any) -> bool:
    """Whether there is something to fold: an object or a list that is not empty."""
    return isinstance(value, dict | list) and bool(value)


class JsonTree(QTreeView):
    """A row for each value; arrows open and shut."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as everything that programs wrote
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setFont(fixed_font())
        self._model = QStandardItemModel(self)
        self.setModel(self._model)

    def keyboardSearch(self, _search: str) -> None:
        """Letters answer; they do not search here."""

    def show_value(self, value: Any) -> None:
        """Show a value, its first levels open."""
        self._model.clear()
        _add(self._model.invisibleRootItem(), value)
        self.expandToDepth(OPEN_LEVELS - 1)


def _add(root: QStandardItem, value: Any) -> None:
    rows = 0
    waiting = [(root, value)]
    while waiting and rows < MOST_ROWS:
        parent, inner = waiting.pop(0)
        for name, one in _parts(inner):
            item = QStandardItem(_row(name, one))
            parent.appendRow(item)
            rows += 1
            if is_foldable(one):
                waiting.append((item, one))
            if rows >= MOST_ROWS:
                parent.appendRow(QStandardItem("…"))
                break


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    yield from value.items() if isinstance(value, dict) else ((str(at), one) for at, one in enumerate(value))


def _row(name: str, value: Any) -> str:
    if is_foldable(value):
        signs = "{{{}}}" if isinstance(value, dict) else "[{}]"
        said = signs.format(len(value))
    else:
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(ShownMap(f"{name}: {said[:MOST_CHARACTERS]}").shown.split())
