"""Journal beside the store: each acknowledged revision as a line of JSON with its SHA-256."""

import errno
import io
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from desktop_rater.files import partial_file, rename_durably, retry_while_open, sync_folder
from desktop_rater.format.change import CancelCheck
from desktop_rater.format.strict_json import prepared_type, sha256
from desktop_rater.store.connection import connect_immutable
from desktop_rater.store.sqlite_tools import Database

JOURNAL = "journal.jsonl"
_CHUNK = 1 << 16  # bytes


class JournalEntry(NamedTuple):
    """A row of the store. Its `columns` include `body`, the bytes of canonical JSON, if its table has that column."""

    table: str
    columns: dict[str, Any]

    @property
    def identity(self) -> tuple[Any, ...]:
        """The values that tell the row from all others."""
        return (self.table, *(self.columns.get(name) for name in TABLES[self.table].identity))


class JournalTable(NamedTuple):
    """A table whose new rows are journaled, and the columns that identify a row."""

    identity: tuple[str, ...]
    last: str
    rows: str


def _append_only(table: str, *columns: str) -> JournalTable:
    names = ", ".join(columns)
    query = f"SELECT {names} FROM {table} WHERE key > ? ORDER BY key"  # noqa: S608 - our own names
    return JournalTable(columns, f"SELECT max(key) FROM {table}", query)  # noqa: S608 - as above


# Of the last three, only the row that names what came in: its content comes from a file or a hub.
TABLES = {
    "ratings": JournalTable(
        ("bundle", "task", "rater", "revision", "sha256"),
        "SELECT max(key) FROM ratings",
        """
        SELECT ratings.bundle, ratings.task, ratings.rater, ratings.revision, changed, ratings.status,
               ratings.done, sha256, leaving_sha256, heads.line_sha256, blocking, warnings, answered, total,
               work_done.done AS units, CAST(body AS BLOB) AS body
        FROM ratings LEFT JOIN heads ON heads.rating = ratings.key LEFT JOIN work_done ON work_done.rating = ratings.key
        WHERE ratings.key > ? ORDER BY ratings.key
        """,
    ),
    "reviews": JournalTable(
        ("bundle", "subject", "lead", "changed", "body"),
        "SELECT max(key) FROM reviews",
        """
        SELECT bundle, subject, lead, revision, changed, sha256, CAST(body AS BLOB) AS body
        FROM reviews WHERE key > ? ORDER BY key
        """,
    ),
    "exports": _append_only(
        *("exports", "bundle", "rater", "sha256", "moment", "tasks", "complete", "skipped", "content", "supersedes")
    ),
    "key_events": _append_only("key_events", "rater", "public", "project", "what", "by", "reason", "moment"),
    "bundle_events": _append_only("bundle_events", "bundle", "what", "revision", "reason", "moment"),
    "bundles": JournalTable(
        ("id", "revision"),
        "SELECT key FROM bundles WHERE ready ORDER BY key DESC LIMIT 1",
        "SELECT id, revision, title FROM bundles WHERE ready AND key > ? ORDER BY key",
    ),
    "received": JournalTable(
        ("sha256",),
        "SELECT key FROM received WHERE ready ORDER BY key DESC LIMIT 1",
        "SELECT sha256, bundle, rater, file FROM received WHERE ready AND key > ? ORDER BY key",
    ),
    "hubs": JournalTable(
        ("project",), "SELECT max(rowid) FROM hubs", "SELECT project, title FROM hubs WHERE rowid > ? ORDER BY rowid"
    ),
}
_LAST = f"SELECT {', '.join(f'coalesce(({table.last}), 0)' for table in TABLES.values())}"

RowKeys = Mapping[str, int]  # table → key of its last row


def last_keys(db: Database) -> dict[str, int]:
    """Return the key of the last row of each journaled table. Raises `sqlite3.Error`."""
    return dict(zip(TABLES, db.execute(_LAST).fetchone(), strict=True))


def rows_after(db: Database, after: RowKeys, tables: Iterable[str] = tuple(TABLES)) -> Iterator[JournalEntry]:
    """Yield the rows that were added later, each table in its order. Raises `sqlite3.Error`."""
    for name in tables:
        rows = db.execute(TABLES[name].rows, (after.get(name, 0),))
        columns = [column[0] for column in rows.description]
        for row in rows:
            yield JournalEntry(name, dict(zip(columns, row, strict=True)))


def encode_entry(entry: JournalEntry) -> bytes:
    """Return the line of an entry; its SHA-256 is over the bytes of the entry in the line."""
    columns = dict(entry.columns)
    if "body" in columns:
        columns["body"] = msgspec.Raw(columns["body"])
    content = msgspec.json.encode({"table": entry.table, **columns})
    return b'{"sha256":"%s","entry":%s}\n' % (sha256(content).encode(), content)


def decode_entry(line: bytes) -> JournalEntry | None:
    """Return the entry of a line; `None` if the line does not verify or names an unknown table."""
    try:
        decoded = msgspec.json.decode(line, type=prepared_type(dict[str, msgspec.Raw]))
        content = bytes(decoded["entry"])
        if sha256(content) != msgspec.json.decode(decoded["sha256"]):
            return None
        parts = msgspec.json.decode(content, type=prepared_type(dict[str, msgspec.Raw]))
        columns = {
            name: bytes(part) if name == "body" else msgspec.json.decode(part)
            for name, part in parts.items()
            if name != "table"
        }
        table = msgspec.json.decode(parts["table"])
    except (msgspec.MsgspecError, KeyError, RecursionError):
        return None
    return JournalEntry(table, columns) if table in TABLES else None


