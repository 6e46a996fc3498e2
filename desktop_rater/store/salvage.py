"""Rows recovered from a damaged store and its backups."""

import sqlite3
from collections.abc import Iterator
from heapq import merge
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

import msgspec

from desktop_rater.model.change import Progress
from desktop_rater.model.signature import Signature
from desktop_rater.store import hubs, signatures
from desktop_rater.store.bundle_events import BundleEvent
from desktop_rater.store.bundles import NewBundle
from desktop_rater.store.checksums import matches_sha256, row_hash
from desktop_rater.store.hubs import HubRow
from desktop_rater.store.outbox import Outgoing
from desktop_rater.store.received import NewReceivedRating, NewReceivedResults, received_rating_of_row
from desktop_rater.store.recover_rows import RowSalvager
from desktop_rater.store.sqlite_tools import row_struct

OTHER_TABLES = ("exports", "visits", "page_origins", "key_events", "state")
_FAR_OFF = 500  # more missing revisions of one rating than a damaged page may hold


class SalvagedTask(msgspec.Struct, frozen=True):
    """A task's line as imported; `targets` unless their hash shows that they were modified."""

    position: int
    line: bytes
    targets: str | None


class SalvagedRating(msgspec.Struct, frozen=True):
    """A revision as saved. `leaving_sha256` and `done` are not covered by its hash."""

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


class SalvagedReview(msgspec.Struct, frozen=True):
    """A revision of a review, as saved; `subject` and `body` are JSON."""

    bundle: str
    subject: str
    lead: str
    revision: int
    changed: str
    body: str


