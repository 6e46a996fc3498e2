"""What lies on the lead's desk: the places of a bundle's results, the one that is looked at, and its task."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.audit.changed import changed_since
from desktop_rater.audit.listing import items
from desktop_rater.audit.verdicts import Verdict
from desktop_rater.model.progress import Progress
from desktop_rater.ui.review.looks import Looks
from desktop_rater.work import audit_desk, review_list
from desktop_rater.work.return_work import what_is_on_the_way

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from desktop_rater.audit.audited_task import AuditedTask
    from desktop_rater.audit.filed import Audit
    from desktop_rater.audit.items import Entry, Item
    from desktop_rater.audit.reviews import Reviews
    from desktop_rater.audit.rework import OnTheWay
    from desktop_rater.audit.verdicts import Kind
    from desktop_rater.model.difference import Difference
    from desktop_rater.store.store import Store
    from desktop_rater.ui.audited import Audited
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.review.item_rows import Name

MOST_TASKS, LATER_MS = 8, 400
NOWHERE: Name = ("", "")
Key = tuple[str, str]  # bundle, task


def _listed(store: Store, audit: Audit, quotes: review_list.Quotes | None) -> tuple[object, ...]:
    quotes = review_list.load_quotes(store, audit, Progress()) if quotes is None else quotes
    reviews = review_list.load_reviews(store, audit)
    return audit, quotes, reviews, items(audit, reviews, quotes), what_is_on_the_way(store, audit)


class ReviewDesk(QObject):
    """Reads off the GUI thread. What the lead says is shown at once, and read again a moment later."""

    bundle_changed = Signal()
    listed = Signal()  # the places, or what is known of them
    item_changed = Signal(object)  # Item: one of them, by what was said just now
    place_changed = Signal()
    task_loaded = Signal()  # of the place that is looked at
    failed = Signal(object)  # RaterError: the task can't be shown

    def __init__(self, perform: Perform, audited: Audited, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._audited = audited
        self._quotes: review_list.Quotes | None = None
        self._of: tuple[str, ...] = ()  # the results that the quotes come from
        self._tasks: dict[Key, AuditedTask] = {}
        self._asked: set[Key] = set()
        self._asking = False
        self._again = False
        self.audit: Audit | None = None
        self.items: tuple[Item, ...] = ()
        self.reviews: Reviews | None = None
        self.on_the_way: tuple[OnTheWay, ...] = ()
        self.looks = Looks()
        self.name: Name = NOWHERE
        self._at: dict[Name, int] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(LATER_MS)
        self._later.timeout.connect(self.read)
        audited.opening.connect(self._put_away)
        audited.loaded.connect(self._loaded)
        if audited.audit is not None:  # somebody has looked at the report before
            self._loaded()

    # -- what there is

    @property
    def bundle(self) -> str:
        return self._audited.bundle

    @property
    def item(self) -> Item | None:
        """The place that is looked at."""
        return self.items[self._at[self.name]] if self.name in self._at else None

    def item_of(self, name: Name) -> Item | None:
        """A place of the list."""
        return self.items[self._at[name]] if name in self._at else None

    @property
    def task(self) -> AuditedTask | None:
        """The task of the place that is looked at, once it is read."""
        return self._tasks.get((self.bundle, self.name[0]))

    @property
    def share(self) -> float | None:
        """How much was drawn as a sample; `None` where nothing was."""
        sample = self.reviews.sample if self.reviews is not None else None
        drawn = sample is not None and sample.how != "all" and sample.of
        return len(sample.places) / sample.of if drawn and sample is not None else None

    def _put_away(self) -> None:
        self.audit, self.items, self.reviews, self._quotes = None, (), None, None
        self._at, self._of, self.on_the_way = {}, (), ()
        self._tasks.clear()
        self._asked.clear()
        self.name, self.looks = NOWHERE, Looks()
        self.bundle_changed.emit()
        self.listed.emit()
        self.place_changed.emit()

    def _loaded(self) -> None:
        """Results came, or something was said."""
        audit = self._audited.audit
        of = tuple(one.sha256 for one in audit.received) if audit is not None else ()
        if of != self._of:
            self._of, self._quotes = of, None
            self._tasks.clear()
            self.read()
        elif not self._later.isActive():
            self._later.start()

    def read(self) -> None:
        """Read the list again; what was asked for meanwhile is read once, at last."""
        self._later.stop()
        audit = self._audited.audit
        if audit is None:
            return
        if self._asking:
            self._again = True
            return
        self._asking = True
        self._perform.ask(_listed, audit, self._quotes, done=self._take, failed=self._could_not)

    def _could_not(self, error: Exception) -> None:
        self._asking = False
        self.failed.emit(error)

    def _take(self, found: tuple[Audit, review_list.Quotes, Reviews, tuple[Item, ...], tuple[OnTheWay, ...]]) -> None:
        self._asking = False
        audit, quotes, reviews, listed, on_the_way = found
        if audit.bundle != self.bundle:
            return
        if self._later.isActive() or self._again:
            # The lead went on while this was read: it is older than what is shown.
            self._again = False
            self._later.start()
            if self.items:
                return
        if self.audit is None or self.audit.rubric is not audit.rubric:
            self.looks = Looks(audit.rubric)
        self.audit, self._quotes, self.reviews, self.on_the_way = audit, quotes, reviews, on_the_way
        self._put(listed)

    def _put(self, listed: tuple[Item, ...]) -> None:
        self.items = listed
        self._at = {(one.task, one.where): at for at, one in enumerate(listed)}
        self.listed.emit()
        if self.name in self._at:
            self.place_changed.emit()
        self._ask_for(self.name[0])

    # -- going

    def go(self, name: Name) -> None:
        """Look at another place."""
        if name != self.name and name in self._at:
            self.name = name
            self.place_changed.emit()
            self._ask_for(name[0])

    def fetch_ahead(self, name: Name | None) -> None:
        """Read the task of a place that is likely to come next."""
        if name is not None:
            self._ask_for(name[0])

    def _ask_for(self, task: str, *, anew: bool = False) -> None:
        key = self.bundle, task
        if not task or self.audit is None or key in self._asked or (key in self._tasks and not anew):
            return
        self._asked.add(key)
        done, failed = partial(self._task_came, key), partial(self._task_failed, key)
        self._perform.ask(audit_desk.load_task, self.bundle, task, self.audit, done=done, failed=failed)

    def _task_came(self, key: Key, task: AuditedTask) -> None:
        self._asked.discard(key)
        if key[0] != self.bundle:
            return
        self._tasks.pop(key, None)
        self._tasks[key] = task
        for old in list(self._tasks)[:-MOST_TASKS]:
            if old[1] != self.name[0]:
                del self._tasks[old]
        if key[1] == self.name[0]:
            self.task_loaded.emit()

    def _task_failed(self, key: Key, error: Exception) -> None:
        self._asked.discard(key)
        if key == (self.bundle, self.name[0]):
            self.failed.emit(error)

    @property
    def changed_by(self) -> dict[str, tuple[Difference, ...]]:
        """Rater → what is another in this task since it was sent back, or rated before."""
        if self.task is None or self.audit is None:
            return {}
        return changed_since(self.task, self.audit.received)

    def read_soon(self) -> None:
        """Read the list again, once the lead rests."""
        self._later.start()

    def read_task_again(self) -> None:
        """The lead's own rating, or a decision, changed."""
        self._ask_for(self.name[0], anew=True)

    # -- what was said just now

    def show_said(self, name: Name, raters: Collection[str], kind: Kind, reason: str, comment: str) -> None:
        """Show a verdict at once. It is read again a moment later, as it was stored."""
        item = self.item_of(name)
        if item is None:
            return

        def judged(entry: Entry) -> Entry:
            if entry.rater not in raters:
                return entry
            verdict = Verdict(
                task=item.task, where=item.where, rater=entry.rater, rating=entry.rating, kind=kind, reason=reason,
                comment=comment,
            )  # fmt: skip
            return replace(entry, verdict=verdict if kind != "none" else None, outdated=False)

        self._change(item, lambda one: replace(one, entries=tuple(judged(entry) for entry in one.entries)))

    def _change(self, item: Item, change: Callable[[Item], Item]) -> None:
        name = item.task, item.where
        changed = list(self.items)
        changed[self._at[name]] = change(item)
        self.items = tuple(changed)
        self._later.start()
        self.item_changed.emit(changed[self._at[name]])
        if name == self.name:
            self.place_changed.emit()
