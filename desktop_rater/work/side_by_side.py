"""The same thing done with many files of a hub, a few at once."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop_rater.hub.backoff import wait_for
from desktop_rater.hub.trouble import ITEM, LATER, HubTrouble
from desktop_rater.model.progress import Cancelled, Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_rater.hub.interface import Hub
    from desktop_rater.hub.trouble import HubKind

T = TypeVar("T")
R = TypeVar("R")

HANDS = 4
# Where a listing was given, a file that may not be read is that file's trouble.
READING: frozenset[HubKind] = frozenset({*ITEM, "rights"})
_TRIES = 4
_IN_A_ROW = 3  # items that the hub did not answer for: then it is the hub, and not the items
_LISTENING = 0.1  # seconds between two looks at whether somebody cancels


class SideBySide(Generic[T, R]):
    """What came of each item. `done`: with what came of it; `failed`: with why, and the others went on.

    `chance` gives numbers from 0 to 1, so that many who were sent away do not all come again at once. `of_one`: the
    trouble that is one item's; all other trouble is the hub's.
    """

    def __init__(
        self,
        hub: Hub,
        do: Callable[[Hub, T, Progress], R],
        chance: Callable[[], float],
        progress: Progress,
        of_one: frozenset[HubKind] = ITEM,
    ) -> None:
        self.done: list[tuple[T, R]] = []
        self.failed: list[tuple[T, HubTrouble]] = []
        self._hub = hub
        self._do = do
        self._chance = chance
        self._progress = progress
        self._of_one = of_one
        self._waiting: deque[T] = deque()
        self._total = 0
        self._silent = 0
        self._over = Event()

    def run(self, items: Sequence[T]) -> None:
        """Do it with each. Raises what concerns the whole hub, and `Cancelled`; what was done before stays done."""
        self._waiting.extend(items)
        self._total = len(items)
        with ThreadPoolExecutor(HANDS, "hub") as pool:
            hands = [pool.submit(self._hand) for _ in range(min(HANDS, len(items)))]
            try:
                wait(hands, return_when=FIRST_EXCEPTION)
            finally:
                self._over.set()
        faults = [fault for hand in hands if (fault := hand.exception()) is not None]
        # A hand that was stopped since another one failed has nothing to say.
        for fault in sorted(faults, key=lambda one: isinstance(one, Cancelled)):
            raise fault

    def _hand(self) -> None:
        progress = Progress(self._tell)
        try:
            while True:
                progress(0, 0)
                try:
                    item = self._waiting.popleft()
                except IndexError:
                    return
                self._take(item, progress)
        except BaseException:
            self._over.set()
            raise

    def _take(self, item: T, progress: Progress) -> None:
        for tries in range(1, _TRIES + 1):
            try:
                came = self._do(self._hub, item, progress)
            except HubTrouble as trouble:
                if trouble.kind not in LATER | self._of_one:
                    raise
                if trouble.kind in LATER - ITEM and tries < _TRIES:
                    self._rest(wait_for(tries, trouble.retry_after, self._chance()), progress)
                    continue
                self._fail(item, trouble)
                return
            self._silent = 0
            self.done.append((item, came))
            return

    def _fail(self, item: T, trouble: HubTrouble) -> None:
        self.failed.append((item, trouble))
        if trouble.kind in LATER - ITEM:
            self._silent += 1
            if self._silent >= _IN_A_ROW:
                raise trouble

    def _rest(self, seconds: float, progress: Progress) -> None:
        left = seconds
        while left > 0:
            progress(0, 0)
            self._over.wait(min(left, _LISTENING))
            left -= _LISTENING

    def _tell(self, _done: int, _total: int) -> None:
        if self._over.is_set():
            raise Cancelled
        self._progress(len(self.done) + len(self.failed), self._total)
