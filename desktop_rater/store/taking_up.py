"""Taking up the rows of a damaged store's file, as far as a SHA-256 says that they are what was written."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, get_args

from desktop_rater.model.signature import SignatureState
from desktop_rater.store import outbox, raw_pages, reviews
from desktop_rater.store.faults import repeated
from desktop_rater.store.intact import intact
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.sealed import seal

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.raw_pages import Pages, Record, Value

_POSITION = 2**POSITIONS - 1
_SIGNED = frozenset(get_args(SignatureState))


class TakenUp:
    """Fills a database that is only for this, and that nothing stands in yet, file by file."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.executescript(_TABLES)

    def take(self, file: Path, progress: Progress) -> None:
        """Take up what a file holds and no file before it did. Raises `OSError`, `Cancelled`."""
        (source,) = self._db.execute("SELECT coalesce(max(source), -1) + 1 FROM sources").fetchone()
        self._db.execute("BEGIN")
        self._db.execute("INSERT INTO sources VALUES (?)", (source,))
        with raw_pages.opened(file, file.with_name(f"{file.name}-wal")) as pages:
            self._take(source, pages, progress)
        self._db.execute("COMMIT")

    def _take(self, source: int, pages: Pages, progress: Progress) -> None:
        done = 0
        for record in pages.records(lambda has_rowid, columns: (has_rowid, columns) in _SHAPES):
            if record is None:
                done += 1
                if done % 64 == 0:
                    progress(done, pages.count)
                continue
            for shape in _SHAPES[record.rowid is not None, len(record.values)]:
                if _fits(record.values, shape.kinds):
                    shape.put(self, source, record)
                    break

    def put(self, table: str, values: Sequence[Value]) -> None:
        """Keep a row, unless there is one in its place, or it holds a text that is none any more."""
        marks = ", ".join("?" for _ in values)
        with suppress(UnicodeEncodeError):
            self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", tuple(values))  # noqa: S608 - our names

    def put_bundle(self, source: int, record: Record) -> None:
        """A bundle's row; of several states of it the last one counts."""
        *_, tasks, ready = record.values
        query = "SELECT 1 FROM bundles WHERE source = ? AND key = ? AND (ready, tasks) >= (?, ?)"
        if self._db.execute(query, (source, record.rowid, ready, tasks)).fetchone() is None:
            self._db.execute("DELETE FROM bundles WHERE source = ? AND key = ?", (source, record.rowid))
            self.put("bundles", (source, record.rowid, *record.values[1:]))

    def put_task(self, source: int, record: Record) -> None:
        """A task, if its line is what was imported."""
        _, bundle, _, _, digest, targets, line = record.values
        if record.rowid is not None and record.rowid >> POSITIONS == bundle and intact(line, digest):
            self.put("tasks", (source, bundle, record.rowid & _POSITION, line, targets))

    def put_placed(self, source: int, record: Record) -> None:
        """What was noted of the targets of a task."""
        if record.rowid is not None:
            self.put("placed", (source, record.rowid >> POSITIONS, record.rowid & _POSITION, record.values[1]))

    def put_gold(self, source: int, record: Record) -> None:
        """A gold answer, without its line where that is not what was imported."""
        _, digest, line = record.values
        if record.rowid is not None:
            read = line if intact(line, digest) else None
            self.put("gold", (source, record.rowid >> POSITIONS, record.rowid & _POSITION, read))

    def put_rating(self, source: int, record: Record) -> None:
        """A revision, if it is what was saved and its row says the same."""
        _, bundle, task, rater, revision, changed, status, *rest, body = record.values
        content = str(body).encode("utf-8", "surrogateescape")
        self.put("known", (bundle, task, rater, revision))
        if intact(content, rest[1]) and repeated(content) == [task, rater, revision, status, changed]:
            self.put("ratings", (source, record.rowid, *record.values[1:]))

    def put_known(self, _source: int, record: Record) -> None:
        """An entry of the index of ratings: this revision was there once."""
        self.put("known", record.values[:4])

    def put_head(self, _source: int, record: Record) -> None:
        """What the lists showed of a rating."""
        bundle, task, rater, _, revision, _, _, line_sha256, *_ = record.values
        self.put("known", (bundle, task, rater, revision))
        self.put("heads", (bundle, task, rater, revision, line_sha256))

    def put_text(self, _source: int, record: Record) -> None:
        """The text of a task that others have rated, if it is the one of that hash."""
        digest, line = record.values
        if intact(line, digest):
            self.put("task_texts", (digest, line))

    def put_received(self, source: int, record: Record) -> None:
        """Received results, if their row is what came in."""
        _, *columns, _, row_sha256 = record.values
        if seal(*columns) == row_sha256:
            self.put("received", (source, record.rowid, *columns))

    def put_received_rating(self, source: int, record: Record) -> None:
        """A rating of received results. Whether it is what came in shows beside the row of the results."""
        self.put("received_ratings", (source, *record.values[1:]))

    def put_review(self, _source: int, record: Record) -> None:
        """What a lead said, if it is what was written."""
        row = record.values[1:]
        bundle, subject, lead, revision, changed, digest, body = row
        self.put("reviews_known", (bundle, subject, revision))
        if reviews.is_intact((bundle, subject, lead, revision, changed, digest, body)):
            self.put("reviews", row)

    def put_review_known(self, _source: int, record: Record) -> None:
        """An entry of the index of reviews: this revision was there once."""
        if str(record.values[1]).startswith('["'):  # else it is a row of runs of finished tasks, which look like it
            self.put("reviews_known", record.values[:3])

    def put_signature(self, source: int, record: Record) -> None:
        """How results were signed. Whether it is what was written shows beside the row of the results."""
        if record.values[1] in _SIGNED:  # else it is a row of the list of migrations, which looks like it
            self.put("signatures", (source, record.rowid, *record.values[1:]))

    def put_item(self, _source: int, record: Record) -> None:
        """Something that goes to a hub, if what never changes of it is what was queued."""
        *columns, row_sha256 = record.values[1:]
        if outbox.is_intact((*columns[: len(outbox.SEALED)], row_sha256)):
            self.put("outbox", (record.rowid, *columns))

    def put_name(self, _source: int, record: Record) -> None:
        """An entry of the index of tasks: which task stood at a position."""
        bundle, name, key = record.values
        if int(key) >> POSITIONS != bundle:  # ty: ignore[invalid-argument-type]
            return  # it looks like one, and is of the index of received ratings
        self.put("names", (bundle, int(key) & _POSITION, name))  # ty: ignore[invalid-argument-type]


