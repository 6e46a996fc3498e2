"""A piece of work on the store, its trouble, and the one broadcast of what it changed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.store.trouble import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.change import Change
    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store
    from desktop_rater.ui.jobs import Jobs
    from desktop_rater.work.between import OnStore


class Perform(QObject):
    """Runs what writes on the store's lane and what reads on the read lane.

    `changed` is emitted once for each piece of work that touched something; views decide whether it concerns them.
    """

    changed = Signal(object)
    trouble = Signal(object)
    crashed = Signal(object)

    def __init__(
        self, jobs: Jobs, writer: Store | None, reader: Store, parent: QObject | None = None, *, read_only: str = ""
    ) -> None:
        super().__init__(parent)
        self.read_only = read_only
        self._jobs = jobs
        self._writer = writer
        self._reader = reader

    def perform(
        self,
        work: Callable[..., Change],
        *args: Any,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
        first: bool = False,
    ) -> Progress:
        """Run `work(writer, *args)`; with `progressed` it is given a `progress` too.

        In a window that may only look nothing runs, and that is the trouble. Without `failed`, a RaterError becomes a
        banner. What is no RaterError always reaches the crash dialog.
        """

        def run(progress: Progress) -> Change:
            named = {"progress": progress} if progressed is not None else {}
            if self._writer is None:
                raise StoreError(self.read_only, "Nothing was changed.")
            return work(self._writer, *args, **named)

        return self._jobs.start(
            run,
            lane="store",
            receiver=self,
            done=partial(self._finish, done),
            failed=self._reporter(failed),
            progressed=progressed,
            first=first,
        )

    def ask(
        self,
        query: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> Progress:
        """Run `query(reader, *args)`, which changes nothing."""

        def run(_progress: Progress) -> Any:
            return query(self._reader, *args)

        return self._jobs.start(run, lane="read", receiver=self, done=done, failed=self._reporter(failed))

    def fetch(
        self,
        work: Callable[[Progress], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
    ) -> Progress:
        """Run `work(progress)`, which knows no store, on the net's lane."""
        return self._jobs.start(
            work, lane="net", receiver=self, done=done, failed=self._reporter(failed), progressed=progressed
        )

    def exchange(
        self,
        work: Callable[[OnStore, Progress], Change],
        *,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
        progressed: Callable[[int, int], None] | None = None,
    ) -> Progress:
        """Run `work(on_store, progress)` on the net's lane, where `on_store(f)` is `f(writer)` on the store's lane.

        What it changed is broadcast when it ends.
        """

        def run(progress: Progress) -> Change:
            if self._writer is None:
                raise StoreError(self.read_only, "Nothing was changed.")
            return work(self._on_store, progress)

        return self._jobs.start(
            run,
            lane="net",
            receiver=self,
            done=partial(self._finish, done),
            failed=self._reporter(failed),
            progressed=progressed,
        )

    def _on_store(self, work: Callable[[Store], Any]) -> Any:
        writer = self._writer
        assert writer is not None, "`exchange` has looked"
        return self._jobs.on_store(lambda: work(writer))

    def _finish(self, done: Callable[[Any], None] | None, change: Change) -> None:
        if change:
            self.changed.emit(change)
        if done is not None:
            done(change)

    def cancel(self, progress: Progress) -> bool:
        """Stop a piece of work at its next report; whether it never began, and never will."""
        return self._jobs.cancel(progress)

    def _reporter(self, failed: Callable[[Exception], None] | None) -> Callable[[Exception], None]:
        def report(error: Exception) -> None:
            if not isinstance(error, RaterError):
                self.crashed.emit(error)
            elif failed is None:
                self.trouble.emit(error)
            if failed is not None:
                failed(error)

        return report
