"""Backups of the open store: by itself after the start, and when the rater asks. Nothing waits for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui.spoken_size import megabytes, revisions
from desktop_rater.work.back_up import Copied, copy_store, keep_copy, newest_backup

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.backups import Backup
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform

AFTER_START_MS = 5_000  # by then the task is open, and what the rater does comes first anyway


class BackingUp(QObject):
    """Copies in the store's lane, between the answers; reads and checks beside it."""

    ended = Signal(object)  # Backup, or None where there is none

    def __init__(self, perform: Perform, window: MainWindow, folder: Path, now: Callable[[], datetime]) -> None:
        super().__init__(window)
        self._perform = perform
        self._banners = window.banners
        self._folder = folder
        self._now = now
        self._running: Progress | None = None
        self._asked = False  # by the rater, who is told what comes of it
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.catch_up)
        window.closed.connect(self._give_up)

    @property
    def is_running(self) -> bool:
        """Whether a backup is on its way."""
        return self._running is not None

    def start_later(self) -> None:
        """See in a moment whether something came since the newest good backup."""
        if not self._perform.read_only:
            self._timer.start(AFTER_START_MS)

    def catch_up(self) -> None:
        """Back up where something came since the newest good backup."""
        if self._running is None:
            self._fetch(partial(newest_backup, self._folder), self._copy)

    def back_up(self) -> None:
        """Back up whatever there is already, and say what came of it."""
        if not self._asked:
            self._asked = True
            self._banners.show_banner("backup", "info", self.tr("Backing up …"))
        if self._running is None:
            self._copy(None)

    def _copy(self, newest: Backup | None) -> None:
        self._running = self._perform.perform(
            copy_store,
            None if self._asked else newest,
            done=self._copied,
            failed=self._failed,
            progressed=lambda _done, _total: None,
        )

    def _copied(self, copied: Copied) -> None:
        if copied.draft is None:
            self._end(None)
            return
        draft = copied.draft
        self._fetch(
            lambda progress: keep_copy(self._folder, draft, now=self._now, progress=progress),
            self._end,
        )

    def _fetch(self, work: Callable[[Progress], Any], done: Callable[[Any], None]) -> None:
        self._running = self._perform.fetch(work, done=done, failed=self._failed)

    def _end(self, backup: Backup | None) -> None:
        asked, self._asked, self._running = self._asked, False, None
        if asked and backup is None:  # the rater asked while the newest was looked at
            self.back_up()
            return
        self._banners.drop("backup")
        if asked and backup is not None:
            words = self.tr("Backed up: {revisions}, {size}. The last five good backups are kept.")
            said = words.format(revisions=revisions(backup.ratings or 0), size=megabytes(backup.size))
            self._banners.show_banner("backup", "info", said)
        self.ended.emit(backup)

    def _failed(self, error: Exception) -> None:
        self._asked, self._running = False, None
        self._banners.drop("backup")
        if isinstance(error, RaterError):
            ways = [(self.tr("Try again"), self.back_up)]
            words = self.tr("No backup: {why}").format(why=str(error))
            self._banners.show_banner("backup", "warn", words, ways)
        self.ended.emit(None)

    def _give_up(self) -> None:
        self._timer.stop()
        if self._running is not None:
            self._perform.cancel(self._running)
