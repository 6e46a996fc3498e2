"""Bundles in the store: each revision of each is a row, and counts once it is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.canonical import sha256
from desktop_rater.model.derived import RETURN, derived_in
from desktop_rater.store import finished_runs
from desktop_rater.store.intact import altered_of_bundle, is_practice
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

_DROPPED_AT_ONCE = 100  # tasks; a transaction of about 20 ms


class NewBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A revision of a bundle that is about to be imported.

    `rubric` is `id@version`, `rubric_toml` the text of a custom one, `None` for a built-in one; `manifest` is the JSON
    text as it stood in the zip; `identity` is equal for two zips that hold the same; `imported` is a time.
    """

    id: str
    revision: int
    title: str
    language: str
    created: str | None
    rubric: str
    rubric_toml: str | None
    guidelines: str
    manifest: str
    tasks_sha256: str
    identity: str
    imported: str


class BundleRow(NewBundle, frozen=True, kw_only=True):
    """A revision that is there, whole. `tasks` counts the good ones."""

    key: int
    tasks: int

    @property
    def practice(self) -> bool:
        """Whether the rater sees the gold answer after each task."""
        return is_practice(self.manifest)


class TaskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A task to be stored: its line byte for byte, without the line break.

    `targets` is the JSON of the list of placed targets, `None` where the line's own ones stand. `title` is one line.
    The last three are what a search looks through.
    """

    id: str
    title: str
    line: bytes
    targets: str | None
    prompt: str
    responses: str
    tools: str


class BundleStatus(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a bundle is, whoever rated it. The three counts add up to `tasks`.

    `round`: it holds what was sent back, for the so many-th time.
    """

    id: str
    revision: int
    title: str
    tasks: int
    complete: int
    incomplete: int
    skipped: int
    practice: bool = False
    round: int = 0


# The same order as in `_row`.
_READY = """
    SELECT id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256, identity,
           imported, key, tasks
    FROM bundles WHERE ready
"""


def find(store: Store, bundle_id: str) -> BundleRow | None:
    """The latest revision that is ready. Raises `StoreDamaged` where it is not what was imported."""
    with store.reading("The bundle can't be read.") as db:
        query = _READY + "AND id = ? ORDER BY revision DESC LIMIT 1"
        row = db.execute(query, (bundle_id,)).fetchone()
        return None if row is None else _intact(_row(row))


def find_revision(store: Store, bundle_id: str, revision: int) -> BundleRow | None:
    """That very revision, if it is ready."""
    with store.reading("The bundle can't be read.") as db:
        row = db.execute(_READY + "AND id = ? AND revision = ?", (bundle_id, revision)).fetchone()
        return None if row is None else _row(row)


def listed(store: Store) -> list[BundleRow]:
    """The latest ready revision of each bundle, by id."""
    with store.reading("The list of bundles can't be read.") as db:
        latest = {row[0]: row for row in db.execute(_READY + "ORDER BY id, revision")}
        return [_row(row) for row in latest.values()]


def counts(store: Store) -> list[BundleStatus]:
    """How far each bundle is, by id.

    A task is complete when one of its raters has completed it, else skipped when one has skipped it.
    """
    query = """
        WITH best AS (
            SELECT bundle, max(status = 'complete') AS complete, max(status = 'skipped') AS skipped
            FROM heads WHERE position IS NOT NULL GROUP BY bundle, task),
        sums AS (
            SELECT bundle, sum(complete) AS complete, sum(skipped AND NOT complete) AS skipped
            FROM best GROUP BY bundle)
        SELECT id, revision, title, tasks, coalesce(complete, 0), coalesce(skipped, 0), manifest
        FROM bundles LEFT JOIN sums ON sums.bundle = bundles.id
        WHERE ready AND revision = (SELECT max(revision) FROM bundles b WHERE b.id = bundles.id AND b.ready)
        ORDER BY id
    """
    with store.reading("The list of bundles can't be read.") as db:
        return [
            BundleStatus(
                id=name,
                revision=revision,
                title=title,
                tasks=tasks,
                complete=complete,
                incomplete=tasks - complete - skipped,
                skipped=skipped,
                practice=is_practice(manifest),
                round=_round(manifest),
            )
            for name, revision, title, tasks, complete, skipped, manifest in db.execute(query)
        ]


