"""What is not as it was written, check by check. Each yields a text for each fault; `look` is called now and then."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.ready import ready
from desktop_rater.store import evidence, faults_audits, faults_hubs, finished_runs, search_copy, snapshots
from desktop_rater.store.intact import altered_of_bundle, answers, intact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from desktop_rater.store.store import Store

    Look = Callable[[], None]
    Check = Callable[[Store, Look], Iterator[str]]

_BATCH = 200  # rows; they hold whole texts
_CHUNK = 1 << 20  # bytes


class _Written(msgspec.Struct, frozen=True):
    """The part of a rating's body that its row repeats."""

    task: str
    rater: str
    revision: int
    status: str
    changed: str


def of_snapshots(folder: Path, look: Look) -> Iterator[str]:
    """Each snapshot against its name."""
    for file in snapshots.listed(folder):
        digest = hashlib.sha256()
        with file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                look()
                digest.update(chunk)
        if not file.name.startswith(digest.hexdigest()):
            yield f"The snapshot {file.name} is not what its name says."


def _of_database(store: Store, look: Look) -> Iterator[str]:
    """What SQLite itself can tell. It does not see an altered byte inside a text: the other checks do."""
    look()
    for (text,) in store.db.execute("PRAGMA quick_check"):
        if text != "ok":
            yield f"The database is damaged: {text}"
    look()
    for table, row, parent, _ in store.db.execute("PRAGMA foreign_key_check"):
        yield f"Row {row} of {table} refers to a row of {parent} that is not there."


def _of_tasks(store: Store, look: Look) -> Iterator[str]:
    """Each line and the places of its targets against their hashes, and each bundle against its count."""
    last = 0
    while True:
        look()
        query = "SELECT key, id, line_sha256, line FROM tasks WHERE key > ? ORDER BY key LIMIT ?"
        rows = store.db.execute(query, (last, _BATCH)).fetchall()
        for key, task_id, digest, line in rows:
            last = key
            if not intact(line, digest):
                yield f"The task {task_id!r} was altered: its line is not the one that was imported."
        if len(rows) < _BATCH:
            break
    yield from _of_targets(store, look)
    query = """
        SELECT bundles.id, revision, tasks, count(tasks.key), coalesce(max(position) + 1, 0)
        FROM bundles LEFT JOIN tasks ON tasks.bundle = bundles.key GROUP BY bundles.key
    """
    for bundle, revision, tasks, there, behind in store.db.execute(query):
        if not tasks == there == behind:
            yield f"Revision {revision} of the bundle {bundle} has {there} tasks, and should have {tasks}."


def _of_targets(store: Store, look: Look) -> Iterator[str]:
    """What the import made of each task's targets. A store of before this was noted says nothing of it."""
    if not _has(store, "placed"):
        return
    query = """
        SELECT id, CAST(targets AS BLOB), placed.sha256 FROM tasks LEFT JOIN placed ON placed.key = tasks.key
        WHERE targets IS NOT NULL OR placed.key IS NOT NULL
    """
    for task_id, targets, digest in store.db.execute(query):
        look()
        if not intact(targets, digest):
            yield f"The task {task_id!r} was altered: its targets are not where the import put them."


def _of_ratings(store: Store, look: Look) -> Iterator[str]:
    """Each revision against its hash and its row."""
    last = 0
    while True:
        look()
        query = """
            SELECT key, bundle, sha256, CAST(body AS BLOB), task, rater, revision, status, changed FROM ratings
            WHERE key > ? ORDER BY key LIMIT ?
        """
        rows = store.db.execute(query, (last, _BATCH)).fetchall()
        for key, bundle, digest, body, *columns in rows:
            last = key
            if not intact(body, digest):
                yield f"{_name(bundle, *columns)} was altered: it is not what was saved."
            elif repeated(body) != columns:
                yield f"{_name(bundle, *columns)} stands in a row that says something else."
        if len(rows) < _BATCH:
            return


def _of_history(store: Store, look: Look) -> Iterator[str]:
    """Whether each rating has all its revisions, and whether its head is the last of them."""
    look()
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
    for bundle, task, rater, revision, revisions, shown in store.db.execute(query):
        if revisions != revision:
            yield f"Of {revision} revisions of {rater}'s rating of {bundle}/{task} only {revisions} are there."
        if not shown:
            yield f"{_name(bundle, task, rater, revision)} is the last one, and another one is shown."


