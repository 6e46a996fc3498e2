"""Bundles in the store: import, revisions, progress and gold answers."""

from collections.abc import Iterable, Sequence

import msgspec

from desktop_rater.format.manifests import RETURN_TOOL, derivation_in_manifest
from desktop_rater.format.strict_json import sha256
from desktop_rater.store.bundle_events import (
    CURRENT_BUNDLES,
    CURRENT_OF_BUNDLE,
    PUT_AWAY_BUNDLES,
    become_current,
    place_heads,
)
from desktop_rater.store.connection import altered_bundle_files, is_intact_rating, is_practice_manifest
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.sqlite_tools import Database, row_struct
from desktop_rater.store.store import Store

_DROPPED_AT_ONCE = 100  # tasks; a transaction of about 20 ms

# Each small commit of an import adds a segment to the search index. Merging 64 of them at once reads and writes most of
# the index once more, instead of three times by eights. No commit merges them all: that would take seconds.
_MERGING = {"automerge": 64, "crisismerge": 500, "usermerge": 16}
_MERGED_AT_ONCE = 64  # pages of the search index; a transaction of about 10 ms


class NewBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A revision of a bundle that is about to be imported.

    `rubric` is `id@version`, `rubric_toml` the text of a custom rubric or `None` for a built-in one; `manifest` is the
    JSON text from the zip; `identity` is equal for two zips with the same contents; `imported` is a time.
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
    """A completely imported revision. `tasks` counts the valid ones; `away` is 1 if the bundle is put away."""

    key: int
    tasks: int
    away: int

    @property
    def put_away(self) -> bool:
        return self.away == 1

    @property
    def practice(self) -> bool:
        return is_practice_manifest(self.manifest)


SearchedTexts = tuple[str, str, str]  # prompt, responses, tools


class TaskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A task to be stored: its line byte for byte, without the line break.

    `targets` is the JSON of the list of placed targets, `None` if those of the line apply. `title` is one line.
    `texts` are searched; `None` if they are indexed later. `sizes`: how many targets and responses it has.
    """

    id: str
    title: str
    line: bytes
    targets: str | None
    texts: SearchedTexts | None
    sizes: tuple[int, int] = (0, 0)


class BundleStatus(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Progress over all raters; the three counts add up to `tasks`. `round`: times its tasks were sent back."""

    id: str
    revision: int
    title: str
    tasks: int
    complete: int
    incomplete: int
    skipped: int
    practice: bool = False
    round: int = 0
    put_away: bool = False


# The columns are the fields of `BundleRow`.
_READY = f"""
    SELECT id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest, tasks_sha256, identity,
           imported, key, tasks, id IN ({PUT_AWAY_BUNDLES}) AS away
    FROM bundles WHERE ready
"""  # noqa: S608 - a constant


def find_bundle(store: Store, bundle_id: str, revision: int | None = None) -> BundleRow | None:
    """Return the current revision, or the given one. Raises `StoreDamaged` if it differs from what was imported."""
    if revision is None:
        with store.reading("The bundle can't be read.") as db:
            current = db.execute(CURRENT_OF_BUNDLE, (bundle_id,)).fetchone()
            row = None if current is None else db.execute(_READY + "AND key = ?", (current[1],)).fetchone()
        bundle = None if row is None else row_struct(BundleRow, row)
    else:
        bundle = find_bundle_revision(store, bundle_id, revision)
    if bundle is None:
        return None
    # Another rubric in its place would judge every rating by other rules.
    altered = altered_bundle_files(bundle.manifest, bundle.tasks_sha256, bundle.rubric_toml, bundle.guidelines)
    if altered:
        raise StoreDamaged(
            f"{altered[0]} of the bundle {bundle_id} was modified.", "It differs from what was imported."
        )
    return bundle


def find_bundle_revision(store: Store, bundle_id: str, revision: int) -> BundleRow | None:
    """Return that revision, if it is ready."""
    with store.reading("The bundle can't be read.") as db:
        row = db.execute(_READY + "AND id = ? AND revision = ?", (bundle_id, revision)).fetchone()
        return None if row is None else row_struct(BundleRow, row)


