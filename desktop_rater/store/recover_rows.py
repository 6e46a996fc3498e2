"""Recovery of the rows of a damaged store's file whose SHA-256 still matches."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, get_args

from desktop_rater.model.change import Progress
from desktop_rater.model.signature import SignatureState
from desktop_rater.store import outbox, raw_pages, reviews
from desktop_rater.store.checksums import matches_sha256, row_hash
from desktop_rater.store.faults import row_fields
from desktop_rater.store.raw_pages import RawPages, RawRow, RawValue
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.sqlite_tools import placeholders

_POSITION = 2**POSITIONS - 1
_SIGNED = frozenset(get_args(SignatureState))
_HUB_COLUMNS = 12


class RowSalvager:
    """Recovers rows, file by file, into an empty database of its own."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.executescript(_TABLES)

    def add_file(self, file: Path, progress: Progress) -> None:
        """Add the rows of a file that no earlier file had. Raises `OSError` or `Cancelled`."""
        (source,) = self._db.execute("SELECT coalesce(max(source), -1) + 1 FROM sources").fetchone()
        self._db.execute("BEGIN")
        self._db.execute("INSERT INTO sources VALUES (?)", (source,))
        with raw_pages.open_raw_pages(file, file.with_name(f"{file.name}-wal")) as pages:
            self._add_pages(source, pages, progress)
        self._db.execute("COMMIT")

    def _add_pages(self, source: int, pages: RawPages, progress: Progress) -> None:
        pages_read = 0
        for record in pages.records(lambda has_rowid, columns: (has_rowid, columns) in _SHAPES):
            if record is None:
                pages_read += 1
                if pages_read % 64 == 0:
                    progress(pages_read, pages.count)
                continue
            for shape in _SHAPES[record.rowid is not None, len(record.values)]:
                if _fits(record.values, shape.kinds):
                    shape.put(self, source, record)
                    break

    def put(self, table: str, values: Sequence[RawValue]) -> None:
        """Insert a row, unless its key exists or it holds an invalid text."""
        marks = placeholders(values)
        with suppress(UnicodeEncodeError):
            self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", tuple(values))  # noqa: S608 - our names

    def put_bundle(self, source: int, record: RawRow) -> None:
        """Add a bundle's row; of several states of it the last one counts."""
        *_, tasks, ready = record.values
        query = "SELECT 1 FROM bundles WHERE source = ? AND key = ? AND (ready, tasks) >= (?, ?)"
        if self._db.execute(query, (source, record.rowid, ready, tasks)).fetchone() is None:
            self._db.execute("DELETE FROM bundles WHERE source = ? AND key = ?", (source, record.rowid))
            self.put("bundles", (source, record.rowid, *record.values[1:]))

    def put_task(self, source: int, record: RawRow) -> None:
        """Add a task, if its line is what was imported."""
        _, bundle, _, _, digest, targets, line = record.values
        if record.rowid is not None and record.rowid >> POSITIONS == bundle and matches_sha256(line, digest):
            self.put("tasks", (source, bundle, record.rowid & _POSITION, line, targets))

    def put_placed(self, source: int, record: RawRow) -> None:
        """Add the hash of the targets of a task."""
        if record.rowid is not None:
            self.put("placed", (source, record.rowid >> POSITIONS, record.rowid & _POSITION, record.values[1]))

    def put_gold(self, source: int, record: RawRow) -> None:
        """Add a gold answer, without its line if that is not what was imported."""
        _, digest, line = record.values
        if record.rowid is not None:
            read = line if matches_sha256(line, digest) else None
            self.put("gold", (source, record.rowid >> POSITIONS, record.rowid & _POSITION, read))

    def put_rating(self, source: int, record: RawRow) -> None:
        """Add a revision, if it is what was saved and its row agrees."""
        _, bundle, task, rater, revision, changed, status, *rest, body = record.values
        content = str(body).encode("utf-8", "surrogateescape")
        self.put("known", (bundle, task, rater, revision))
        if matches_sha256(content, rest[1]) and row_fields(content) == [task, rater, revision, status, changed]:
            self.put("ratings", (source, record.rowid, *record.values[1:]))

    def put_known(self, _source: int, record: RawRow) -> None:
        """Add an entry of the index of ratings: this revision once existed."""
        self.put("known", record.values[:4])

    def put_head(self, _source: int, record: RawRow) -> None:
        bundle, task, rater, _, revision, _, _, line_sha256, *_ = record.values
        self.put("known", (bundle, task, rater, revision))
        self.put("heads", (bundle, task, rater, revision, line_sha256))

    def put_text(self, _source: int, record: RawRow) -> None:
        """Add the text of a task that others have rated, if it matches its hash."""
        digest, line = record.values
        if matches_sha256(line, digest):
            self.put("task_texts", (digest, line))

    def put_received(self, source: int, record: RawRow) -> None:
        _, *columns, _, row_sha256 = record.values
        if row_hash(*columns) == row_sha256:
            self.put("received", (source, record.rowid, *columns))

    def put_received_rating(self, source: int, record: RawRow) -> None:
        """Add a rating of received results. It is verified later, with the row of the results."""
        self.put("received_ratings", (source, *record.values[1:]))

    def put_review(self, _source: int, record: RawRow) -> None:
        row = record.values[1:]
        bundle, subject, lead, revision, changed, digest, body = row
        self.put("reviews_known", (bundle, subject, revision))
        if reviews.is_intact_review((bundle, subject, lead, revision, changed, digest, body)):
            self.put("reviews", row)

    def put_review_known(self, _source: int, record: RawRow) -> None:
        """Add an entry of the index of reviews: this revision once existed."""
        if str(record.values[1]).startswith('["'):  # else it is a row of `finished_runs`, which has the same shape
            self.put("reviews_known", record.values[:3])

    def put_signature(self, source: int, record: RawRow) -> None:
        """Add the signature record of results. It is verified later, with the row of the results."""
        if record.values[1] in _SIGNED:  # else it is a row of the list of migrations, which has the same shape
            self.put("signatures", (source, record.rowid, *record.values[1:]))

    def put_item(self, _source: int, record: RawRow) -> None:
        """Add an item of the outbox, if its immutable columns are what was queued."""
        *columns, row_sha256 = record.values[1:]
        if outbox.is_intact_row((*columns[: len(outbox.SEALED)], row_sha256)):
            self.put("outbox", (record.rowid, *columns))

    def put_hub(self, _source: int, record: RawRow) -> None:
        """Add a hub. A row from before the lead's key was stored ends earlier."""
        self.put("hubs", (*record.values, "")[:_HUB_COLUMNS])

    def put_name(self, _source: int, record: RawRow) -> None:
        bundle, name, key = record.values
        if int(key) >> POSITIONS != bundle:  # ty: ignore[invalid-argument-type]
            return  # an entry of the index of received ratings, which has the same shape
        self.put("names", (bundle, int(key) & _POSITION, name))  # ty: ignore[invalid-argument-type]