def _of_heads(store: Store, look: Look) -> Iterator[str]:
    """Whether the lists show what follows from the ratings and the tasks."""
    look()
    query = """
        WITH latest AS (SELECT id, key, rubric, max(revision) FROM bundles WHERE ready GROUP BY id)
        SELECT heads.bundle, heads.task, heads.rater, heads.revision
        FROM heads JOIN ratings ON ratings.key = heads.rating
        LEFT JOIN latest ON latest.id = heads.bundle
        LEFT JOIN tasks ON tasks.bundle = latest.key AND tasks.id = heads.task
        WHERE heads.position IS NOT tasks.position OR tasks.key IS NOT NULL AND heads.status <>
            CASE WHEN tasks.line_sha256 = heads.line_sha256 THEN ratings.status ELSE 'incomplete' END
            AND NOT (heads.status = 'incomplete' AND json_extract(ratings.body, '$.rubric') <> latest.rubric)
    """
    for row in store.db.execute(query):
        yield f"{_name(*row)} is shown at another place or in another state than it has."
    for (bundle,) in store.db.execute("SELECT id FROM bundles WHERE ready GROUP BY id").fetchall():
        look()
        if finished_runs.derived(store.db, bundle) != finished_runs.kept(store.db, bundle):
            yield f"Which tasks of the bundle {bundle} are finished is not noted as it is."


def _of_search(store: Store, look: Look) -> Iterator[str]:
    """Whether the search index holds each task once, and each word of it."""
    look()
    query = """
        SELECT (SELECT count(*) FROM tasks), (SELECT count(*) FROM texts_content),
               (SELECT count(*) FROM tasks JOIN texts_content ON texts_content.id = tasks.key)
    """
    tasks, texts, both = store.db.execute(query).fetchone()
    if not tasks == texts == both:
        yield f"The search finds {both} of {tasks} tasks, and {texts - both} that are not there."
    yield from _of_index(store, "texts", "The search index", look)


def _of_pages(store: Store, look: Look) -> Iterator[str]:
    """Whether the stored pages that evidence names are there, and whether the search among them is sound."""
    look()
    there = {path.name.partition(".")[0] for path in snapshots.listed(store.folder)}
    named = evidence.snapshots_named(store)
    for sha256, url in store.db.execute("SELECT sha256, url FROM snapshots ORDER BY key"):
        if sha256 in named and sha256 not in there:
            yield f"The snapshot {sha256} of {url} is gone, and evidence names it."
    look()
    query = """
        SELECT (SELECT count(*) FROM snapshots WHERE text IS NOT NULL), (SELECT count(*) FROM page_texts_docsize),
               (SELECT count(*) FROM snapshots JOIN page_texts_docsize ON id = key WHERE text IS NOT NULL)
    """
    read, found, both = store.db.execute(query).fetchone()
    if not read == found == both:
        yield f"The search finds {both} of {read} stored pages, and {found - both} that are not there."
    yield from _of_index(store, "page_texts", "The search index of the stored pages", look)


def _of_index(store: Store, index: str, name: str, look: Look) -> Iterator[str]:
    with search_copy.of(store, index, look) as copy:
        trouble = search_copy.trouble(copy, index, look)
    if trouble:
        yield f"{name} is damaged: {trouble}"


def _of_bundles(store: Store, look: Look) -> Iterator[str]:
    """What each bundle brought beside its tasks, against its manifest."""
    look()
    query = "SELECT id, revision, manifest, tasks_sha256, rubric_toml, guidelines FROM bundles WHERE ready"
    for bundle, revision, *texts in store.db.execute(query):
        for name in altered_of_bundle(*texts):
            yield f"The {name} of revision {revision} of the bundle {bundle} is not the one that was imported."


def _of_gold(store: Store, look: Look) -> Iterator[str]:
    """Each gold answer against its hash. Stores of before there were any have no table for them."""
    look()
    if not _has(store, "gold"):
        return
    query = "SELECT tasks.id, gold.sha256, gold.line FROM gold LEFT JOIN tasks ON tasks.key = gold.key"
    for task_id, digest, line in store.db.execute(query):
        look()
        if not answers(line, digest, task_id):
            yield f"The gold answer of the task {task_id!r} was altered: it is not what was imported."


CHECKS: dict[str, Check] = {
    "database": _of_database,
    "bundles": _of_bundles,
    "tasks": _of_tasks,
    "ratings": _of_ratings,
    "history": _of_history,
    "heads": _of_heads,
    "search": _of_search,
    "pages": _of_pages,
    "gold": _of_gold,
    "received": faults_audits.of_received,
    "reviews": faults_audits.of_reviews,
    "signatures": faults_audits.of_signatures,
    "outbox": faults_hubs.of_outbox,
    "hub files": faults_hubs.of_files,
}


def repeated(body: bytes) -> list[object] | None:
    """What a rating's body says of itself and its row repeats; `None` where it can't be read."""
    try:
        return list(msgspec.structs.astuple(msgspec.json.decode(body, type=ready(_Written))))
    except msgspec.MsgspecError:
        return None


def _has(store: Store, table: str) -> bool:
    return store.db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone() is not None


def _name(bundle: str, task: str, rater: str, revision: int, *_: object) -> str:
    return f"Revision {revision} of {rater}'s rating of {bundle}/{task}"
