"""The filters of the review list: a menu of them, and in words what is wanted now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_rater.audit.filters import EVERYTHING, Wanted
from desktop_rater.audit.items import FLAGS
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.review.words import flag_words, group_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from desktop_rater.audit.items import Item
    from desktop_rater.ui.review.looks import Looks

translate = QCoreApplication.translate
LONGEST_NAME = 40


class FilterMenu(QObject):
    """Filled anew whenever it is opened, with how many places each filter would leave."""

    wanted_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.wanted = EVERYTHING
        self._items: Sequence[Item] = ()
        self._looks: Looks | None = None
        self.menu = QMenu(parent)
        self.menu.setObjectName("review_filters")
        self.menu.aboutToShow.connect(self._fill)

    def show_items(self, items: Sequence[Item], looks: Looks) -> None:
        """What there is to choose among."""
        self._items, self._looks = items, looks

    def want(self, wanted: Wanted) -> None:
        """Another filter; the words of the field stay with it."""
        if wanted != self.wanted:
            self.wanted = wanted
            self.wanted_changed.emit()

    def clear(self) -> None:
        """Let everything through but what the field's words leave out."""
        self.want(Wanted(words=self.wanted.words))

    # -- the menu

    def _fill(self) -> None:
        self.menu.clear()
        wanted = self.wanted
        self._add(self.tr("Not reviewed yet"), replace(wanted, reviewed=None if wanted.reviewed is False else False),
                  wanted.reviewed is False)  # fmt: skip
        self._add(
            self.tr("Reviewed"), replace(wanted, reviewed=None if wanted.reviewed else True), bool(wanted.reviewed)
        )
        self._add(self.tr("In the sample"), replace(wanted, sampled=not wanted.sampled), wanted.sampled)
        self._add(self.tr("Ties that are open"), replace(wanted, tied=not wanted.tied), wanted.tied)
        self.menu.addSeparator()
        for flag in FLAGS:
            on = flag in wanted.flags
            count = sum(any(flag in one.flags for one in item.entries) for item in self._items)
            chosen = replace(wanted, flags=wanted.flags ^ {flag})
            self._add(f"{flag_words(flag)}\t{spelling.number(count)}", chosen, on, possible=on or count > 0)
        self.menu.addSeparator()
        self._fill_raters()
        self._fill_labels()
        self._fill_groups()
        self.menu.addSeparator()
        self._add(self.tr("Clear the filters"), Wanted(words=wanted.words), False, possible=_filters(wanted))

    def _fill_raters(self) -> None:
        menu = self.menu.addMenu(self.tr("Rater"))
        for rater in sorted({one.rater for item in self._items for one in item.entries}):
            on = rater == self.wanted.rater
            self._add(_named(rater), replace(self.wanted, rater="" if on else rater), on, menu)

    def _fill_labels(self) -> None:
        menu = self.menu.addMenu(self.tr("Label"))
        counts = Counter(label for item in self._items for label in {one.label for one in item.entries} if label)
        for label, count in counts.most_common():
            on = label == self.wanted.label
            words = self._looks.words(label) if self._looks is not None else str(label.value)
            chosen = replace(self.wanted, label=None if on else label)
            self._add(f"{_named(words)}\t{spelling.number(count)}", chosen, on, menu)

    def _fill_groups(self) -> None:
        menu = self.menu.addMenu(self.tr("Disagreement"))
        for group, count in Counter(item.group for item in self._items).items():
            on = group == self.wanted.group
            chosen = replace(self.wanted, group=None if on else group)
            self._add(f"{group_words(group)}\t{spelling.number(count)}", chosen, on, menu)

    def _add(self, words: str, chosen: Wanted, on: bool, menu: QMenu | None = None, *, possible: bool = True) -> None:
        action = QAction(words, menu or self.menu)
        action.setCheckable(True)
        action.setChecked(on)
        action.setEnabled(possible)
        action.triggered.connect(lambda _on=False: self.want(chosen))
        (menu or self.menu).addAction(action)

    # -- in words

    @property
    def words(self) -> str:
        """What is wanted, as it is read; empty where everything is."""
        wanted = self.wanted
        said = [
            self.tr("not reviewed yet") if wanted.reviewed is False else self.tr("reviewed") if wanted.reviewed else ""
        ]
        said += [self.tr("in the sample") if wanted.sampled else "", self.tr("open ties") if wanted.tied else ""]
        said += [isolated(wanted.rater[:LONGEST_NAME])]
        said += [self._looks.words(wanted.label) if self._looks is not None else ""]
        said += [flag_words(flag) for flag in FLAGS if flag in wanted.flags]
        said += [group_words(wanted.group) if wanted.group is not None else ""]
        return ", ".join(part for part in said if part)


def _filters(wanted: Wanted) -> bool:
    return replace(wanted, words="") != EVERYTHING


def _named(name: str) -> str:
    """A name from outside in a menu: no letter of it becomes a key."""
    flat = " ".join(name.split())[:LONGEST_NAME]
    return isolated(flat).replace("&", "&&")
