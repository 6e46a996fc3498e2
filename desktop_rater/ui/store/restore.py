"""Restore a backup: it is chosen, prepared beside the open store, and put in place while the window is closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.store.connections import BackupRunner
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import BannerKind
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.formatting import megabytes, revision_count
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import fill, tight_column
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop_rater.operations.store.backup import RestorePlan, StoreCopy
    from desktop_rater.store.backups import Backup, BackupCopy


translate = QCoreApplication.translate


def backup_time(backup: Backup) -> str:
    """Return the local day and time of a backup."""
    return formatting.day_and_clock(datetime.fromisoformat(backup.made).astimezone())


def backup_row(backup: Backup) -> ListRow:
    """Return the row of a backup."""
    mark, tone, state = _state(backup)
    contents = translate("BackupList", "contents can't be read")
    if backup.ratings is not None:
        contents = revision_count(backup.ratings)
    return ListRow(
        backup.path.name,
        backup_time(backup),
        end=contents,
        detail=translate("BackupList", "Format {n}, {size}").format(n=backup.version, size=megabytes(backup.size)),
        detail_end=state,
        mark=mark,
        tone=tone,
    )


def _state(backup: Backup) -> tuple[str, str, str]:
    """Return mark, tone and text of a backup's state."""
    if backup.good is False:
        return "blocked", "block", translate("BackupList", "damaged")
    if not backup.usable:
        return "dead", "", translate("BackupList", "from a newer version of the program")
    if backup.good is None:
        return "todo", "", translate("BackupList", "is being read …")
    return "done", "ok", translate("BackupList", "good")


