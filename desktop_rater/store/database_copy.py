"""A copy of a database that is in use, by SQLite's own means: never a copy of its file, which lacks the log."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_PAGES = 128  # a step of about a millisecond: answers come in between

# Nobody reads the copy before it is whole and synced, and one that breaks off is thrown away.
_IN_HASTE = ("synchronous = OFF", "journal_mode = MEMORY")


def copy_database(source: sqlite3.Connection, target: Path, tell: Callable[[int, int], None]) -> None:
    """Fill the file `target` with what `source` holds, in one file without companions.

    `tell` hears of the pages done and of all, and may raise. What `source` itself writes while it is told goes into
    the copy; when the last page is there nothing is told any more. Raises `sqlite3.Error`.
    """

    def step(_status: int, left: int, pages: int) -> None:
        if left:
            tell(pages - left, pages)

    with closing(sqlite3.connect(target, isolation_level=None, check_same_thread=False)) as copy:
        for pragma in _IN_HASTE:
            copy.execute(f"PRAGMA {pragma}")
        source.backup(copy, pages=_PAGES, progress=step, sleep=0.05)
    with closing(sqlite3.connect(target, isolation_level=None, check_same_thread=False)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")  # the header came from a database that keeps a log
