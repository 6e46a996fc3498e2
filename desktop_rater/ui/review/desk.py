"""The state of the review: the items of a bundle's results, the current one, and its task."""

from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from typing import Literal

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.audit.items import ReviewEntry, ReviewItem, pack_entries
from desktop_rater.audit.label_rules import LabelRule, fit_label_rule
from desktop_rater.audit.results import Audit, AuditedTask
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.rework import ReworkState, changes_by_rater
from desktop_rater.audit.verdicts import Verdict, VerdictKind
from desktop_rater.model.change import Progress
from desktop_rater.model.difference import Difference
from desktop_rater.store.store import Store
from desktop_rater.ui.review.items import ItemKey
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.review.results_import import AuditedBundle
from desktop_rater.ui.widgets.list_view import PAINT_FIRST_MS
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.audit import load_audit
from desktop_rater.work.audit.listed_places import (
    ReviewListing,
    keep_listing,
    list_more,
    list_reviewed,
    load_listing,
)
from desktop_rater.work.audit.rework import pending_rework

MAX_LOADED_TASKS = 8
MOST_ROWS = 200  # that are shown one by one
KEEP_DELAY_MS, KEPT_AT_ONCE = 1_000, 50  # tasks
NO_ITEM: ItemKey = ("", "")
TaskKey = tuple[str, str]  # bundle, task


def _read_listing(store: Store, audit: Audit, rule: LabelRule | None) -> tuple[ReviewListing, tuple[ReworkState, ...]]:
    listing = load_listing(store, audit, rule)
    if listing.stale and listing.rule is not None:
        listing = list_more(store, listing)
    return listing.sorted(), pending_rework(store, audit)


def _list_more(store: Store, listing: ReviewListing) -> ReviewListing:
    return list_more(store, listing).sorted()


def _read_reviewed(
    store: Store, listing: ReviewListing, under_way: tuple[ReworkState, ...]
) -> tuple[ReviewListing, tuple[ReworkState, ...]]:
    changed = list_reviewed(store, listing)
    if _returned(changed) != _returned(listing):
        under_way = pending_rework(store, listing.audit)
    return changed, under_way


def _returned(listing: ReviewListing) -> set[tuple[str, str, str]]:
    return {place for place, verdict in listing.reviews.verdicts.items() if verdict.kind == "returned"}


