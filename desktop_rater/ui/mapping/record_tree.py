"""A record as a tree of its values, each with its path and the field of a task that uses it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QMimeData, QModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHeaderView, QWidget

from desktop_rater.bundle.convert.maps.path import quoted_key
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.fields import FILTER_KEY
from desktop_rater.ui.widgets.json_tree import DataTree, is_foldable, json_children, json_row_text
from desktop_rater.ui.widgets.text_view import small_fixed_font

PATH_ROLE = Qt.ItemDataRole.UserRole
LIST_FIELDS = ("targets", "claims", "label")
_INDEX = re.compile(r"\[[^\[\]]*\]")
MAX_TREE_ROWS = 5_000
_SHOWN_ENTRIES = 2  # of each list, opened at first


class RecordModel(QStandardItemModel):
    """Values of a record, which are dragged as their paths."""

    def mimeTypes(self) -> list[str]:
        return ["text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setText(next((path for index in indexes if (path := index.data(PATH_ROLE))), ""))
        return data


class RecordTree(DataTree):
    """Tree with a row for each value, and in a second column the field that uses it. Return takes a value."""

    taken = Signal(str)  # the path of a value
    stepped = Signal(int)
    find_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("record_tree", parent)
        self.setAccessibleName(self.tr("Record"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.follow(self, lambda: self.setFont(small_fixed_font()))
        self._model = RecordModel(0, 2, self)
        self.setDragEnabled(True)
        self.setModel(self._model)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.doubleClicked.connect(lambda index: self._take(index.siblingAtColumn(0).data(PATH_ROLE)))
        theme.follow(self, self._color)
        self._used: dict[str, str] = {}

    def show_record(self, record: Mapping[str, Any]) -> None:
        self._model.removeRows(0, self._model.rowCount())
        waiting: list[tuple[QStandardItem, Any, str]] = [(self._model.invisibleRootItem(), record, "")]
        rows = 0
        while waiting and rows < MAX_TREE_ROWS:
            parent, value, before = waiting.pop(0)
            for number, (name, child) in enumerate(json_children(value)):
                path = f"{before}[{name}]" if isinstance(value, list) else _joined_key(before, name)
                item, use = QStandardItem(json_row_text(name, child)), QStandardItem()
                item.setData(path, PATH_ROLE)
                parent.appendRow([item, use])
                rows += 1
                if is_foldable(child):
                    waiting.append((item, child, path))
                if is_foldable(child) and (not isinstance(value, list) or number < _SHOWN_ENTRIES):
                    self.expand(item.index())
                if rows >= MAX_TREE_ROWS:
                    parent.appendRow([QStandardItem("…"), QStandardItem()])
                    break
        self._color()

    def show_uses(self, paths: Mapping[str, str]) -> None:
        """Show which field uses a value: field → path."""
        self._used = {every_entry(path): field for field, path in paths.items() if path}
        self._color()

    def find_text(self, text: str) -> bool:
        """Select the next row that contains a text, as a key or in its value."""
        hits = self._model.match(
            self._model.index(0, 0),
            Qt.ItemDataRole.DisplayRole,
            text,
            -1,
            Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchWrap,
        )
        if not text or not hits:
            return False
        paths = [hit.data(PATH_ROLE) for hit in hits]
        here = self.currentIndex().siblingAtColumn(0).data(PATH_ROLE)
        hit = hits[(paths.index(here) + 1) % len(hits)] if here in paths else hits[0]
        self.setCurrentIndex(hit)
        self.scrollTo(hit)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            self._take(self.currentIndex().siblingAtColumn(0).data(PATH_ROLE))
        elif event.key() in steps and not event.modifiers():
            self.stepped.emit(steps[Qt.Key(event.key())])
        elif event.text() == FILTER_KEY:
            self.find_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _take(self, path: str | None) -> None:
        if path:
            self.taken.emit(path)

    def _color(self) -> None:
        quiet, accent = QBrush(theme.color(self, "text2")), QBrush(theme.color(self, "accent"))
        waiting = [self._model.invisibleRootItem()]
        while waiting:
            parent = waiting.pop()
            for row in range(parent.rowCount()):
                item, use = parent.child(row, 0), parent.child(row, 1)
                path = item.data(PATH_ROLE)
                field = self._used.get(every_entry(path), "") if path else ""
                if use is not None and use.text() != field:
                    use.setText(field)
                if use is not None:
                    use.setForeground(accent)
                item.setForeground(quiet if item.hasChildren() else QBrush(theme.color(self, "text")))
                waiting.append(item)


def every_entry(path: str) -> str:
    """Return a path with each index and filter replaced by that of all entries."""
    return _INDEX.sub("[*]", path)


def path_for_field(field: str, path: str) -> str:
    """Return the path of a value as a field takes it: all entries of a list where the field may have several."""
    return every_entry(path) if field.partition(".")[0].partition(" ")[0] in LIST_FIELDS else path


def _joined_key(before: str, name: str) -> str:
    return f"{before}.{quoted_key(name)}" if before else quoted_key(name)