def journal_size(folder: Path) -> int:
    """Return the size of a store's journal in bytes; 0 if there is none."""
    try:
        return (folder / JOURNAL).stat().st_size
    except OSError:
        return 0


def read_journal(folder: Path) -> Iterator[JournalEntry | None]:
    """Yield the entries of a store's journal, and `None` for each line that does not verify. Raises `OSError`.

    A last line that was not finished is left out: it was never acknowledged.
    """
    yield from map(decode_entry, _lines(folder))


def damaged_lines(folder: Path) -> Iterator[str]:
    """Yield a sentence for each line that does not verify, with the row that it seems to hold. Raises `OSError`."""
    for number, line in enumerate(_lines(folder), 1):
        if decode_entry(line) is None:
            yield f"Line {number:,} of {JOURNAL} does not verify{_apparent_row(line)}."


def _apparent_row(line: bytes) -> str:
    try:
        columns = msgspec.json.decode(line)["entry"]
        parts = [
            columns[name] for name in ("bundle", "task", "subject", "rater", "lead", "revision") if name in columns
        ]
    except (msgspec.MsgspecError, KeyError, TypeError, RecursionError):
        return ""
    return f": {', '.join(str(part)[:80] for part in parts)}"


def _lines(folder: Path) -> Iterator[bytes]:
    path = folder / JOURNAL
    if path.exists():
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line


class Journal:
    """The journal of an open store. Its lines are not synced one by one: the store's own commit was.

    `failure` says why the last line could not be written. The next call writes the missing lines too.
    """

    def __init__(self, folder: Path, db: Database) -> None:
        self._path = folder / JOURNAL
        self._file: io.FileIO | None = None
        self._written = last_keys(db)
        self.failure = ""
        try:
            self._open()
        except OSError as error:
            self.failure = str(error)

    def record(self, db: Database) -> None:
        """Append the rows that were committed since the last call. Raises nothing: they are saved in the store."""
        try:
            last = last_keys(db)
            if last != self._written:
                changed = (table for table, key in last.items() if key != self._written[table])
                self._append(rows_after(db, self._written, changed))
                self._written = last
        except (OSError, sqlite3.Error, UnicodeError) as error:
            self.failure = str(error)
            self._close_file()
        else:
            self.failure = ""

    def catch_up(self, db: Database, after: RowKeys) -> None:
        """Append the rows added after `after` that the journal lacks, because a killed program did not write them.

        Raises `OSError` or `sqlite3.Error`.
        """
        there = {entry.identity for entry in read_journal(self._path.parent) if entry is not None}
        self._append(entry for entry in rows_after(db, after) if entry.identity not in there)

    def cut(self, backup: Path, check_cancelled: CancelCheck) -> None:
        """Remove the lines whose rows a verified backup holds; on an error the journal is unchanged.

        Lines and backups follow the order of commits, so the backup holds every line before the last one it holds.
        """
        try:
            with closing(connect_immutable(backup)) as db:
                covered = self._covered_size(db, check_cancelled)
            if covered:
                self._drop(covered)
        except (OSError, sqlite3.Error) as error:
            self.failure = str(error)

    def close(self) -> None:
        """Sync the journal and close it. Raises `OSError`."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._close_file()

    def _append(self, entries: Iterable[JournalEntry]) -> None:
        lines = bytearray()
        for entry in entries:
            lines += encode_entry(entry)
            if len(lines) >= _CHUNK:
                self._write(lines)
                lines.clear()
        if lines:
            self._write(lines)

    def _write(self, lines: bytes | bytearray) -> None:
        if self._open().write(lines) != len(lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _open(self) -> io.FileIO:
        """Return the open file: the new one if another program has replaced it, without an unfinished last line."""
        file = self._file
        if file is not None:
            try:
                if os.path.samestat(os.fstat(file.fileno()), self._path.stat()):
                    return file
            except FileNotFoundError:
                pass
            self._close_file()
        is_new = not self._path.exists()
        self._path.touch(mode=0o600)
        file = self._file = retry_while_open(partial(io.FileIO, self._path, "ab+"))
        if is_new:
            sync_folder(self._path.parent)
        else:
            _cut_unfinished_line(file)
        return file

    def _close_file(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _covered_size(self, db: Database, check_cancelled: CancelCheck) -> int:
        size = covered = 0
        if self._path.exists():
            with self._path.open("rb") as file:
                for line in file:
                    check_cancelled()
                    size += len(line)
                    entry = decode_entry(line)
                    if entry is not None and holds(db, entry):
                        covered = size
        return covered

    def _drop(self, covered: int) -> None:
        self._close_file()  # Windows does not replace an open file
        with partial_file(self._path.parent) as (new, path):
            with self._path.open("rb") as file:
                file.seek(covered)
                shutil.copyfileobj(file, new)
            rename_durably(new, path, self._path)


def _cut_unfinished_line(file: io.FileIO) -> None:
    size = end = file.seek(0, os.SEEK_END)
    newline = -1
    while end and newline < 0:
        start = max(0, end - _CHUNK)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        end = start + newline + 1
    if end < size:
        file.truncate(end)


def holds(db: Database, entry: JournalEntry) -> bool:
    """Tell if a store holds the row of an entry. Raises `sqlite3.Error`."""
    names = TABLES[entry.table].identity
    test = " AND ".join(f"{name} IS {'CAST(? AS TEXT)' if name == 'body' else '?'}" for name in names)
    query = f"SELECT 1 FROM {entry.table} WHERE {test} LIMIT 1"  # noqa: S608 - our own names
    return db.execute(query, entry.identity[1:]).fetchone() is not None
