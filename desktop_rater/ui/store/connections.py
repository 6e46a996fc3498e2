"""The window's connections to its store, the place of its files, and the read-only mode if it can't write."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from PySide6.QtGui import QAction

from desktop_rater.format.change import NO_CHANGE, Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreDisplaced, StoreError, StoreTooNew
from desktop_rater.store.journal import journal_size
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.restore import store_file_of, surroundings
from desktop_rater.store.state import get_state, put_state
from desktop_rater.store.store import Store, StoreTaken, file_identity, is_held
from desktop_rater.ui.rating.rating_saver import RatingSaver
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.labels import set_tooltip
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop_rater.operations.store.backup import StoreCopy
    from desktop_rater.operations.store.salvage import StoresJoined
    from desktop_rater.store.backups import Backup

WINDOW_COMMAND = "the window"
CREATION_SECONDS, CREATION_LOOKS = 10.0, 200  # a new store takes a fraction of a second
translate = QCoreApplication.translate


class StoreConnections(Struct, frozen=True):
    """The connections. `writer` is `None` if nothing can be written, `why` says why; `taken`: by another program."""

    reader: Store
    writer: Store | None = None
    why: str = ""
    taken: bool = False

    @property
    def log_was_gone(self) -> bool:
        """Return whether the last writes of the previous program are missing."""
        return self.writer is not None and self.writer.log_was_gone

    @property
    def journal_failure(self) -> str:
        """Return why the journal can't be written; empty if it can."""
        return "" if self.writer is None or self.writer.journal is None else self.writer.journal.failure

    def close(self, *, keep_writer: bool = False) -> None:
        self.reader.close()
        if self.writer is not None and not keep_writer:
            self.writer.close()


class UpdateDeclined(StoreError):
    """The store has an older version, and the user declined to update it."""

    def __init__(self) -> None:
        super().__init__("The store was not updated.", "It has not been changed.")


class UpdatedStore(Struct, frozen=True):
    """The result of updating an older store: its writer, or the error that prevented it."""

    writer: Store | None = None
    refused: StoreError | None = None


def open_stores(
    folder: Path,
    now: datetime,
    updated: UpdatedStore | None = None,
    *,
    wait: Callable[[float], object] = time.sleep,
) -> StoreConnections:
    """Open a writer and a reader; only a reader if another program writes or the disk is read-only.

    `updated`: the result of an update that already ran. Raises `StoreError` if not even reading works.
    """
    updated = updated or UpdatedStore()
    try:
        if updated.refused is not None:
            raise updated.refused
        writer = updated.writer or open_writer(folder, command=WINDOW_COMMAND, now=now)
    except (StoreTooNew, StoreDamaged):
        raise
    except UpdateDeclined as error:
        text = translate("Stores", "Read-only: this store was made by an older version and has not been updated.")
        return StoreConnections(_reader(folder, error), why=text)
    except StoreTaken as locked:
        _await_creation(folder, wait)
        return StoreConnections(_reader(folder, locked), why=_lock_message(locked), taken=True)
    except StoreError as error:
        text = translate("Stores", "Read-only: nothing can be written to {folder}. {why}")
        return StoreConnections(_reader(folder, error), why=text.format(folder=folder, why=error.message))
    for is_last in (False, False, True):
        try:
            writer.keep_place()  # another program may change its files again at this moment
            reader = open_reader(writer.folder)
            if reader is not None:
                return StoreConnections(reader, writer)
        except StoreError:
            if is_last:
                writer.close()
                raise
    writer.close()
    raise NotInStore(f"The store in {writer.folder} went away.")


def _await_creation(folder: Path, wait: Callable[[float], object]) -> None:
    """Wait for a store that another program is about to create, as after two starts of the first window."""
    for _ in range(CREATION_LOOKS):
        if store_file_of(folder).exists():
            return
        wait(CREATION_SECONDS / CREATION_LOOKS)


