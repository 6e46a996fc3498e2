"""Results of raters come to the desk of a QA lead: each is checked, and what is not good is named."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.ui import spelling
from desktop_rater.work.collect_into_inbox import take_collected
from desktop_rater.work.open_results import Opened, open_results

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.audited import Audited
    from desktop_rater.ui.banner import Banners
    from desktop_rater.ui.perform import Perform

BANNER = "results"


class ResultsIn(QObject):
    """One lot at a time; what comes meanwhile is taken after it."""

    ended = Signal(object)  # Opened, or `None` where it did not work
    wanted = Signal()  # the results are to be seen

    def __init__(
        self, perform: Perform, audited: Audited, banners: Banners, lead: str, now: Callable[[], datetime]
    ) -> None:
        super().__init__(audited)
        self._perform = perform
        self._audited = audited
        self._banners = banners
        self._lead = lead
        self._now = now
        self._running: Progress | None = None
        self._waiting: list[Path] = []
        self._collected = ""  # the project whose results wait
        self.last: Opened | None = None

    @property
    def is_running(self) -> bool:
        """Whether results are being checked."""
        return self._running is not None

    def take(self, paths: Sequence[Path]) -> None:
        """Check files and folders, and store what is good."""
        if self._running is not None:
            self._waiting += paths
            return
        self._run(partial(open_results, lead=self._lead, now=self._now()), list(paths), self._opened)

    def take_collected(self, project: str) -> None:
        """The same with what was fetched from a hub. Nobody asked for it just now, so a banner tells of it."""
        if self._running is not None:
            self._collected = project
            return
        self._run(partial(take_collected, lead=self._lead, now=self._now), project, self._collected_in)

    def _run(self, work: Callable[..., Opened], what: object, done: Callable[[Opened], None]) -> None:
        words = self.tr("Checking the results …")
        self._banners.show_banner(BANNER, "info", words, [(self.tr("Cancel"), self._cancel)])
        self._running = self._perform.perform(
            work,
            what,
            done=done,
            failed=self._failed,
            progressed=self._progressed,
        )

    def _cancel(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
            self._running = None
            self._audited.start()  # what came in whole stays
            self._go_on()

    def _progressed(self, done: int, total: int) -> None:
        banner = self._banners.banner(BANNER)
        if banner is not None and total and self._running is not None:
            words = self.tr("Checking the results: {done} of {total}")
            banner.label.setText(words.format(done=spelling.number(done), total=spelling.number(total)))

    def _opened(self, opened: Opened) -> None:
        self._running = None
        self._banners.drop(BANNER)
        self.last = opened
        self._audited.take_in(opened)
        self.ended.emit(opened)
        self._go_on()

    def _collected_in(self, opened: Opened) -> None:
        self._running = None
        self._banners.drop(BANNER)
        self.last = opened
        if opened.took or opened.refused:
            self._banners.show_banner(
                BANNER, "info", self._came(opened), [(self.tr("Show"), partial(self._show, opened))]
            )
        self.ended.emit(opened)
        self._go_on()

    def _came(self, opened: Opened) -> str:
        took, refused = len(opened.took), len(opened.refused)
        words = self.tr("Results came from the hub: {n}.").format(n=spelling.number(took))
        if not refused:
            return words
        also = self.tr("Refused: {n}.").format(n=spelling.number(refused))
        return f"{words} {also}"

    def _show(self, opened: Opened) -> None:
        self.wanted.emit()
        self._audited.take_in(opened)

    def _failed(self, error: Exception) -> None:
        self._running = None
        self._banners.show_banner(BANNER, "block", str(error))
        self.ended.emit(None)
        self._go_on()

    def _go_on(self) -> None:
        waiting, self._waiting = self._waiting, []
        collected, self._collected = self._collected, ""
        if waiting:
            self.take(waiting)
        if collected:
            self.take_collected(collected)