class _Shape(NamedTuple):
    """The column types of a table's rows, and the function that adds such a row."""

    kinds: str
    put: Callable[[RowSalvager, int, RawRow], None]


def _inserting(table: str, *, keyed: bool = False) -> Callable[[RowSalvager, int, RawRow], None]:
    """Return a function that inserts the row unchanged; `keyed`: with its rowid, which is its place among the rows."""

    def put(salvager: RowSalvager, _source: int, record: RawRow) -> None:
        key = (record.rowid,) if keyed else ()
        salvager.put(table, record.values if record.rowid is None else (*key, *record.values[1:]))

    return put


# (row has a rowid, number of columns) -> possible tables. Of a column: n NULL (the key, which is the rowid), i an
# integer, r a number, t a text, b bytes; a capital letter may be NULL.
_SHAPES: dict[tuple[bool, int], tuple[_Shape, ...]] = {
    (True, 15): (_Shape("ntittTtTtttttii", RowSalvager.put_bundle),),
    (True, 7): (_Shape("nittTTb", RowSalvager.put_task), _Shape("ntttttt", _inserting("page_origins"))),
    (True, 3): (_Shape("ntb", RowSalvager.put_gold),),
    (True, 2): (_Shape("nt", RowSalvager.put_placed),),
    (True, 11): (
        _Shape("ntttitttttt", RowSalvager.put_rating),
        _Shape("ntttTtTttit", RowSalvager.put_received),
        _Shape("tttttttRtti", RowSalvager.put_hub),
    ),
    (True, 12): (_Shape("tttttttRttit", RowSalvager.put_hub),),
    (True, 10): (
        _Shape("nttttiiitT", _inserting("exports")),
        _Shape("nttttttitT", _inserting("visits")),
        _Shape("nittittbtb", RowSalvager.put_received_rating),
    ),
    (True, 8): (
        _Shape("ntttittt", RowSalvager.put_review),
        _Shape("nttttttt", _inserting("key_events", keyed=True)),
    ),
    (True, 6): (_Shape("nttitt", _inserting("bundle_events", keyed=True)),),
    (True, 4): (_Shape("nttt", RowSalvager.put_signature),),
    (True, 18): (_Shape("nttttittittitttttt", RowSalvager.put_item),),
    (False, 4): (_Shape("ttii", RowSalvager.put_review_known),),
    (False, 3): (_Shape("iti", RowSalvager.put_name),),
    (False, 5): (_Shape("tttii", RowSalvager.put_known),),
    (False, 12): (_Shape("tttiiItTiiii", RowSalvager.put_head),),
    (False, 2): (_Shape("tt", _inserting("state")), _Shape("tb", RowSalvager.put_text)),
}
_KINDS: dict[str, tuple[type, ...]] = {"n": (type(None),), "i": (int,), "r": (int, float), "t": (str,), "b": (bytes,)}


