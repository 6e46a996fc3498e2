"""An open store: its files, connection, transactions and write lock."""

import os
import platform
import secrets
import sqlite3
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec
from filelock import FileLock, Timeout
from msgspec.structs import replace

from desktop_rater.files import partial_file, retry_while_open, sync_folder, write_durably
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import format_time
from desktop_rater.store.connection import NAME, connect_immutable, connect_reader, connect_writer, has_wal
from desktop_rater.store.errors import (
    DiskFailed,
    StoreDamaged,
    StoreDisplaced,
    StoreError,
    primary_code,
    translate_errors,
)
from desktop_rater.store.journal import Journal
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.window_index import WindowIndex

_KEY = "log"  # in the table `state`
_SALT = slice(16, 24)  # of the header of a log, which gets another one when the log begins anew
_TRIES = 3  # the main file and the log are read one after the other, and a writer may merge them in between
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_CONTRADICTIONS = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


class LogMark(msgspec.Struct, frozen=True, array_like=True):
    """The mark of a transaction: the writer's session and the number of the transaction in it.

    The main file then holds the transaction `since` (session, number) or a later one of this session.
    """

    session: str = ""
    number: int = 0
    since: tuple[str, int] = ("", 0)

    def continues(self, older: "LogMark") -> bool:
        """Tell if a log with this mark belongs to a main file with the mark `older`."""
        session, number = self.since
        if older.session == self.session:
            return session != self.session or older.number >= number
        return (older.session, older.number) == self.since


def read_mark(db: Database) -> LogMark:
    """Return the mark of the last transaction; that of an older version's store is empty. Raises `sqlite3.Error`."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'state'").fetchone() is None:
        return LogMark()
    row = db.execute("SELECT value FROM state WHERE key = ?", (_KEY,)).fetchone()
    try:
        return LogMark() if row is None else msgspec.json.decode(row[0], type=prepared_type(LogMark))
    except msgspec.MsgspecError:
        return LogMark()


def log_is_foreign(file: Path) -> bool:
    """Tell if the log beside a store's file continues another file, so that replaying it would spoil both."""
    if not has_wal(file):
        return False
    if not file.exists():
        return True
    for _ in range(_TRIES):
        try:
            mark = _mark_of(connect_immutable(file))
        except (sqlite3.Error, UnicodeDecodeError):
            return False  # the file itself is damaged, which is reported when it is opened
        try:
            if _mark_of(connect_reader(file)).continues(mark):
                return False
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if isinstance(error, sqlite3.Error) and primary_code(error) not in _CONTRADICTIONS:
                return False  # it can't be read at all, which is reported when it is opened
    return True


def _mark_of(db: Database) -> LogMark:
    try:
        return read_mark(db)
    finally:
        db.close()


class OpenFiles:
    """The main file, log and shared memory of a store that is open for writing; `db` is its connection."""

    def __init__(self, folder: Path, db: Database) -> None:
        self._folder = folder
        self._log = str(folder / f"{NAME}-wal")
        mark = read_mark(db)
        # A session that a killed writer left in the log goes on if it can't be merged now.
        self._mark = LogMark(secrets.token_hex(8), 0, (mark.session, mark.number)) if _merge_log(db) else mark
        self._next = self._mark
        self._salt = self._read_salt()
        self._paths = tuple(str(folder / f"{NAME}{end}") for end in ("", "-wal", "-shm"))
        of_main = getattr(db, "identity", None)
        self._identities = (of_main or file_identity(self._paths[0]), *map(file_identity, self._paths[1:]))
        self._descriptor = None if os.name == "nt" else os.open(folder, os.O_RDONLY)

    @property
    def has_written(self) -> bool:
        return self._mark.number > 0

    def displacement(self) -> str:
        """Return a sentence about the first file that is no longer the open one; empty if all are in their places."""
        for path, identity in zip(self._paths, self._identities, strict=True):
            now = file_identity(path)
            if now != identity:
                if now is not None:
                    return f"Another program replaced {path}."
                moved = self.current_folder()
                if moved is not None and moved != self._folder:
                    return f"{self._folder} was moved to {moved}."
                return f"Another program moved or deleted {path}."
        return ""

    @property
    def log_is_foreign(self) -> bool:
        """True if the main file is in its place, and another file in the place of its log."""
        main, log, *_ = map(file_identity, self._paths)
        return main == self._identities[0] and log not in {None, self._identities[1]}

    def current_folder(self) -> Path | None:
        """Return the folder's present path, also after it was moved; `None` if it is unknown or was deleted."""
        path = self._folder
        if self._descriptor is None:
            return path if path.is_dir() else None
        with suppress(OSError):  # only Linux can tell
            path = Path(f"/proc/self/fd/{self._descriptor}").readlink()
        opened = os.fstat(self._descriptor)
        return path if file_identity(path) == (opened.st_dev, opened.st_ino) else None

    def mark(self, db: Database) -> None:
        """Write the mark of the transaction that is about to be committed."""
        salt = self._read_salt()
        since, mark = self._mark.since, self._mark
        if salt != self._salt and mark.number > 1:
            # The log began anew with the last transaction, at the latest: everything before it is in the main file.
            since = mark.session, mark.number - 1
        self._salt = salt
        self._next = LogMark(mark.session, mark.number + 1, since)
        text = msgspec.json.encode(self._next).decode()
        db.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", (_KEY, text))

    def committed(self) -> None:
        """Note that the transaction was committed; the next one is numbered after it."""
        self._mark = self._next

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _read_salt(self) -> bytes:
        # SQLite locks no byte of this file, so closing it here releases no lock.
        with suppress(OSError):
            log = os.open(self._log, _READ)  # as `open`, at a fifth of the cost: an answer waits for it
            try:
                return os.read(log, _SALT.stop)[_SALT]
            finally:
                os.close(log)
        return b""


