"""Background jobs in three queues, and work on the store with its errors and the broadcast of its changes."""

import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Literal

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from desktop_rater.format.change import Cancelled, Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.hub.context import StoreRunner
from desktop_rater.store.errors import StoreError
from desktop_rater.store.store import Store

JobQueue = Literal["store", "read", "net"]
# The net queue has many workers: waiting for servers is cheap, and hanging ones must not delay the next page.
# A busy worker holds the GIL for one switch interval: at Python's default of 5 ms repaints stutter, because
# each repaint acquires the GIL many times.
SWITCH_SECONDS = 0.0005
# While an answer is saved, so that the window hears of it soon. It would cost longer work a quarter of its time.
URGENT_SWITCH_SECONDS = 0.00005
PROGRESS_SECONDS = 0.05  # jobs may report after each row; observers need less
HEAD_START_SECONDS = 0.002  # an answer takes less than half of it until its commit
WORKERS: dict[JobQueue, int] = {"store": 1, "read": 1, "net": 16}


class Jobs(QObject):
    """Three queues: `store` (one worker, writes), `read` (one worker, a query-only connection), `net` (many workers).

    Callbacks are passed at start: connecting to a job that is already running can miss its signal.
    """

    _call = Signal(object)  # carries a closure to the thread this object lives in

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_SECONDS)
        self._queues = {name: ThreadPoolExecutor(count, name) for name, count in WORKERS.items()}
        self._running: dict[Future[Any], tuple[JobQueue, Progress]] = {}
        self._first: deque[Callable[[], None]] = deque()
        self._closed = False
        self._call.connect(_run, Qt.ConnectionType.QueuedConnection)

    def start(
        self,
        work: Callable[[Progress], Any],
        *,
        queue: JobQueue,
        receiver: QObject,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
        first: bool = False,
    ) -> Progress:
        """Run `work(progress)` in a queue. No callback runs after `receiver` is deleted or the queues are closed.

        `first`, in the store queue only: an urgent write. It runs before all queued jobs, and inside the next
        progress report of a running job; such a job reports only between its transactions.
        """
        home = self._call.emit
        next_report = [0.0]  # time of the next progress report

        def tell(callback: Callable[..., None] | None, *values: Any) -> None:
            if callback is not None and isValid(receiver) and not self._closed:
                callback(*values)

        def publish(count: int, total: int) -> None:
            if queue == "store":
                self._run_first()
            if progressed is not None and (count == total or monotonic() >= next_report[0]):
                next_report[0] = monotonic() + PROGRESS_SECONDS
                home(lambda: tell(progressed, count, total))

        def finish(future: Future[Any]) -> None:
            self._running.pop(future, None)
            try:
                result = future.result()
            except (Cancelled, CancelledError):
                return
            except Exception as error:  # noqa: BLE001 - passed on, never swallowed
                tell(failed, error)
                return
            tell(done, result)

        progress = Progress(publish)
        if self._closed:
            return progress  # a late timer: there is no receiver any more
        future = self._submit_first(queue, work, progress) if first else self._queues[queue].submit(work, progress)
        self._running[future] = queue, progress
        future.add_done_callback(lambda future: home(lambda: finish(future)))
        return progress

    def is_idle(self, queue: JobQueue) -> bool:
        """Return whether a queue has nothing to do."""
        return all(name != queue for name, _ in list(self._running.values()))

    def _submit_first(self, queue: JobQueue, work: Callable[[Progress], Any], progress: Progress) -> Future[Any]:
        future: Future[Any] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work(progress))
            except Exception as error:  # noqa: BLE001 - passed on, never swallowed
                future.set_exception(error)

        self._first.append(run)
        self._queues[queue].submit(self._run_first)
        return future

    def _run_first(self) -> None:
        while self._first:
            self._first.popleft()()

    def on_store(self, work: Callable[[], Any]) -> Any:
        """Run `work()` in the store queue and wait for its result; for jobs of the net queue only.

        It goes first, as in `start`, so it never waits for queued jobs. Raises `Cancelled` once the queues
        are closed.
        """
        try:
            future = self._submit_first("store", lambda _progress: work(), Progress())
        except RuntimeError as error:  # the queue is closed
            raise Cancelled from error
        return future.result()

    def cancel(self, progress: Progress) -> bool:
        """Stop a running job at its next progress report, or remove it from the queue. Return whether it never ran."""
        progress.stop()
        futures = [future for future, (_, running) in list(self._running.items()) if running is progress]
        return any(future.cancel() for future in futures)

    def close(self) -> None:
        """Finish all queued writes and cancel all other jobs."""
        if self._closed:
            return
        self._closed = True
        for queue, progress in self._running.values():
            if queue != "store":
                progress.stop()
        for name in ("net", "read", "store"):  # net jobs may still write when they end
            self._queues[name].shutdown(wait=True, cancel_futures=name != "store")