class _Shape(NamedTuple):
    """What the rows of a table look like, column by column, and what is done with one that does."""

    kinds: str
    put: Callable[[TakenUp, int, Record], None]


def _put_in(table: str, *, whole: bool = False) -> Callable[[TakenUp, int, Record], None]:
    """`whole`: the rowid is none of the columns."""

    def put(taken: TakenUp, _source: int, record: Record) -> None:
        taken.put(table, record.values if whole or record.rowid is None else record.values[1:])

    return put


# (has it a rowid, how many columns) -> what it may be. Of a column: n nothing (the key, which is the rowid), i a whole
# number, r a number, t a text, b bytes; a capital letter may be NULL.
_SHAPES: dict[tuple[bool, int], tuple[_Shape, ...]] = {
    (True, 15): (_Shape("ntittTtTtttttii", TakenUp.put_bundle),),
    (True, 7): (_Shape("nittTTb", TakenUp.put_task),),
    (True, 3): (_Shape("ntb", TakenUp.put_gold),),
    (True, 2): (_Shape("nt", TakenUp.put_placed),),
    (True, 11): (
        _Shape("ntttitttttt", TakenUp.put_rating),
        _Shape("ntttTtTttit", TakenUp.put_received),
        _Shape("tttttttRtti", _put_in("hubs", whole=True)),
    ),
    (True, 10): (
        _Shape("nttttiiitT", _put_in("exports")),
        _Shape("nttttttitT", _put_in("visits")),
        _Shape("nittittbtb", TakenUp.put_received_rating),
    ),
    (True, 8): (_Shape("ntttittt", TakenUp.put_review),),
    (True, 4): (_Shape("nttt", TakenUp.put_signature),),
    (True, 18): (_Shape("nttttittittitttttt", TakenUp.put_item),),
    (False, 4): (_Shape("ttii", TakenUp.put_review_known),),
    (False, 3): (_Shape("iti", TakenUp.put_name),),
    (False, 5): (_Shape("tttii", TakenUp.put_known),),
    (False, 12): (_Shape("tttiiItTiiii", TakenUp.put_head),),
    (False, 2): (_Shape("tt", _put_in("state")), _Shape("tb", TakenUp.put_text)),
}
_KINDS: dict[str, tuple[type, ...]] = {"n": (type(None),), "i": (int,), "r": (int, float), "t": (str,), "b": (bytes,)}


def _fits(values: Sequence[Value], kinds: str) -> bool:
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
    CREATE TABLE visits (bundle, url, page, final_url, final_page, state, status, fetched, snapshot,
        UNIQUE (bundle, url, fetched, state));
    CREATE TABLE state (key PRIMARY KEY, value);
    CREATE TABLE task_texts (sha256 PRIMARY KEY, line);
    CREATE TABLE received (source, key, sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived,
        PRIMARY KEY (source, key));
    CREATE TABLE received_ratings (source, results, task, text, revision, sha256, row_sha256, digest, history, body,
        PRIMARY KEY (source, results, task));
    CREATE TABLE signatures (source, results, state, key, row_sha256, PRIMARY KEY (source, results));
    CREATE TABLE hubs (project PRIMARY KEY, title, url, user, connected, verified, asked, skew, paused_kind, paused,
        current);
    CREATE TABLE outbox (key, project, kind, rater, bundle, revision, name, sha256, size, made_of, state, attempts,
        next_try, error_kind, last_error, queued, changed, PRIMARY KEY (project, name));
    CREATE TABLE reviews (bundle, subject, lead, revision, changed, sha256, body,
        PRIMARY KEY (bundle, subject, revision));
    CREATE TABLE reviews_known (bundle, subject, revision, PRIMARY KEY (bundle, subject, revision));
"""