class ReviewDesk(QObject):
    """Reads in the background. A verdict changes the item of its place at once, and is read back once it is stored.

    For one place: `item` with its `entries`, a sequence of one `ReviewEntry` per rater that is made when it is asked
    for, its votes, final label and probabilities; `task` with the raters' whole ratings, once `task_loaded`.
    `items_of(task)` are the places of one task. For the list: `items`, all places, most disagreement first. They are
    filtered and sorted by an `audit.filters.ItemFilter` through `matching_items` alone, and counted by the methods of
    `ReviewItem` that do not unpack its entries: `label_counts`, `flags`, `reviewed`. There may be 10,000 items with 300
    entries each: no view may go through the entries of all items.
    """

    bundle_changed = Signal()
    listed = Signal()  # the items or their state
    item_changed = Signal(object)  # Item: changed by a verdict just given
    place_changed = Signal()
    task_loaded = Signal()  # of the current item
    progressed = Signal(int, int)  # tasks that are listed, of all
    failed = Signal(object)  # RaterError: the list or the task could not be read

    def __init__(self, perform: WorkRunner, audited: AuditedBundle, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._audited = audited
        self._received_sha256s: tuple[str, ...] = ()  # SHA-256 of the results that the tasks come from
        self._tasks: dict[TaskKey, AuditedTask] = {}
        self._loading: set[TaskKey] = set()
        self._reading = False
        self._wanted: Literal["", "reviews", "all"] = ""  # what to read next
        self._listing: ReviewListing | None = None
        self._to_keep: set[str] = set()  # tasks whose items differ from those in the store
        self._unstored: Counter[ItemKey] = Counter()  # verdicts that are shown before they are stored
        self._is_behind = False  # `items` are not those of the listing, which is not complete
        self._is_listing = False  # the list is being shown: its task is loaded once it is painted
        self.items: list[ReviewItem] = []
        self.returns_under_way: tuple[ReworkState, ...] = ()
        self.looks = LabelLooks()
        self.name: ItemKey = NO_ITEM
        self._index: dict[ItemKey, int] = {}
        self._next_task = ""
        self._preload_timer = QTimer(self, singleShot=True, interval=PAINT_FIRST_MS)
        self._preload_timer.timeout.connect(lambda: self._load_task(self._next_task))
        self._reviewed_timer = QTimer(self, singleShot=True, interval=PAINT_FIRST_MS)
        self._reviewed_timer.timeout.connect(lambda: self._read("reviews"))
        self._keep_timer = QTimer(self, singleShot=True, interval=KEEP_DELAY_MS)
        self._keep_timer.timeout.connect(self._keep)
        audited.opening.connect(self._clear)
        audited.loaded.connect(self._loaded)
        audited.reviewed.connect(lambda _change: self._reviewed_timer.start())
        if audited.audit is not None:  # the report has loaded it before
            self._loaded()

    # -- state

    @property
    def bundle(self) -> str:
        return self._audited.bundle

    @property
    def audit(self) -> Audit | None:
        """The audit that the items are of."""
        return self._listing.audit if self._listing is not None else None

    @property
    def reviews(self) -> Reviews | None:
        return self._listing.reviews if self._listing is not None else None

    @property
    def rule(self) -> LabelRule | None:
        """The rule that decides; `None` until a model that it needs was fitted, see `with_rule`."""
        return self._listing.rule if self._listing is not None else None

    @property
    def item(self) -> ReviewItem | None:
        return self.items[self._index[self.name]] if self.name in self._index else None

    def item_of(self, name: ItemKey) -> ReviewItem | None:
        """Return the item at a place; without a place the first one of the task."""
        if not name[1]:
            return next(iter(self.items_of(name[0])), None)
        return self.items[self._index[name]] if name in self._index else None

    def items_of(self, task: str) -> tuple[ReviewItem, ...]:
        """Return the places of one task."""
        places = self._listing.places.get(task, ()) if self._listing is not None else ()
        return tuple(self.items[self._index[task, item.where]] for item in places if (task, item.where) in self._index)

    @property
    def task(self) -> AuditedTask | None:
        """The task of the current item, once it is loaded."""
        return self._tasks.get((self.bundle, self.name[0]))

    @property
    def share(self) -> float | None:
        """The share of the items that was drawn as a sample; `None` without a sample."""
        sample = self.reviews.sample if self.reviews is not None else None
        drawn = sample is not None and sample.how != "all" and sample.of
        return len(sample.places) / sample.of if drawn and sample is not None else None

    def _clear(self) -> None:
        self._listing, self.items, self._index = None, [], {}
        self._to_keep, self._received_sha256s, self.returns_under_way = set(), (), ()
        self._unstored.clear()
        self._tasks.clear()
        self._loading.clear()
        self.name, self.looks, self._next_task = NO_ITEM, LabelLooks(), ""
        self.bundle_changed.emit()
        self.listed.emit()
        self.place_changed.emit()

    def _loaded(self) -> None:
        """Read the list again: results arrived, or the lead decided which of them count."""
        audit = self._audited.audit
        sha256s = tuple(results.sha256 for results in audit.received) if audit is not None else ()
        if sha256s != self._received_sha256s:
            self._received_sha256s = sha256s
            self._tasks.clear()
        self.read()

    # -- the list

    def read(self) -> None:
        """Read the list from the store."""
        self._read("all")

    def _read(self, wanted: Literal["reviews", "all"]) -> None:
        """Read the list, or what reviews have changed in it; a request made meanwhile is answered afterwards."""
        audit, listing = self._audited.audit, self._listing
        if audit is None:
            return
        if self._reading:
            self._wanted = "all" if "all" in {self._wanted, wanted} else wanted
            return
        self._reading = True
        done, failed = self._take_listing, self._read_failed
        if wanted == "all" or listing is None or listing.audit is not audit:
            rule = listing.rule if listing is not None and listing.audit is audit else None
            self._perform.ask(_read_listing, audit, rule, done=done, failed=failed)
        else:
            self._perform.ask(_read_reviewed, listing, self.returns_under_way, done=done, failed=failed)

    def _read_failed(self, error: Exception) -> None:
        self._reading = False
        self.failed.emit(error)

    def _take_listing(self, read: tuple[ReviewListing, tuple[ReworkState, ...]]) -> None:
        self._reading = False
        listing, under_way = read
        if listing.audit is not self._audited.audit:
            self._read("all")  # another bundle, or results that came in meanwhile
            return
        if self.audit is None or self.audit.rubric is not listing.audit.rubric:
            self.looks = LabelLooks(listing.audit.rubric)
        self.returns_under_way = under_way
        self._show_listing(listing)
        self._go_on()

    def _go_on(self) -> None:
        """Read what was asked for meanwhile; otherwise make more items, step by step, so that others can read."""
        listing, wanted = self._listing, self._wanted
        self._wanted = ""
        if listing is None:
            return
        if wanted:
            self._read(wanted)
        elif listing.stale and not self._reading:
            self._reading = True
            self.with_rule(lambda _rule: self._list_more())

    def _list_more(self) -> None:
        def take(listing: ReviewListing) -> None:
            self._take_listing((listing, self.returns_under_way))

        if self._listing is None:
            self._reading = False
        else:
            self._perform.ask(_list_more, self._listing, done=take, failed=self._read_failed)

    def with_rule(self, then: Callable[[LabelRule], None]) -> None:
        """Call `then` with the rule that decides, once its model of the raters is fitted beside the other work."""
        listing = self._listing
        if listing is None:
            return

        def fit(_progress: Progress) -> LabelRule:
            choice = listing.reviews.labels
            return fit_label_rule(listing.audit.unpacked(), choice.by, choice.threshold)

        def take(rule: LabelRule) -> None:
            if self._listing is not None and self._listing.audit is listing.audit:
                self._listing = replace(self._listing, rule=rule)
                then(rule)

        if listing.rule is not None:
            then(listing.rule)
        else:
            self._perform.fetch(fit, done=take, failed=self._read_failed)

    def _show_listing(self, listing: ReviewListing) -> None:
        """Show what differs: a few items in their rows, otherwise the whole list once all of it is there."""
        before, self._listing = self._listing, listing
        earlier = before.places if before is not None and before.audit is listing.audit else {}
        changed = [items for task, items in listing.places.items() if earlier.get(task) is not items]
        self._to_keep |= {items[0].task for items in changed if items}
        self._keep_timer.start()
        single = [item for items in changed for item in items]
        in_place = bool(earlier) and all((item.task, item.where) in self._index for item in single)
        same_sample = before is not None and before.reviews.sample == listing.reviews.sample
        is_small = len(single) < MOST_ROWS and same_sample
        if (not listing.stale or not self.items) and (self._is_behind or not (in_place and is_small)):
            self._show_items()
        else:
            self._is_behind = self._is_behind or not (in_place and is_small)
            for item in single if is_small else ():
                self._show_item(item)
        self.progressed.emit(len(listing.bases) - len(listing.stale), len(listing.bases))

    def _show_items(self) -> None:
        listing = self._listing
        assert listing is not None
        self._is_behind = False
        self.items, self._index = list(listing.in_order), listing.index
        self._is_listing = True
        self.listed.emit()
        if self.name in self._index:
            self.place_changed.emit()
        self._is_listing = False
        if self.task is None:
            self.preload(self.name)

    def _show_item(self, item: ReviewItem) -> None:
        """Show a place as it is stored, unless a newer verdict on it is on its way to the store."""
        name = item.task, item.where
        index = self._index.get(name)
        if index is None or self._unstored[name] or self.items[index] == item:
            return
        self.items[index] = item
        self.item_changed.emit(item)
        if name == self.name:
            self.place_changed.emit()

    def _keep(self) -> None:
        """Store the items for the next start, a part at a time, so that a verdict never waits for long."""
        listing = self._listing
        if listing is None or listing.stale or self._reading or self._perform.read_only:
            return
        tasks = sorted(self._to_keep)[:KEPT_AT_ONCE]
        self._to_keep -= set(tasks)
        last = not self._to_keep
        kept = None if last else self._keep_timer.start
        self._perform.perform(partial(keep_listing, last=last), listing, tasks, done=lambda _change: kept and kept())

    # -- navigation

    def go(self, name: ItemKey) -> None:
        if name != self.name and name in self._index:
            self.name = name
            self.place_changed.emit()
            self._load_task(name[0])

    def preload(self, name: ItemKey | None) -> None:
        """Preload the task of an item that is likely to be next, once the current one is painted."""
        self._next_task = name[0] if name is not None else ""
        self._preload_timer.start()

    def _load_task(self, task: str, *, reload: bool = False) -> None:
        key = self.bundle, task
        is_there = key in self._tasks and not reload
        if not task or self.audit is None or self._is_listing or key in self._loading or is_there:
            return
        self._loading.add(key)
        on_loaded, on_failed = partial(self._task_arrived, key), partial(self._task_failed, key)
        self._perform.ask(load_audit.load_task, self.bundle, task, self.audit, done=on_loaded, failed=on_failed)

    def _task_arrived(self, key: TaskKey, task: AuditedTask) -> None:
        self._loading.discard(key)
        if key[0] != self.bundle:
            return
        self._tasks.pop(key, None)
        self._tasks[key] = task
        for old in list(self._tasks)[:-MAX_LOADED_TASKS]:
            if old[1] != self.name[0]:
                del self._tasks[old]
        if key[1] == self.name[0]:
            self.task_loaded.emit()

    def _task_failed(self, key: TaskKey, error: Exception) -> None:
        self._loading.discard(key)
        if key == (self.bundle, self.name[0]):
            self.failed.emit(error)

    @property
    def changed_by(self) -> dict[str, tuple[Difference, ...]]:
        """Rater → what changed in this task since it was sent back, or since an earlier rating."""
        if self.task is None or self.audit is None:
            return {}
        return changes_by_rater(self.task, self.audit.received)

    def read_task_again(self) -> None:
        """Reload the task: the lead's own rating, or a decision, changed."""
        self._load_task(self.name[0], reload=True)

    # -- verdicts just given

    def show_verdict(
        self, name: ItemKey, raters: Collection[str], kind: VerdictKind, reason: str, comment: str
    ) -> None:
        """Show a verdict at once. It is read back from the store a moment later."""
        item = self.item_of(name)
        if item is None:
            return

        def judged(entry: ReviewEntry) -> ReviewEntry:
            if entry.rater not in raters:
                return entry
            verdict = Verdict(
                task=item.task, where=item.where, rater=entry.rater, rating=entry.rating, kind=kind, reason=reason,
                comment=comment,
            )  # fmt: skip
            flags = (entry.flags - {"outdated", "returned"}) | ({"returned"} if kind == "returned" else set())
            return replace(entry, verdict=verdict if kind != "none" else None, outdated=False, flags=flags)

        changed = replace(item, entries=pack_entries(judged(entry) for entry in item.entries))
        self._unstored[name] += 1
        self.items[self._index[name]] = changed
        self.item_changed.emit(changed)
        if name == self.name:
            self.place_changed.emit()

    def verdict_stored(self, name: ItemKey) -> None:
        """Read a place back from now on: its verdict is stored."""
        self._unstored[name] -= 1

    def verdict_refused(self) -> None:
        """Read everything again: what is shown was not stored."""
        self._unstored.clear()
        self.read()