def list_bundles(store: Store, *, put_away: bool = False) -> list[BundleRow]:
    """Return the current revision of each bundle, by id; with `put_away` also of the bundles put away."""
    query = f"""
        {_READY} AND key IN (SELECT key FROM ({CURRENT_BUNDLES})) AND (? OR NOT away)
        ORDER BY id
    """  # noqa: S608 - constants
    with store.reading("The list of bundles can't be read.") as db:
        return [row_struct(BundleRow, row) for row in db.execute(query, (put_away,))]


def count_progress(store: Store, *, put_away: bool = False) -> list[BundleStatus]:
    """Return the progress of each bundle, by id; with `put_away` also of the bundles put away.

    The best status among the raters of a task counts.
    """
    query = f"""
        WITH best AS (
            SELECT bundle, max(status = 'complete') AS complete, max(status = 'skipped') AS skipped
            FROM heads WHERE position IS NOT NULL GROUP BY bundle, task),
        sums AS (
            SELECT bundle, sum(complete) AS complete, sum(skipped AND NOT complete) AS skipped
            FROM best GROUP BY bundle)
        SELECT id, revision, title, tasks, coalesce(complete, 0), coalesce(skipped, 0), manifest,
               id IN ({PUT_AWAY_BUNDLES}) AS hidden
        FROM bundles LEFT JOIN sums ON sums.bundle = bundles.id
        WHERE key IN (SELECT key FROM ({CURRENT_BUNDLES})) AND (? OR NOT hidden)
        ORDER BY id
    """  # noqa: S608 - constants
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
                practice=is_practice_manifest(manifest),
                round=_return_round(manifest),
                put_away=bool(hidden),
            )
            for name, revision, title, tasks, complete, skipped, manifest, hidden in db.execute(query, (put_away,))
        ]


