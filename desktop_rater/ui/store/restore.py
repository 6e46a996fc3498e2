"""Restore a backup: it is prepared beside the open store and put in place while the window is closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.store.backups import BackupRunner, RestoreDialog
from desktop_rater.ui.widgets.formatting import revision_count as revisions
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop_rater.store.backups import Backup, BackupDraft
    from desktop_rater.ui.widgets.banners import BannerKind
    from desktop_rater.work.store.backup import RestorePlan, StoreCopy


translate = QCoreApplication.translate


@dataclass(frozen=True)
class StartMessage:
    """The first message of the next window."""

    kind: BannerKind
    text: str


class BackupRestorer(QObject):
    """Backs up the open store and then restores; if that backup fails, the open store is still set aside."""

    ready = Signal(object)  # RestorePlan: the rest is done while the store is closed

    def __init__(
        self,
        perform: WorkRunner,
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
        self.backing_up = BackupRunner(perform, window, folder, now)
        self._banners = window.banners
        self._folder = folder
        self._now = now
        self._running: Progress | None = None
        self.dialog = RestoreDialog(window, perform, folder, choose)
        self.dialog.wanted.connect(self.restore)
        window.closed.connect(self._give_up)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"back_up": self.backing_up.back_up, "restore": self.ask}

    def ask(self) -> None:
        try:
            self.dialog.ask()
        except RaterError as error:
            self._banners.show_error(error, "restore")

    def restore(self, source: Path) -> None:
        if self._running is not None:
            return
        text = self.tr("Reading the backup {name} …").format(name=source.name[:80])
        self._banners.show_banner("restore", "info", text, [(self.tr("Cancel"), self._give_up)])
        self._session.pause_typing()
        self._session.saver.when_settled(lambda saved: self._begin(source, saved=saved))

    def _begin(self, source: Path, *, saved: bool) -> None:
        from desktop_rater.work.store.backup import newest_backup  # noqa: PLC0415 - only when it is used

        if not saved:
            text = self.tr("Not restored: the latest answers could not be saved yet. Try again once they are saved.")
            self._banners.show_banner("restore", "block", text)
            return
        self._running = self._perform.fetch(
            partial(newest_backup, self._folder), done=partial(self._copy, source), failed=self._failed
        )

    def _copy(self, source: Path, newest: Backup | None) -> None:
        from desktop_rater.work.store.backup import copy_store  # noqa: PLC0415 - only when it is used

        def continue_with_draft(copy: StoreCopy) -> None:
            self._prepare(source, copy.draft, "")

        def continue_without_draft(error: Exception) -> None:
            if isinstance(error, RaterError):  # the whole store is set aside, so this is not fatal
                self._prepare(source, None, str(error))
            else:
                self._failed(error)

        self._running = self._perform.perform(
            copy_store,
            newest,
            done=continue_with_draft,
            failed=continue_without_draft,
            progressed=lambda _done, _total: None,
        )

    def _prepare(self, source: Path, draft: BackupDraft | None, why_not: str) -> None:
        from desktop_rater.work.store.backup import prepare_restore  # noqa: PLC0415 - only when it is used

        def work(progress: Progress) -> RestorePlan:
            return prepare_restore(self._folder, source, draft, why_not=why_not, now=self._now, progress=progress)

        def emit_prepared(prepared: RestorePlan) -> None:
            self._running = None
            self.ready.emit(prepared)

        self._running = self._perform.fetch(work, done=emit_prepared, failed=self._failed)

    def _failed(self, error: Exception) -> None:
        self._running = None
        self._banners.drop("restore")
        if isinstance(error, RaterError):
            self._banners.show_error(error, "restore")

    def _give_up(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._perform.cancel(running)
        self._banners.drop("restore")


def install_last_prepared(
    folder: Path, reasons: Sequence[object], *, now: Callable[[], datetime]
) -> StartMessage | None:
    """Install the last prepared backup among the reasons for closing a window, if there is one."""
    from desktop_rater.work.store.backup import RestorePlan  # noqa: PLC0415 - only when it is used

    prepared = next((reason for reason in reversed(reasons) if isinstance(reason, RestorePlan)), None)
    return None if prepared is None else install_prepared(folder, prepared, now=now)


def install_prepared(folder: Path, prepared: RestorePlan, *, now: Callable[[], datetime]) -> StartMessage:
    """Install a prepared backup while window and store are closed. Return the message about it."""
    from desktop_rater.work.store.backup import finish_restore  # noqa: PLC0415 - only when it is used

    try:
        replaced = finish_restore(folder, prepared.ready, command="the window", now=now)
    except RaterError as error:
        return StartMessage("block", str(error))
    text = translate("Restoring", "The backup is restored, with {revisions}.")
    if replaced is not None:
        text += " " + translate("Restoring", "The previous store has been moved to {place}.")
    lost = prepared.not_backed_up and replaced is not None
    if lost:
        text += " " + translate("Restoring", "It could not be backed up first: {why}")
    revision_count = revisions(prepared.ready.holdings.ratings)
    kind: BannerKind = "warn" if lost else "info"
    return StartMessage(kind, text.format(revisions=revision_count, place=replaced, why=prepared.not_backed_up))
