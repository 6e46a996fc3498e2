"""Values remembered between starts, the record of exports, and recent files."""

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

import msgspec

from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import format_time
from desktop_rater.store.sqlite_tools import row_struct
from desktop_rater.store.store import Store


class ExportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A results zip: SHA-256, last change, tasks by outcome; `content` hashes everything in it but `supersedes`."""

    bundle: str
    rater: str
    sha256: str
    moment: str
    tasks: int
    complete: int
    skipped: int
    content: str = ""
    supersedes: str | None = None


_COLUMNS = ", ".join(ExportRow.__struct_fields__)


def record_export(store: Store, export: ExportRow) -> None:
    """Record an export. The same results are recorded once."""
    if export.sha256 in exported_hashes(store, export.bundle, export.rater):
        return
    with store.writing("The results were written, but the export was not recorded in the store.") as db:
        query = f"INSERT INTO exports ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - a constant
        db.execute(query, msgspec.structs.astuple(export))


def last_export(store: Store, bundle_id: str, rater: str, *, content: str | None = None) -> ExportRow | None:
    """Return the rater's latest results of a bundle, or the latest with that content."""
    query = f"""
        SELECT {_COLUMNS} FROM exports WHERE bundle = ?1 AND rater = ?2 AND (?3 IS NULL OR content = ?3)
        ORDER BY key DESC LIMIT 1
    """  # noqa: S608 - a constant
    with store.reading("The list of exports can't be read.") as db:
        row = db.execute(query, (bundle_id, rater, content)).fetchone()
        return None if row is None else row_struct(ExportRow, row)


def exported_hashes(store: Store, bundle_id: str, rater: str) -> frozenset[str]:
    """Return the SHA-256 of all results of a bundle that this store has exported for a rater."""
    with store.reading("The list of exports can't be read.") as db:
        query = "SELECT DISTINCT sha256 FROM exports WHERE bundle = ? AND rater = ?"
        return frozenset(sha256 for (sha256,) in db.execute(query, (bundle_id, rater)))


def get_state(store: Store, key: str) -> Any:
    """Return the value of a key; `None` if there is none or it can't be read: nothing depends on it."""
    with store.reading("The remembered values can't be read.") as db:
        row = db.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    try:
        return msgspec.json.decode(row[0])
    except msgspec.DecodeError:
        return None


def put_state(store: Store, key: str, value: Any) -> None:
    """Store a plain JSON value."""
    text = msgspec.json.encode(value).decode()
    with store.writing(f"{key} was not saved.") as db:
        db.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", (key, text))


_FILES_KEY = "recent files"
MAX_FILES = 12


class RecentFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file by its name, without its folder; `moment` is a time."""

    name: str
    what: Literal["imported", "exported", "received"]
    bundle: str
    moment: str


def list_files(store: Store) -> tuple[RecentFile, ...]:
    """Return the files, the latest first; none if the record is unreadable, since nothing depends on it."""
    try:
        return msgspec.convert(get_state(store, _FILES_KEY) or [], prepared_type(tuple[RecentFile, ...]))
    except msgspec.ValidationError:
        return ()


def record_file(store: Store, new: RecentFile) -> None:
    """Record a file as the latest one. Raises `StoreError`."""
    others = [row for row in list_files(store) if (row.name, row.what, row.bundle) != (new.name, new.what, new.bundle)]
    put_state(store, _FILES_KEY, msgspec.to_builtins([new, *others][:MAX_FILES]))


def recent_file(
    name: str, what: Literal["imported", "exported", "received"], bundle: str, now: Callable[[], datetime]
) -> RecentFile:
    """Return a record of a file that was handled now; bytes of its name that are no text are replaced."""
    name = os.fsencode(name).decode(errors="replace")
    return RecentFile(name=name[:200], what=what, bundle=bundle, moment=format_time(now()))
