"""The rater's day as it goes on: active seconds and finished targets, kept from one window to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.ui import moves
from desktop_rater.work import today
from desktop_rater.work.today import Today, day_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session

TICK_MS = 1_000
KEEP_SECONDS = 20  # so much of the count is lost where the program is killed


class Day(QObject):
    """Counts what `ActiveTime` calls active: not while idle, not while the rater pauses."""

    changed = Signal(object)  # Today

    def __init__(
        self, perform: Perform, session: Session, rater: str, now: Callable[[], datetime], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._rater = rater
        self._now = now
        self._known = False
        self._shown_paused = False
        self._counted = session.active_time.total
        self._today = Today(day=day_of(now()))
        self._kept = self._today
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self.count)
        session.rating_changed.connect(self._rated)

    @property
    def today(self) -> Today:
        """The day so far."""
        return self._today

    @property
    def paused(self) -> bool:
        """Whether the rater declared a pause."""
        return self._session.active_time.paused

    def start(self) -> None:
        """Go on where the last window of the same day ended."""
        self._perform.ask(today.read, self._rater, self._today.day, done=self._read)

    def count(self) -> None:
        """Take in what has passed; now and then it is kept."""
        day = day_of(self._now())
        if day != self._today.day:
            self.keep()
            self._today = Today(day=day)
        total = self._session.active_time.total
        seconds = int(total - self._counted)
        if seconds or self.paused is not self._shown_paused:
            self._counted += seconds
            self._shown_paused = self.paused
            self._show(replace(self._today, seconds=self._today.seconds + seconds))
        if self._today.seconds - self._kept.seconds >= KEEP_SECONDS:
            self.keep()

    def keep(self) -> None:
        """Remember the day, once it is known what stood there."""
        if self._known and self._today != self._kept and not self._perform.read_only:
            self._kept = self._today
            self._perform.perform(today.keep, self._rater, self._today)

    def _read(self, before: Today) -> None:
        self._known = True
        self._tick.start()
        if before.day == self._today.day:
            self._kept = before
            both = tuple(dict.fromkeys((*before.targets, *self._today.targets)))
            self._today = replace(self._today, seconds=before.seconds + self._today.seconds, targets=both)
        self.changed.emit(self._today)

    def _rated(self) -> None:
        """A stop is finished where nothing that has to be answered is open; it is counted once a day."""
        session = self._session
        if session.task is None or session.read_only:
            return
        name = f"{session.bundle}/{session.task.id}/{moves.where_of(session.stop)}"
        state = session.states[session.stop]
        done = state.kind in {"label", "done"} and not any(one.open for one in session.shown)
        if done is not (name in self._today.targets):
            others = tuple(one for one in self._today.targets if one != name)
            self._show(replace(self._today, targets=(*others, name) if done else others))

    def _show(self, now: Today) -> None:
        self._today = now
        self.changed.emit(now)
