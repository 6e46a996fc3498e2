"""Connect to a hub: try it, keep who one is there, and remember it. Nothing of it is done in the window's thread."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop_rater.hub.address import parse
from desktop_rater.hub.interface import Probe  # noqa: TC001 - msgspec reads the annotations
from desktop_rater.hub.means import SignIn
from desktop_rater.model.change import Change
from desktop_rater.model.trouble import RaterError
from desktop_rater.work.connect_hub import connect
from desktop_rater.work.hub_marker import try_hub

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.hub.interface import Hub
    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.hub.sign_in import Asked
    from desktop_rater.ui.perform import Perform
    from desktop_rater.work.between import OnStore

TELL_MS = 1_000


class Tries(Protocol):
    """What it takes to try a hub; all of it is called on the thread of the trial."""

    def open_as(self, url: str, sign_in: SignIn, certificates: str) -> Hub: ...
    def keep(self, url: str, sign_in: SignIn) -> tuple[str, str]: ...


class Joined(Change, frozen=True, kw_only=True):
    """What came of it. `joined`: the hub can be used, and is the one that is synced with from now on.

    `url` is the address as it is remembered. `keeper` is what keeps the password; `session`: nothing safe does,
    and `why` where it is not that there is no keyring.
    """

    url: str
    probe: Probe
    joined: bool
    title: str = ""
    keeper: str = ""
    session: bool = False
    why: str = ""
    moved: bool = False


class Connecting(QObject):
    """One trial at a time. What it tells after it was cancelled is not heard."""

    ticked = Signal(int)  # for how many seconds it has been tried
    found = Signal(object)  # Joined
    failed = Signal(object)  # RaterError

    def __init__(
        self, perform: Perform, tries: Tries, now: Callable[[], datetime], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._perform = perform
        self._tries = tries
        self._now = now
        self._running: Progress | None = None
        self._count = self._seconds = 0
        self._tick = QTimer(self, interval=TELL_MS)
        self._tick.setTimerType(Qt.TimerType.CoarseTimer)
        self._tick.timeout.connect(self._count_up)

    @property
    def is_running(self) -> bool:
        """Whether a hub is being tried."""
        return self._running is not None

    def start(self, asked: Asked) -> None:
        """Try what was typed."""
        if self.is_running:
            return
        self._count += 1
        self._seconds = 0
        mine = self._count
        self._running = self._perform.exchange(
            partial(self._try, asked), done=partial(self._done, mine), failed=partial(self._fail, mine)
        )
        self._tick.start()
        self.ticked.emit(0)

    def cancel(self) -> None:
        """Stop the trial."""
        if self._running is not None:
            self._perform.cancel(self._running)
            self._end()

    def _try(self, asked: Asked, on_store: OnStore, progress: Progress) -> Joined:
        """On the net's lane."""
        url = parse(asked.url, here=Path.home()).url
        sign_in = SignIn(asked.user, asked.password)
        hub = self._tries.open_as(url, sign_in, asked.certificates)
        try:
            tried = try_hub(hub, progress)
        finally:
            hub.close()
        if tried.marker is None or not tried.probe.usable:
            return Joined(url=url, probe=tried.probe, joined=False, title=tried.marker.title if tried.marker else "")
        marker = tried.marker
        connected = on_store(lambda store: connect(store, marker, url, asked.user, self._now()))
        keeper, why = self._tries.keep(url, sign_in) if asked.password else ("", "")
        return Joined(
            url=url,
            probe=tried.probe,
            joined=True,
            title=marker.title or marker.project,
            keeper=keeper,
            session=bool(asked.password) and not keeper,
            why=why,
            moved=connected.was == "moved",
            hub=True,
        )

    def _count_up(self) -> None:
        self._seconds += 1
        self.ticked.emit(self._seconds)

    def _done(self, mine: int, joined: Joined) -> None:
        if mine == self._count and self.is_running:
            self._end()
            self.found.emit(joined)

    def _fail(self, mine: int, error: Exception) -> None:
        if mine == self._count and self.is_running:
            self._end()
            if isinstance(error, RaterError):  # a bug has the crash dialog
                self.failed.emit(error)

    def _end(self) -> None:
        self._running = None
        self._tick.stop()
