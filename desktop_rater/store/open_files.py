"""Comparison of a store's open files with their paths, and of a log with the file that it lies beside.

Programs that synchronise folders replace, move and delete files while they are open. SQLite does not notice: it goes on
with the file that it has opened, and after a kill it replays the log into the file that has taken its place. Each
transaction therefore writes a mark: the log belongs to the main file if that holds one of the marks that it continues.
"""

import os
import secrets
import sqlite3
from contextlib import suppress
from pathlib import Path

import msgspec

from desktop_rater.model.strict_json import prepared_type
from desktop_rater.store.connection import NAME, connect_immutable, connect_reader, has_wal
from desktop_rater.store.errors import primary_code
from desktop_rater.store.sqlite_tools import Database

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
        db.conn.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", (_KEY, text))

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
