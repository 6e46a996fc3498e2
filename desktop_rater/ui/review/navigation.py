"""The navigation of the review: current item, chosen rater, stored pages, and the task as a rater saw it."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rater.audit.items import ReviewEntry, ReviewItem
from desktop_rater.audit.results import AuditedTask, RaterOnTask
from desktop_rater.audit.sampling import ReviewSample
from desktop_rater.ui.review import rater_view
from desktop_rater.ui.review.cells import CellPart, Comparison, GroupName, answer_groups, parting_question
from desktop_rater.ui.review.compare_page import ComparePage, PlaceVotes, place_votes
from desktop_rater.ui.review.comparison import (
    ComparedItem,
    ComparisonView,
    build_comparison,
    hidden_comparison,
)
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.items import ItemKey, clock_text, place_at, place_in_task_text, target_states
from desktop_rater.ui.review.list_pane import ReviewListPane
from desktop_rater.ui.review.own_rating import own_rating_is_complete
from desktop_rater.ui.review.rater_view import RaterRatingView
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.ui.window.action_palette import PaletteEntry, PaletteSection
from desktop_rater.ui.window.keys import cap_text
from desktop_rater.ui.window.screen_context import ScreenContext

MAX_SINGLE_COLUMNS = 6  # raters beside each other before they are grouped by their label
MAX_COLUMNS = 24  # of raters that the lead has not chosen
MAX_NAME_LENGTH = 40


class RaterPages(QObject):
    """Shows stored pages; nothing is shown while the answers are hidden."""

    def __init__(
        self,
        context: ScreenContext,
        desk: ReviewDesk,
        navigator: "ReviewNavigator",
        compare: ComparePage,
        right: QStackedWidget,
    ) -> None:
        super().__init__(navigator)
        self._context, self._desk, self._navigator = context, desk, navigator
        self._compare, self._right = compare, right
        self._rater_view: RaterRatingView | None = None
        self._piece_index = -1
        compare.grid.evidence_wanted.connect(self._open_part)
        compare.excerpt.page_wanted.connect(self.toggle_view)

    # -- stored pages

    def start_over(self) -> None:
        """Start with the first evidence of another rater or item."""
        self._piece_index = -1
        self.follow()

    def open_next(self) -> None:
        """Open the next page of the chosen rater's evidence, in turn."""
        of, item = self._navigator.rating_of_rater, self._navigator.item
        if of is None or item is None or self._navigator.is_hidden:
            return
        pieces = rater_view.evidence_at(of, item.where)
        if not pieces:
            text = self.tr("{rater} gave no evidence here.").format(rater=isolated(of.rater))
            self._compare.banners.show_banner("page", "info", text)
            return
        self._compare.banners.drop("page")
        self._piece_index = (self._piece_index + 1) % len(pieces)
        self._compare.stored.show_piece(pieces[self._piece_index], self._desk.bundle, of)
        self._compare.open_page()

    def _open_part(self, part: CellPart) -> None:
        task = self._desk.task
        of = task.of(part.rater) if part.rater and task is not None else self._navigator.rating_of_rater
        if part.piece is not None:
            self._compare.stored.show_piece(part.piece, self._desk.bundle, of)
        else:
            self._compare.stored.show_url(part.url, self._desk.bundle, of)
        self._compare.open_page()

    def _open_url(self, url: str) -> None:
        self.shut_view()
        self._compare.stored.show_url(url, self._desk.bundle, self._navigator.rating_of_rater)
        self._compare.open_page()

    # -- the task as the rater saw it

    @property
    def view(self) -> RaterRatingView | None:
        """The rater's view while it is shown."""
        return (
            self._rater_view
            if self._rater_view is not None and self._right.currentWidget() is self._rater_view
            else None
        )

    def toggle_view(self) -> None:
        """Show the task with the chosen rater's answers, or the comparison again."""
        if self.view is not None:
            self.shut_view()
        elif self._navigator.is_hidden:
            self._navigator.answers_needed.emit()
        elif self._navigator.rating_of_rater is not None:
            if self._rater_view is None:
                self._rater_view = self._make_view()
            self._right.setCurrentWidget(self._rater_view)
            self.follow()
            next(iter(self._rater_view.panes())).setFocus()

    def _make_view(self) -> RaterRatingView:

        view = RaterRatingView(self._context.perform, self._context.window.sizes, self._context.now)
        view.left.connect(self.shut_view)
        view.page_wanted.connect(self._open_url)
        view.moved.connect(self._select_place)
        self._right.addWidget(view)
        return view

    def _select_place(self, where: str) -> None:
        """Select the same place in the list, where it is listed."""
        name = self._desk.name[0], where
        if self.view is not None and name != self._desk.name and self._desk.item_of(name) is not None:
            self._navigator.go(name, self.view.rater)

    def move(self, by: int) -> bool:
        """Go to the next target in the rater's view; return whether it is shown."""
        if self.view is None:
            return False
        self.view.session.move(by)
        return True

    def follow(self) -> None:
        view, item, task, of = self.view, self._navigator.item, self._desk.task, self._navigator.rating_of_rater
        if view is None:
            return
        if item is None or task is None or of is None or self._navigator.is_hidden:
            self.shut_view()
        elif not view.shows(task, of, item.where):
            view.show_rating(task, of, item.where)

    def shut_view(self) -> bool:
        """Return to the comparison; return whether the rater's view was shown."""
        if self.view is None:
            return False
        self._right.setCurrentWidget(self._compare)
        self._compare.grid.setFocus()
        return True