def begin_import(store: Store, new: NewBundle) -> int:
    """Make room for a bundle that nobody sees before `finish_import`; returns its key.

    Raises `StoreError` where this or a higher revision is there, or its import has begun.
    """
    with store.writing(f"The bundle {new.id} is not imported.") as db:
        query = "SELECT revision, ready FROM bundles WHERE id = ? AND (revision = ? OR ready AND revision > ?)"
        for revision, ready in db.execute(query, (new.id, new.revision, new.revision)):
            state = "is in the store" if ready else "is being imported"
            raise StoreError(f"Revision {revision} of the bundle {new.id} {state}.", "Nothing was imported.")
        added = db.execute(
            """
            INSERT INTO bundles (id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest,
                                 tasks_sha256, identity, imported)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [getattr(new, name) for name in NewBundle.__struct_fields__],
        )
        return _key(added.lastrowid)


def add_tasks(store: Store, key: int, rows: Sequence[TaskRow]) -> int:
    """Append tasks to a bundle that is not ready, in one transaction; returns how many it has then.

    They are on disk with the next write that is, at the latest when the import is finished.

    Their positions follow those before, from 0. Raises `StoreError`, also where two tasks have one id.
    """
    with store.writing("The bundle is not imported.", lasting=False) as db:
        query = "SELECT tasks FROM bundles WHERE key = ? AND NOT ready"
        found = db.execute(query, (key,)).fetchone()
        if found is None:
            raise NotThere("The import has ended.", "These tasks are not stored.")
        count = found[0]
        _refuse_known(db, key, rows)
        numbered = list(enumerate(rows, (key << POSITIONS) + count))
        db.conn.executemany(
            "INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((number, key, row.id, row.title, sha256(row.line), row.targets, row.line) for number, row in numbered),
        )
        db.conn.executemany(
            "INSERT INTO placed (key, sha256) VALUES (?, ?)",
            ((number, sha256(row.targets.encode())) for number, row in numbered if row.targets is not None),
        )
        db.conn.executemany(
            "INSERT INTO texts (rowid, prompt, responses, tools) VALUES (?, ?, ?, ?)",
            ((number, row.prompt, row.responses, row.tools) for number, row in numbered),
        )
        db.execute("UPDATE bundles SET tasks = ? WHERE key = ?", (count + len(rows), key))
        return count + len(rows)


def finish_import(store: Store, key: int) -> None:
    """Let the bundle be seen, whole. Ratings of an earlier revision are carried over in the same transaction.

    Where a task's line and the rubric are those that were rated by, its status is the rating's; where one differs the
    task is incomplete; where the task is gone its ratings are history.
    """
    with store.writing("The bundle is not imported.") as db:
        found = db.execute(
            "UPDATE bundles SET ready = 1 WHERE key = ? AND NOT ready RETURNING id, rubric", (key,)
        ).fetchone()
        if found is None:
            raise NotThere("The import has ended.", "The bundle is not imported.")
        bundle_id, rubric = found
        others = "SELECT 1 FROM bundles WHERE id = ? AND ready AND rubric <> ? LIMIT 1"
        only_rubric = db.execute(others, found).fetchone() is None  # then no rating has to be looked into
        db.execute("UPDATE heads SET position = NULL WHERE bundle = ?", (bundle_id,))
        db.execute(
            """
            UPDATE heads
            SET position = tasks.position,
                status = CASE WHEN tasks.line_sha256 = heads.line_sha256
                                   AND (?1 OR json_extract(ratings.body, '$.rubric') = ?2)
                              THEN ratings.status ELSE 'incomplete' END
            FROM tasks, ratings
            WHERE heads.bundle = ?3 AND tasks.bundle = ?4 AND tasks.id = heads.task AND ratings.key = heads.rating
            """,
            (only_rubric, rubric, bundle_id, key),
        )
        finished_runs.rebuild(db, bundle_id)


def drop(store: Store, key: int) -> None:
    """Remove a bundle that is not ready; a ready one stays, for ratings may hang on it. Raises `StoreError`."""
    while drop_some(store, key):
        pass


def drop_some(store: Store, key: int) -> bool:
    """One short transaction of `drop`, so that answers can be saved in between; returns whether more is left."""
    with store.writing("What an ended import left is not removed.") as db:
        if db.execute("SELECT 1 FROM bundles WHERE key = ? AND NOT ready", (key,)).fetchone() is None:
            return False
        first, behind = key << POSITIONS, (key + 1) << POSITIONS
        query = "SELECT key FROM tasks WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
        found = db.execute(query, (first, behind, _DROPPED_AT_ONCE)).fetchall()
        if not found:
            db.execute("DELETE FROM bundles WHERE key = ?", (key,))
            return False
        # By one range: the search index writes itself out for each statement, which takes three times as long.
        span = (first, found[-1][0])
        db.execute("DELETE FROM texts WHERE rowid BETWEEN ? AND ?", span)
        gone = db.execute("DELETE FROM tasks WHERE key BETWEEN ? AND ?", span).rowcount
        if gone != len(found):
            # Else a damaged table, which shows a row and does not find it, would keep us here for ever.
            raise StoreDamaged("The store is damaged.", "What an ended import left can't be removed.")
        return True


def unready(store: Store) -> list[int]:
    """The keys of bundles whose import has not ended."""
    with store.reading("The list of bundles can't be read.") as db:
        return [key for (key,) in db.execute("SELECT key FROM bundles WHERE NOT ready ORDER BY key")]


def _refuse_known(db: Database, key: int, rows: Sequence[TaskRow]) -> None:
    query = "SELECT tasks.id FROM json_each(?) AS wanted CROSS JOIN tasks ON bundle = ? AND tasks.id = wanted.value"
    ids = [row.id for row in rows]
    seen = {found for (found,) in db.execute(query, (msgspec.json.encode(ids).decode(), key))}
    for name in ids:
        if name in seen:
            raise StoreError(f"Two tasks have the id {name!r}.", "The bundle is not imported.")
        seen.add(name)


def _intact(row: BundleRow) -> BundleRow:
    """Another rubric in its place would judge every rating by other rules."""
    altered = altered_of_bundle(row.manifest, row.tasks_sha256, row.rubric_toml, row.guidelines)
    if altered:
        raise StoreDamaged(f"The {altered[0]} of the bundle {row.id} was altered.", "It is not what was imported.")
    return row


def _row(row: tuple) -> BundleRow:
    names = (*NewBundle.__struct_fields__, "key", "tasks")
    return BundleRow(**dict(zip(names, row, strict=True)))


def _round(manifest: str) -> int:
    """How often tasks have come back, of a bundle of such; else 0."""
    derived = derived_in(manifest)
    return derived.round or 1 if derived is not None and derived.tool == RETURN else 0


def _key(rowid: int | None) -> int:
    assert rowid is not None, "an INSERT gives a key"
    return rowid
