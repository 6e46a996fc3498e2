"""What can still be read of a damaged store, row by row, and counts because its SHA-256 says so.

Several files may help each other: the damaged one first, then its backups. Rows of tasks and ratings never change, so
those that are verified fit together, whichever file they are from. Nothing is written to any of the files.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from heapq import merge
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from desktop_rater.store import raw_pages
from desktop_rater.store.bundles import NewBundle
from desktop_rater.store.faults import repeated
from desktop_rater.store.intact import intact
from desktop_rater.store.schema import POSITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.raw_pages import Pages, Record, Value

_POSITION = 2**POSITIONS - 1
_FAR_OFF = 500  # revisions of one rating that a damaged page may hold, and more


class FoundTask(msgspec.Struct, frozen=True):
    """A task's line, as it was imported; `targets` where what was noted of them does not say otherwise."""

    position: int
    line: bytes
    targets: str | None


class FoundRating(msgspec.Struct, frozen=True):
    """A revision as it was saved. `leaving_sha256` and `done` are not covered by its hash."""

    bundle: str
    task: str
    rater: str
    revision: int
    changed: str
    status: str
    done: str
    sha256: str
    leaving_sha256: str
    body: str


class FoundHead(msgspec.Struct, frozen=True):
    """Which revision of a rating there was at last, and the SHA-256 of the line that it rated, where that is known."""

    revision: int
    line_sha256: str | None


class Findings:
    """What was found, in a temporary database of its own."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_TABLES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._db.close()

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

    def put_name(self, _source: int, record: Record) -> None:
        """An entry of the index of tasks: which task stood at a position."""
        bundle, name, key = record.values
        self.put("names", (bundle, int(key) & _POSITION, name))  # ty: ignore[invalid-argument-type]

    # -- what there is

    def bundles(self) -> Iterator[tuple[NewBundle, int]]:
        """Each revision of each bundle that was ready, in order, and how many tasks it had."""
        query = """
            SELECT id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256,
                   identity, imported, tasks, min(source)
            FROM bundles WHERE ready GROUP BY id, revision ORDER BY id, revision
        """
        for *columns, expected, _ in self._db.execute(query).fetchall():
            yield NewBundle(**dict(zip(NewBundle.__struct_fields__, columns, strict=True))), expected

    def tasks(self, bundle: str, revision: int, identity: str) -> Iterator[FoundTask]:
        """The tasks of a bundle's revision, in order, each from the first file that has it."""
        query = "SELECT source, key FROM bundles WHERE (id, revision, identity, ready) = (?, ?, ?, 1) ORDER BY source"
        rows = [self._tasks_of(*pair) for pair in self._db.execute(query, (bundle, revision, identity)).fetchall()]
        last = -1
        for task in merge(*rows, key=attrgetter("position")):  # of equal ones the first file's comes first
            if task.position != last:
                last = task.position
                yield task

    def _tasks_of(self, source: int, bundle: int) -> Iterator[FoundTask]:
        query = """
            SELECT position, line, targets, placed.sha256 FROM tasks LEFT JOIN placed USING (source, bundle, position)
            WHERE source = ? AND bundle = ? ORDER BY position
        """
        for position, line, targets, digest in self._db.execute(query, (source, bundle)):
            # Older stores note nothing of them, and what was noted may be lost. Then only the text speaks for them.
            altered = digest is not None and (targets is None or not intact(targets.encode(), digest))
            yield FoundTask(position, line, None if altered else targets)

    def gold(self, bundle: str, revision: int, identity: str) -> Iterator[tuple[int, bytes | None]]:
        """(position, line) of the gold answers of a bundle's revision, each from the first file that has it whole.

        There is no line where no file has.
        """
        query = """
            SELECT position, line, min(CASE WHEN line IS NULL THEN 1e9 ELSE source END)
            FROM gold JOIN bundles USING (source)
            WHERE bundles.key = gold.bundle AND (id, revision, identity, ready) = (?, ?, ?, 1)
            GROUP BY position ORDER BY position
        """
        for position, line, _ in self._db.execute(query, (bundle, revision, identity)).fetchall():
            yield position, line

    def task_names(self, bundle: str, revision: int) -> dict[int, str]:
        """The ids of a bundle's tasks by their positions, as far as the index of tasks can be read."""
        query = """
            SELECT position, names.id FROM bundles JOIN names ON names.bundle = bundles.key
            WHERE bundles.id = ? AND revision = ? AND ready ORDER BY source DESC
        """
        return dict(self._db.execute(query, (bundle, revision)).fetchall())

    def ratings(self) -> Iterator[FoundRating]:
        """All revisions, in the order in which they were given, as far as each follows those before it."""
        query = """
            WITH chosen AS (
                SELECT bundle, task, rater, revision, min(source) AS source, key FROM ratings GROUP BY 1, 2, 3, 4)
            SELECT source, key FROM chosen
            ORDER BY max(key) OVER (PARTITION BY bundle, task, rater ORDER BY revision), revision
        """
        fetch = """
            SELECT bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body
            FROM ratings WHERE source = ? AND key = ?
        """
        for place in self._db.execute(query).fetchall():
            yield FoundRating(*self._db.execute(fetch, place).fetchone())

    def lasts(self) -> Iterator[tuple[str, str, str, int, int]]:
        """(bundle, task, rater, last revision that can be read, last one that there was) of each rating.

        The first number is 0 where none can be read. An index is not verified: a number far off is damage itself.
        """
        query = """
            SELECT bundle, task, rater, coalesce(max(read), 0),
                   max(CASE WHEN revision <= coalesce(most, 0) + ? THEN revision ELSE 0 END)
            FROM (
                SELECT known.bundle, known.task, known.rater, known.revision, ratings.revision AS read,
                       max(ratings.revision) OVER (PARTITION BY known.bundle, known.task, known.rater) AS most
                FROM known LEFT JOIN ratings ON (ratings.bundle, ratings.task, ratings.rater, ratings.revision)
                    = (known.bundle, known.task, known.rater, known.revision))
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        """
        yield from self._db.execute(query, (_FAR_OFF,)).fetchall()

    def head(self, bundle: str, task: str, rater: str) -> FoundHead | None:
        """What the lists showed of a rating, where that can be read."""
        query = "SELECT revision, line_sha256 FROM heads WHERE bundle = ? AND task = ? AND rater = ?"
        row = self._db.execute(query, (bundle, task, rater)).fetchone()
        return None if row is None else FoundHead(*row)

    def others(self, table: str) -> Iterator[tuple[Any, ...]]:
        """The rows of one of `OTHERS`, without the numbers that are their keys; no hash covers them."""
        yield from self._db.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()  # noqa: S608 - our names


