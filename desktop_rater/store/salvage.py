"""What can still be read of a damaged store, row by row, and counts because its SHA-256 says so.

Several files may help each other: the damaged one first, then its backups. Rows of tasks and ratings never change, so
those that are verified fit together, whichever file they are from. Nothing is written to any of the files.
"""

from __future__ import annotations

import sqlite3
from heapq import merge
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

import msgspec

from desktop_rater.model.signature import Signature
from desktop_rater.store import hubs, signatures
from desktop_rater.store.bundles import NewBundle
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.intact import intact
from desktop_rater.store.outbox import Outgoing
from desktop_rater.store.received import NewRating, NewReceived, rating_of
from desktop_rater.store.sealed import seal
from desktop_rater.store.taking_up import TakenUp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.model.progress import Progress

OTHERS = ("exports", "visits", "state")
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


class FoundReview(msgspec.Struct, frozen=True):
    """A revision of what a lead said, as it was written; `subject` and `body` are JSON."""

    bundle: str
    subject: str
    lead: str
    revision: int
    changed: str
    body: str


class Findings:
    """What was found, in a temporary database of its own."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._taken = TakenUp(self._db)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._db.close()

    def take(self, file: Path, progress: Progress) -> None:
        """Take up what a file holds and no file before it did. Raises `OSError`, `Cancelled`."""
        self._taken.take(file, progress)

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

    # -- of an audit

    def reviews(self) -> Iterator[FoundReview]:
        """What leads said, each subject's revisions in order."""
        query = "SELECT bundle, subject, lead, revision, changed, body FROM reviews ORDER BY bundle, subject, revision"
        for row in self._db.execute(query).fetchall():
            yield FoundReview(*row)

    def reviews_lost(self) -> list[tuple[str, str, int]]:
        """(bundle, subject, revision) of what is known to have been said and can't be read."""
        query = """
            SELECT bundle, subject, revision FROM reviews_known
            WHERE (bundle, subject, revision) NOT IN (SELECT bundle, subject, revision FROM reviews)
            ORDER BY 1, 2, 3
        """
        return self._db.execute(query).fetchall()

    def received(self) -> Iterator[NewReceived]:
        """Results that were received, each once, by their hash."""
        query = """
            SELECT sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, min(source)
            FROM received GROUP BY sha256 ORDER BY sha256
        """
        for *columns, _ in self._db.execute(query).fetchall():
            yield NewReceived(**dict(zip(NewReceived.__struct_fields__, columns, strict=True)))

    def received_ratings(self, results: str) -> Iterator[NewRating]:
        """The ratings of received results that are what came in, each once, with a text that can be read."""
        query = """
            SELECT task, text, revision, received_ratings.sha256, digest, history, body, row_sha256
            FROM received JOIN received_ratings USING (source)
            WHERE received.sha256 = ? AND received_ratings.results = received.key
              AND text IN (SELECT sha256 FROM task_texts)
            ORDER BY task, source
        """
        last = None
        for *columns, row_sha256 in self._db.execute(query, (results,)):
            if columns[0] != last and seal(results, *columns) == row_sha256:
                last = columns[0]
                yield rating_of(columns)

    def signature(self, results: str) -> Signature | None:
        """How received results were signed, as it was written, where that can be read."""
        query = """
            SELECT state, signatures.key, row_sha256 FROM received JOIN signatures USING (source)
            WHERE received.sha256 = ? AND signatures.results = received.key ORDER BY source
        """
        for state, key, row_sha256 in self._db.execute(query, (results,)).fetchall():
            if signatures.is_intact(results, state, key, row_sha256):
                return Signature(state, key)
        return None

    # -- of the exchange with hubs

    def hubs(self) -> list[HubRow]:
        """The hubs that were known; no hash covers them."""
        query = f"SELECT {', '.join(HubRow.__struct_fields__)} FROM hubs ORDER BY project"  # noqa: S608 - our names
        return [hubs.row_of(row) for row in self._db.execute(query)]

    def outbox(self) -> list[Outgoing]:
        """What goes to hubs and what has gone, in the order in which it was queued; what it is, is what was queued."""
        query = f"SELECT {', '.join(Outgoing.__struct_fields__)} FROM outbox ORDER BY key"  # noqa: S608 - our names
        rows = self._db.execute(query).fetchall()
        return [Outgoing(**dict(zip(Outgoing.__struct_fields__, row, strict=True))) for row in rows]

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """(SHA-256, line) of the texts of tasks that were rated or belong to an audited bundle."""
        yield from self._db.execute("SELECT sha256, line FROM task_texts")
