"""The lead's verdicts: stored in the background, shown at once, undone and redone step by step."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from desktop_rater.audit.items import ReviewEntry, ReviewItem
from desktop_rater.audit.questions import LabelChoice, LabelRule, Value
from desktop_rater.audit.results import LeadDecision, VerdictKind
from desktop_rater.audit.sampling import SampleRequest
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit import review
from desktop_rater.operations.audit.listed_places import choose_labels, decide_places
from desktop_rater.operations.audit.report import draw_sample
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, ReviewChange, ReviewStep, VerdictReason
from desktop_rater.store.store import Store
from desktop_rater.ui.review.desk import ReviewDesk
from desktop_rater.ui.review.items import ItemKey
from desktop_rater.ui.review.own_rating import store_correction
from desktop_rater.ui.window.jobs import WorkRunner


@dataclass(frozen=True)
class ReviewAction:
    """One action of the lead, with its item and rater."""

    steps: tuple[ReviewStep, ...]
    name: ItemKey
    rater: str = ""


@dataclass
class ReviewHistory:
    """Undo and redo stacks. An undo stores the previous state as a new revision, so later steps are rebased on it."""

    done: list[ReviewAction] = field(default_factory=list)
    undone: list[ReviewAction] = field(default_factory=list)

    def add(self, action: ReviewAction) -> None:
        """Add a new action; this clears the redo stack."""
        if action.steps:
            self.done.append(action)
            self.undone.clear()

    def record_undo(self, action: ReviewAction, steps: Sequence[ReviewStep]) -> None:
        self.done.remove(action)
        self.undone.append(ReviewAction(tuple(steps), action.name, action.rater))
        self.done = _rebase(self.done, action.steps, steps)

    def record_redo(self, action: ReviewAction, steps: Sequence[ReviewStep]) -> None:
        self.undone.remove(action)
        self.done.append(ReviewAction(tuple(steps), action.name, action.rater))
        self.undone = _rebase(self.undone, action.steps, steps)


def _rebase(actions: list[ReviewAction], before: Sequence[ReviewStep], now: Sequence[ReviewStep]) -> list[ReviewAction]:
    """Rebase steps on the newest revision of each subject, which restored the state of an earlier one."""
    newest = {step_.subject: step_.after for step_ in now}
    rebased = {(step_.subject, step_.before): newest[step_.subject] for step_ in before if step_.subject in newest}

    def moved(step: ReviewStep) -> ReviewStep:
        return replace(step, after=rebased.get((step.subject, step.after), step.after))

    return [ReviewAction(tuple(map(moved, step_.steps)), step_.name, step_.rater) for step_ in actions]


def rating_reference(item: ReviewItem, entry: ReviewEntry) -> RatingAtPlace:
    """Return the reference to a rating as the lead sees it."""
    return RatingAtPlace(item.task, item.where, entry.rater, entry.rating)


def _bound(work: Callable[..., ReviewChange], *args: Any) -> Callable[[Store], ReviewChange]:
    return lambda store: work(store, *args)


class VerdictRecorder(QObject):
    """Stores verdicts. A signal is emitted once one is stored, another where it was refused."""

    recorded = Signal()  # a verdict is stored
    decided = Signal(int)  # so many places in one step
    item_wanted = Signal(object, str)  # ItemKey and rater of the action undone or redone
    failed = Signal(object)  # RaterError

    def __init__(
        self,
        perform: WorkRunner,
        desk: ReviewDesk,
        lead: Callable[[], str],
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._desk = desk
        self._lead = lead
        self._now = now
        self._history = ReviewHistory()  # of the open bundle
        self._pending = 0  # actions not stored yet
        self._queued: deque[Callable[[], None]] = deque()  # undo and redo requests that wait for them
        desk.bundle_changed.connect(self._forget)

    @property
    def can_undo(self) -> bool:
        return bool(self._history.done) or self._pending > 0

    @property
    def is_idle(self) -> bool:
        return not self._pending

    @property
    def can_redo(self) -> bool:
        return bool(self._history.undone)

    @property
    def lead(self) -> Lead:
        return Lead(self._lead(), self._now)

    def _forget(self) -> None:
        self._history = ReviewHistory()
        self._queued.clear()

    # -- verdicts

    def accept(self, item: ReviewItem, entries: list[ReviewEntry]) -> None:
        ratings = [rating_reference(item, entry) for entry in entries]
        work = _bound(review.accept_ratings, self._desk.bundle, ratings, VerdictReason(), self.lead)
        self._submit(work, item, [entry.rater for entry in entries], ("accepted", "", ""))

    def send_back(self, item: ReviewItem, entry: ReviewEntry, reason: str, comment: str) -> None:
        because = VerdictReason(reason, comment)
        work = _bound(review.send_back_rating, self._desk.bundle, rating_reference(item, entry), because, self.lead)
        self._submit(work, item, [entry.rater], ("returned", reason, comment))

    def correct(self, item: ReviewItem, entry: ReviewEntry, reason: str, comment: str) -> None:
        """Replace a rater's rating by the lead's own."""
        audit, because = self._desk.audit, VerdictReason(reason, comment)
        if audit is not None:
            work = _bound(store_correction, audit, rating_reference(item, entry), because, self.lead)
            self._submit(work, item, [entry.rater], ("corrected", reason, comment))

    def take_back(self, item: ReviewItem, entry: ReviewEntry) -> None:
        work = _bound(review.withdraw_verdict, self._desk.bundle, rating_reference(item, entry), self.lead)
        self._submit(work, item, [entry.rater], ("none", "", ""))

    def decide(self, item: ReviewItem, question: str, value: Value | None, comment: str = "") -> None:
        audit = self._desk.audit
        if audit is not None:
            final = LeadDecision(task=item.task, where=item.where, question=question, value=value, comment=comment)
            work = _bound(review.decide_question, self._desk.bundle, audit.rubric, final, self.lead)
            self._submit(work, item, [], None)

    def _submit(
        self,
        work: Callable[..., ReviewChange],
        item: ReviewItem,
        raters: list[str],
        verdict: tuple[VerdictKind, str, str] | None,
    ) -> None:
        name, history = (item.task, item.where), self._history
        if verdict is not None:
            self._desk.show_verdict(name, raters, *verdict)

        def stored(reviewed: ReviewChange) -> None:
            history.add(ReviewAction(reviewed.steps, name, raters[0] if len(raters) == 1 else ""))

        self._store(work, stored, shown=name if verdict is not None else None)

    def draw(self, wanted: SampleRequest) -> None:
        audit, lead = self._desk.audit, self.lead
        if audit is not None:
            self._store_for_list(lambda store: draw_sample(store, audit, wanted, lead, Progress()))

    def choose_labels(self, choice: LabelChoice) -> None:
        """Store how votes decide where the lead has not."""
        self._store_for_list(_bound(choose_labels, self._desk.bundle, choice, self.lead))

    def decide_places(self, places: Sequence[ItemKey], threshold: float) -> None:
        """Decide many places by the method in use, as one action."""
        audit, lead = self._desk.audit, self.lead

        def decide(rule: LabelRule) -> None:
            self._store_for_list(
                _bound(decide_places, audit, tuple(places), replace(rule, threshold=threshold), lead),
                lambda reviewed: self.decided.emit(len({step.subject[1:3] for step in reviewed.steps})),
            )

        self._desk.with_rule(decide)

    def _store_for_list(
        self, work: Callable[..., ReviewChange], on_stored: Callable[[ReviewChange], None] = lambda _reviewed: None
    ) -> None:
        """Store what changes the whole list."""
        name, history = self._desk.name, self._history

        def stored(reviewed: ReviewChange) -> None:
            history.add(ReviewAction(reviewed.steps, name))
            on_stored(reviewed)

        self._store(work, stored)

    @property
    def day(self) -> int:
        """The current date as a number (YYYYMMDD), a seed that is easy to write down."""
        now = self._now()
        return now.year * 10_000 + now.month * 100 + now.day

    # -- undo and redo

    def undo(self) -> None:
        self._undo_or_redo(lambda: self._history.done, self._history.record_undo)

    def redo(self) -> None:
        self._undo_or_redo(lambda: self._history.undone, self._history.record_redo)

    def _undo_or_redo(
        self, stack: Callable[[], list[ReviewAction]], moved: Callable[[ReviewAction, Sequence[ReviewStep]], None]
    ) -> None:
        if self._pending:
            self._queued.append(partial(self._undo_or_redo, stack, moved))
        elif stack():
            last, history = stack()[-1], self._history

            def stored(reviewed: ReviewChange) -> None:
                moved(last, reviewed.steps)
                if history is self._history:
                    self.item_wanted.emit(last.name, last.rater)

            self._store(_bound(review.undo_reviews, self._desk.bundle, last.steps, self.lead), stored)

    # -- storing

    def _store(
        self,
        work: Callable[[Store], ReviewChange],
        on_stored: Callable[[ReviewChange], None],
        shown: ItemKey | None = None,
    ) -> None:
        """Store a review. `shown`: the place that is shown with a verdict already."""
        history = self._history

        def settle() -> None:
            self._pending -= 1
            if shown is not None and history is self._history:
                self._desk.verdict_settled(shown)

        def stored(reviewed: ReviewChange) -> None:
            settle()
            on_stored(reviewed)
            if not self._pending and self._queued:
                self._queued.popleft()()
            self.recorded.emit()

        def failed(error: Exception) -> None:
            settle()
            self._queued.clear()
            self._desk.read()  # what is shown was not stored
            self.failed.emit(error)

        self._pending += 1
        self._perform.perform(work, done=stored, failed=failed, first=True)