class _Shape(NamedTuple):
    """What the rows of a table look like, column by column, and what is done with one that does."""

    kinds: str
    put: Callable[[Findings, int, Record], None]


def _put_in(table: str) -> Callable[[Findings, int, Record], None]:
    def put(findings: Findings, _source: int, record: Record) -> None:
        findings.put(table, record.values[1:] if record.rowid is not None else record.values)

    return put


OTHERS = ("exports", "visits", "state")

# (has it a rowid, how many columns) -> what it may be. Of a column: n nothing (the key, which is the rowid), i a whole
# number, t a text, b bytes; a capital letter may be NULL.
_SHAPES: dict[tuple[bool, int], tuple[_Shape, ...]] = {
    (True, 15): (_Shape("ntittTtTtttttii", Findings.put_bundle),),
    (True, 7): (_Shape("nittTTb", Findings.put_task),),
    (True, 3): (_Shape("ntb", Findings.put_gold),),
    (True, 2): (_Shape("nt", Findings.put_placed),),
    (True, 11): (_Shape("ntttitttttt", Findings.put_rating),),
    (True, 10): (_Shape("nttttiiitT", _put_in("exports")), _Shape("nttttttitT", _put_in("visits"))),
    (False, 3): (_Shape("iti", Findings.put_name),),
    (False, 5): (_Shape("tttii", Findings.put_known),),
    (False, 12): (_Shape("tttiiItTiiii", Findings.put_head),),
    (False, 2): (_Shape("tt", _put_in("state")),),
}
_KINDS: dict[str, type] = {"n": type(None), "i": int, "t": str, "b": bytes}


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
"""
