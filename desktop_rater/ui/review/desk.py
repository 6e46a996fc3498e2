"""The state of the review: the items of a bundle's results, the current one, and its task."""

from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from typing import Literal

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from desktop_rater.audit.adjudication import fit_label_rule
from desktop_rater.audit.items import ReviewEntry, ReviewItem, pack_entries
from desktop_rater.audit.questions import LabelRule
from desktop_rater.audit.results import Audit, AuditedTask, Verdict, VerdictKind
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.rework import ReworkState, changes_by_rater
from desktop_rater.format.change import Progress
from desktop_rater.format.edit import Difference
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit import load_audit
from desktop_rater.operations.audit.listed_places import (
    ReviewListing,
    keep_listing,
    list_more,
    list_reviewed,
    load_listing,
)
from desktop_rater.operations.audit.rework import pending_rework
from desktop_rater.store.store import Store
from desktop_rater.ui.review.items import ItemKey, LabelLooks
from desktop_rater.ui.review.results_import import AuditedBundle
from desktop_rater.ui.widgets.callbacks import DelayedCall, LatestRequest
from desktop_rater.ui.widgets.list_view import PAINT_FIRST_MS
from desktop_rater.ui.window.jobs import WorkRunner

MAX_LOADED_TASKS = 8
MOST_ROWS = 200  # that are shown one by one
KEEP_DELAY_MS, KEPT_AT_ONCE = 1_000, 50  # tasks
NO_ITEM: ItemKey = ("", "")


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


def _have_same_ratings(before: Audit, after: Audit) -> bool:
    def origin(audit: Audit) -> tuple[object, ...]:
        return audit.rubric.basis, audit.received, audit.signings, audit.forks, audit.texts

    return origin(before) == origin(after)


def _returned(listing: ReviewListing) -> set[tuple[str, str, str]]:
    return {place for place, verdict in listing.reviews.verdicts.items() if verdict.kind == "returned"}