def _fits(values: Sequence[RawValue], kinds: str) -> bool:
    return all(
        isinstance(value, _KINDS[kind.lower()]) or (value is None and kind.isupper())
        for value, kind in zip(values, kinds, strict=True)
    )


_TABLES = """
    CREATE TABLE sources (source INTEGER PRIMARY KEY);
    CREATE TABLE bundles (source, key, id, revision, title, language, created, rubric, rubric_toml, guidelines,
        manifest, tasks_sha256, identity, imported, tasks, ready, PRIMARY KEY (source, key));
    CREATE TABLE tasks (source, bundle, position, line, targets, PRIMARY KEY (source, bundle, position));
    CREATE TABLE placed (source, bundle, position, sha256, PRIMARY KEY (source, bundle, position));
    CREATE TABLE gold (source, bundle, position, line, PRIMARY KEY (source, bundle, position));
    CREATE TABLE names (bundle, position, id, PRIMARY KEY (bundle, position));
    CREATE TABLE ratings (source, key, bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256,
        body, PRIMARY KEY (source, key));
    CREATE INDEX ratings_by_name ON ratings (bundle, task, rater, revision);
    CREATE TABLE known (bundle, task, rater, revision, PRIMARY KEY (bundle, task, rater, revision));
    CREATE TABLE heads (bundle, task, rater, revision, line_sha256, PRIMARY KEY (bundle, task, rater));
    CREATE TABLE exports (bundle, rater, sha256, moment, tasks, complete, skipped, content, supersedes,
        UNIQUE (bundle, rater, sha256, content));
    CREATE TABLE key_events (key INTEGER PRIMARY KEY, rater, public, project, what, by, reason, moment);
    CREATE TABLE bundle_events (key PRIMARY KEY, bundle, what, revision, reason, moment);
    CREATE TABLE visits (bundle, url, page, final_url, final_page, state, status, fetched, snapshot,
        UNIQUE (bundle, url, fetched, state));
    CREATE TABLE page_origins (snapshot, origin, bundle, rater, results, arrived,
        PRIMARY KEY (snapshot, origin, bundle, rater, results));
    CREATE TABLE state (key PRIMARY KEY, value);
    CREATE TABLE task_texts (sha256 PRIMARY KEY, line);
    CREATE TABLE received (source, key, sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived,
        PRIMARY KEY (source, key));
    CREATE TABLE received_ratings (source, results, task, text, revision, sha256, row_sha256, digest, history, body,
        PRIMARY KEY (source, results, task));
    CREATE TABLE signatures (source, results, state, key, row_sha256, PRIMARY KEY (source, results));
    CREATE TABLE hubs (project PRIMARY KEY, title, url, user, connected, verified, asked, skew, paused_kind, paused,
        current, lead_key);
    CREATE TABLE outbox (key, project, kind, rater, bundle, revision, name, sha256, size, made_of, state, attempts,
        next_try, error_kind, last_error, queued, changed, PRIMARY KEY (project, name));
    CREATE TABLE reviews (bundle, subject, lead, revision, changed, sha256, body,
        PRIMARY KEY (bundle, subject, revision));
    CREATE TABLE reviews_known (bundle, subject, revision, PRIMARY KEY (bundle, subject, revision));
"""