def _reader(folder: Path, error: StoreError) -> Store:
    try:
        reader = open_reader(folder)
    except (StoreTooNew, StoreDamaged):
        raise
    except StoreError as other:
        raise error from other  # the reason it can't be written is more helpful
    if reader is None:
        raise error
    return reader


def _lock_message(error: StoreTaken) -> str:
    holder = error.holder
    if holder is None:
        return translate("Stores", "Read-only: another program writes to this store.")
    if holder.command == WINDOW_COMMAND:
        text = translate("Stores", "Read-only: another window has it open (process {pid} on {host}, since {since}).")
    else:
        text = translate("Stores", "Read-only: {command} writes to it (process {pid} on {host}, since {since}).")
    return text.format(
        command=holder.command[:60], pid=holder.pid, host=holder.host[:60], since=utc_moment(holder.since)
    )


def utc_moment(time: str) -> str:
    """Return an ISO 8601 time for reading, in UTC and to the minute."""
    try:
        when = datetime.fromisoformat(time).astimezone(UTC)
    except ValueError:
        return time
    return translate("Stores", "{day} at {minute} UTC").format(day=formatting.day(when), minute=formatting.clock(when))


PLACE_CHECK_MS = 3_000
PLACE_BANNER = "place"
JOIN_BANNER = "trouble"  # an error takes its place
MOST_NAMED = 5
_PROGRAM_KEY = "synchronised by"


