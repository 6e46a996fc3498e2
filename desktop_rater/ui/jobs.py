"""Plain functions off the GUI thread; their callbacks on the GUI thread."""

from __future__ import annotations

import sys
from collections import deque
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from desktop_rater.model.progress import Cancelled, Progress

if TYPE_CHECKING:
    from collections.abc import Callable

Lane = Literal["store", "read", "net"]
# The net's many: what waits for a server costs nothing, and those that hang must not hold up the next page.
# A lane that computes keeps Python's lock for so long before the window gets it: Python's own 5 ms are felt, since a
# repaint asks for the lock many times.
SWITCH_SECONDS = 0.0005
TELL_SECONDS = 0.05  # work may report after each row; whoever watches needs less
WORKERS: dict[Lane, int] = {"store": 1, "read": 1, "net": 16}


class Jobs(QObject):
    """Three lanes: `store` (one worker, writes), `read` (one worker, a query-only connection), `net` (many).

    Callbacks are passed in at start: a job that is connected to after it started can lose its signal.
    """

    _call = Signal(object)  # carries a closure to the thread this object lives in

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_SECONDS)
        self._lanes = {name: ThreadPoolExecutor(count, name) for name, count in WORKERS.items()}
        self._running: dict[Future[Any], tuple[Lane, Progress]] = {}
        self._first: deque[Callable[[], None]] = deque()
        self._closed = False
        self._call.connect(_run, Qt.ConnectionType.QueuedConnection)

    def start(
        self,
        work: Callable[[Progress], Any],
        *,
        lane: Lane,
        receiver: QObject,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
        first: bool = False,
    ) -> Progress:
        """Run `work(progress)` on a lane. No callback is called once `receiver` is gone, or the lanes are closed.

        `first`, in the store's lane only: a write that can't wait. It goes before all that waits there, and runs
        inside the next report of a job that is under way; such a job reports between its transactions only.
        """
        home = self._call.emit
        due = [0.0]  # when it is told again how far it is

        def tell(callback: Callable[..., None] | None, *values: Any) -> None:
            if callback is not None and isValid(receiver) and not self._closed:
                callback(*values)

        def publish(count: int, total: int) -> None:
            if lane == "store":
                self._run_first()
            if progressed is not None and (count == total or monotonic() >= due[0]):
                due[0] = monotonic() + TELL_SECONDS
                home(lambda: tell(progressed, count, total))

        def finish(future: Future[Any]) -> None:
            self._running.pop(future, None)
            try:
                result = future.result()
            except (Cancelled, CancelledError):
                return
            except Exception as error:  # noqa: BLE001 - it is handed on, never swallowed
                tell(failed, error)
                return
            tell(done, result)

        progress = Progress(publish)
        if self._closed:
            return progress  # a timer came late: nobody is there to be told
        future = self._submit_first(lane, work, progress) if first else self._lanes[lane].submit(work, progress)
        self._running[future] = lane, progress
        future.add_done_callback(lambda future: home(lambda: finish(future)))
        return progress

    def _submit_first(self, lane: Lane, work: Callable[[Progress], Any], progress: Progress) -> Future[Any]:
        future: Future[Any] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work(progress))
            except Exception as error:  # noqa: BLE001 - it is handed on, never swallowed
                future.set_exception(error)

        self._first.append(run)
        self._lanes[lane].submit(self._run_first)
        return future

    def _run_first(self) -> None:
        while self._first:
            self._first.popleft()()

    def on_store(self, work: Callable[[], Any]) -> Any:
        """Run `work()` on the store's lane and wait for what it returns or raises: for jobs of the net's lane alone.

        It goes first, as in `start`, so that it is written within a moment whatever waits there. Once the lanes are
        closed it raises `Cancelled`.
        """
        try:
            future = self._submit_first("store", lambda _progress: work(), Progress())
        except RuntimeError as error:  # the lane takes nothing any more
            raise Cancelled from error
        return future.result()

    def cancel(self, progress: Progress) -> bool:
        """Stop a running job at its next report, or take it out of the queue: whether it never ran, and never will."""
        progress.stop()
        mine = [future for future, (_, running) in list(self._running.items()) if running is progress]
        return any(future.cancel() for future in mine)

    def close(self) -> None:
        """Finish every write that was asked for, give up the rest."""
        if self._closed:
            return
        self._closed = True
        for lane, progress in self._running.values():
            if lane != "store":
                progress.stop()
        for name in ("net", "read", "store"):  # what ends on the net may still have something to write
            self._lanes[name].shutdown(wait=True, cancel_futures=name != "store")


def _run(closure: Callable[[], None]) -> None:
    closure()