class ReviewNavigator(QObject):
    """Shows what the desk has loaded. While a task is loading, the previous one stays."""

    moved = Signal()  # to another place, or to another rater
    changed = Signal()  # the text of the status line
    raters_wanted = Signal()  # the list of all raters
    answers_needed = Signal()  # a command needs answers that are hidden

    def __init__(
        self,
        context: ScreenContext,
        desk: ReviewDesk,
        list_pane: ReviewListPane,
        compare: ComparePage,
        right: QStackedWidget,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._list, self._compare = desk, list_pane, compare
        self._rater = ""
        self._group: GroupName | None = None  # chosen instead of a rater
        self._opened: frozenset[str] = frozenset()  # raters with a column of their own at this place
        self.shown_raters: frozenset[str] = frozenset()  # the lead's choice of columns; empty for all
        self._grouped: bool | None = None  # by the number of raters unless the lead has switched
        self._pooled: tuple[object, str, dict] = None, "", {}  # task, place and the cells of its groups
        self._pending: tuple[ItemKey, str] | None = None  # item and rater to show once loaded
        self._waiting: list[Callable[[], object]] = []  # commands given before the current place is shown
        self.pages = RaterPages(context, desk, self, compare, right)
        self._sample: ReviewSample | None = None
        self.blind = False
        self._answered_names: frozenset[ItemKey] = frozenset()
        desk.bundle_changed.connect(self._forget)
        desk.listed.connect(self._show_list)
        desk.item_changed.connect(list_pane.show_item)
        desk.place_changed.connect(self._show_place)
        desk.task_loaded.connect(self._update_answered)
        desk.task_loaded.connect(self._show_place)
        desk.task_failed.connect(lambda error: compare.banners.show_error(error, "task"))
        list_pane.item_wanted.connect(self.go)
        list_pane.list.sideways.connect(lambda by: self.when_shown(lambda: self.step_rater(by)))
        compare.grid.column_chosen.connect(self._column_chosen)
        compare.grid.rater_wanted.connect(self._open_rater)

    # -- state

    @property
    def item(self) -> ReviewItem | None:
        return self._desk.item

    @property
    def entry(self) -> ReviewEntry | None:
        item = self.item
        return item.entry(self._rater) if item is not None else None

    @property
    def rating_of_rater(self) -> RaterOnTask | None:
        """The whole rating of the chosen rater, or of the first one of the chosen group."""
        task, item = self._desk.task, self.item
        rater = self._rater
        if item is not None and not rater:
            members = (entry.rater for entry in item.entries if (entry.label, entry.skipped) == self._group)
            rater = next(members, "")
        return task.of(rater) if task is not None else None

    @property
    def is_grouped(self) -> bool:
        """Return whether the raters of the current place are grouped by their label."""
        item = self.item
        many = item is not None and len(item.entries) > MAX_SINGLE_COLUMNS
        return many if self._grouped is None else self._grouped

    @property
    def group(self) -> GroupName | None:
        """The chosen group of raters; `None` while a rater is chosen, or nothing may be shown."""
        return self._group if self.is_grouped and not self._rater and not self.is_hidden else None

    @property
    def listed(self) -> tuple[ReviewItem, ...]:
        """The items of the list; none while the lead answers first."""
        return () if self.blind else self._list.visible_items

    @property
    def is_shown(self) -> bool:
        """Return whether the current place is shown, not still the one before or an earlier state of it."""
        return self._desk.task is not None and self._desk.name == self._compare.grid.comparison.name

    def when_shown(self, command: Callable[[], object]) -> None:
        """Run a command on the current place, once it is shown; not if the lead leaves the place before."""
        if self.is_shown:
            command()
        elif self.item is not None:
            self._waiting.append(command)

    @property
    def is_hidden(self) -> bool:
        """Return whether the raters' answers are hidden until the lead has answered."""
        return self.item is not None and self._hides(self._desk.name)

    def _hides(self, name: ItemKey) -> bool:
        reviews = self._desk.reviews
        answered = reviews is None or name[0] in reviews.owns or name in self._answered_names
        return self.blind and not answered

    def _hidden(self) -> frozenset[ItemKey]:
        names = ((item.task, item.where) for item in self._desk.items) if self.blind else ()
        return frozenset(filter(self._hides, names))

    def _update_answered(self) -> None:
        """Record the places at which the lead's own rating of the current task is complete."""
        task = self._desk.task
        if not self.blind or task is None or task.own is None:
            return
        names = ((item.task, item.where) for item in self._desk.items_of(task.id))
        fresh = {name for name in names if name not in self._answered_names and own_rating_is_complete(task, name[1])}
        if fresh:
            self._answered_names |= fresh
            self._show_list()

    def _forget(self) -> None:
        self._answered_names, self._sample, self._waiting = frozenset(), None, []
        self.shown_raters, self._grouped = frozenset(), None

    def _show_list(self) -> None:
        desk = self._desk
        sample = desk.reviews.sample if desk.reviews is not None else None
        if sample != self._sample:
            self._sample = sample  # show the sample that was drawn
            self._list.show_sampled(on=desk.share is not None)
        self._list.show_items(self._ordered_items(), desk.looks, self._hidden(), desk.share, blind=self.blind)
        pending = self._pending
        if pending is not None and desk.item_of(pending[0]) is not None:
            self._pending = None
            self.find(*pending)
        elif desk.item is None:
            first = next(iter(self._list.model.keys), None)
            if first is not None:
                self.go(first)
        else:
            self._list.show_current(desk.name)

    def _ordered_items(self) -> Sequence[ReviewItem]:
        """Return the items by disagreement; while the lead answers first, in the order of the bundle."""
        audit = self._desk.audit
        if not self.blind or audit is None:
            return self._desk.items
        order = {task: number for number, task in enumerate(audit.tasks)}
        return sorted(self._desk.items, key=lambda item: (order.get(item.task, 0), len(item.where), item.where))

    def _show_place(self) -> None:
        item, task = self._desk.item, self._desk.task
        compare = self._compare
        if item is None or task is None:
            if item is None:
                compare.excerpt.clear()
                compare.grid.show_comparison(Comparison())
                compare.votes.show_votes(None)
            self.moved.emit()
            return
        compare.banners.drop("task")
        if self._rater not in self._raters_with_columns(item) and (self._rater or not self.is_grouped):
            self._rater = self._first_rater(self._desk.name)
        if self.is_grouped and not self._rater and self._group not in {g.name for g in answer_groups(item, None)}:
            self._group = self._prevailing_group(item)
        visible = (other for other in self._desk.items_of(item.task) if not self._hides((other.task, other.where)))
        states = target_states(visible, self._desk.looks, task.rubric)
        text = place_in_task_text(task.task, item.where)
        compare.excerpt.show_place(task.task, place_at(task.task, item.where), states, text)
        compared = self._comparison(item, task)
        compare.grid.show_comparison(compared, self._column_in(compared))
        compare.votes.show_votes(self._votes(item))
        compare.share_height()
        columns = len(compared.columns)
        if not self.is_grouped and not self.shown_raters and len(item.entries) > columns > 1:
            text = self.tr("{n} of {m} raters are shown. Choose others with {key}, or group them with G.")
            total = formatting.number(len(item.entries))
            text = text.format(n=formatting.number(columns), m=total, key=cap_text("Shift R"))
            compare.banners.show_banner("raters", "info", text)
        else:
            compare.banners.drop("raters")
        self.pages.follow()
        self._desk.preload(self._list.model.neighbour(self._desk.name, 1))
        self.moved.emit()
        while self._waiting and self.is_shown:
            self._waiting.pop(0)()

    def _comparison(self, item: ReviewItem, task: AuditedTask) -> Comparison:
        if self.is_hidden:
            return hidden_comparison(self.tr("Hidden until you answer"), (item.task, item.where))
        if self._pooled[:2] != (task, item.where) or self._pooled[0] is not task:
            self._pooled = task, item.where, {}
        compared = ComparedItem(task, item, self._desk.looks, self._desk.changed_by, self._pooled[2])
        view = ComparisonView(self.is_grouped, self._raters_with_columns(item), self.group)
        return build_comparison(compared, view)

    def _votes(self, item: ReviewItem) -> PlaceVotes | None:
        """Return the votes of a place whose raters are grouped, what decides, and where the groups part."""
        task, reviews, looks = self._desk.task, self._desk.reviews, self._desk.looks
        if self.is_hidden or not self.is_grouped or task is None:
            return None
        label = next((entry.label for entry in item.entries if entry.label is not None), None)
        groups = answer_groups(item, looks.judged.get(label.question) if label is not None else None)
        parting = parting_question(task, item.where, groups, looks.judged)
        return place_votes(item, groups, looks, reviews.labels.threshold if reviews is not None else 0.0, parting)

    def _column_in(self, shown: Comparison) -> int:
        return shown.column_of(self._rater) if self._rater else shown.group_of(self._group)

    def _raters_with_columns(self, item: ReviewItem) -> frozenset[str]:
        """Return the raters with a column of their own."""
        raters = [entry.rater for entry in item.entries]
        chosen = self.shown_raters.intersection(raters)
        if not chosen and not self.is_grouped:
            chosen = frozenset(raters[:MAX_COLUMNS])
        return chosen | self._opened.intersection(raters)

    def _prevailing_group(self, item: ReviewItem) -> GroupName:
        """Return the group with the final label, else the largest."""
        groups = answer_groups(item, None)
        return next((group.name for group in groups if item.final == group.label), groups[0].name)

    # -- navigation

    def go(self, name: ItemKey, rater: str = "") -> None:
        """Go to an item, and to a rater there where one is named."""
        if name != self._desk.name:
            self._opened, self._group, self._waiting = frozenset(), None, []
        if rater:
            self._rater = rater
            self._opened |= {rater}
        elif name != self._desk.name:
            self._rater = ""
        self.pages.start_over()
        if name == self._desk.name:
            self._show_place()
            self._compare.grid.choose(self._column_in(self._compare.grid.comparison))
            self.moved.emit()
            return
        self._compare.shut_page()
        self._desk.go(name)
        self._list.show_current(name)

    def find(self, name: ItemKey, rater: str) -> None:
        """Go to an item that may be filtered out or not loaded yet: clear the filters, or wait for it."""
        item = self._desk.item_of(name)
        if item is None:
            self._pending = (name, rater)
            return
        name = item.task, item.where
        if self._list.model.row_of(name) < 0:
            self._list.clear_filters()
        self.go(name, rater)

    def _first_rater(self, name: ItemKey) -> str:
        """Return the first rater to judge at an item; none while the raters are grouped."""
        item = self._desk.item_of(name)
        if item is None or self.is_grouped:
            return ""
        with_columns = self._raters_with_columns(item)
        entries = [entry for entry in item.entries if entry.rater in with_columns]
        rater = next((entry.rater for entry in entries if not entry.reviewed and not entry.model), "")
        return rater or next((entry.rater for entry in entries), "")

    def step(self, by: int) -> None:
        """Go to the next item of the list or the previous one; in the rater's view, within that task."""
        if self.pages.move(by):
            return
        name = self._list.model.neighbour(self._desk.name, by)
        if name is not None:
            self.go(name)

    def step_task(self, by: int) -> None:
        name: ItemKey | None = self._desk.name
        while name is not None and name[0] == self._desk.name[0]:
            name = self._list.model.neighbour(name, by)
        if name is not None:
            self.go(name)

    def next_open(self) -> bool:
        """Go to the next item that is not reviewed; return whether there is one."""
        name = self._list.model.neighbour(self._desk.name, 1)
        while name is not None:
            item = self._desk.item_of(name)
            if item is not None and item.reviewed != "all":
                self.go(name)
                return True
            name = self._list.model.neighbour(name, 1)
        return False

    def go_on(self) -> None:
        """Go on after a verdict: to the next rater here without one, then to the next item."""
        item = self.item
        if item is None:
            return
        with_columns = self._raters_with_columns(item)
        waiting = [
            entry.rater
            for entry in item.entries
            if entry.rater in with_columns and not entry.reviewed and not entry.model
        ]
        names = [entry.rater for entry in item.entries]
        index = names.index(self._rater) if self._rater in names else -1
        after = next((rater for rater in waiting if names.index(rater) > index), next(iter(waiting), None))
        if self.group is None and after is not None:
            self.go(self._desk.name, after)
        elif not self.next_open():
            self._compare.banners.show_banner("all", "info", self.tr("All items after this one are reviewed."))

    def _column_chosen(self) -> None:
        column, item, task = self._compare.grid.current_column, self.item, self._desk.task
        if column is None or item is None or self.is_hidden or not self.is_shown:
            return
        chosen = column.rater, column.group or self._group
        if chosen != (self._rater, self._group):
            self._rater, self._group = chosen
            if self.is_grouped and task is not None:  # another group is unfolded
                self._compare.grid.show_comparison(self._comparison(item, task), self._compare.grid.chosen_column)
            self.pages.start_over()
            self.moved.emit()

    def _open_rater(self, part: CellPart) -> None:
        """Open the column of a rater of a group, or close it; show the list of raters where more are wanted."""
        if part.more:
            self.raters_wanted.emit()
        elif self.item is not None and self.is_shown:
            self._opened ^= {part.rater}
            self._rater = part.rater if part.rater in self._opened else ""
            self._show_place()

    def rater_sections(self) -> list[PaletteSection]:
        """Return the raters of the current place with their labels: each is shown or hidden by choosing it."""
        item = self.item
        if item is None:
            return []
        with_columns, looks = self._raters_with_columns(item), self._desk.looks
        chosen = self.shown_raters or (self._opened if self.is_grouped else frozenset())

        def entry(rater: ReviewEntry) -> PaletteEntry:
            state = self.tr("shown") if rater.rater in with_columns else looks.text(rater.label)
            time = clock_text(rater.seconds) if rater.seconds is not None else ""
            end = " ".join(filter(None, (state, time)))
            row = ListRow(("rater", rater.rater), rater.rater[:MAX_NAME_LENGTH], end=end)
            wanted = chosen ^ {rater.rater}
            return PaletteEntry(row, lambda: self.show_raters(wanted), rater.rater, looks.text(rater.label))

        everyone = ListRow(("raters",), self.tr("Show as if none were chosen"))
        clear = [PaletteEntry(everyone, lambda: self.show_raters(frozenset()), everyone.title)] if chosen else []
        return [PaletteSection(self.tr("Raters"), (*clear, *map(entry, item.entries)))]

    def show_raters(self, raters: frozenset[str]) -> None:
        """Show only the columns of these raters, beside their groups where they are grouped; all without any."""
        added = raters - self.shown_raters - self._opened
        self.shown_raters, self._opened = raters, frozenset()
        if added:
            self._rater = min(added)
        self._show_place()

    def switch_grouping(self) -> None:
        """Show a column for each group of raters, or for each rater."""
        if not self.is_hidden:
            self._grouped = not self.is_grouped
            self._show_place()

    def take_key(self, key: str) -> bool:
        """Choose the column with that digit."""
        columns = self._compare.grid.comparison.columns
        at = next((at for at, column in enumerate(columns) if key and column.key == key), -1)
        return self._compare.grid.choose(at)

    def step_rater(self, by: int) -> None:
        grid = self._compare.grid
        grid.choose(grid.chosen_column + by)

    # -- the interface of a screen

    def set_blind(self, *, on: bool) -> None:
        """Hide the raters' answers where the lead has not answered, or show them all."""
        self.blind = on
        self._update_answered()
        self._show_list()
        self._show_place()
        self.changed.emit()

    def leave(self) -> bool:
        """Close what is open (Esc); return whether anything was."""
        return self.pages.shut_view() or self._compare.shut_page()

    def take_focus(self, left: QWidget) -> None:
        """Move the focus out of a field, to the list or the grid; an empty list is skipped."""
        to_list = self._list.isAncestorOf(left) and self._list.list.isVisible()
        (self._list.list if to_list else self._compare.grid).setFocus()

    def panes(self) -> tuple[QWidget, ...]:
        if self.pages.view is not None:
            return self.pages.view.panes()
        compare = self._compare
        return (*compare.excerpt.views, compare.grid, compare.stored.reader, compare.verdict.comment)

    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {
            "next_target": lambda: self.step(1),
            "previous_target": lambda: self.step(-1),
            "next_task": lambda: self.step_task(1),
            "previous_task": lambda: self.step_task(-1),
            "review_next_open": self.next_open,
            "review_next_rater": lambda: self.when_shown(lambda: self.step_rater(1)),
            "review_previous_rater": lambda: self.when_shown(lambda: self.step_rater(-1)),
            "review_groups": self.switch_grouping,
            "review_raters": self.raters_wanted.emit,
            "review_page": lambda: self.when_shown(self.pages.open_next),
            "review_page_again": self._compare.stored.compare,
            "review_as_rated": lambda: self.when_shown(self.pages.toggle_view),
            "review_blind": lambda: self.set_blind(on=not self.blind),
        }
