"""The state of the review: the items of a bundle's results, the current one, and its task."""

from collections.abc import Callable, Collection
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.audit.items import ReviewEntry, ReviewItem
from desktop_rater.audit.label_rules import LabelRule, fit_label_rule
from desktop_rater.audit.results import Audit, AuditedTask
from desktop_rater.audit.review_list import review_items
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.rework import ReworkState, changes_by_rater
from desktop_rater.audit.verdicts import Verdict, VerdictKind
from desktop_rater.model.change import Progress
from desktop_rater.model.difference import Difference
from desktop_rater.store.store import Store
from desktop_rater.ui.review.items import ItemKey
from desktop_rater.ui.review.label_looks import LabelLooks
from desktop_rater.ui.review.results_import import AuditedBundle
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.audit import load_audit, review
from desktop_rater.work.audit.rework import pending_rework

MAX_LOADED_TASKS, REREAD_DELAY_MS = 8, 400
NO_ITEM: ItemKey = ("", "")
TaskKey = tuple[str, str]  # bundle, task


def _load_listing(
    store: Store, audit: Audit, quotes: review.Quotes | None, rule: LabelRule | None
) -> tuple[object, ...]:
    quotes = review.load_quotes(store, audit, Progress()) if quotes is None else quotes
    reviews = review.load_reviews(store, audit)
    by, threshold = reviews.labels.by, reviews.labels.threshold
    # A model is fitted to the ratings alone: a verdict leaves it as it is.
    rule = fit_label_rule(audit, by) if rule is None or rule.by != by else rule
    rule = replace(rule, threshold=threshold)
    return audit, quotes, reviews, review_items(audit, reviews, quotes, rule), pending_rework(store, audit), rule


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
    failed = Signal(object)  # RaterError: the list or the task could not be read

    def __init__(self, perform: WorkRunner, audited: AuditedBundle, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._audited = audited
        self._quotes: review.Quotes | None = None
        self._received_sha256s: tuple[str, ...] = ()  # SHA-256 of the results that the quotes come from
        self._tasks: dict[TaskKey, AuditedTask] = {}
        self._loading: set[TaskKey] = set()
        self._reading = False
        self._read_again = False
        self.audit: Audit | None = None
        self.items: tuple[ReviewItem, ...] = ()
        self.reviews: Reviews | None = None
        self.rule: LabelRule | None = None  # fitted to the ratings of `audit`
        self.returns_under_way: tuple[ReworkState, ...] = ()
        self.looks = LabelLooks()
        self.name: ItemKey = NO_ITEM
        self._index: dict[ItemKey, int] = {}
        self._read_timer = QTimer(self, singleShot=True, interval=REREAD_DELAY_MS)
        self._read_timer.timeout.connect(self.read)
        audited.opening.connect(self._clear)
        audited.loaded.connect(self._loaded)
        audited.reviewed.connect(self._take_sample)
        if audited.audit is not None:  # the report has loaded it before
            self._loaded()

    # -- state

    @property
    def bundle(self) -> str:
        return self._audited.bundle

    @property
    def item(self) -> ReviewItem | None:
        return self.items[self._index[self.name]] if self.name in self._index else None

    def item_of(self, name: ItemKey) -> ReviewItem | None:
        """Return the item at a place; without a place the first one of the task."""
        if not name[1]:
            return next((item for item in self.items if item.task == name[0]), None)
        return self.items[self._index[name]] if name in self._index else None

    def items_of(self, task: str) -> tuple[ReviewItem, ...]:
        """Return the places of one task."""
        return tuple(item for item in self.items if item.task == task)

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
        self.audit, self.items, self.reviews, self._quotes, self.rule = None, (), None, None, None
        self._index, self._received_sha256s, self.returns_under_way = {}, (), ()
        self._tasks.clear()
        self._loading.clear()
        self.name, self.looks = NO_ITEM, LabelLooks()
        self.bundle_changed.emit()
        self.listed.emit()
        self.place_changed.emit()

    def _loaded(self) -> None:
        """Read the list again: results arrived, or a verdict was stored."""
        audit = self._audited.audit
        sha256s = tuple(results.sha256 for results in audit.received) if audit is not None else ()
        if sha256s != self._received_sha256s:
            self._received_sha256s, self._quotes = sha256s, None
            self._tasks.clear()
            self.read()
        elif not self._read_timer.isActive():
            self._read_timer.start()

    def _take_sample(self, change: review.ReviewChange) -> None:
        """Read the list again if a sample was drawn, also in the report."""
        if any(step.subject == ("sample",) for step in change.steps):
            self._read_timer.start()

    def read(self) -> None:
        """Read the list; requests made meanwhile lead to one more reading at the end."""
        self._read_timer.stop()
        audit = self._audited.audit
        if audit is None:
            return
        rule = self.rule if audit is self.audit else None
        if self._reading:
            self._read_again = True
            return
        self._reading = True
        self._perform.ask(_load_listing, audit, self._quotes, rule, done=self._take_listing, failed=self._read_failed)

    def _read_failed(self, error: Exception) -> None:
        self._reading = False
        self.failed.emit(error)

    def _take_listing(
        self, listing: tuple[Audit, review.Quotes, Reviews, tuple[ReviewItem, ...], tuple[ReworkState, ...], LabelRule]
    ) -> None:
        self._reading = False
        audit, quotes, reviews, listed, on_the_way, rule = listing
        if audit.bundle != self.bundle:
            return
        if self._read_timer.isActive() or self._read_again:
            # The lead went on while this was read: it is older than what is shown.
            self._read_again = False
            self._read_timer.start()
            if self.items:
                return
        if self.audit is None or self.audit.rubric is not audit.rubric:
            self.looks = LabelLooks(audit.rubric)
        self.audit, self._quotes, self.reviews, self.returns_under_way = audit, quotes, reviews, on_the_way
        self.rule = rule
        self._show_items(listed)

    def _show_items(self, listed: tuple[ReviewItem, ...]) -> None:
        self.items = listed
        self._index = {(item.task, item.where): index for index, item in enumerate(listed)}
        self.listed.emit()
        if self.name in self._index:
            self.place_changed.emit()
        self._load_task(self.name[0])

    # -- navigation

    def go(self, name: ItemKey) -> None:
        if name != self.name and name in self._index:
            self.name = name
            self.place_changed.emit()
            self._load_task(name[0])

    def preload(self, name: ItemKey | None) -> None:
        """Preload the task of an item that is likely to be next."""
        if name is not None:
            self._load_task(name[0])

    def _load_task(self, task: str, *, reload: bool = False) -> None:
        key = self.bundle, task
        if not task or self.audit is None or key in self._loading or (key in self._tasks and not reload):
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

    def read_soon(self) -> None:
        """Read the list again once the lead pauses."""
        self._read_timer.start()

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
            return replace(entry, verdict=verdict if kind != "none" else None, outdated=False)

        self._change(item, lambda current: replace(current, entries=tuple(judged(entry) for entry in current.entries)))

    def _change(self, item: ReviewItem, change: Callable[[ReviewItem], ReviewItem]) -> None:
        name = item.task, item.where
        changed = list(self.items)
        changed[self._index[name]] = change(item)
        self.items = tuple(changed)
        self._read_timer.start()
        self.item_changed.emit(changed[self._index[name]])
        if name == self.name:
            self.place_changed.emit()
