"""The rows of the review list: heads of groups, and beneath each the places that raters judged so differently."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_rater.ui import spelling
from desktop_rater.ui.review.looks import HIDDEN, Looks, Token
from desktop_rater.ui.review.words import group_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from desktop_rater.audit.items import Item

Index = QModelIndex | QPersistentModelIndex
Name = tuple[str, str]  # task and where
ROOT = QModelIndex()
ROW_ROLE = Qt.ItemDataRole.UserRole
MOST_LETTERS = 4  # of a label that stands beside a quote
MOST_ALONE = 5  # raters whose labels stand one by one
translate = QCoreApplication.translate


@dataclass(frozen=True)
class ItemRow:
    """A head where `name` is empty. `state` is how far it is reviewed: a shape, with words for those who hear it."""

    title: str
    name: Name = ("", "")
    detail: str = ""
    end: str = ""
    tokens: tuple[Token, ...] = ()
    state: str = ""
    spoken: str = ""

    @property
    def is_head(self) -> bool:
        return not self.name[0]


def rows_of(items: Sequence[Item], looks: Looks, hidden: Collection[Name], share: float | None) -> Iterator[ItemRow]:
    """Rows in the order of the items, under the heads of their groups.

    Of the places in `hidden` no label is shown. `share` of the places was drawn as a sample, where that is so.
    """
    counts = Counter(one.group for one in items)
    before = None
    for item in items:
        if item.group != before:
            before = item.group
            yield _head(group_words(item.group), counts[item.group], share if item.sampled else None)
        yield row_of(item, looks, hide=(item.task, item.where) in hidden)


def _head(words: str, count: int, share: float | None) -> ItemRow:
    if share is not None and share < 1:
        percent = spelling.figure(round(share * 100, 1)).removesuffix(".0")
        words = translate("Review", "{group}, sampled {n} %").format(group=words, n=percent)
    return ItemRow(words, end=spelling.number(count), spoken=f"{words}, {spelling.number(count)}")


def row_of(item: Item, looks: Looks, *, hide: bool) -> ItemRow:
    """The row of one place."""
    labels = [one.label for one in item.entries if not one.skipped]
    if hide:
        tokens = (HIDDEN,) * min(len(labels), MOST_ALONE)
    elif len(labels) <= MOST_ALONE:
        tokens = tuple(looks.token(label) for label in labels)
    else:
        tokens = tuple(looks.token(label, count) for label, count in Counter(labels).most_common(4))
    said = "" if hide else _spoken(item, looks)
    end = flags_of(item)
    if any(len(token.words) > MOST_LETTERS for token in tokens):
        tokens, end = (), said  # words have no room beside the quote
    state = {"all": "done", "part": "part"}.get(item.reviewed, "")
    words = {
        "all": translate("Review", "reviewed"),
        "part": translate("Review", "begun"),
        "none": translate("Review", "not reviewed"),
    }[item.reviewed]
    title = " ".join(item.quote.split())[:200] or item.task
    return ItemRow(title, (item.task, item.where), place_words(item), end, tokens, state, f"{title}, {said}, {words}")


def _spoken(item: Item, looks: Looks) -> str:
    counts = Counter(looks.words(one.label) or "–" for one in item.entries if not one.skipped)
    return ", ".join(f"{count} {words}" for words, count in counts.most_common())


def place_words(item: Item) -> str:
    """The task and what of it: "t-0018, s3"."""
    _kind, _, name = item.where.partition("/")
    return f"{item.task[:60]}, {name[:40]}" if name else item.task[:60]


def flags_of(item: Item) -> str:
    """What the list says of a place beside its labels: a tie, what was missed; the first of several."""
    if item.decided:
        return translate("Review", "decided")
    if item.tied:
        return translate("Review", "tied")
    found = {flag for one in item.entries for flag in one.flags}
    told = {
        "outdated": translate("Review", "verdict outdated"),
        "forked": translate("Review", "forked"),
        "gold-missed": translate("Review", "gold missed"),
    }
    return next((words for flag, words in told.items() if flag in found), "")


class ItemModel(QAbstractListModel):
    """Held whole; heads can't be chosen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ItemRow, ...] = ()
        self._at: dict[Name, int] = {}

    def show(self, rows: Sequence[ItemRow]) -> None:
        """Show other rows. Those that stay in place are only painted again, so that the eye stays where it is."""
        rows = tuple(rows)
        if [one.name for one in rows] == [one.name for one in self.rows]:
            changed = [at for at, pair in enumerate(zip(self.rows, rows, strict=True)) if pair[0] != pair[1]]
            self.rows = rows
            for at in changed:
                self.dataChanged.emit(self.index(at), self.index(at))
            return
        self.beginResetModel()
        self.rows = rows
        self._at = {one.name: at for at, one in enumerate(rows) if not one.is_head}
        self.endResetModel()

    def put(self, row: ItemRow) -> None:
        """Another state of a row that is here."""
        at = self.row_of(row.name)
        if at >= 0:
            self.rows = (*self.rows[:at], row, *self.rows[at + 1 :])
            self.dataChanged.emit(self.index(at), self.index(at))

    def row_of(self, name: Name) -> int:
        """The row of a place, or −1."""
        return self._at.get(name, -1)

    def beside(self, name: Name, by: int) -> Name | None:
        """The next place, or with −1 the one before; from none, the first."""
        step = 1 if by > 0 else -1
        at = self._at.get(name, -1 if step > 0 else len(self.rows)) + step
        while 0 <= at < len(self.rows):
            if not self.rows[at].is_head:
                return self.rows[at].name
            at += step
        return None

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].is_head:
            return Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return row.spoken
        return None