def _merge_log(db: Database) -> bool:
    """Merge the log into the main file; return whether that holds everything now."""
    try:
        _busy, pages, merged = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except sqlite3.Error:
        return False
    return pages == merged


def file_identity(path: str | Path) -> tuple[int, int] | None:
    """Return the device and number of a file; `None` if there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116 - at half the cost of that of Path
    except OSError:
        return None
    return status.st_dev, status.st_ino


_NAME = "holder.json"


class StoreHolder(msgspec.Struct, frozen=True, kw_only=True):
    """The process that writes to a store; `since` is a time. `log`: it has written to the WAL."""

    pid: int
    host: str
    command: str
    since: str
    log: bool = False


class StoreTaken(StoreError):
    """Another program writes to this store; `holder` describes it if known."""

    def __init__(self, folder: str, holder: StoreHolder | None) -> None:
        who = "Another program"
        if holder is not None:
            who = f"`{holder.command}` (process {holder.pid} on {holder.host}, since {holder.since})"
        super().__init__(
            f"The store {folder} is in use.",
            f"{who} is writing to it. Only one program can write to a store.",
            "Close that program, then try again. Read-only commands work meanwhile.",
        )
        self.holder = holder


def write_holder(folder: Path, me: StoreHolder) -> None:
    """Write the note. Raises `OSError`."""
    write_durably(folder / _NAME, msgspec.json.encode(me))


def rewrite_holder(folder: Path, me: StoreHolder) -> None:
    """Rewrite the note without waiting for the disk: after a power cut the old one may be back."""
    with partial_file(folder) as (file, path):
        file.write(msgspec.json.encode(me))
        file.close()
        retry_while_open(path.replace, folder / _NAME)


def read_holder(folder: Path) -> StoreHolder | None:
    """Return the last holder; `None` if there is no readable note."""
    try:
        return msgspec.json.decode((folder / _NAME).read_bytes(), type=prepared_type(StoreHolder))
    except (OSError, msgspec.MsgspecError):
        return None


def delete_holder(folder: Path) -> None:
    """Delete the note. Raises `OSError`."""
    retry_while_open((folder / _NAME).unlink, missing_ok=True)


_DISPLACED = "Keep this window open, and make the folder beside the store writable."
_TIMEOUT = 0.3  # seconds; a closing program or a running `doctor` releases it within this time


def _nothing() -> None:
    """Do nothing before a commit."""


class StoreLock:
    """The exclusive right to write to the store in `folder`. Raises `StoreTaken`, or `OSError` of the file system."""

    def __init__(self, folder: Path, *, command: str, now: datetime | None = None) -> None:
        self._folder = folder
        self.command = command
        self._lock = _lock(folder)
        try:
            self._lock.acquire(timeout=_TIMEOUT)
        except Timeout:
            raise StoreTaken(str(folder), read_holder(folder)) from None
        since = format_time(now or datetime.now(UTC))
        self._me = StoreHolder(pid=os.getpid(), host=platform.node(), command=command, since=since)
        try:
            write_holder(folder, self._me)
        except OSError:
            self._lock.release()
            raise

    def record_wal(self) -> None:
        """Note that the WAL now holds data. Raises `OSError`."""
        rewrite_holder(self._folder, replace(self._me, log=True))

    def erase_note(self) -> None:
        """Erase the note before the WAL is removed. Raises `OSError`."""
        self._delete_note()
        if self._folder.is_dir():
            sync_folder(self._folder)  # else the note could survive a power cut that the WAL does not

    def release(self) -> None:
        try:
            self._delete_note()
        finally:
            self._lock.release()

    def _delete_note(self) -> None:
        last = read_holder(self._folder)  # another program may have put another folder in its place
        if last is None or replace(last, log=False) == self._me:
            delete_holder(self._folder)


def is_held(folder: Path) -> bool:
    """Tell if a process is writing to the store. Raises `OSError` if that can't be determined."""
    if not _path(folder).exists():
        return False
    lock = _lock(folder)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return True
    lock.release()
    return False