class ReviewDesk(QObject):
    """Reads in the background. A verdict changes the item of its place at once, and is read back once it is stored.

    For one place: `item` with its `entries`, a sequence of one `ReviewEntry` per rater that is made when it is asked
    for, its votes, final label and probabilities; `task` with the raters' whole ratings, once `task_loaded`.
    `items_of(task)` are the places of one task. For the list: `items`, all places, most disagreement first. They are
    filtered and sorted by an `audit.items.ItemFilter` through `matching_items` alone, and counted by the methods of
    `ReviewItem` that do not unpack its entries: `label_counts`, `flags`, `reviewed`. There may be 10,000 items with 300
    entries each: no view may go through the entries of all items.
    """

    bundle_changed = Signal()
    listed = Signal()  # the items or their state
    item_changed = Signal(object)  # ReviewItem: changed by a verdict just given
    place_changed = Signal()
    task_loaded = Signal()  # of the current item
    progressed = Signal(int, int)  # tasks that are listed, of all
    list_failed = Signal(object)  # RaterError: the list could not be read
    task_failed = Signal(object)  # RaterError: the task of the current item could not be read

    def __init__(self, perform: WorkRunner, audited: AuditedBundle, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._audited = audited
        self._tasks: dict[str, AuditedTask] = {}  # of the listing's audit
        self._loading: set[str] = set()
        self._reads = LatestRequest()  # of the list of one audit
        self._reading = False
        self._wanted: Literal["", "reviews", "all"] = ""  # what to read next
        self._listing: ReviewListing | None = None
        self._to_keep: set[str] = set()  # tasks whose items differ from those in the store
        self._unstored: Counter[ItemKey] = Counter()  # verdicts that are shown before they are stored
        self._unread: set[ItemKey] = set()  # those given or not stored yet when the list was read last
        self._ahead: set[ItemKey] = set()  # places that are shown with a verdict that the listing may lack
        self._is_behind = False  # `items` are not those of the listing, which is not complete
        self._is_listing = False  # the list is being shown: its task is loaded once it is painted
        self.items: list[ReviewItem] = []
        self.returns_under_way: tuple[ReworkState, ...] = ()
        self.looks = LabelLooks()
        self.name: ItemKey = NO_ITEM
        self._index: dict[ItemKey, int] = {}
        self._next_task = ""
        self._preload_timer = DelayedCall(self, PAINT_FIRST_MS, self._preload)
        self._reviewed_timer = DelayedCall(self, PAINT_FIRST_MS, lambda: self._read("reviews"))
        self._keep_timer = DelayedCall(self, KEEP_DELAY_MS, self._keep)
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
        return self._tasks.get(self.name[0])

    @property
    def share(self) -> float | None:
        """The share of the items that was drawn as a sample; `None` without a sample."""
        sample = self.reviews.sample if self.reviews is not None else None
        drawn = sample is not None and sample.how != "all" and sample.of
        return len(sample.places) / sample.of if drawn and sample is not None else None

    def _clear(self) -> None:
        self._listing, self.items, self._index = None, [], {}
        self._to_keep, self.returns_under_way = set(), ()
        self._unstored.clear()
        self._ahead.clear()
        self._forget_reads()
        self._tasks.clear()
        self._loading.clear()
        self.name, self.looks, self._next_task = NO_ITEM, LabelLooks(), ""
        self.bundle_changed.emit()
        self.listed.emit()
        self.place_changed.emit()

    def _loaded(self) -> None:
        """Read the list again: results arrived, or the lead decided which of them count."""
        self._forget_reads()
        self.read()

    def _forget_reads(self) -> None:
        """Ignore what is being read about an earlier audit."""
        self._reads.replace()
        self._reading, self._wanted = False, ""

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
        self._reading, self._wanted = True, ""
        self._unread = set(+self._unstored)
        done, failed = self._reads.only(self._take_listing), self._reads.only(self._read_failed)
        if wanted == "all" or listing is None or listing.audit is not audit:
            rule = listing.rule if listing is not None and listing.audit is audit else None
            self._perform.ask(_read_listing, audit, rule, done=done, failed=failed)
        else:
            self._perform.ask(_read_reviewed, listing, self.returns_under_way, done=done, failed=failed)

    def _read_failed(self, error: Exception) -> None:
        self._reading = False
        self._report(error)
        self._go_on()

    def _report(self, error: Exception) -> None:
        if isinstance(error, RaterError):  # all others have been reported
            self.list_failed.emit(error)

    def _take_listing(self, read: tuple[ReviewListing, tuple[ReworkState, ...]]) -> None:
        self._reading = False
        listing, self.returns_under_way = read
        if self.audit is not listing.audit:
            self._loading.clear()
        if self.audit is None or not _have_same_ratings(self.audit, listing.audit):
            self._tasks.clear()
        if self.audit is None or self.audit.rubric is not listing.audit.rubric:
            self.looks = LabelLooks(listing.audit.rubric)
        self._show_listing(listing)
        self._go_on(listing.stale)

    def _go_on(self, stale: tuple[str, ...] = ()) -> None:
        """Read what was asked for meanwhile; otherwise make more items, step by step, so that others can read."""
        if self._wanted:
            self._read(self._wanted)
        elif stale and not self._reading:
            self._reading = True
            self.with_rule(lambda _rule: self._list_more(), self._read_failed)

    def _list_more(self) -> None:
        def take(listing: ReviewListing) -> None:
            self._take_listing((listing, self.returns_under_way))

        only = self._reads.only
        self._perform.ask(_list_more, self._listing, done=only(take), failed=only(self._read_failed))

    def with_rule(self, then: Callable[[LabelRule], None], failed: Callable[[Exception], None] | None = None) -> None:
        """Call `then` with the rule that decides, once its model of the raters is fitted beside the other work."""
        listing = self._listing
        if listing is None:
            return
        choice, only = listing.reviews.labels, self._reads.only

        def fit(_progress: Progress) -> LabelRule:
            return fit_label_rule(listing.audit.unpacked(), choice.by, choice.threshold)

        def take(rule: LabelRule) -> None:
            if self._listing is not None and self._listing.reviews.labels == choice:
                self._listing = replace(self._listing, rule=rule)
            then(rule)

        if listing.rule is not None:
            then(listing.rule)
        else:
            self._perform.fetch(fit, done=only(take), failed=only(failed or self._report))

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
        stored, self._ahead = self._ahead - self._unread, self._ahead & self._unread
        if (not listing.stale or not self.items) and (self._is_behind or not (in_place and is_small)):
            self._show_items(listing)
        else:
            self._is_behind = self._is_behind or not (in_place and is_small)
            verdicts = [item for task, where in stored for item in listing.places.get(task, ()) if item.where == where]
            for item in (*(single if is_small else ()), *verdicts):
                self._show_item(item)
        self._preload_timer.start()
        self.progressed.emit(len(listing.bases) - len(listing.stale), len(listing.bases))

    def _show_items(self, listing: ReviewListing) -> None:
        self._is_behind = False
        ahead = [item for name in self._ahead if (item := self.item_of(name)) is not None]
        self.items, self._index = list(listing.in_order), listing.index
        for item in ahead:
            if (item.task, item.where) in self._index:
                self.items[self._index[item.task, item.where]] = item
        self._is_listing = True
        self.listed.emit()
        if self.name in self._index:
            self.place_changed.emit()
        self._is_listing = False

    def _show_item(self, item: ReviewItem) -> None:
        """Show a place as it is stored, unless it has a verdict that was not stored yet when it was read."""
        name = item.task, item.where
        index = self._index.get(name)
        if index is None or name in self._ahead or self.items[index] == item:
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

    def _preload(self) -> None:
        for task in (self.name[0], self._next_task):
            self._load_task(task)

    def _load_task(self, task: str, *, reload: bool = False) -> None:
        audit, is_there = self.audit, task in self._tasks or task in self._loading
        if not task or audit is None or self._is_listing or (is_there and not reload):
            return

        def arrived(loaded: AuditedTask) -> None:
            if audit is self.audit:
                self._task_arrived(loaded)

        def failed(error: Exception) -> None:
            if audit is self.audit:
                self._task_failed(task, error)

        self._loading.add(task)
        self._perform.ask(load_audit.load_task, self.bundle, task, audit, done=arrived, failed=failed)

    def _task_arrived(self, task: AuditedTask) -> None:
        self._loading.discard(task.id)
        self._tasks.pop(task.id, None)
        self._tasks[task.id] = task
        for old in list(self._tasks)[:-MAX_LOADED_TASKS]:
            if old != self.name[0]:
                del self._tasks[old]
        if task.id == self.name[0]:
            self.task_loaded.emit()

    def _task_failed(self, task: str, error: Exception) -> None:
        self._loading.discard(task)
        if task == self.name[0] and isinstance(error, RaterError):  # as above
            self.task_failed.emit(error)

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
        self._unread.add(name)
        self._ahead.add(name)
        self.items[self._index[name]] = changed
        self.item_changed.emit(changed)
        if name == self.name:
            self.place_changed.emit()

    def verdict_settled(self, name: ItemKey) -> None:
        """Read a place back from now on: its verdict is stored, or was refused."""
        self._unstored[name] -= 1