class SalvagedRows:
    """Recovered rows, in a temporary database."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._salvager = RowSalvager(self._db)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._db.close()

    def add_file(self, file: Path, progress: Progress) -> None:
        """Add the rows of a file that no earlier file had. Raises `OSError` or `Cancelled`."""
        self._salvager.add_file(file, progress)

    # -- bundles and ratings

    def bundles(self) -> Iterator[tuple[NewBundle, int]]:
        query = """
            SELECT id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256,
                   identity, imported, tasks, min(source)
            FROM bundles WHERE ready GROUP BY id, revision ORDER BY id, revision
        """
        for *columns, expected, _ in self._db.execute(query).fetchall():
            yield row_struct(NewBundle, columns), expected

    def bundle_events(self) -> list[BundleEvent]:
        query = "SELECT bundle, what, revision, reason, moment FROM bundle_events ORDER BY key"
        return [row_struct(BundleEvent, row) for row in self._db.execute(query)]

    def tasks(self, bundle: str, revision: int, identity: str) -> Iterator[SalvagedTask]:
        """Yield the tasks of a bundle's revision, in order, each from the first file that has it."""
        query = "SELECT source, key FROM bundles WHERE (id, revision, identity, ready) = (?, ?, ?, 1) ORDER BY source"
        rows = [self._tasks_of(*pair) for pair in self._db.execute(query, (bundle, revision, identity)).fetchall()]
        last = -1
        for task in merge(*rows, key=attrgetter("position")):  # of equal ones the first file's comes first
            if task.position != last:
                last = task.position
                yield task

    def _tasks_of(self, source: int, bundle: int) -> Iterator[SalvagedTask]:
        query = """
            SELECT position, line, targets, placed.sha256 FROM tasks LEFT JOIN placed USING (source, bundle, position)
            WHERE source = ? AND bundle = ? ORDER BY position
        """
        for position, line, targets, digest in self._db.execute(query, (source, bundle)):
            # Older stores have no hash of the targets, and a hash may be lost. Then the JSON itself has to do.
            altered = digest is not None and (targets is None or not matches_sha256(targets.encode(), digest))
            yield SalvagedTask(position, line, None if altered else targets)

    def gold(self, bundle: str, revision: int, identity: str) -> Iterator[tuple[int, bytes | None]]:
        """Yield (position, line) of gold answers, each from the first intact file; `None` if no file has the line."""
        query = """
            SELECT position, line, min(CASE WHEN line IS NULL THEN 1e9 ELSE source END)
            FROM gold JOIN bundles USING (source)
            WHERE bundles.key = gold.bundle AND (id, revision, identity, ready) = (?, ?, ?, 1)
            GROUP BY position ORDER BY position
        """
        for position, line, _ in self._db.execute(query, (bundle, revision, identity)).fetchall():
            yield position, line

    def task_names(self, bundle: str, revision: int) -> dict[int, str]:
        """Map positions to the ids of a bundle's tasks, as far as the index of tasks can be read."""
        query = """
            SELECT position, names.id FROM bundles JOIN names ON names.bundle = bundles.key
            WHERE bundles.id = ? AND revision = ? AND ready ORDER BY source DESC
        """
        return dict(self._db.execute(query, (bundle, revision)).fetchall())

    def ratings(self) -> Iterator[SalvagedRating]:
        """Yield all revisions, in their original order, as far as each follows those before it."""
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
        for row_key in self._db.execute(query).fetchall():
            yield SalvagedRating(*self._db.execute(fetch, row_key).fetchone())

    def last_revisions(self) -> Iterator[tuple[str, str, str, int, int]]:
        """Yield (bundle, task, rater, last readable revision or 0, last known one); a number far off is damage."""
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

    def rated_line(self, bundle: str, task: str, rater: str) -> str | None:
        """Return the SHA-256 of the line that was rated, "" if unknown; `None` without a readable head."""
        query = "SELECT coalesce(line_sha256, '') FROM heads WHERE bundle = ? AND task = ? AND rater = ?"
        row = self._db.execute(query, (bundle, task, rater)).fetchone()
        return None if row is None else row[0]

    def other_rows(self, table: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of one of `OTHER_TABLES`, those of `key_events` with their keys; no hash covers them."""
        yield from self._db.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall()  # noqa: S608 - our names

    # -- audits

    def reviews(self) -> Iterator[SalvagedReview]:
        query = "SELECT bundle, subject, lead, revision, changed, body FROM reviews ORDER BY bundle, subject, revision"
        for row in self._db.execute(query).fetchall():
            yield SalvagedReview(*row)

    def lost_reviews(self) -> list[tuple[str, str, int]]:
        """Return (bundle, subject, revision) of each known review that can't be read."""
        query = """
            SELECT bundle, subject, revision FROM reviews_known
            WHERE (bundle, subject, revision) NOT IN (SELECT bundle, subject, revision FROM reviews)
            ORDER BY 1, 2, 3
        """
        return self._db.execute(query).fetchall()

    def received(self) -> Iterator[NewReceivedResults]:
        query = """
            SELECT sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, min(source)
            FROM received GROUP BY sha256 ORDER BY sha256
        """
        for *columns, _ in self._db.execute(query).fetchall():
            yield row_struct(NewReceivedResults, columns)

    def received_ratings(self, results: str) -> Iterator[NewReceivedRating]:
        """Yield the intact ratings of received results, each once, with a readable text."""
        query = """
            SELECT task, text, revision, received_ratings.sha256, digest, history, body, row_sha256
            FROM received JOIN received_ratings USING (source)
            WHERE received.sha256 = ? AND received_ratings.results = received.key
              AND text IN (SELECT sha256 FROM task_texts)
            ORDER BY task, source
        """
        last = None
        for *columns, row_sha256 in self._db.execute(query, (results,)):
            if columns[0] != last and row_hash(results, *columns) == row_sha256:
                last = columns[0]
                yield received_rating_of_row(columns)

    def signature(self, results: str) -> Signature | None:
        query = """
            SELECT state, signatures.key, row_sha256 FROM received JOIN signatures USING (source)
            WHERE received.sha256 = ? AND signatures.results = received.key ORDER BY source
        """
        for state, key, row_sha256 in self._db.execute(query, (results,)).fetchall():
            if signatures.is_intact_signature(results, state, key, row_sha256):
                return Signature(state, key)
        return None

    # -- exchange with hubs

    def hubs(self) -> list[HubRow]:
        query = f"SELECT {', '.join(HubRow.__struct_fields__)} FROM hubs ORDER BY project"  # noqa: S608 - our names
        return [hubs.hub_of_row(row) for row in self._db.execute(query)]

    def outbox(self) -> list[Outgoing]:
        query = f"SELECT {', '.join(Outgoing.__struct_fields__)} FROM outbox ORDER BY key"  # noqa: S608 - our names
        rows = self._db.execute(query).fetchall()
        return [row_struct(Outgoing, row) for row in rows]

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """Yield (SHA-256, line) of the texts of tasks that were rated or belong to an audited bundle."""
        yield from self._db.execute("SELECT sha256, line FROM task_texts")
