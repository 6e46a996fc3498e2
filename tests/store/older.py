"""Stores as older versions of the program left them."""

import sqlite3
from contextlib import closing
from pathlib import Path

SCRIPTS = Path(__file__).parent


def lay(file: Path, version: int) -> Path:
    """Make the database of a store of that version; the folder of the store."""
    file.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.executescript((SCRIPTS / f"version_{version}.sql").read_text("utf-8"))
    return file.parent
