"""Addition of journaled or stored rows to a store that lacks them: recovery, and a store set aside."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.strict_json import canonical_json, sha256
from desktop_rater.store import bundle_events
from desktop_rater.store.connection import connect_immutable, connect_reader, has_wal, matches_sha256
from desktop_rater.store.errors import StoreError, translate_errors
from desktop_rater.store.faults import row_fields
from desktop_rater.store.journal import JournalEntry, RowKeys, holds, read_journal, rows_after
from desktop_rater.store.reviews import append_row, is_intact_review
from desktop_rater.store.sqlite_tools import Database, placeholders
from desktop_rater.store.store import Store, log_is_foreign

_BATCH = 200  # rows per transaction
_LOSS = "The answers were not added."


class JoinedRows(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of adding rows. `damaged`: rows or lines that do not verify; `notes`: a sentence for each other loss.

    `conflicts`: names of the ratings that had other revisions under the same numbers.
    """

    revisions: int
    reviews: int
    conflicts: tuple[str, ...]
    damaged: int
    notes: tuple[str, ...]


def journal_and_store(folder: Path, file: Path, after: RowKeys) -> Iterator[JournalEntry | None]:
    """Yield the entries of a journal, and among them the later rows of a store's `file` that the journal lacks.

    The file may be damaged: it is read as far as SQLite can. Revisions of one rating come in their order. `None` stands
    for a line that does not verify. Raises `OSError`.
    """
    there = {entry.identity for entry in read_journal(folder) if entry is not None}
    missing = {entry.identity: entry for entry in _readable_rows(file, after) if entry.identity not in there}
    by_rating: defaultdict[tuple[Any, ...], list[JournalEntry]] = defaultdict(list)
    for entry in missing.values():
        by_rating[_rating_key(entry)].append(entry)
    for line in read_journal(folder):
        if line is not None and line.table == "ratings":
            for entry in by_rating.get(_rating_key(line), ()):
                if entry.columns["revision"] < line.columns["revision"] and entry.identity in missing:
                    yield missing.pop(entry.identity)
        yield line
    yield from missing.values()


def _rating_key(entry: JournalEntry) -> tuple[Any, ...]:
    return (entry.table, *(entry.columns.get(name) for name in ("bundle", "task", "rater")))


def _readable_rows(file: Path, after: RowKeys) -> Iterator[JournalEntry]:
    if not file.exists():
        return
    # A reader would create a log, and join it to a file that it does not belong to.
    connect = connect_reader if has_wal(file) and not log_is_foreign(file) else connect_immutable
    try:
        with translate_errors(_LOSS), closing(connect(file)) as db:
            for table in ("ratings", "reviews"):  # a SHA-256 covers their rows
                yield from _readable(db, table, after)
    except StoreError:  # its damage is the reason for the recovery
        return


def _readable(db: Database, table: str, after: RowKeys) -> Iterator[JournalEntry]:
    try:
        yield from filter(_is_intact, rows_after(db, after, (table,)))
    except (sqlite3.Error, UnicodeDecodeError):  # the rest of a damaged table
        return


def _is_intact(entry: JournalEntry) -> bool:
    """Tell if a row is what was saved, as far as its SHA-256 covers it; a damaged row may hold anything."""
    columns = entry.columns
    body = columns.get("body", b"")
    if entry.table == "ratings":
        fields = [columns[name] for name in ("task", "rater", "revision", "status", "changed")]
        return matches_sha256(body, columns["sha256"]) and row_fields(body) == fields
    if entry.table == "reviews":
        text = body.decode("utf-8", "surrogateescape") if isinstance(body, bytes) else body
        key = (columns[name] for name in ("bundle", "subject", "lead", "revision", "changed"))
        return is_intact_review((*key, columns["sha256"], text))
    return True


def join_rows(store: Store, entries: Iterable[JournalEntry | None], progress: Progress) -> JoinedRows:
    """Append the entries that the store lacks; those that it holds are passed over. Nothing is changed or removed.

    A revision whose number is taken by another one, or that does not follow the last one, gets the next number, and its
    task has to be reviewed again. `None` counts as damaged. Raises `StoreError`, `Cancelled`.
    """
    joining = _Joining()
    rows = iter(entries)
    while chunk := list(islice(rows, _BATCH)):
        progress(0, 0)
        with store.writing(_LOSS, lasting=False) as db:
            for entry in chunk:
                joining.add(db, entry)
    with store.writing(_LOSS) as db:
        for bundle, key, rubric in db.execute(bundle_events.CURRENT_BUNDLES).fetchall():
            if bundle in joining.bundles:
                bundle_events.place_heads(db, bundle, key, rubric)
        return JoinedRows(
            revisions=joining.added["ratings"],
            reviews=joining.added["reviews"],
            conflicts=tuple(joining.conflicts),
            damaged=joining.damaged,
            notes=(*joining.notes, *joining.missing(db)),
        )


