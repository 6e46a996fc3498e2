"""JSON as a tree with a row for each value. Rows are made when they are first shown: there may be millions."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QTreeView, QWidget

from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import plain_tooltip, visible
from desktop_rater.ui.widgets.list_view import ROOT, Index
from desktop_rater.ui.widgets.theme import fixed_font

MAX_ROW_LENGTH, MAX_TITLE_LENGTH, MAX_TIP_LENGTH = 400, 120, 1_000
MAX_FLAT, GROUP = 2_000, 1_000  # a longer list has a row for each thousand entries
MAX_OPENED_ROWS, TREE_INDENT = 200, 14
LINE_BREAK = " ↵ "
TITLE_KEYS = ("title", "name", "label", "headline", "subject", "question", "query", "id", "url", "key", "type", "text")
_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*")

Path = tuple[int, ...]  # the number of the entry at each level


def is_foldable(value: Any) -> bool:
    """Return whether a value is an object or list that is not empty."""
    return isinstance(value, dict | list) and bool(value)


def json_children(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names and values in an object or a list."""
    yield from value.items() if isinstance(value, dict) else ((str(index), item) for index, item in enumerate(value))


def scalar_text(value: Any) -> str:
    """Return a value without entries as a text: strings unchanged, others as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def json_row_text(name: str, value: Any) -> str:
    """Return the row of a value: its beginning, or the number of its entries, with its title or the first ones."""
    if not is_foldable(value):
        text = scalar_text(value)[: MAX_ROW_LENGTH + 1]
        text = f"{text[:MAX_ROW_LENGTH]} …" if len(text) > MAX_ROW_LENGTH else text
    else:
        title = _title(value)
        text = f"{title} {{{len(value)}}}" if isinstance(value, dict) else f"[{len(value)}] {title}"
    return _one_line(f"{name}: {text}")


def _title(value: Any) -> str:
    """Return the title of an object, or else its first values."""
    if isinstance(value, dict):
        for key in TITLE_KEYS:
            if isinstance(held := value.get(key), str | int) and not isinstance(held, bool) and held != "":
                return _beginning(held)
    entries = [entry for _name, entry in islice(json_children(value), 4)]
    plain = [_beginning(entry) for entry in entries if not is_foldable(entry) and entry not in ("", None)]
    return ", ".join(plain) + (", …" if plain and len(value) > len(plain) else "")


def _beginning(value: Any) -> str:
    text = scalar_text(value)[: MAX_TITLE_LENGTH + 1]
    return f"{text[:MAX_TITLE_LENGTH]} …" if len(text) > MAX_TITLE_LENGTH else text


def _one_line(text: str) -> str:
    lines = WidgetTextMap(text).shown.strip().splitlines()
    return visible(LINE_BREAK.join(" ".join(line.split()) for line in lines if line.strip()))


def json_texts(value: Any) -> Iterator[tuple[Path, bool, str]]:
    """Yield each key and each value in an object or list, in order: its path, whether it is a key, and its text."""
    waiting: list[tuple[Path, Iterator[tuple[int, tuple[str, Any]]], bool]] = [
        ((), enumerate(json_children(value)), isinstance(value, dict))
    ]
    while waiting:
        before, entries, named = waiting[-1]
        number, (name, child) = next(entries, (-1, ("", None)))
        if number < 0:
            waiting.pop()
            continue
        path = (*before, number)
        if named:
            yield path, True, name
        if is_foldable(child):
            waiting.append((path, enumerate(json_children(child)), isinstance(child, dict)))
        else:
            yield path, False, scalar_text(child)


class JsonNode:
    """A value, or some entries of a long one. Its children are made one by one."""

    __slots__ = ("_children", "_entries", "first", "name", "parent", "row", "value")

    def __init__(self, name: str, value: Any, parent: "JsonNode | None", row: int, first: int = -1) -> None:
        self.name, self.value, self.parent, self.row = name, value, parent, row
        self.first = first  # the first entry of a group, which has the value of its parent
        self._children: dict[int, JsonNode] = {}
        self._entries: list[tuple[str, Any]] | None = None

    @property
    def is_grouped(self) -> bool:
        return self.first < 0 and is_foldable(self.value) and len(self.value) > MAX_FLAT

    def count(self) -> int:
        if self.first >= 0:
            return min(GROUP, len(self.value) - self.first)
        size = len(self.value) if is_foldable(self.value) else 0
        return -(-size // GROUP) if self.is_grouped else size

    def child(self, row: int) -> "JsonNode":
        if row not in self._children:
            self._children[row] = self._make(row)
        return self._children[row]

    def _make(self, row: int) -> "JsonNode":
        if self.is_grouped:
            first = row * GROUP
            last = min(first + GROUP, len(self.value)) - 1
            return JsonNode(f"{first} … {last}", self.value, self, row, first)
        number = row + max(0, self.first)
        if isinstance(self.value, list):
            return JsonNode(str(number), self.value[number], self, row)
        holder = self.parent if self.first >= 0 and self.parent is not None else self
        if holder._entries is None:  # noqa: SLF001 - the entries of a group are those of its parent
            holder._entries = list(self.value.items())  # noqa: SLF001 - as above
        name, value = holder._entries[number]  # noqa: SLF001 - as above
        return JsonNode(name, value, self, row)

    @property
    def row_text(self) -> str:
        if self.first >= 0 or (self.parent is not None and self.parent.parent is None and is_foldable(self.value)):
            return visible(self.name)  # a group, or a heading
        return json_row_text(self.name, self.value)

    @property
    def path(self) -> str:
        """Return the path from the root, as programs write it: `output.hits[3].title`."""
        holder = self.parent
        while holder is not None and holder.first >= 0:
            holder = holder.parent
        if holder is None or holder.parent is None:
            return self.name
        if self.first >= 0:
            return holder.path
        if isinstance(holder.value, list):
            return f"{holder.path}[{self.name}]"
        plain = _PLAIN_KEY.fullmatch(self.name)
        return f"{holder.path}.{self.name}" if plain else f"{holder.path}[{json.dumps(self.name, ensure_ascii=False)}]"


class JsonModel(QAbstractItemModel):
    """Model of one value, the entries of which are the topmost rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = JsonNode("", {}, None, 0)

    def show_value(self, value: Any) -> None:
        self.beginResetModel()
        before, self._root = self._root, JsonNode("", value, None, 0)  # indexes refer to the old one until the end
        self.endResetModel()
        del before

    def node(self, index: Index) -> JsonNode:
        return index.internalPointer() if index.isValid() else self._root

    def index_at(self, path: Sequence[int]) -> QModelIndex:
        """Return the index of the value at a path."""
        index = QModelIndex()
        for number in path:
            if self.node(index).is_grouped:
                index = self.index(number // GROUP, 0, index)
                index = self.index(number % GROUP, 0, index)
            else:
                index = self.index(number, 0, index)
        return index

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        node = self.node(parent)
        if column or not 0 <= row < node.count():
            return QModelIndex()
        return self.createIndex(row, column, node.child(row))

    def parent(self, index: Index) -> QModelIndex:  # ty: ignore[incompatible-method-override]
        holder = self.node(index).parent if index.isValid() else None
        if holder is None or holder.parent is None:
            return QModelIndex()
        return self.createIndex(holder.row, 0, holder)

    def rowCount(self, parent: Index = ROOT) -> int:
        return self.node(parent).count()

    def hasChildren(self, parent: Index = ROOT) -> bool:
        return is_foldable(self.node(parent).value)

    def columnCount(self, parent: Index = ROOT) -> int:
        del parent
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self.node(index)
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return node.row_text
        if role == Qt.ItemDataRole.ToolTipRole and not is_foldable(node.value):
            text = scalar_text(node.value)
            return plain_tooltip(f"{text[:MAX_TIP_LENGTH]} …" if len(text) > MAX_TIP_LENGTH else text)
        if role == Qt.ItemDataRole.ForegroundRole and (node.first >= 0 or node.parent is self._root):
            return theme.color(None, "text2")
        return None


class DataTree(QTreeView):
    """Tree of a program's data; arrow keys open and close. Letters answer questions instead of searching."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as for all data of programs
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setFont(fixed_font())
        theme.follow(self, lambda: self.setIndentation(theme.px(TREE_INDENT)))

    def keyboardSearch(self, _search: str) -> None:
        """Do nothing."""


class JsonTree(DataTree):
    """Tree of a value of any size."""

    copied = Signal()
    chosen = Signal(QModelIndex)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.values = JsonModel(self)
        self.setModel(self.values)

    def show_value(self, value: Any) -> None:
        """Show a value, with its first rows opened, and the last of its topmost entries selected."""
        self.values.show_value(value)
        rows = 0
        for row in range(self.values.rowCount()):
            rows += self._open(self.values.index(row, 0), MAX_OPENED_ROWS)
        for row in range(self.values.rowCount()):
            top = self.values.index(row, 0)
            for number in range(min(self.values.rowCount(top), MAX_OPENED_ROWS)):
                rows += self._open(self.values.index(number, 0, top), MAX_OPENED_ROWS - rows)
        self.setCurrentIndex(self.values.index(self.values.rowCount() - 1, 0))
        self.scrollToTop()

    def _open(self, index: QModelIndex, most: int) -> int:
        """Open a row if it has not too many entries; return their number."""
        count = self.values.rowCount(index)
        if not 0 < count <= most:
            return 0
        self.expand(index)
        return count

    def show_path(self, path: Path) -> None:
        """Open what holds a value, and select it."""
        index = self.values.index_at(path)
        self.setCurrentIndex(index)  # opens the rows above
        self.scrollTo(index)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.chosen.emit(current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        else:
            super().keyPressEvent(event)
