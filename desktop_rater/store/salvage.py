"""What can still be read of a damaged store, row by row, and counts because its SHA-256 says so.

Several files may help each other: the damaged one first, then its backups. Rows of tasks and ratings never change, so
those that are verified fit together, whichever file they are from. Nothing is written to any of the files.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Self

import msgspec

from desktop_rater.store import raw_pages
from desktop_rater.store.faults import repeats
from desktop_rater.store.intact import intact
from desktop_rater.store.schema import POSITIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.raw_pages import Pages, Record, Value

_POSITION = 2**POSITIONS - 1


class FoundTask(msgspec.Struct, frozen=True):
    """A task's line, as it was imported; `targets` is not covered by its hash."""

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
        self.altered: list[str] = []

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
                if done % 256 == 0:
                    progress(done, pages.count)
                continue
            for shape in _SHAPES[record.rowid is not None, len(record.values)]:
                if _fits(record.values, shape.kinds):
                    shape.put(self, source, record)
                    break

    def put(self, table: str, values: Sequence[Value]) -> None:
        """Keep a row, unless there is one in its place."""
        marks = ", ".join("?" for _ in values)
        self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", tuple(values))  # noqa: S608 - our names

    def put_bundle(self, source: int, record: Record) -> None:
        """A bundle's row; of several states of it the last one counts."""
        self._db.execute(
            f"INSERT OR REPLACE INTO bundles SELECT {', '.join('?' * 17)} WHERE NOT EXISTS ("  # noqa: S608
            "SELECT 1 FROM bundles WHERE source = ? AND key = ? AND (ready, tasks) > (?, ?))",
            (source, record.rowid, *record.values[1:], 0, source, record.rowid, record.values[14], record.values[13]),
        )

    def put_task(self, source: int, record: Record) -> None:
        """A task, if its line is what was imported."""
        _, bundle, name, _title, digest, targets, line = record.values
        if record.rowid is None or record.rowid >> POSITIONS != bundle:
            return
        if intact(line, digest):
            self.put("tasks", (source, bundle, record.rowid & _POSITION, line, targets))
        elif source == 0:
            self.altered.append(f"The task {name!r}: its line is not the one that was imported.")

    def put_rating(self, source: int, record: Record) -> None:
        """A revision, if it is what was saved and its row says the same."""
        _, bundle, task, rater, revision, changed, status, *rest, body = record.values
        content = str(body).encode("utf-8", "surrogateescape")
        self.put("known", (bundle, task, rater, revision))
        if intact(content, rest[1]) and repeats(content) == [task, rater, revision, status, changed]:
            self.put("ratings", (source, record.rowid, *record.values[1:]))

    def put_known(self, _source: int, record: Record) -> None:
        """An entry of the index of ratings: this revision was there once."""
        self.put("known", record.values[:4])

    def put_head(self, source: int, record: Record) -> None:
        """What the lists showed of a rating."""
        bundle, task, rater, _, revision, _, _, line_sha256, *_ = record.values
        self.put("known", (bundle, task, rater, revision))
        self.put("heads", (bundle, task, rater, revision, line_sha256))
        del source

    # -- what there is

    def bundles(self) -> Iterator[tuple[object, ...]]:
        """The row of each ready revision of each bundle, in order: the columns of the store's table without its key."""
        query = """
            SELECT id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256,
                   identity, imported, max(tasks)
            FROM bundles WHERE ready GROUP BY id, revision HAVING source = min(source) ORDER BY id, revision
        """
        yield from self._db.execute(query).fetchall()

    def tasks(self, bundle: str, revision: int, identity: str) -> Iterator[FoundTask]:
        """The tasks of a bundle's revision, in order, from whichever file has them."""
        query = """
            SELECT position, line, targets, min(tasks.source)
            FROM bundles CROSS JOIN tasks ON tasks.source = bundles.source AND tasks.bundle = bundles.key
            WHERE id = ? AND revision = ? AND identity = ? AND ready GROUP BY position ORDER BY position
        """
        for position, line, targets, _ in self._db.execute(query, (bundle, revision, identity)):
            yield FoundTask(position, line, targets)

    def ratings(self) -> Iterator[FoundRating]:
        """All revisions, roughly in the order in which they were given, each one after those that it follows."""
        query = """
            SELECT bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body FROM (
                SELECT *, max(key) OVER (PARTITION BY bundle, task, rater ORDER BY revision) AS turn
                FROM ratings JOIN (
                    SELECT bundle AS b, task AS t, rater AS r, revision AS n, min(source) AS s FROM ratings
                    GROUP BY 1, 2, 3, 4)
                ON (bundle, task, rater, revision, source) = (b, t, r, n, s))
            ORDER BY turn, revision
        """
        for row in self._db.execute(query):
            yield FoundRating(*row)

    def lost(self) -> Iterator[tuple[str, str, str, int]]:
        """(bundle, task, rater, revision) of each revision that was there once and can't be read, in order."""
        query = """
            WITH RECURSIVE lasts AS (
                SELECT bundle, task, rater, max(revision) AS last, count(*) AS n FROM known GROUP BY 1, 2, 3),
            have AS (SELECT bundle, task, rater, count(DISTINCT revision) AS n FROM ratings GROUP BY 1, 2, 3),
            short AS (
                SELECT lasts.bundle, lasts.task, lasts.rater, last FROM lasts
                LEFT JOIN have USING (bundle, task, rater) WHERE have.n IS NOT last),
            numbers (bundle, task, rater, last, revision) AS (
                SELECT *, 1 FROM short UNION ALL
                SELECT bundle, task, rater, last, revision + 1 FROM numbers WHERE revision < last)
            SELECT bundle, task, rater, revision FROM numbers
            WHERE NOT EXISTS (SELECT 1 FROM ratings WHERE (ratings.bundle, ratings.task, ratings.rater,
                ratings.revision) = (numbers.bundle, numbers.task, numbers.rater, numbers.revision))
            ORDER BY 1, 2, 3, 4
        """
        yield from self._db.execute(query)

    def head(self, bundle: str, task: str, rater: str) -> FoundHead | None:
        """What the lists showed of a rating, where that can be read."""
        query = "SELECT revision, line_sha256 FROM heads WHERE bundle = ? AND task = ? AND rater = ?"
        row = self._db.execute(query, (bundle, task, rater)).fetchone()
        return None if row is None else FoundHead(*row)

    def others(self, table: str) -> Iterator[tuple[object, ...]]:
        """The rows of `exports`, `visits` or `state`, without their keys' numbers; no hash covers them."""
        yield from self._db.execute(f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608 - one of those three


class _Shape(msgspec.Struct, frozen=True):
    """What the rows of a table look like, column by column, and what is done with one that does."""

    kinds: str
    put: object


def _others(table: str) -> object:
    """Rows of a table that no hash covers; where it has a number for a key, that is made anew."""

    def put(findings: Findings, source: int, record: Record) -> None:
        del source
        findings.put(table, record.values[1:] if record.rowid is not None else record.values)

    return put


# Of a column: i whole number, t text, s SHA-256, b bytes, n nothing (the table's key); capital letters may be NULL.
_SHAPES: dict[tuple[bool, int], tuple[_Shape, ...]] = {
    (True, 15): (_Shape("ntittTtTttstsii", Findings.put_bundle), _Shape("ntittTtTtttttii", Findings.put_bundle)),
    (True, 7): (_Shape("nittsTb", Findings.put_task),),
    (True, 11): (_Shape("ntttittsst"[:6] + "ttsst", Findings.put_rating),),
}