class _Joining:
    def __init__(self) -> None:
        self.added: Counter[str] = Counter()
        self.bundles: set[str] = set()  # whose ratings or events were added
        self.damaged = 0
        self.conflicts: dict[str, None] = {}
        self.notes: list[str] = []
        self._named: list[JournalEntry] = []  # rows that only name what has to be opened again

    def add(self, db: Database, entry: JournalEntry | None) -> None:
        try:
            if entry is None or not _is_intact(entry):
                self.damaged += 1
            elif not holds(db, entry):
                with db.atomic():
                    self.added[entry.table] += self._add(db, entry)
        except (KeyError, sqlite3.IntegrityError):  # values that no program of ours has written
            self.damaged += 1

    def _add(self, db: Database, entry: JournalEntry) -> bool:
        columns = entry.columns
        match entry.table:
            case "ratings":
                self.bundles.add(columns["bundle"])
                return self._add_rating(db, columns)
            case "reviews":
                key = columns["bundle"], columns["subject"], columns["lead"]
                revision = append_row(db, key, columns["changed"], columns["body"].decode())
                if revision < columns["revision"]:
                    self.notes.append(
                        f"A review of {columns['bundle']}, {columns['subject']}, is missing before revision {revision}."
                    )
            case "exports" | "key_events":
                _insert(db, entry.table, columns)
            case "bundle_events" if columns["what"] != "removed":
                self.bundles.add(columns["bundle"])
                _insert(db, entry.table, columns)
            case _:
                if entry.table == "bundle_events":
                    self._named = [row for row in self._named if row.columns.get("id") != columns["bundle"]]
                self._named.append(entry)
                return False
        return True

    def _add_rating(self, db: Database, columns: dict[str, Any]) -> bool:
        key = columns["bundle"], columns["task"], columns["rater"]
        query = "SELECT coalesce(max(revision), 0), max(key) FROM ratings WHERE (bundle, task, rater) = (?, ?, ?)"
        last, before = db.execute(query, key).fetchone()
        if columns["revision"] != last + 1:
            if _has_content(db, key, columns["body"]):
                return False
            name = f"{columns['rater']}'s rating of {columns['bundle']}/{columns['task']}"
            if columns["revision"] <= last:
                self.conflicts[name] = None
            else:
                missing = columns["revision"] - last - 1
                self.notes.append(f"Missing revisions of {name}: {missing}, before revision {last + 1}.")
            columns = _renumbered(columns, last + 1)
        row = {name: columns[name] for name in _RATING} | {"body": columns["body"].decode()}
        added = _insert(db, "ratings", row)
        if columns["units"] is not None:
            _insert(db, "work_done", {"rating": added, "done": columns["units"]})
        db.execute("DELETE FROM leaving WHERE rating = ?", (before,))
        counts = {name: columns[name] or 0 for name in ("blocking", "warnings", "answered", "total")}
        head = {name: columns[name] for name in ("bundle", "task", "rater", "revision", "status", "line_sha256")}
        _insert(db, "heads", {**head, **counts, "rating": added}, "INSERT OR REPLACE")
        return True

    def missing(self, db: Database) -> Iterator[str]:
        """Yield a sentence for each thing that came after the backup and that the store lacks."""
        for entry in self._named:
            columns = entry.columns
            match entry.table:
                case "bundles":
                    query = "SELECT count(*) FROM heads WHERE bundle = ?"
                    (count,) = db.execute(query, (columns["id"],)).fetchone()
                    yield (
                        f"Revision {columns['revision']} of the bundle {columns['title']!r} ({columns['id']}). "
                        f"Import it again: its ratings, {count:,}, are stored."
                    )
                case "received":
                    yield f"The results {columns['file']!r} of {columns['rater']}. Open them again."
                case "hubs":
                    yield f"The connection to the hub of {columns['title']!r}. Connect it again."
                case "bundle_events":
                    query = "SELECT 1 FROM bundles WHERE id = ? LIMIT 1"
                    if db.execute(query, (columns["bundle"],)).fetchone() is not None:
                        yield f"The removal of the bundle {columns['bundle']}. Remove it again."


_RATING = ("bundle", "task", "rater", "revision", "changed", "status", "done", "sha256", "leaving_sha256")


def _has_content(db: Database, key: tuple[str, str, str], body: bytes) -> bool:
    query = """
        SELECT 1 FROM ratings WHERE (bundle, task, rater) = (?, ?, ?)
        AND json_remove(body, '$.revision') = json_remove(CAST(? AS TEXT), '$.revision')
    """
    return db.execute(query, (*key, body)).fetchone() is not None


def _renumbered(columns: dict[str, Any], revision: int) -> dict[str, Any]:
    """Return a revision under another number; without the line that was rated, its task counts as changed."""
    body = canonical_json({**msgspec.json.decode(columns["body"]), "revision": revision})
    return {**columns, "revision": revision, "sha256": sha256(body), "body": body, "line_sha256": None}


def _insert(db: Database, table: str, row: dict[str, Any], verb: str = "INSERT") -> int | None:
    query = f"{verb} INTO {table} ({', '.join(row)}) VALUES ({placeholders(row)})"
    return db.execute(query, tuple(row.values())).lastrowid