def begin_bundle_import(store: Store, new: NewBundle, *, index_later: bool = False) -> int:
    """Add a hidden bundle; return its key. Raises `StoreError` if this revision exists or is being imported.

    `index_later`: its tasks are added without texts, which `add_to_index` takes when it is ready.
    """
    with store.writing(f"The bundle {new.id} is not imported.") as db:
        query = "SELECT ready FROM bundles WHERE id = ? AND revision = ?"
        for (ready,) in db.execute(query, (new.id, new.revision)):
            state = "is in the store" if ready else "is being imported"
            raise StoreError(f"Revision {new.revision} of the bundle {new.id} {state}.", "Nothing was imported.")
        added = db.execute(
            """
            INSERT INTO bundles (id, revision, title, language, created, rubric, rubric_toml, guidelines, manifest,
                                 tasks_sha256, identity, imported)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [getattr(new, name) for name in NewBundle.__struct_fields__],
        )
        assert added.lastrowid is not None, "an INSERT gives a key"
        if index_later:
            db.execute("INSERT INTO unindexed (bundle, position) VALUES (?, 0)", (added.lastrowid,))
        for setting in _MERGING.items():
            db.execute("INSERT INTO texts (texts, rank) VALUES (?, ?)", setting)
        return added.lastrowid


def add_tasks(store: Store, key: int, rows: Sequence[TaskRow]) -> int:
    """Append tasks to a bundle that is not ready, in one transaction; returns its number of tasks.

    They reach the disk with the next durable write, at the latest when the import is finished. Their positions follow
    the earlier ones, from 0. Raises `StoreError`, also if two tasks have the same id.
    """
    with store.writing("The bundle is not imported.", lasting=False) as db:
        query = "SELECT tasks FROM bundles WHERE key = ? AND NOT ready"
        bundle = db.execute(query, (key,)).fetchone()
        if bundle is None:
            raise NotInStore("The import has ended.", "These tasks are not stored.")
        count = bundle[0]
        query = "SELECT tasks.id FROM json_each(?) AS wanted CROSS JOIN tasks ON bundle = ? AND tasks.id = wanted.value"
        ids = [row.id for row in rows]
        seen = {stored_id for (stored_id,) in db.execute(query, (msgspec.json.encode(ids).decode(), key))}
        for task_id in ids:
            if task_id in seen:
                raise StoreError(f"Two tasks have the id {task_id!r}.", "The bundle is not imported.")
            seen.add(task_id)
        numbered = list(enumerate(rows, (key << POSITIONS) + count))
        db.executemany(
            "INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line) VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((number, key, row.id, row.title, sha256(row.line), row.targets, row.line) for number, row in numbered),
        )
        db.executemany(
            "INSERT INTO placed (key, sha256) VALUES (?, ?)",
            ((number, sha256(row.targets.encode())) for number, row in numbered if row.targets is not None),
        )
        db.executemany(
            "INSERT INTO task_sizes (key, targets, responses) VALUES (?, ?, ?)",
            ((number, *row.sizes) for number, row in numbered),
        )
        _index_texts(db, ((number, *row.texts) for number, row in numbered if row.texts is not None))
        db.execute("UPDATE bundles SET tasks = ? WHERE key = ?", (count + len(rows), key))
        return count + len(rows)


def unindexed_tasks(store: Store, limit: int) -> list[tuple[int, bytes]]:
    """Return key and line of the next tasks of ready bundles that the search index lacks."""
    query = f"""
        SELECT tasks.key, line FROM unindexed JOIN bundles ON bundles.key = unindexed.bundle AND ready
        JOIN tasks ON tasks.key BETWEEN (bundles.key << {POSITIONS}) + unindexed.position
                                    AND (bundles.key << {POSITIONS}) + tasks - 1
        ORDER BY tasks.key LIMIT ?
    """  # noqa: S608 - a constant
    with store.reading("The search index can't be completed.") as db:
        return db.execute(query, (limit,)).fetchall()


def add_to_index(store: Store, rows: Sequence[tuple[int, SearchedTexts]]) -> None:
    """Add the next tasks to the search index, in one transaction: (key, texts) in order."""
    with store.writing("The search index is not complete.", lasting=False) as db:
        _index_texts(db, ((key, *texts) for key, texts in rows))
        reached = {key >> POSITIONS: (key & (2**POSITIONS - 1)) + 1 for key, _ in rows}
        query = "UPDATE unindexed SET position = ? WHERE bundle = ?"
        db.executemany(query, ((position, bundle) for bundle, position in reached.items()))


def finish_index(store: Store) -> frozenset[str]:
    """Record that the search index has all tasks; return the ids of the bundles of which it lacked some."""
    query = """
        SELECT bundles.key, id FROM unindexed JOIN bundles ON bundles.key = bundle AND ready WHERE position >= tasks
    """
    with store.writing("The search index is not complete.") as db:
        complete = db.execute(query).fetchall()
        db.executemany("DELETE FROM unindexed WHERE bundle = ?", ((key,) for key, _ in complete))
        return frozenset(name for _, name in complete)


def has_unindexed(store: Store) -> bool:
    """Return whether the search index lacks tasks of a ready bundle, or was not merged since it had them."""
    query = "SELECT 1 FROM unindexed JOIN bundles ON bundles.key = bundle AND ready LIMIT 1"
    with store.reading("The search index can't be completed.") as db:
        return db.execute(query).fetchone() is not None


def _index_texts(db: Database, rows: Iterable[tuple[int, str, str, str]]) -> None:
    db.executemany("INSERT INTO texts (rowid, prompt, responses, tools) VALUES (?, ?, ?, ?)", rows)


def merge_search_index(store: Store) -> bool:
    """Merge a part of the search index, in one short transaction; return whether more has to be merged."""
    with store.writing("The bundle is not imported.", lasting=False) as db:
        before = db.total_changes
        db.execute("INSERT INTO texts (texts, rank) VALUES ('merge', ?)", (_MERGED_AT_ONCE,))
        return db.total_changes - before >= 2  # fewer: SQLite found nothing to merge


def finish_bundle_import(store: Store, key: int) -> None:
    """Make the imported bundle visible and current, and position the ratings of its tasks, in the same transaction."""
    with store.writing("The bundle is not imported.") as db:
        row = db.execute(
            "UPDATE bundles SET ready = 1 WHERE key = ? AND NOT ready RETURNING id, revision, rubric, imported", (key,)
        ).fetchone()
        if row is None:
            raise NotInStore("The import has ended.", "The bundle is not imported.")
        bundle_id, revision, rubric, imported = row
        become_current(db, bundle_id, revision, imported)
        place_heads(db, bundle_id, key, rubric)


def drop_import(store: Store, key: int) -> None:
    """Remove a bundle that is not ready; a ready one stays because ratings may refer to it. Raises `StoreError`."""
    while drop_import_step(store, key):
        pass


def drop_import_step(store: Store, key: int) -> bool:
    """Run one short transaction of `drop_import`, so that answers can be saved between; return whether more is left."""
    with store.writing("The remains of an interrupted import were not removed.") as db:
        if db.execute("SELECT 1 FROM bundles WHERE key = ? AND NOT ready", (key,)).fetchone() is None:
            return False
        first, end = key << POSITIONS, (key + 1) << POSITIONS
        query = "SELECT key FROM tasks WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
        rows = db.execute(query, (first, end, _DROPPED_AT_ONCE)).fetchall()
        if not rows:
            db.execute("DELETE FROM bundles WHERE key = ?", (key,))
            return False
        # By one range: the search index is written out for each statement, which takes three times as long.
        span = (first, rows[-1][0])
        db.execute("DELETE FROM texts WHERE rowid BETWEEN ? AND ?", span)
        gone = db.execute("DELETE FROM tasks WHERE key BETWEEN ? AND ?", span).rowcount
        if gone != len(rows):
            # Otherwise a damaged table that lists a row but cannot find it would cause an endless loop.
            raise StoreDamaged("The store is damaged.", "The remains of an interrupted import can't be removed.")
        return True


def unfinished_imports(store: Store) -> list[int]:
    """Return the keys of bundles whose import has not ended."""
    with store.reading("The list of bundles can't be read.") as db:
        return [key for (key,) in db.execute("SELECT key FROM bundles WHERE NOT ready ORDER BY key")]


def _return_round(manifest: str) -> int:
    """Return how often the tasks of a bundle of returned tasks have come back; 0 for any other bundle."""
    derived = derivation_in_manifest(manifest)
    return derived.round or 1 if derived is not None and derived.tool == RETURN_TOOL else 0


class CurrentRevision(msgspec.Struct, frozen=True):
    """The row of a bundle's current revision, and its number of tasks."""

    id: str
    key: int
    tasks: int

    def task_key(self, position: int) -> int:
        """Return the key of the task at a position from 0."""
        return (self.key << POSITIONS) + position


def current_revision(db: Database, bundle_id: str) -> CurrentRevision:
    """Return the current revision of a bundle. Raises `NotInStore`."""
    row = db.execute(CURRENT_OF_BUNDLE, (bundle_id,)).fetchone()
    if row is None:
        raise NotInStore(f"The store has no bundle {bundle_id!r}.")
    return CurrentRevision(*row)


def store_gold(store: Store, bundle_key: int, lines: Iterable[tuple[str, bytes]]) -> int:
    """Store (task id, line) of a bundle that is being imported; return how many. Lines without a task are ignored."""
    query = "INSERT INTO gold (key, sha256, line) SELECT key, ?, ? FROM tasks WHERE bundle = ? AND id = ?"
    stored = 0
    with store.writing("The gold answers are not stored.", lasting=False) as db:
        for task_id, line in lines:
            stored += db.execute(query, (sha256(line), line, bundle_key, task_id)).rowcount
    return stored


def find_gold(store: Store, bundle_id: str, task_id: str) -> bytes | None:
    """Return the line that answers a task of the bundle's current revision. Raises `NotInStore` or `StoreDamaged`."""
    with store.reading("The gold answer can't be read.") as db:
        query = """
            SELECT gold.line, gold.sha256 FROM tasks JOIN gold ON gold.key = tasks.key
            WHERE tasks.bundle = ? AND tasks.id = ?
        """
        row = db.execute(query, (current_revision(db, bundle_id).key, task_id)).fetchone()
    if row is None:
        return None
    line, digest = row
    if not is_intact_rating(line, digest, task_id):
        raise StoreDamaged(f"The stored gold answer of {task_id!r} was modified.", "It differs from what was imported.")
    return line
