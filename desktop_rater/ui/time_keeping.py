"""Keeps the seconds that no rating holds yet, so that a window that is killed loses the last few of them at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_rater.model.trouble import RaterError
from desktop_rater.work import kept_time

if TYPE_CHECKING:
    from desktop_rater.model.change import Change
    from desktop_rater.model.rating import TimeSpent
    from desktop_rater.ui.active_time import Key
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session

EVERY_MS = 5_000
AFTER_OPENING_MS = 50  # what was opened is painted first


class TimeKeeping(QObject):
    """Looks every few seconds, when another task is opened, and when the window is closed."""

    def __init__(self, perform: Perform, session: Session, window: MainWindow, rater: str) -> None:
        super().__init__(window)
        self._perform = perform
        self._session = session
        self._rater = rater
        self._kept: dict[Key, TimeSpent | None] = {}
        self._watched: set[Key] = set()  # what may have to be kept; of all others the stored rating says it all
        self._flying = False
        self._failing = False  # the rater is told once, and it is tried again
        self.timer = QTimer(self)
        self.timer.setInterval(EVERY_MS)
        self.timer.timeout.connect(self.keep)
        self.timer.start()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(AFTER_OPENING_MS)
        self._soon.timeout.connect(self.keep)
        session.opened.connect(self._soon.start)
        window.closed.connect(self._close)

    @property
    def is_busy(self) -> bool:
        """Whether something is on its way to the store."""
        return self._flying

    def keep(self) -> None:
        """Keep the sums that have grown, unless the last ones are still on their way."""
        grown = self._grown()
        if not grown or self._flying or self._perform.read_only:
            return
        self._flying = True

        def done(_change: Change) -> None:
            self._flying = self._failing = False
            self._kept |= grown

        def failed(error: Exception) -> None:
            first, self._failing = not self._failing, True
            self._flying = False
            if first and isinstance(error, RaterError):
                self._perform.trouble.emit(error)

        self._perform.perform(kept_time.keep, self._rater, grown, done=done, failed=failed)

    def _close(self) -> None:
        """The last word, also where another one is on its way."""
        grown = self._grown()
        if grown and not self._perform.read_only:
            self._perform.perform(kept_time.keep, self._rater, grown)

    def _grown(self) -> dict[Key, TimeSpent | None]:
        active, unsaved = self._session.active_time, self._session.unsaved
        self._watched |= active.grown()
        sums: dict[Key, TimeSpent | None] = {
            key: spent if active.waits(key) or key[1] in unsaved else None
            for key, spent in active.spent(self._watched).items()
        }
        grown = {key: spent for key, spent in sums.items() if _active(self._kept.get(key)) != _active(spent)}
        self._watched = {key for key, spent in sums.items() if spent is not None or key in grown}
        return grown


def _active(spent: TimeSpent | None) -> tuple[float, dict[str, float]] | None:
    """What is worth a write: a window that nobody uses all night writes nothing."""
    return (spent.active_seconds, spent.targets) if spent is not None else None
