"""What can go wrong with a store, said so that a rater knows what is lost and what to do.

`translating` is the one place where exceptions of SQLite and of the file system become a `StoreError`.
"""

from __future__ import annotations

import errno
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.model.trouble import RaterError

if TYPE_CHECKING:
    from collections.abc import Generator

    from desktop_rater.store.holder import Holder


class StoreError(RaterError):
    """The store could not do what was asked; `message` says what is not done."""


class NotThere(StoreError):
    """The bundle, task or revision is not in the store."""


class StoreTaken(StoreError):
    """Another program writes to this store. `holder` says which, where it could be read."""

    def __init__(self, folder: str, holder: Holder | None) -> None:
        who = "Another program"
        if holder is not None:
            who = f"`{holder.command}` (process {holder.pid} on {holder.host}, since {holder.since})"
        super().__init__(
            f"The store {folder} is in use.",
            f"{who} writes to it, and only one program may.",
            "Close that program, then try again. Looking at the store works beside it.",
        )
        self.holder = holder


class StoreTooNew(StoreError):
    """A newer version of the program made this store. Nothing was touched."""


class StoreDamaged(StoreError):
    """What is stored is not what was written."""

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(title, message, hint or _BACKUP)


class DiskFailed(StoreError):
    """The disk reported an error, so nobody knows what it kept: the store takes no more writes until it is reopened."""


@contextmanager
def translating(loss: str) -> Generator[None]:
    """Turn the exceptions of SQLite and of the file system into a `StoreError`.

    `loss` is a sentence that says what is not done, such as "The rating of t-1 is not saved."
    What a program can only get wrong by itself (a broken statement, a closed connection) passes: it is a bug.
    """
    try:
        yield
    except sqlite3.Error as error:
        trouble = _of_sqlite(error, loss)
        if trouble is None:
            raise
        raise trouble from error
    except OSError as error:
        raise _of_system(error, loss) from error
    except UnicodeDecodeError as error:
        # SQLite quotes what is damaged in its message, and Python can't read that.
        raise StoreDamaged(_DAMAGED.title, loss) from error


def primary_code(error: sqlite3.Error) -> int | None:
    """SQLite's primary result code; `None` where Python's module raised by itself."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


class _Kind(NamedTuple):
    kind: type[StoreError]
    title: str
    hint: str


_BACKUP = "Keep the folder as it is, run `doctor` on it, and restore a backup."
_FULL = _Kind(StoreError, "The disk is full.", "Make room on the disk, then try again.")
_FORBIDDEN = _Kind(
    StoreError,
    "The store may not be written.",
    "Check who owns the folder and whether the disk is read-only, or choose another folder.",
)
_NO_FOLDER = _Kind(
    StoreError,
    "The store can't be opened.",
    "Check that the folder is there and may be read and written, or choose another one.",
)
_BUSY = _Kind(StoreError, "The store is busy.", "Another program holds its file. Close that program, then try again.")
_DISK = _Kind(DiskFailed, "The disk failed.", "Check the disk, and run `doctor` once it is well.")
_DAMAGED = _Kind(StoreDamaged, "The store is damaged.", _BACKUP)

_BY_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _FORBIDDEN,
    sqlite3.SQLITE_PERM: _FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: _NO_FOLDER,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_NOTADB: _Kind(StoreDamaged, "The store's file is not a database.", _BACKUP),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_TOOBIG: _Kind(StoreError, "That is too large for the store.", "Make it shorter."),
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


def _of_sqlite(error: sqlite3.Error, loss: str) -> StoreError | None:
    kind = _DAMAGED if _contradicts(error) else _BY_CODE.get(primary_code(error) or sqlite3.SQLITE_OK)
    return None if kind is None else kind.kind(kind.title, f"{loss} ({error})", kind.hint)


def _contradicts(error: sqlite3.Error) -> bool:
    """Whether a statement that fits our tables, and was checked against what they hold, was refused all the same."""
    text = str(error)
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return text.startswith("Could not decode")  # a text that is not UTF-8
    return code in _CONTRADICTIONS or (code == sqlite3.SQLITE_ERROR and "syntax error" not in text)


def _of_system(error: OSError, loss: str) -> StoreError:
    kind = _BY_NUMBER.get(error.errno or 0, _NO_FOLDER)
    return kind.kind(kind.title, f"{loss} ({error})", kind.hint)