class StorePlace(QObject):
    """Compares the open files of the store with their paths, and lets the window follow the store to a new folder."""

    moved = Signal(object)  # Store: the writer, which goes on in another folder
    return_wanted = Signal(object)  # Path: the folder from which it was moved

    def __init__(self, window: MainWindow, perform: WorkRunner, saver: RatingSaver, writer: Store | None) -> None:
        super().__init__(window)
        self._window = window
        self._perform = perform
        self._writer = writer
        self._origin = writer.folder if writer is not None else None
        self._checking = False
        self.timer = QTimer(self, interval=PLACE_CHECK_MS)
        self.timer.timeout.connect(self.check)
        if writer is not None:
            saver.saved.connect(self._follow)
            self.timer.start()
            perform.fetch(lambda _progress: surroundings(writer.folder), done=self._report_surroundings)

    def check(self) -> None:
        if not self._checking:
            self._checking = True
            self._perform.perform(
                lambda store: store.keep_place() or NO_CHANGE, done=self._checked, failed=self._failed
            )

    def _checked(self, _change: Change) -> None:
        self._checking = False
        if self._window.displaced:
            self._window.displaced = ""
            self._window.banners.drop(PLACE_BANNER)
        self._follow()

    def _follow(self) -> None:
        if self._writer is not None and self._writer.folder != self._origin:
            self._origin = self._writer.folder
            self.timer.stop()
            self.moved.emit(self._writer)

    def _failed(self, error: Exception) -> None:
        self._checking = False
        if not isinstance(error, StoreDisplaced):
            return
        text = self.tr(
            "Another program changed the files of the store in {folder}, and no new store can be written beside it. "
            "Your answers are only in this window: do not close it. Trying again every {n} s."
        )
        text = text.format(folder=self._origin, n=PLACE_CHECK_MS // 1_000)
        if not self._window.displaced:
            banner = self._window.banners.show_banner(PLACE_BANNER, "block", text)
            set_tooltip(banner.label, str(error))
        self._window.displaced = text
        self._window.show_not_saved()

    def show_moved(self, origin: Path, displacement: str) -> None:
        """Say where the window goes on, after the store was moved from the folder `origin`."""
        text = self.tr(
            "Another program changed the files of the store in {origin} while it was open. Nothing is lost: all your "
            "answers are in a new store, in which you go on: {folder}"
        )
        text = text.format(origin=origin, folder=self._origin)
        back = (
            self.tr("Open the store at its old place"),
            lambda: self.return_wanted.emit(origin),
        )
        set_tooltip(self._window.banners.show_banner(PLACE_BANNER, "block", text, [back]).label, displacement)

    # -- other stores beside this one, and the folder

    def _report_surroundings(self, found: tuple[list[Path], str | None]) -> None:
        moved, program = found
        log = self._writer.foreign_log if self._writer is not None else None
        if log is not None:
            text = self.tr(
                "The program ended without closing the store, and another program has replaced the store's file since. "
                "The answers that it lacks are in {folder}."
            )
            self._offer(log, text)
        elif moved:
            text = self.tr("Answers that this store lacks are in another store, which was moved out of it: {folder}")
            self._offer(moved[-1], text)
        if program is not None:
            self._perform.ask(get_state, _PROGRAM_KEY, done=partial(self._warn_of_program, program))

    def _offer(self, source: Path, text: str) -> None:
        join = (self.tr("Join the stores"), partial(self.join, source))
        self._window.banners.show_banner(JOIN_BANNER, "warn", text.format(folder=source), [join])

    def _warn_of_program(self, program: str, told: str | None) -> None:
        if told == program:
            return
        text = self.tr(
            "The store is in a folder of {program}, which may replace its files while you work. Put the store into "
            "another folder; a hub brings your work to other computers."
        )
        connect = (self.tr("Connect a hub …"), self._window.hub_wanted.emit)
        self._window.banners.show_banner(PLACE_BANNER, "warn", text.format(program=program), [connect])
        self._perform.perform(lambda store: put_state(store, _PROGRAM_KEY, program) or NO_CHANGE)

    def join(self, source: Path) -> None:
        """Add what another store has."""
        from desktop_rater.operations.store.salvage import join_store  # noqa: PLC0415 - only when it is used

        self._window.banners.show_banner(JOIN_BANNER, "info", self.tr("Joining the stores …"))
        self._window.save()
        self._perform.perform(
            partial(join_store, source=source), done=self._report_joined, progressed=lambda _done, _total: None
        )

    def _report_joined(self, outcome: "StoresJoined") -> None:
        text = self.tr("The stores are joined. Added: {revisions}.")
        text = text.format(revisions=formatting.revision_count(outcome.revisions))
        if outcome.conflicts:
            conflicts = self.tr("Continued in both stores, to be reviewed again: {names}.")
            text += " " + conflicts.format(names=", ".join(outcome.conflicts[:MOST_NAMED]))
        text = " ".join((text, *outcome.notes[:MOST_NAMED]))
        kind = "warn" if outcome.conflicts or outcome.notes or outcome.damaged else "info"
        self._window.banners.show_banner(JOIN_BANNER, kind, text)


LOCK_CHECK_MS = 3_000
WRITE_ACTIONS = (
    *("import", "open_results", "open_folder", "sample", "practice", "export", "back_up", "restore"),
    *("fetch_task_links", "fetch_bundle_links"),
)
READ_ONLY_BANNER = "read_only"


class ReadOnlyMode(QObject):
    """The read-only state of a window. Does nothing if the window can write."""

    writing_wanted = Signal()  # the window is opened again, and reports if it still can't write

    def __init__(
        self, window: MainWindow, folder: Path, stores: StoreConnections, actions: Mapping[str, QAction]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._folder = folder
        self.why = stores.why
        self.timer = QTimer(self, interval=LOCK_CHECK_MS)
        self.timer.timeout.connect(self.check_lock)
        self._file = store_file_of(folder)
        self._in_place = file_identity(self._file)
        self._opened = self._in_place
        self.place_timer = QTimer(self, interval=PLACE_CHECK_MS)
        self.place_timer.timeout.connect(self.check_place)
        if not self.why:
            return
        self.place_timer.start()
        for name in WRITE_ACTIONS:
            actions[name].setEnabled(False)
        window.show_state(self.tr("Read-only"), self.why)
        window.banners.show_banner(
            READ_ONLY_BANNER, "warn", self.why, [(self.tr("Try to write"), self.writing_wanted.emit)]
        )
        if stores.taken:
            self.timer.start()

    def check_lock(self) -> None:
        """Check whether the other program has released the store."""
        try:
            held = is_held(self._folder)
        except OSError:  # unknown from here; the user can still try to write
            return
        if not held and file_identity(self._file) is not None:  # without the file an empty store would be made
            self.timer.stop()
            text = self.tr("The other program has closed the store. This window can write now.")
            self._window.banners.show_banner(
                READ_ONLY_BANNER, "info", text, [(self.tr("Enable writing"), self.writing_wanted.emit)]
            )

    def check_place(self) -> None:
        """Say so while the file that this window has opened is not in its place."""
        there, before = file_identity(self._file), self._in_place
        self._in_place = there
        if there == self._opened:
            self._window.banners.drop(PLACE_BANNER)
        elif there != before:
            text = self.tr(
                "Another program replaced, moved or removed the file of the store: {file}. This window shows the store "
                "as it was."
            )
            again = (self.tr("Open the store again"), self.writing_wanted.emit)
            self._window.banners.show_banner(
                PLACE_BANNER, "block", text.format(file=self._file), [again] if there is not None else []
            )


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
        if self._running is None:
            self._fetch(self._read_newest, self._copy)
        else:
            self.start_later()

    def back_up(self) -> None:
        if not self._requested:
            self._requested = True
            self._banners.show_banner("backup", "info", self.tr("Backing up …"))
        if self._running is None:
            self.catch_up()

    def _read_newest(self, progress: Progress) -> "Backup | None":
        # Imported in a worker's thread: it takes longer than the window may stop.
        from desktop_rater.operations.store.backup import newest_backup  # noqa: PLC0415 - only when it is used

        return None if self._requested else newest_backup(self._folder, progress)

    def _copy(self, newest: "Backup | None") -> None:
        from desktop_rater.operations.store.backup import copy_store  # noqa: PLC0415 - only when it is used

        self._running = self._perform.perform(
            copy_store,
            None if self._requested else newest,
            done=self._copied,
            failed=self._failed,
            progressed=lambda _done, _total: None,
        )

    def _copied(self, result: "StoreCopy") -> None:
        from desktop_rater.operations.store.backup import finish_backup  # noqa: PLC0415 - only when it is used

        draft = result.draft
        if draft is None:
            self._end(None)
        else:
            self._fetch(
                lambda progress: finish_backup(self._folder, draft, now=self._now, progress=progress), self._end
            )

    def _fetch(self, work: Callable[[Progress], Any], done: Callable[[Any], None]) -> None:
        self._running = self._perform.fetch(work, done=done, failed=self._failed)

    def _end(self, backup: "Backup | None") -> None:
        requested, self._requested, self._running = self._requested, False, None
        if requested and backup is None:  # the rater asked while the newest backup was being read
            self.back_up()
            return
        self._banners.drop("backup")
        if requested and backup is not None:
            template = self.tr("Backed up: {revisions}, {size}. The last five good backups are kept.")
            text = template.format(
                revisions=formatting.revision_count(backup.ratings or 0), size=formatting.megabytes(backup.size)
            )
            self._banners.show_banner("backup", "info", text)
        self.ended.emit(backup)

    def _failed(self, error: Exception) -> None:
        self._requested, self._running = False, None
        self._banners.drop("backup")
        if isinstance(error, RaterError):
            text = self.tr("The backup failed: {why}").format(why=str(error))
            self._banners.show_banner("backup", "warn", text, [(self.tr("Try again"), self.back_up)])
        self.ended.emit(None)

    def _give_up(self) -> None:
        self._timer.stop()
        if self._running is not None:
            self._perform.cancel(self._running)
