"""Back up the open store, list its backups, and choose one to restore."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.change import Change, Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.store.journal import journal_size
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.formatting import megabytes, revision_count
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop_rater.store.backups import Backup
    from desktop_rater.work.store.backup import StoreCopy

BACKUP_DELAY_MS = 5_000  # by then the task is open; the rater's own actions are queued before it anyway
LONG_JOURNAL = 64_000_000  # bytes; a backup shortens it


class BackupRunner(QObject):
    """Runs backups: copies in the store's queue, between the answers; reads and checks outside of it."""

    ended = Signal(object)  # Backup, or None where there is none

    def __init__(self, perform: WorkRunner, window: MainWindow, folder: Path, now: Callable[[], datetime]) -> None:
        super().__init__(window)
        self._perform = perform
        self._banners = window.banners
        self._folder = folder
        self._now = now
        self._running: Progress | None = None
        self._requested = False  # by the rater, who gets a message with the result
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.catch_up)
        perform.changed.connect(self._follow)
        window.closed.connect(self._give_up)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def start_later(self) -> None:
        """Schedule a backup, made if anything has changed since the newest good one."""
        if not self._perform.read_only:
            self._timer.start(BACKUP_DELAY_MS)

    def _follow(self, change: Change) -> None:
        """Schedule a backup of an imported bundle, which the journal does not hold, or if the journal is long."""
        if change.bundles or journal_size(self._folder) > LONG_JOURNAL:
            self.start_later()

    def catch_up(self) -> None:
        """Back up if anything has changed since the newest good backup."""
        from desktop_rater.work.store.backup import newest_backup  # noqa: PLC0415 - only when it is used

        if self._running is None:
            self._fetch(partial(newest_backup, self._folder), self._copy)
        else:
            self.start_later()

    def back_up(self) -> None:
        if not self._requested:
            self._requested = True
            self._banners.show_banner("backup", "info", self.tr("Backing up …"))
        if self._running is None:
            self._copy(None)

    def _copy(self, newest: Backup | None) -> None:
        from desktop_rater.work.store.backup import copy_store  # noqa: PLC0415 - only when it is used

        self._running = self._perform.perform(
            copy_store,
            None if self._requested else newest,
            done=self._copied,
            failed=self._failed,
            progressed=lambda _done, _total: None,
        )

    def _copied(self, result: StoreCopy) -> None:
        from desktop_rater.work.store.backup import finish_backup  # noqa: PLC0415 - only when it is used

        if result.draft is None:
            self._end(None)
            return
        draft = result.draft
        self._fetch(lambda progress: finish_backup(self._folder, draft, now=self._now, progress=progress), self._end)

    def _fetch(self, work: Callable[[Progress], Any], done: Callable[[Any], None]) -> None:
        self._running = self._perform.fetch(work, done=done, failed=self._failed)

    def _end(self, backup: Backup | None) -> None:
        requested, self._requested, self._running = self._requested, False, None
        if requested and backup is None:  # the rater asked while the newest backup was being read
            self.back_up()
            return
        self._banners.drop("backup")
        if requested and backup is not None:
            template = self.tr("Backed up: {revisions}, {size}. The last five good backups are kept.")
            text = template.format(revisions=revision_count(backup.ratings or 0), size=megabytes(backup.size))
            self._banners.show_banner("backup", "info", text)
        self.ended.emit(backup)

    def _failed(self, error: Exception) -> None:
        self._requested, self._running = False, None
        self._banners.drop("backup")
        if isinstance(error, RaterError):
            actions = [(self.tr("Try again"), self.back_up)]
            text = self.tr("The backup failed: {why}").format(why=str(error))
            self._banners.show_banner("backup", "warn", text, actions)
        self.ended.emit(None)

    def _give_up(self) -> None:
        self._timer.stop()
        if self._running is not None:
            self._perform.cancel(self._running)


translate = QCoreApplication.translate


def backup_time(backup: Backup) -> str:
    """Return the local day and time of a backup."""
    moment = datetime.fromisoformat(backup.made).astimezone()
    return formatting.day_and_clock(moment)


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
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
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
        column.addWidget(self.list)
        column.addStretch(1)
        column.addLayout(self._make_foot())

    def _make_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self._file = KeyButton(self.tr("Choose a file …"), name="restore_file", clicked=self._choose_from_disk)
        foot.addWidget(self._file)
        foot.addStretch(1)
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
