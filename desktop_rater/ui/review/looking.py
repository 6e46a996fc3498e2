"""Where the lead stands: the place, the rater that is chosen, a stored page, the task as a rater saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.ui.review.cells import Comparison
from desktop_rater.ui.review.own_words import answers_at
from desktop_rater.ui.review.place_words import where_words
from desktop_rater.ui.review.rater_pages import RaterPages
from desktop_rater.ui.review.said import Said, comparison, without_answers
from desktop_rater.ui.review.standing import place_of, states_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QStackedWidget, QWidget

    from desktop_rater.audit.audited_task import OfRater
    from desktop_rater.audit.items import Entry, Item
    from desktop_rater.audit.sampling import Sample
    from desktop_rater.ui.review.compare_page import ComparePage
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.review.item_rows import Name
    from desktop_rater.ui.review.list_pane import ListPane
    from desktop_rater.ui.rooms import Around


class Looking(QObject):
    """Shows what the desk has read. While a task is on its way what stood there stays."""

    moved = Signal()  # to another place, or to another rater
    changed = Signal()  # words of the status line
    hidden_wanted = Signal()  # the raters' answers are hidden, and something was to be done with them

    def __init__(
        self,
        around: Around,
        desk: ReviewDesk,
        list_pane: ListPane,
        compare: ComparePage,
        right: QStackedWidget,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._list, self._compare = desk, list_pane, compare
        self._rater = ""
        self._pending: tuple[Name, str] | None = None  # to be shown once it is there
        self.pages = RaterPages(around, desk, self, compare, right)
        self._sample: Sample | None = None
        self.blind = False
        self._answered: frozenset[Name] = frozenset()
        desk.bundle_changed.connect(self._forget)
        desk.listed.connect(self._show_list)
        desk.item_changed.connect(list_pane.show_item)
        desk.place_changed.connect(self._show_place)
        desk.task_loaded.connect(self._note_answered)
        desk.task_loaded.connect(self._show_place)
        desk.failed.connect(lambda error: compare.banners.trouble(error, "task"))
        list_pane.wanted.connect(self.go)
        list_pane.list.sideways.connect(self.step_rater)
        compare.grid.rater_chosen.connect(self._choose)

    # -- what stands there

    @property
    def item(self) -> Item | None:
        return self._desk.item

    @property
    def entry(self) -> Entry | None:
        """The rating that is judged."""
        item = self.item
        return item.entry(self._rater) if item is not None else None

    @property
    def of(self) -> OfRater | None:
        """The same with all that the rater wrote."""
        task = self._desk.task
        return task.of(self._rater) if task is not None else None

    @property
    def is_hidden(self) -> bool:
        """Whether the raters' answers are hidden until the lead has answered."""
        return self.blind and self.item is not None and self._desk.name in self._hidden()

    def _hidden(self) -> frozenset[Name]:
        reviews = self._desk.reviews
        if not self.blind or reviews is None:
            return frozenset()
        names = ((one.task, one.where) for one in self._desk.items if one.task not in reviews.owns)
        return frozenset(names) - self._answered

    def _note_answered(self) -> None:
        """Where the lead's own rating of the task at hand says all that is asked."""
        task = self._desk.task
        if not self.blind or task is None or task.own is None:
            return
        names = ((one.task, one.where) for one in self._desk.items if one.task == task.id)
        fresh = {name for name in names if name not in self._answered and answers_at(task, name[1])}
        if fresh:
            self._answered |= fresh
            self._show_list()

    def _forget(self) -> None:
        self._answered, self._sample = frozenset(), None

    def _show_list(self) -> None:
        desk = self._desk
        sample = desk.reviews.sample if desk.reviews is not None else None
        if sample != self._sample:
            self._sample = sample  # what was drawn is what is looked at
            self._list.show_sampled(on=desk.share is not None)
        self._list.show_items(desk.items, desk.looks, hidden=self._hidden(), share=desk.share)
        pending = self._pending
        if pending is not None and desk.item_of(pending[0]) is not None:
            self._pending = None
            self.find(*pending)
        elif desk.item is None:
            first = next((row.name for row in self._list.model.rows if not row.is_head), None)
            if first is not None:
                self.go(first)
        else:
            self._list.show_current(desk.name)

    def _show_place(self) -> None:
        item, task = self._desk.item, self._desk.task
        compare = self._compare
        if item is None or task is None:
            if item is None:
                compare.excerpt.clear()
                compare.grid.show_comparison(Comparison())
            self.moved.emit()
            return
        compare.banners.drop("task")
        if item.entry(self._rater) is None:
            self._rater = item.entries[0].rater if item.entries else ""
        hidden = self._hidden()
        seen = (one for one in self._desk.items if one.task == item.task and (one.task, one.where) not in hidden)
        states = states_of(seen, self._desk.looks, task.rubric)
        words = where_words(task.task, item.where)
        compare.excerpt.show_place(task.task, place_of(task.task, item.where), states, words)
        compare.grid.show_comparison(self._compared(item), self._rater)
        self.pages.follow()
        self._desk.fetch_ahead(self._list.model.beside(self._desk.name, 1))
        self.moved.emit()

    def _compared(self, item: Item) -> Comparison:
        task = self._desk.task
        assert task is not None
        if self.is_hidden:
            raters = [one.rater for one in item.entries]
            return without_answers(raters, self.tr("Hidden until you have answered"), (item.task, item.where))
        return comparison(Said(task, item, self._desk.looks, self._desk.changed_by))

    # -- going

    def go(self, name: Name, rater: str = "") -> None:
        """Look at another place, at a rater there where one is named."""
        if rater:
            self._rater = rater
        elif name != self._desk.name:
            self._rater = self._first_rater(name)
        self.pages.start_over()
        if name == self._desk.name:
            self._compare.grid.choose(self._compare.grid.comparison.column_of(self._rater))
            self.moved.emit()
            return
        self._compare.shut_page()
        self._desk.go(name)
        self._list.show_current(name)

    def find(self, name: Name, rater: str) -> None:
        """Look at a place wherever it is: filters give way, and one that is on its way is waited for."""
        if self._desk.item_of(name) is None:
            self._pending = (name, rater)
            return
        if self._list.model.row_of(name) < 0:
            self._list.clear_filters()
        self.go(name, rater)

    def _first_rater(self, name: Name) -> str:
        """The first whose rating is not judged yet."""
        item = self._desk.item_of(name)
        entries = item.entries if item is not None else ()
        found = next((one.rater for one in entries if not one.reviewed and not one.model), "")
        return found or next((one.rater for one in entries), "")

    def step(self, by: int) -> None:
        """To the next place of the list, or the one before; in the task as a rater saw it, of that task."""
        if self.pages.move(by):
            return
        name = self._list.model.beside(self._desk.name, by)
        if name is not None:
            self.go(name)

    def step_task(self, by: int) -> None:
        """To the next place of another task."""
        name: Name | None = self._desk.name
        while name is not None and name[0] == self._desk.name[0]:
            name = self._list.model.beside(name, by)
        if name is not None:
            self.go(name)

    def next_open(self) -> bool:
        """To the next place of the list that is not reviewed; whether there is one."""
        name = self._list.model.beside(self._desk.name, 1)
        while name is not None:
            item = self._desk.item_of(name)
            if item is not None and item.reviewed != "all":
                self.go(name)
                return True
            name = self._list.model.beside(name, 1)
        return False

    def go_on(self) -> None:
        """After a verdict: the next rater here that is not judged, then the next place."""
        item = self.item
        if item is None:
            return
        waiting = [one.rater for one in item.entries if not one.reviewed and not one.model]
        names = [one.rater for one in item.entries]
        at = names.index(self._rater) if self._rater in names else -1
        after = next((rater for rater in waiting if names.index(rater) > at), next(iter(waiting), None))
        if after is not None:
            self.go(self._desk.name, after)
        elif not self.next_open():
            self._compare.banners.show_banner("all", "info", self.tr("Every place from here on is reviewed."))

    def _choose(self, rater: str) -> None:
        if rater != self._rater:
            self._rater = rater
            self.pages.start_over()
            self.moved.emit()

    def take_key(self, key: str) -> bool:
        """A digit chooses the rater of a column."""
        if not key.isdigit() or key == "0":
            return False
        column = int(key) - 1
        return self._compare.grid.choose(column)

    def step_rater(self, by: int) -> None:
        """To the rater beside."""
        grid = self._compare.grid
        grid.choose(grid.chosen_column + by)

    # -- as the window knows it

    def set_blind(self, *, on: bool) -> None:
        """Hide what raters answered wherever the lead has not answered, or show it all."""
        self.blind = on
        self._note_answered()
        self._show_list()
        self._show_place()
        self.changed.emit()

    def leave(self) -> bool:
        """Esc: shut what is open; whether there was something."""
        return self.pages.shut_view() or self._compare.shut_page()

    def take_focus(self, left: QWidget) -> None:
        """Where the keys go after a field; a list that holds nothing is not there."""
        to_list = self._list.isAncestorOf(left) and self._list.list.isVisible()
        (self._list.list if to_list else self._compare.grid).setFocus()

    def panes(self) -> tuple[QWidget, ...]:
        if self.pages.view is not None:
            return self.pages.view.panes()
        compare = self._compare
        return (*compare.excerpt.views, compare.grid, compare.stored.reader, compare.verdict.comment)

    def does(self) -> Mapping[str, Callable[[], object]]:
        return {
            "next_target": lambda: self.step(1),
            "previous_target": lambda: self.step(-1),
            "next_task": lambda: self.step_task(1),
            "previous_task": lambda: self.step_task(-1),
            "review_next_open": self.next_open,
            "review_next_rater": lambda: self.step_rater(1),
            "review_previous_rater": lambda: self.step_rater(-1),
            "review_page": self.pages.open_next,
            "review_as_rated": self.pages.toggle_view,
            "review_blind": lambda: self.set_blind(on=not self.blind),
        }
