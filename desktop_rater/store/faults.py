"""Integrity checks of a store. Each yields a text for each fault."""

import re
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from desktop_rater.files import file_sha256
from desktop_rater.format.change import CancelCheck
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.store import bundle_events, keys, mailbox, ratings, received, reviews, schema, snapshots
from desktop_rater.store.bundle_events import CURRENT_BUNDLES
from desktop_rater.store.connection import (
    altered_bundle_files,
    interruptible,
    is_intact_rating,
    matches_sha256,
)
from desktop_rater.store.errors import primary_code
from desktop_rater.store.mailbox import Mailbox
from desktop_rater.store.snapshots import find_pictures, listed_pictures
from desktop_rater.store.sqlite_tools import Database, placeholders
from desktop_rater.store.store import Store


def check_schema(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare the schema with one that is created in memory by the same migrations."""
    check_cancelled()
    (version,) = store.db.execute("PRAGMA user_version").fetchone()
    with closing(sqlite3.connect(":memory:", isolation_level=None, factory=Database)) as new:
        schema.migrate_tables(new, version)
        expected, actual = _statements(new), _statements(store.db)
    for kind, name in sorted(expected.keys() - actual.keys()):
        yield f"It has no {kind} {name}."
    for kind, name in sorted(actual.keys() - expected.keys()):
        yield f"The {kind} {schema.display_name(name)} does not belong in a store."
    indexes = tuple(f"{name}_" for (_, name), sql in expected.items() if re.match(r"CREATE VIRTUAL TABLE\b", sql))
    for kind, name in sorted(expected.keys() & actual.keys()):
        # The internal tables of a search index, and the list of migrations, are worded by the version of a library.
        if not name.startswith((*indexes, "_sqlite_")) and expected[kind, name] != actual[kind, name]:
            yield f"The {kind} {name} was modified."


def _statements(db: Database) -> dict[tuple[str, str], str]:
    """Map (kind, name) to statement, without the tables and indexes that SQLite creates for itself."""
    query = """
        SELECT type, name, coalesce(sql, '') FROM sqlite_schema
        WHERE NOT (type IN ('table', 'index') AND name LIKE 'sqlite^_%' ESCAPE '^')
    """
    return {(kind, name): schema.normalised_sql(sql) for kind, name, sql in db.execute(query)}


# Failed rows are reported by the outbox itself, and files that the hub holds are not needed here.
_NEEDED: dict[Mailbox, str] = {
    "outbox": "SELECT name, sha256 FROM outbox WHERE state IN ('queued', 'uploading', 'uploaded') ORDER BY key",
    "inbox": "SELECT name, sha256 FROM inbox WHERE state = 'fetched' ORDER BY key",
}
_NEXT: dict[Mailbox, str] = {
    "outbox": "The next sync recreates it, or reports that it can't.",
    "inbox": "The next sync downloads it again.",
}


def check_outbox(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare the immutable columns of each outbox row with their hash. Older stores have no such table."""
    if not _has_table(store, "outbox"):
        return
    for row in mailbox.sealed_rows(store.db):
        check_cancelled()
        if not mailbox.is_intact_row(row):
            yield (
                f"The outgoing file {str(row[5])[:200]} for the hub of {row[0]} was modified: it is not "
                f"what was queued."
            )


def check_mailbox_files(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare the files waiting to be sent or imported with their names."""
    if not _has_table(store, "outbox"):
        return
    for box, query in _NEEDED.items():
        for name, sha256 in store.db.execute(query).fetchall():
            if mailbox.intact_file(store.folder, box, sha256, check_cancelled) is None:
                yield f"The file of {str(name)[:200]} in the {box} is missing or modified. {_NEXT[box]}"


def _has_table(store: Store, table: str) -> bool:
    return store.db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone() is not None


def check_received(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare each row of received results with its hash, and their ratings with the expected count."""
    if not _has_table(store, "received"):
        return
    for fault in received.altered_received(store.db):
        check_cancelled()
        if fault:
            yield fault
    query = """
        SELECT file, there, wanted FROM (
            SELECT file, (SELECT count(*) FROM received_ratings WHERE results = received.key) AS there,
                   json_extract(manifest, '$.counts.complete') + json_extract(manifest, '$.counts.skipped') AS wanted
            FROM received WHERE ready AND json_valid(manifest))
        WHERE there IS NOT wanted
    """
    check_cancelled()
    for file, count, wanted in store.db.execute(query):
        yield f"The received results {file!r} have {count:,} ratings; {wanted:,} were imported."


def check_reviews(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare each revision of a review with its hash, and check that all of them exist."""
    if not _has_table(store, "reviews"):
        return
    for row in reviews.review_rows(store.db):
        check_cancelled()
        if not reviews.is_intact_review(row):
            yield f"The review of {row[0]}, {str(row[1])[:200]}, was modified: it is not what was saved."
    query = """
        SELECT bundle, subject, max(revision), count(*) FROM reviews
        GROUP BY bundle, subject HAVING max(revision) <> count(*)
    """
    check_cancelled()
    for bundle, subject, last, count in store.db.execute(query):
        yield f"Only {count} of {last} revisions of the review of {bundle}, {str(subject)[:200]}, exist."


def check_signatures(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare the signature record of each of the received results with its hash."""
    if not _has_table(store, "signatures"):
        return
    for fault in keys.altered_signatures(store.db):
        check_cancelled()
        if fault:
            yield fault


Check = Callable[[Store, CancelCheck], Iterator[str]]

_BATCH = 200  # rows; they hold whole texts


# The part of a rating's body that is repeated in its row.
_ROW_FIELDS = ("task", "rater", "revision", "status", "changed")


def check_snapshots(folder: Path, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare each snapshot with the hash in its name."""
    for file in snapshots.list_snapshots(folder):
        if not file.name.startswith(file_sha256(file, check_cancelled)):
            yield f"The content of the snapshot {file.name} does not match its name."


def _check_database(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Run SQLite's own checks. They miss an altered byte inside a text, which the other checks find."""
    check_cancelled()
    for (text,) in store.db.execute("PRAGMA quick_check"):
        if text != "ok":
            yield f"The database is damaged: {text}"
    check_cancelled()
    for table, row, parent, _ in store.db.execute("PRAGMA foreign_key_check"):
        yield f"Row {row} of {table} refers to a missing row of {parent}."


def _check_tasks(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare each line and each target's placement with its hash, and each bundle with its task count."""
    last = 0
    while True:
        check_cancelled()
        query = "SELECT key, id, line_sha256, line FROM tasks WHERE key > ? ORDER BY key LIMIT ?"
        rows = store.db.execute(query, (last, _BATCH)).fetchall()
        for key, task_id, digest, line in rows:
            last = key
            if not matches_sha256(line, digest):
                yield f"The task {task_id!r} was modified: its line is not the one that was imported."
        if len(rows) < _BATCH:
            break
    yield from _check_targets(store, check_cancelled)
    query = """
        SELECT bundles.id, revision, tasks, count(tasks.key), coalesce(max(position) + 1, 0)
        FROM bundles LEFT JOIN tasks ON tasks.bundle = bundles.key GROUP BY bundles.key
    """
    for bundle, revision, tasks, count, end in store.db.execute(query):
        if not tasks == count == end:
            yield f"Revision {revision} of the bundle {bundle} has {count} tasks instead of {tasks}."


def _check_targets(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Check the placed targets of each task. Skipped in an older store that has no hashes of them."""
    if not _has_table(store, "placed"):
        return
    query = """
        SELECT id, CAST(targets AS BLOB), placed.sha256 FROM tasks LEFT JOIN placed ON placed.key = tasks.key
        WHERE targets IS NOT NULL OR placed.key IS NOT NULL
    """
    for task_id, targets, digest in store.db.execute(query):
        check_cancelled()
        if not matches_sha256(targets, digest):
            yield f"The task {task_id!r} was modified: its targets are not where the import placed them."


def _check_ratings(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    last = 0
    while True:
        check_cancelled()
        query = """
            SELECT key, bundle, sha256, CAST(body AS BLOB), task, rater, revision, status, changed FROM ratings
            WHERE key > ? ORDER BY key LIMIT ?
        """
        rows = store.db.execute(query, (last, _BATCH)).fetchall()
        for key, bundle, digest, body, *columns in rows:
            last = key
            if not matches_sha256(body, digest):
                yield f"{_name(bundle, *columns)} was altered: it is not what was saved."
            elif row_fields(body) != columns:
                yield f"{_name(bundle, *columns)} does not match its row."
        if len(rows) < _BATCH:
            return


def _check_history(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Check that each rating has all its revisions and that its head is the last one."""
    check_cancelled()
    query = """
        WITH lasts AS (
            SELECT bundle, task, rater, max(revision) AS revision, count(*) AS revisions
            FROM ratings GROUP BY bundle, task, rater)
        SELECT lasts.bundle, lasts.task, lasts.rater, lasts.revision, revisions,
            heads.revision IS lasts.revision AND (ratings.bundle, ratings.task, ratings.rater, ratings.revision)
                IS (lasts.bundle, lasts.task, lasts.rater, lasts.revision)
        FROM lasts
        LEFT JOIN heads ON heads.bundle = lasts.bundle AND heads.task = lasts.task AND heads.rater = lasts.rater
        LEFT JOIN ratings ON ratings.key = heads.rating
    """
    for bundle, task, rater, revision, revisions, head_is_last in store.db.execute(query):
        if revisions != revision:
            yield f"Only {revisions} of {revision} revisions of {rater}'s rating of {bundle}/{task} exist."
        if not head_is_last:
            yield f"{_name(bundle, task, rater, revision)} is the latest, but another one is shown."


def _check_heads(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    check_cancelled()
    query = f"""
        WITH latest AS ({CURRENT_BUNDLES})
        SELECT heads.bundle, heads.task, heads.rater, heads.revision
        FROM heads JOIN ratings ON ratings.key = heads.rating
        LEFT JOIN latest ON latest.id = heads.bundle
        LEFT JOIN tasks ON tasks.bundle = latest.key AND tasks.id = heads.task
        WHERE heads.position IS NOT tasks.position OR tasks.key IS NOT NULL AND heads.status <>
            CASE WHEN tasks.line_sha256 = heads.line_sha256 THEN ratings.status ELSE 'incomplete' END
            AND NOT (heads.status = 'incomplete' AND json_extract(ratings.body, '$.rubric') <> latest.rubric)
    """  # noqa: S608 - a constant
    for row in store.db.execute(query):
        yield f"{_name(*row)} is shown with a wrong position or status."
    for (bundle,) in store.db.execute("SELECT id FROM bundles WHERE ready GROUP BY id").fetchall():
        check_cancelled()
        if bundle_events.derive_runs(store.db, bundle) != bundle_events.stored_runs(store.db, bundle):
            yield f"The list of finished tasks of the bundle {bundle} is wrong."


def _check_search(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Check that the search index holds each task once, with all its words."""
    check_cancelled()
    query = """
        SELECT (SELECT count(*) FROM tasks LEFT JOIN unindexed USING (bundle)
                WHERE unindexed.position IS NULL OR tasks.position < unindexed.position),
               (SELECT count(*) FROM texts_content),
               (SELECT count(*) FROM tasks JOIN texts_content ON texts_content.id = tasks.key)
    """
    tasks, texts, both = store.db.execute(query).fetchone()
    if not tasks == texts == both:
        yield f"The search finds {both} of {tasks} tasks, and {texts - both} that do not exist."
    yield from _check_index(store, "texts", "The search index", check_cancelled)


def _check_pages(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Check that stored pages named by evidence exist, and that their search index is sound."""
    check_cancelled()
    existing = {path.name.partition(".")[0] for path in snapshots.list_snapshots(store.folder)}
    named = ratings.evidence_snapshots(store)
    for sha256, url in store.db.execute("SELECT sha256, url FROM snapshots ORDER BY key"):
        if sha256 in named and sha256 not in existing:
            yield f"The snapshot {sha256} of {url} is missing, but evidence refers to it."
    check_cancelled()
    query = """
        SELECT (SELECT count(*) FROM snapshots WHERE text IS NOT NULL), (SELECT count(*) FROM page_texts_docsize),
               (SELECT count(*) FROM snapshots JOIN page_texts_docsize ON id = key WHERE text IS NOT NULL)
    """
    read, indexed, both = store.db.execute(query).fetchone()
    if not read == indexed == both:
        yield f"The search finds {both} of {read} stored pages, and {indexed - both} that do not exist."
    yield from _check_index(store, "page_texts", "The search index of the stored pages", check_cancelled)


_INDEX_BATCH = 500  # rows of a search index copied at once

# Tables in which FTS5 keeps an index, after the index's name. The last one is missing if another table holds the texts.
_INDEX_TABLES = {
    "data": "id, block",
    "idx": "segid, term, pgno",
    "docsize": "id, sz",
    "config": "k, v",
    "content": "id, c0, c1, c2",
}
# The statement of each index, and how many of these tables it has.
_INDEXES = {"texts": (schema.SEARCH_INDEX, 5), "page_texts": (schema.PAGE_INDEX, 4)}


def _check_index(store: Store, index: str, name: str, check_cancelled: CancelCheck) -> Iterator[str]:
    """Run SQLite's check on a copy of a search index: it needs a connection that writes."""
    query = f"INSERT INTO {index} ({index}) VALUES ('integrity-check')"  # noqa: S608 - our own names
    with _search_index_copy(store, index, check_cancelled) as copy, interruptible(copy, check_cancelled):
        try:
            copy.execute(query)
        except sqlite3.DatabaseError as error:
            if primary_code(error) != sqlite3.SQLITE_CORRUPT:
                raise
            yield f"{name} is damaged: {error}"


@contextmanager
def _search_index_copy(store: Store, index: str, check_cancelled: CancelCheck) -> Generator[sqlite3.Connection]:
    """Copy an index; `check_cancelled` is called often and may raise."""
    statement, parts = _INDEXES[index]
    with closing(sqlite3.connect("", isolation_level=None)) as copy:
        copy.execute(statement)
        copy.execute("BEGIN")
        for part, columns in list(_INDEX_TABLES.items())[:parts]:
            table = f"{index}_{part}"
            values = placeholders(columns.split(","))
            rows = store.db.execute(f"SELECT {columns} FROM {table}")  # noqa: S608 - the names above
            insert = f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({values})"  # noqa: S608
            while batch := rows.fetchmany(_INDEX_BATCH):
                check_cancelled()
                copy.executemany(insert, batch)
        copy.execute("COMMIT")
        yield copy


def _check_bundles(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    check_cancelled()
    query = "SELECT id, revision, manifest, tasks_sha256, rubric_toml, guidelines FROM bundles WHERE ready"
    for bundle, revision, *texts in store.db.execute(query):
        for name in altered_bundle_files(*texts):
            yield f"The {name} of revision {revision} of the bundle {bundle} is not the one that was imported."
        listed = listed_pictures(texts[0])
        for name in sorted(listed.keys() - find_pictures(store, listed).keys()):
            yield f"The picture {name} of revision {revision} of the bundle {bundle} is missing or was modified."


def _check_gold(store: Store, check_cancelled: CancelCheck) -> Iterator[str]:
    """Compare each gold answer with its hash. Older stores have no table for them."""
    check_cancelled()
    if not _has_table(store, "gold"):
        return
    query = "SELECT tasks.id, gold.sha256, gold.line FROM gold LEFT JOIN tasks ON tasks.key = gold.key"
    for task_id, digest, line in store.db.execute(query):
        check_cancelled()
        if not is_intact_rating(line, digest, task_id):
            yield f"The gold answer of the task {task_id!r} was altered: it is not what was imported."


STORE_CHECKS: dict[str, Check] = {
    "schema": check_schema,
    "database": _check_database,
    "bundles": _check_bundles,
    "tasks": _check_tasks,
    "ratings": _check_ratings,
    "history": _check_history,
    "heads": _check_heads,
    "search": _check_search,
    "pages": _check_pages,
    "gold": _check_gold,
    "received": check_received,
    "reviews": check_reviews,
    "signatures": check_signatures,
    "outbox": check_outbox,
    "hub files": check_mailbox_files,
}


def row_fields(body: bytes) -> list[object] | None:
    """Return the fields of a rating's body that its row repeats; `None` if unreadable."""
    try:
        parts = msgspec.json.decode(body, type=prepared_type(dict[str, msgspec.Raw]))
        return [msgspec.json.decode(parts[name]) for name in _ROW_FIELDS]
    except (msgspec.MsgspecError, KeyError):
        return None


def _name(bundle: str, task: str, rater: str, revision: int, *_: object) -> str:
    return f"Revision {revision} of {rater}'s rating of {bundle}/{task}"
