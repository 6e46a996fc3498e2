"""Long statements of SQLite that can be told to stop."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop_rater.store.trouble import primary_code

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_OFTEN = 100_000  # steps of SQLite's machine between two looks


@contextmanager
def interruptible(connection: sqlite3.Connection, look: Callable[[], None]) -> Generator[None]:
    """`look` is called now and then inside; what it raises stops the statement under way and comes out here."""
    connection.set_progress_handler(look, _OFTEN)
    try:
        yield
    except sqlite3.OperationalError as error:
        if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
            look()
        raise
    finally:
        connection.set_progress_handler(None, 0)