WIDTH, MOST_ROWS = 560, 6
GO = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class RestoreDialog(WindowDialog):
    """A dialog in which the arrows choose a backup, Enter asks, Enter again restores, and Esc goes back one step."""

    wanted = Signal(object)  # Path of the confirmed backup

    def __init__(
        self, window: QWidget, perform: WorkRunner, folder: Path, choose: Callable[[QWidget], Path | None]
    ) -> None:
        super().__init__(window, "restore", self.tr("Restore a backup"))
        self._perform = perform
        self._folder = folder
        self._choose_file = choose
        self._backups: tuple[Backup, ...] = ()
        self._source: Path | None = None  # the backup to confirm
        self._reading: Progress | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        column = tight_column(self, spacing=12, margins=(24, 20, 24, 16))
        self._title = PlainLabel(name="restore_title", size="title", bold=True)
        column.addWidget(self._title)
        self._text = WrappedLabel(name="restore_words")
        column.addWidget(self._text)
        self.list = RowList("restore_list", two_lines=True, label=self.tr("Backups"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.installEventFilter(self)
        self.list.doubleClicked.connect(lambda _index: self.go_on())
        self.list.selectionModel().currentChanged.connect(lambda _to, _from: self._show())
        fill(column, self.list, 1, self._make_foot())

    def _make_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self._file = KeyButton(self.tr("Choose a file …"), name="restore_file", clicked=self._choose_from_disk)
        fill(foot, self._file, 1)
        self._back = KeyButton(self.tr("Close"), "Esc", name="restore_back", clicked=self.reject)
        foot.addWidget(self._back)
        self._go = KeyButton(self.tr("Restore …"), "Enter", primary=True, name="restore_go", clicked=self.go_on)
        foot.addWidget(self._go)
        return foot

    @property
    def is_read(self) -> bool:
        return self._reading is None

    def ask(self) -> None:
        from desktop_rater.store.backups import list_backups  # noqa: PLC0415 - only when it is used

        self._source = None
        self._backups = ()
        self._list(list_backups(self._folder))
        self._check_next()
        self.open_with(WIDTH)
        self._focus_list()

    def go_on(self) -> None:
        """Ask about the chosen backup, or restore it once confirmed."""
        if self._source is not None:
            source = self._source
            self.accept()
            self.wanted.emit(source)
            return
        backup = self._chosen()
        if backup is not None and backup.usable:
            self._source = backup.path
            self._show()

    def reject(self) -> None:
        """Go back from the question to the list, and close from there."""
        if self._source is None:
            super().reject()
            return
        self._source = None
        self._show()
        self._focus_list()

    def _focus_list(self) -> None:
        (self.list if self._backups else self._file).setFocus()

    def done(self, result: int) -> None:
        if self._reading is not None:
            self._perform.cancel(self._reading)
            self._reading = None
        super().done(result)

    # -- list

    def _list(self, backups: tuple[Backup, ...]) -> None:
        self._backups = backups
        row = max(0, self.list.currentIndex().row())
        self.model.show([backup_row(backup) for backup in backups])
        if backups and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(min(row, len(backups) - 1)))
        self.list.fit_rows(MOST_ROWS)
        self._show()

    def _check_next(self) -> None:
        """Check the backups one after the other, newest first: a large one takes seconds."""
        from desktop_rater.store.backups import verify_backup  # noqa: PLC0415 - only when it is used

        backup = next((candidate for candidate in self._backups if candidate.good is None and candidate.usable), None)
        if backup is None:
            self._reading = None
            return

        def read(progress: Progress) -> Backup:
            return verify_backup(backup, lambda: progress(0, 0))

        self._reading = self._perform.fetch(read, done=self._checked)

    def _checked(self, backup: Backup) -> None:
        self._list(tuple(backup if other.path == backup.path else other for other in self._backups))
        self._check_next()

    def _chosen(self) -> Backup | None:
        index: QModelIndex = self.list.currentIndex()
        return self._backups[index.row()] if index.isValid() else None

    def _choose_from_disk(self) -> None:
        path = self._choose_file(self)
        if path is not None:
            self._source = path
            self._show()
            self._go.setFocus()

    # -- texts

    def _show(self) -> None:
        asking = self._source is not None
        backup = self._chosen()
        for widget in (self.list, self._file):
            widget.setHidden(asking or (widget is self.list and not self._backups))
        self._title.setText(self.tr("Restore this backup?") if asking else self.tr("Restore a backup"))
        self._text.setText(self._question() if asking else self._about())
        self._go.set_label(self.tr("Restore") if asking else self.tr("Restore …"))
        self._go.setEnabled(asking or (backup is not None and backup.usable))
        self._back.set_label(self.tr("Back") if asking else self.tr("Close"))

    def _about(self) -> str:
        if not self._backups:
            return self.tr("There is no backup yet. A backup is made at each start if something has changed.")
        return self.tr("The chosen backup replaces your current work. The current store is kept, not deleted.")

    def _question(self) -> str:
        backup = next((candidate for candidate in self._backups if candidate.path == self._source), None)
        if backup is None:
            source = self._source.name[:120] if self._source is not None else ""
        else:
            source = self.tr("{when}, {revisions}").format(
                when=backup_time(backup), revisions=revision_count(backup.ratings or 0)
            )
        return self.tr(
            "{what}\n\nEverything newer than this backup is removed from the window. The current store "
            "is backed up first and moved to {place}. The window then reopens."
        ).format(what=source, place=self._folder / "replaced")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Treat Enter on a row like the button."""
        if watched is self.list and isinstance(event, QKeyEvent) and event.key() in GO:
            if event.type() == QEvent.Type.KeyPress:
                self.go_on()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in GO:
            self.go_on()
            return
        super().keyPressEvent(event)


class StartMessage(Struct, frozen=True):
    """The first message of the next window."""

    kind: BannerKind
    text: str


class BackupRestorer(QObject):
    """Backs up the open store and then restores; if that backup fails, the open store is still set aside."""

    def __init__(
        self,
        perform: WorkRunner,
        session: Session,
        window: MainWindow,
        backing_up: BackupRunner,
        folder: Path,
        now: Callable[[], datetime],
        choose: Callable[[QWidget], Path | None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._perform = perform
        self._session = session
        self.backing_up = backing_up
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
        from desktop_rater.operations.store.backup import newest_backup  # noqa: PLC0415 - only when it is used

        if not saved:
            text = self.tr("Not restored: the latest answers could not be saved yet. Try again once they are saved.")
            self._banners.show_banner("restore", "block", text)
            return
        self._running = self._perform.fetch(
            partial(newest_backup, self._folder), done=partial(self._copy, source), failed=self._failed
        )

    def _copy(self, source: Path, newest: Backup | None) -> None:
        from desktop_rater.operations.store.backup import copy_store  # noqa: PLC0415 - only when it is used

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

    def _prepare(self, source: Path, draft: BackupCopy | None, why_not: str) -> None:
        from desktop_rater.operations.store.backup import prepare_restore  # noqa: PLC0415 - only when it is used

        def work(progress: Progress) -> RestorePlan:
            return prepare_restore(self._folder, source, draft, why_not=why_not, now=self._now, progress=progress)

        def emit_prepared(prepared: RestorePlan) -> None:
            self._running = None
            self._window.reopen_wanted.emit(prepared)  # the rest is done while the store is closed

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
    from desktop_rater.operations.store.backup import RestorePlan  # noqa: PLC0415 - only when it is used

    prepared = next((reason for reason in reversed(reasons) if isinstance(reason, RestorePlan)), None)
    return None if prepared is None else install_prepared(folder, prepared, now=now)


def install_prepared(folder: Path, prepared: RestorePlan, *, now: Callable[[], datetime]) -> StartMessage:
    """Install a prepared backup while window and store are closed. Return the message about it."""
    from desktop_rater.operations.store.backup import finish_restore  # noqa: PLC0415 - only when it is used

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
    revisions = revision_count(prepared.ready.ratings)
    kind: BannerKind = "warn" if lost else "info"
    return StartMessage(kind, text.format(revisions=revisions, place=replaced, why=prepared.not_backed_up))
