"""Errors of a store. `translate_errors` converts those of SQLite and of the file system."""

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from desktop_rater.format.errors import RaterError


class StoreError(RaterError):
    """The store could not do what was requested; `message` says what was not done."""


class NotInStore(StoreError):
    """The bundle, task or revision is not in the store."""


class StoreTooNew(StoreError):
    """The store was written by a newer version of the program. It was not modified."""


class StoreDamaged(StoreError):
    """The stored data differs from what was written."""

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(title, message, hint or _BACKUP)


class StoreDisplaced(StoreError):
    """Another program replaced, moved or deleted files of the store while it was open for writing."""


class DiskFailed(StoreError):
    """The disk reported an error, so its contents are uncertain: the store takes no writes until it is reopened."""


@contextmanager
def translate_errors(loss: str, value: Any = None) -> Generator[Any]:
    """Turn the exceptions of SQLite and of the file system into a `StoreError`; give the block a value.

    `loss` is a sentence that says what was not done, such as "The rating of t-1 is not saved." Programming errors (an
    invalid statement, a closed connection) pass through.
    """
    try:
        yield value
    except sqlite3.Error as error:
        extended = getattr(error, "sqlite_errorcode", None)
        kind = _DAMAGED if _contradicts(error) else _BY_CODE.get(extended) or _BY_CODE.get(primary_code(error))
        if kind is None:
            raise
        raise kind.error(kind.title, f"{loss} ({error})", kind.hint) from error
    except OSError as error:
        kind = _BY_NUMBER.get(error.errno or 0, _NO_FOLDER)
        raise kind.error(kind.title, f"{loss} ({error})", kind.hint) from error
    except UnicodeDecodeError as error:
        # SQLite quotes the damaged text in its message, which Python can't decode.
        raise StoreDamaged(_DAMAGED.title, loss) from error


def primary_code(error: sqlite3.Error) -> int | None:
    """Return SQLite's primary result code; `None` if Python's module raised by itself."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


class _ErrorKind(NamedTuple):
    error: type[StoreError]
    title: str
    hint: str


_BACKUP = "Keep the folder as it is, run `doctor` on it, and restore a backup."
_FULL = _ErrorKind(StoreError, "The disk is full.", "Free some disk space, then try again.")
_FORBIDDEN = _ErrorKind(
    StoreError,
    "The store is not writable.",
    "Check who owns the folder and whether the disk is read-only, or choose another folder.",
)
_NO_FOLDER = _ErrorKind(
    StoreError,
    "The store can't be opened.",
    "Check that the folder exists and is readable and writable, or choose another one.",
)
_BUSY = _ErrorKind(
    StoreError, "The store is busy.", "Another program holds its file. Close that program, then try again."
)
_MEMORY = _ErrorKind(StoreError, "There is not enough memory.", "Close other programs, then try again.")
_DISK = _ErrorKind(DiskFailed, "The disk failed.", "Check the disk, then run `doctor`.")
_DAMAGED = _ErrorKind(StoreDamaged, "The store is damaged.", _BACKUP)

_BY_CODE: dict[int | None, _ErrorKind] = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _FORBIDDEN,
    sqlite3.SQLITE_PERM: _FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: _NO_FOLDER,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_IOERR_NOMEM: _MEMORY,
    sqlite3.SQLITE_IOERR_SHMMAP: _MEMORY,
    sqlite3.SQLITE_NOTADB: _ErrorKind(StoreDamaged, "The store's file is not a database.", _BACKUP),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_TOOBIG: _ErrorKind(StoreError, "The text is too large for the store.", "Make it shorter."),
}
_CONTRADICTIONS = {
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
    sqlite3.SQLITE_CONSTRAINT_TRIGGER,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
}
_BY_NUMBER = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: _FORBIDDEN,
    errno.EIO: _DISK,
}


def _contradicts(error: sqlite3.Error) -> bool:
    """Tell if a statement failed that is valid for our tables and was checked against their contents."""
    text = str(error)
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return text.startswith("Could not decode")  # a text that is not UTF-8
    return code in _CONTRADICTIONS or (code == sqlite3.SQLITE_ERROR and "syntax error" not in text)
