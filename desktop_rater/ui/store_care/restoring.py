"""Goes back to a backup: it is made ready beside the open store, and put in place while the window is closed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui.spoken_size import revisions
from desktop_rater.ui.store_care.backing_up import BackingUp
from desktop_rater.ui.store_care.restore_dialog import RestoreDialog
from desktop_rater.work.back_up import Copied, copy_store, newest_backup
from desktop_rater.work.restore_backup import Prepared, prepare, put_ready_in_place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.backups import Backup, Draft
    from desktop_rater.ui.banner import Kind
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Said:
    """What the next window says first."""

    kind: Kind
    text: str


class Restoring(QObject):
    """The store that is open is backed up first; where that fails, it is kept aside all the same."""

    ready = Signal(object)  # Prepared: all that is left is to be done while the store is closed

    def __init__(
        self,
        perform: Perform,
        session: Session,
        window: MainWindow,
        folder: Path,
        *,
        now: Callable[[], datetime],
        choose: Callable[[QWidget], Path | None],
    ) -> None:
        super().__init__(window)
        self._perform = perform
        self._session = session
        self.backing_up = BackingUp(perform, window, folder, now)
        self._banners = window.banners
        self._folder = folder
        self._now = now
        self._running: Progress | None = None
        self.dialog = RestoreDialog(window, perform, folder, choose)
        self.dialog.wanted.connect(self.restore)
        window.closed.connect(self._give_up)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"back_up": self.backing_up.back_up, "restore": self.ask}

    def ask(self) -> None:
        """Which one."""
        try:
            self.dialog.ask()
        except RaterError as error:
            self._banners.trouble(error, "restore")

    def restore(self, source: Path) -> None:
        """Go back to a backup, or to what a file holds."""
        if self._running is not None:
            return
        words = self.tr("Reading the backup {name} …").format(name=source.name[:80])
        self._banners.show_banner("restore", "info", words, [(self.tr("Cancel"), self._give_up)])
        self._session.pause_typing()
        self._session.saver.when_settled(lambda saved: self._begin(source, saved=saved))

    def _begin(self, source: Path, *, saved: bool) -> None:
        if not saved:
            words = self.tr("Not restored: the last answers are not saved yet.")
            self._banners.show_banner("restore", "block", words)
            return
        self._running = self._perform.fetch(
            partial(newest_backup, self._folder), done=partial(self._copy, source), failed=self._failed
        )

    def _copy(self, source: Path, newest: Backup | None) -> None:
        def copied(done: Copied) -> None:
            self._make_ready(source, done.draft, "")

        def not_copied(error: Exception) -> None:
            if isinstance(error, RaterError):  # the store is kept aside whole, so this stops nothing
                self._make_ready(source, None, str(error))
            else:
                self._failed(error)

        self._running = self._perform.perform(
            copy_store, newest, done=copied, failed=not_copied, progressed=lambda _done, _total: None
        )

    def _make_ready(self, source: Path, draft: Draft | None, why_not: str) -> None:
        def work(progress: Progress) -> Prepared:
            return prepare(self._folder, source, draft, why_not=why_not, now=self._now, progress=progress)

        self._running = self._perform.fetch(work, done=self._is_ready, failed=self._failed)

    def _is_ready(self, prepared: Prepared) -> None:
        self._running = None
        self.ready.emit(prepared)

    def _failed(self, error: Exception) -> None:
        self._running = None
        self._banners.drop("restore")
        if isinstance(error, RaterError):
            self._banners.trouble(error, "restore")

    def _give_up(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._perform.cancel(running)
        self._banners.drop("restore")


def put_last_in_place(folder: Path, whys: Sequence[object], *, now: Callable[[], datetime]) -> Said | None:
    """Put in place what is among the reasons for which a window was closed, if a backup is."""
    prepared = next((one for one in reversed(whys) if isinstance(one, Prepared)), None)
    return None if prepared is None else put_in_place(folder, prepared, now=now)


def put_in_place(folder: Path, prepared: Prepared, *, now: Callable[[], datetime]) -> Said:
    """The last step, with the window and the store closed; what is to be said of it afterwards."""
    try:
        replaced = put_ready_in_place(folder, prepared.ready, command="the window", now=now)
    except RaterError as error:
        return Said("block", str(error))
    words = translate("Restoring", "The backup is restored, with {revisions}.")
    if replaced is not None:
        words += " " + translate("Restoring", "The store that was here before lies in {place}.")
    lost = prepared.not_backed_up and replaced is not None
    if lost:
        words += " " + translate("Restoring", "It could not be backed up before: {why}")
    held = revisions(prepared.ready.holdings.ratings)
    kind: Kind = "warn" if lost else "info"
    return Said(kind, words.format(revisions=held, place=replaced, why=prepared.not_backed_up))