def _path(folder: Path) -> Path:
    return folder / "lock"


def _lock(folder: Path) -> FileLock:
    # Not bound to a thread: the window acquires the lock on one thread and releases it on another.
    return FileLock(_path(folder), mode=0o600, thread_local=False)


def wal_is_missing(folder: Path) -> bool:
    """Tell if the WAL of a store that was not closed is missing, as in a copy without it; SQLite does not notice."""
    # In this order: a closing program erases the note first.
    log = folder / f"{NAME}-wal"  # a reader creates an empty one
    missing = (folder / NAME).exists() and not (log.exists() and log.stat().st_size)
    last = read_holder(folder) if missing else None
    return last is not None and last.log


class Store:
    """A connection and, for a writer, the write lock. Any thread may use it, one at a time.

    `db` and the context managers are for the modules of this package.
    """

    def __init__(self, folder: Path, db: Database, lock: StoreLock | None = None) -> None:
        self.folder = folder
        self.db = db
        self._lock = lock
        self._lock_without_note = lock
        self.journal = None if lock is None else Journal(folder, db)
        self._failed: DiskFailed | None = None
        self._lasting = True
        # A rating and the SHA-256 of its canonical JSON: the next revision usually follows it.
        self.last_saved: tuple[str, Rating] | None = None
        self._committing: Callable[[], None] = _nothing
        self._window_index: WindowIndex | None = None
        self.log_was_gone = False  # the last program ended without closing, and its last writes are missing
        self.foreign_log: Path | None = None  # where a log was put that belonged to another file
        self.files = OpenFiles(folder, db) if lock is not None else None
        self.moved_from: Path | None = None  # the folder that it was opened in, if it goes on in another one
        self.displacement = ""  # why it does

    @property
    def writable(self) -> bool:
        return self._lock is not None

    @property
    def window_index(self) -> WindowIndex:
        """The search index in memory, made when it is first needed."""
        if self._window_index is None:
            self._window_index = WindowIndex()
        return self._window_index

    def reading(self, loss: str) -> AbstractContextManager[Database]:
        """Return a context to read in; `loss` is the message of an error. The context raises `StoreError`."""
        return translate_errors(loss, self.db)

    @contextmanager
    def writing(self, loss: str, *, lasting: bool = True) -> Generator[Database]:
        """Run one transaction, on disk when the block ends; `loss` is the message of an error.

        A transaction that is not `lasting` does not wait for the disk: after a power cut it is complete or missing, and
        it reaches the disk with the next lasting one.

        Raises `StoreError`. After `DiskFailed` nothing more is written: a second fsync that succeeds would prove
        nothing about the data lost by the first one. If another program has changed the store's files, the store goes
        on in another folder, as by `keep_place`.
        """
        self.keep_place(loss)
        if self._failed is not None:
            raise DiskFailed(self._failed.title, loss, self._failed.hint) from self._failed
        if self.db.in_transaction:
            raise RuntimeError("a transaction is under way: what is written inside it would go with it")
        try:
            with translate_errors(loss):
                if lasting is not self._lasting:  # in a WAL each sync covers everything written before it
                    self.db.execute(f"PRAGMA synchronous = {'FULL' if lasting else 'NORMAL'}")
                    self._lasting = lasting
                with self.db.atomic():
                    yield self.db
                    self._prepare_commit(loss)
        except DiskFailed as failed:
            self._failed = failed
            raise
        if self.files is not None:
            self.files.committed()
        lock, self._lock_without_note = self._lock_without_note, None
        if lock is not None:
            with suppress(OSError):  # the note only informs, and the transaction is committed
                lock.record_wal()
        if self.journal is not None:
            self.journal.record(self.db)

    def _prepare_commit(self, loss: str) -> None:
        if self.files is not None:
            displacement = self.files.displacement()
            if displacement:
                raise StoreDisplaced(displacement, loss, _DISPLACED)
            self.files.mark(self.db)
        self._committing()

    def keep_place(self, loss: str = "") -> None:
        """If another program has changed the open files, write all they hold to a new store and go on there.

        Raises `StoreDisplaced` with `loss` if that fails; it can be tried again as long as this store is open.
        """
        displacement = self.files.displacement() if self.files is not None else ""
        if not displacement:
            return
        from desktop_rater.store.restore import move_store  # noqa: PLC0415 - only when it is used

        try:
            move_store(self, displacement)
        except StoreError as error:
            raise StoreDisplaced(displacement, f"{loss} {error.title} {error.message}".strip(), _DISPLACED) from error

    def continue_in(self, folder: Path, displacement: str) -> None:
        """Go on in the copy of this store in `folder`. Raises `StoreError` or `sqlite3.Error`."""
        old_db, old_lock, old_files, old_journal = self.db, self._lock, self.files, self.journal
        if old_lock is None or old_files is None or old_journal is None:
            raise RuntimeError("a reader does not move")
        lock = StoreLock(folder, command=old_lock.command)
        try:
            db = connect_writer(folder / NAME)
            self.files, self.journal = OpenFiles(folder, db), Journal(folder, db)
        except BaseException:
            lock.release()
            raise
        self.moved_from, self.displacement = self.moved_from or self.folder, displacement
        self.folder, self.db, self._lock = folder, db, lock
        self._lock_without_note, self._failed, self._lasting, self.last_saved = lock, None, True, None
        with suppress(sqlite3.Error, OSError, StoreError):  # everything is in the new store
            old_files.close()
            old_journal.close()
            # Nothing of its log may be replayed into another file, as far as no reader needs it.
            old_db.execute("PRAGMA busy_timeout = 0")
            old_db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            old_db.close()
        with suppress(OSError):
            old_lock.release()

    @contextmanager
    def announcing_commit(self, committing: Callable[[], None]) -> Generator[None]:
        """Call `committing` before each commit inside, and at the end."""
        self._committing = committing
        try:
            yield
        finally:
            self._committing = _nothing
            committing()

    def merge_wal(self) -> None:
        """Copy the WAL into the main file as far as no reader needs it. Raises `StoreError`; then it is still there."""
        with translate_errors("The store's log was not merged into it."):
            self.db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def resume_after_failure(self) -> None:
        """Resume writing after a disk failure once the data has proved sound. Raises `StoreError` if it has not."""
        self.keep_place()
        if self._failed is None:
            return
        with translate_errors("The store was not reopened after the disk failure."):
            if self._lock is not None:
                self._lock.erase_note()  # the WAL is removed, until something is written again
                self._lock_without_note = self._lock
            db = connect_writer(self.folder / NAME)
            try:
                _verify_on_disk(db)
            except BaseException:
                db.close()
                raise
            files, self.files = self.files, OpenFiles(self.folder, db)
            self.db, old = db, self.db
            self._failed, self._lasting = None, True
            old.close()
            if files is not None:
                files.close()

    @contextmanager
    def snapshot_isolation(self) -> Generator[None]:
        """Read one consistent state inside, regardless of writes by other programs. Nested use joins the outer one."""
        if self.writable or self.db.in_transaction:
            yield
            return
        with translate_errors("The store can't be read."):
            self.db.execute("BEGIN")
        try:
            yield
        finally:
            self.db.rollback()

    def close(self) -> None:
        """Checkpoint the WAL and release the lock. Closing twice has no further effect."""
        try:
            if self.files is not None and (self.files.has_written or self.moved_from is not None):
                self.keep_place("What this program wrote is lost.")
        finally:
            self._close()

    def _close(self) -> None:
        files, self.files = self.files, None
        if files is not None:
            files.close()
        try:
            with translate_errors("The store is sound, but its log was not merged into it."), ExitStack() as last:
                last.callback(self.db.close)
                if self._window_index is not None:
                    last.callback(self._window_index.close)
                if self.journal is not None:
                    with suppress(OSError):  # the store has all of it
                        self.journal.close()
                if self._lock is not None:
                    if self._failed is None:
                        last.callback(self._remove_wal)
                    self._lock.erase_note()  # it says that there is a WAL
        finally:
            lock, self._lock = self._lock, None
            if lock is not None:
                lock.release()

    def _remove_wal(self) -> None:
        # An active reader keeps the WAL; it is removed at the next closing.
        self.db.execute("PRAGMA busy_timeout = 200")
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        try:
            self.close()
        except StoreError:
            if error is None:  # else the first error is the one to report
                raise


def _verify_on_disk(db: Database) -> None:
    """Write the contents of the WAL to the main file again, and check that the disk keeps them and that they are sound.

    A failed sync has marked pages as written that were not, so the next sync would skip them. Pages written anew are
    synced.
    """
    (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreError("The store is busy.", "Its log can't be merged now.", "Try again in a moment.")
    for (text,) in db.execute("PRAGMA quick_check(1)"):
        if text != "ok":
            raise StoreDamaged("The store is damaged.", f"The disk failed, and the database is damaged: {text}")
