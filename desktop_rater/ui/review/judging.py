"""What the lead says of ratings: said to the store, shown at once, and taken back step by step."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop_rater.audit.verdicts import Final
from desktop_rater.model.progress import Progress
from desktop_rater.ui.review.own_words import corrected
from desktop_rater.ui.review.taken_back import Sayings, Spoken
from desktop_rater.work import review
from desktop_rater.work.draw_sample import draw_sample
from desktop_rater.work.review import About, Because, Lead

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from desktop_rater.audit.items import Entry, Item
    from desktop_rater.audit.judged import Value
    from desktop_rater.audit.sampling import Draw
    from desktop_rater.audit.verdicts import Kind
    from desktop_rater.store.store import Store
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.review.item_rows import Name
    from desktop_rater.work.review import Reviewed, Step


def about(item: Item, entry: Entry) -> About:
    """A rating as the lead has it before the eyes."""
    return About(item.task, item.where, entry.rater, entry.rating)


def _of_store(work: Callable[..., Reviewed], *args: Any) -> Callable[[Store], Reviewed]:
    return lambda store: work(store, *args)


class Judging(QObject):
    """`said` is emitted once a verdict is stored: when, and nothing where it could not be."""

    said = Signal()
    went_to = Signal(object, str)  # Name and rater: what was taken back or said again
    refused = Signal(object)  # RaterError

    def __init__(
        self,
        perform: Perform,
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
        self._sayings = Sayings()
        self._busy = 0  # so much of what was said is on its way to the store
        self._wanted: deque[Callable[[], None]] = deque()  # steps back and forth that wait for it
        desk.bundle_changed.connect(self._forget)

    @property
    def can_undo(self) -> bool:
        return bool(self._sayings.done) or self._busy > 0

    @property
    def is_settled(self) -> bool:
        """Whether all that was said is stored."""
        return not self._busy

    @property
    def can_redo(self) -> bool:
        return bool(self._sayings.undone)

    @property
    def lead(self) -> Lead:
        """Who is at the desk, with the clock."""
        return Lead(self._lead(), self._now)

    def _forget(self) -> None:
        self._sayings = Sayings()
        self._wanted.clear()

    # -- what is said

    def accept(self, item: Item, entries: list[Entry]) -> None:
        """Let ratings stand."""
        ratings = [about(item, one) for one in entries]
        work = _of_store(review.accept, self._desk.bundle, ratings, Because(), self.lead)
        self._say(work, item, [one.rater for one in entries], ("accepted", "", ""))

    def send_back(self, item: Item, entry: Entry, reason: str, comment: str) -> None:
        """Send a rating back, with why."""
        because = Because(reason, comment)
        work = _of_store(review.send_back, self._desk.bundle, about(item, entry), because, self.lead)
        self._say(work, item, [entry.rater], ("returned", reason, comment))

    def correct(self, item: Item, entry: Entry, reason: str, comment: str) -> None:
        """Put the lead's own rating in the place of a rater's."""
        audit, because = self._desk.audit, Because(reason, comment)
        if audit is not None:
            work = _of_store(corrected, audit, about(item, entry), because, self.lead)
            self._say(work, item, [entry.rater], ("corrected", reason, comment))

    def take_back(self, item: Item, entry: Entry) -> None:
        """No verdict any more."""
        work = _of_store(review.take_back, self._desk.bundle, about(item, entry), self.lead)
        self._say(work, item, [entry.rater], ("none", "", ""))

    def decide(self, item: Item, question: str, value: Value | None) -> None:
        """The final label of a place."""
        audit = self._desk.audit
        if audit is not None:
            final = Final(task=item.task, where=item.where, question=question, value=value)
            work = _of_store(review.decide, self._desk.bundle, audit.rubric, final, self.lead)
            self._say(work, item, [], None)

    def _say(
        self, work: Callable[..., Reviewed], item: Item, raters: list[str], shown: tuple[Kind, str, str] | None
    ) -> None:
        name = item.task, item.where
        if shown is not None:
            self._desk.show_said(name, raters, *shown)
        spoken = partial(self._spoken, name, raters[0] if len(raters) == 1 else "")
        self._run(work, spoken)

    def draw(self, wanted: Draw) -> None:
        """Draw the places that are looked at."""
        audit, lead = self._desk.audit, self.lead
        if audit is None:
            return

        def work(store: Store) -> Reviewed:
            return draw_sample(store, audit, wanted, lead, Progress())

        self._run(work, partial(self._drawn, self._desk.name))

    def _drawn(self, name: Name, reviewed: Reviewed) -> None:
        self._spoken(name, "", reviewed)
        self._desk.read()

    def _spoken(self, name: Name, rater: str, reviewed: Reviewed) -> None:
        self._sayings.add(Spoken(reviewed.steps, name, rater))

    @property
    def day(self) -> int:
        """Today as a number, which is a seed that is easy to write down."""
        now = self._now()
        return now.year * 10_000 + now.month * 100 + now.day

    # -- taken back

    def undo(self) -> None:
        """Take back what was said last, once it is stored."""
        self._step(lambda: self._sayings.done, self._sayings.took_back)

    def redo(self) -> None:
        """Say again what was taken back last."""
        self._step(lambda: self._sayings.undone, self._sayings.said_again)

    def _step(self, spoken: Callable[[], list[Spoken]], moved: Callable[[Spoken, Sequence[Step]], None]) -> None:
        if self._busy:
            self._wanted.append(partial(self._step, spoken, moved))
        elif spoken():
            last = spoken()[-1]
            work = _of_store(review.undo, self._desk.bundle, last.steps, self.lead)
            self._run(work, partial(self._stepped, last, moved))

    def _stepped(self, last: Spoken, moved: Callable[[Spoken, Sequence[Step]], None], reviewed: Reviewed) -> None:
        moved(last, reviewed.steps)
        self._desk.read()
        self.went_to.emit(last.name, last.rater)

    # -- on its way to the store

    def _run(self, work: Callable[[Store], Reviewed], done: Callable[[Reviewed], None]) -> None:
        def stored(reviewed: Reviewed) -> None:
            self._busy -= 1
            done(reviewed)
            self._go_on()
            self.said.emit()

        def failed(error: Exception) -> None:
            self._busy -= 1
            self._wanted.clear()
            self._desk.read()
            self.refused.emit(error)

        self._busy += 1
        self._perform.perform(work, done=stored, failed=failed, first=True)

    def _go_on(self) -> None:
        if not self._busy and self._wanted:
            self._wanted.popleft()()