def _run(closure: Callable[[], None]) -> None:
    closure()


class WorkRunner(QObject):
    """Runs writes in the store queue and queries in the read queue.

    `changed` is emitted once for each piece of work that changed something; views decide whether it concerns
    them.
    """

    changed = Signal(object)
    failed = Signal(object)  # RaterError
    crashed = Signal(object)

    def __init__(
        self, jobs: Jobs, writer: Store | None, reader: Store, parent: QObject | None = None, *, read_only: str = ""
    ) -> None:
        super().__init__(parent)
        self.read_only = read_only
        self._jobs = jobs
        self._writer = writer
        self._reader = reader

    @property
    def folder(self) -> Path:
        """The folder of the store."""
        return self._reader.folder

    def perform(
        self,
        work: Callable[..., Change],
        *args: Any,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
        first: bool = False,
    ) -> Progress:
        """Run `work(writer, *args)` in the store queue; with `progressed`, also pass it a `progress`.

        A read-only window raises StoreError instead. Without `failed`, a RaterError becomes a banner. Any
        other exception always reaches the crash dialog.
        """

        def run(progress: Progress) -> Change:
            keywords = {"progress": progress} if progressed is not None else {}
            if self._writer is None:
                raise StoreError(self.read_only, "Nothing was changed.")
            return work(self._writer, *args, **keywords)

        return self._jobs.start(
            run,
            queue="store",
            receiver=self,
            done=partial(self._finish, done),
            failed=self._reporter(failed),
            progressed=progressed,
            first=first,
        )

    def save(
        self,
        work: Callable[..., Change],
        *args: Any,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Run `work(writer, *args)` before all queued writes. Return once it commits, or soon in any case.

        Each statement releases Python's lock: a window that repaints at the same time takes the lock each time, and
        both need longer than one after the other. Waiting for the disk needs no lock. Behind a running write this
        does not wait.
        """
        idle = self._jobs.is_idle("store")
        commits: SimpleQueue[None] = SimpleQueue()  # as an event, at a tenth of the cost

        def run(store: Store) -> Change:
            sys.setswitchinterval(URGENT_SWITCH_SECONDS)
            try:
                with store.announcing_commit(lambda: commits.put(None)):
                    return work(store, *args)
            finally:
                sys.setswitchinterval(SWITCH_SECONDS)

        self.perform(run, done=done, failed=failed, first=True)
        if idle:
            with suppress(Empty):
                commits.get(timeout=HEAD_START_SECONDS)

    def ask(
        self,
        query: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
    ) -> Progress:
        """Run the query `query(reader, *args)` in the read queue; with `progressed`, also pass it a `progress`."""

        def run(progress: Progress) -> Any:
            return query(self._reader, *args, **({"progress": progress} if progressed is not None else {}))

        report = self._reporter(failed)
        return self._jobs.start(run, queue="read", receiver=self, done=done, failed=report, progressed=progressed)

    def fetch(
        self,
        work: Callable[[Progress], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
    ) -> Progress:
        """Run `work(progress)`, which uses no store, in the net queue."""
        return self._jobs.start(
            work, queue="net", receiver=self, done=done, failed=self._reporter(failed), progressed=progressed
        )

    def exchange(
        self,
        work: Callable[[StoreRunner, Progress], Change],
        *,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
    ) -> Progress:
        """Run `work(on_store, progress)` in the net queue; `on_store(f)` runs `f(writer)` in the store queue.

        Its changes are broadcast when it ends.
        """

        def run(progress: Progress) -> Change:
            writer = self._writer
            if writer is None:
                raise StoreError(self.read_only, "Nothing was changed.")
            return work(lambda step: self._jobs.on_store(lambda: step(writer)), progress)

        return self._jobs.start(
            run,
            queue="net",
            receiver=self,
            done=partial(self._finish, done),
            failed=self._reporter(failed),
            progressed=progressed,
        )

    def _finish(self, done: Callable[[Any], None] | None, change: Change) -> None:
        if change:
            self.changed.emit(change)
        if done is not None:
            done(change)

    def cancel(self, progress: Progress) -> bool:
        """Stop a piece of work at its next progress report. Return whether it never ran."""
        return self._jobs.cancel(progress)

    def _reporter(self, failed: Callable[[Exception], None] | None) -> Callable[[Exception], None]:
        def report(error: Exception) -> None:
            if not isinstance(error, RaterError):
                self.crashed.emit(error)
            elif failed is None:
                self.failed.emit(error)
            if failed is not None:
                failed(error)

        return report
