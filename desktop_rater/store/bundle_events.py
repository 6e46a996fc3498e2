"""Events of bundles: the choice of the current revision, and bundles put away. They are only ever appended.

With them the runs of finished tasks, from which the progress is counted.
"""

from collections.abc import Iterator

import msgspec

from desktop_rater.store.errors import NotInStore
from desktop_rater.store.sqlite_tools import Database, row_struct
from desktop_rater.store.store import Store

FinishedRun = tuple[int, int]
FINISHED = frozenset({"complete", "skipped"})


def mark_finished(db: Database, bundle_id: str, rater: str, position: int) -> None:
    """Record that a task is finished; it may be so already."""
    before = _starting_by(db, bundle_id, rater, position)
    if before is not None and before[1] >= position:
        return
    first = last = position
    if before is not None and before[1] == position - 1:
        first = before[0]
    after = _starting_by(db, bundle_id, rater, position + 1)
    if after is not None and after[0] == position + 1:
        last = after[1]
        _remove(db, bundle_id, rater, after[0])
    _put(db, bundle_id, rater, (first, last))


def mark_open(db: Database, bundle_id: str, rater: str, position: int) -> None:
    """Record that a task is not finished; it may be so already."""
    run = _starting_by(db, bundle_id, rater, position)
    if run is None or run[1] < position:
        return
    first, last = run
    _remove(db, bundle_id, rater, first)
    for part in ((first, position - 1), (position + 1, last)):
        if part[0] <= part[1]:
            _put(db, bundle_id, rater, part)


def rebuild_runs(db: Database, bundle_id: str) -> None:
    """Derive the runs of all raters of a bundle from the heads."""
    db.execute("DELETE FROM finished_runs WHERE bundle = ?", (bundle_id,))
    db.executemany(
        "INSERT INTO finished_runs (bundle, rater, first, last) VALUES (?, ?, ?, ?)", derive_runs(db, bundle_id)
    )


def derive_runs(db: Database, bundle_id: str) -> list[tuple[str, str, int, int]]:
    """Return rows of bundle, rater, first and last as derived from the heads."""
    query = """
        SELECT bundle, rater, min(position), max(position) FROM (
            SELECT bundle, rater, position,
                   position - row_number() OVER (PARTITION BY rater ORDER BY position) AS island
            FROM heads
            WHERE bundle = ? AND status IN ('complete', 'skipped') AND position IS NOT NULL)
        GROUP BY rater, island ORDER BY 2, 3
    """
    return db.execute(query, (bundle_id,)).fetchall()


def stored_runs(db: Database, bundle_id: str) -> list[tuple[str, str, int, int]]:
    """Return rows of bundle, rater, first and last as stored."""
    query = "SELECT bundle, rater, first, last FROM finished_runs WHERE bundle = ? ORDER BY rater, first"
    return db.execute(query, (bundle_id,)).fetchall()


def next_open_position(db: Database, bundle_id: str, rater: str, after: int) -> int:
    """Return the first position after `after` that is not finished; it may be one past the last task."""
    run = _starting_by(db, bundle_id, rater, after + 1)
    return after + 1 if run is None or run[1] <= after else run[1] + 1


def open_ranges(db: Database, bundle_id: str, rater: str, tasks: int, after: int) -> Iterator[range]:
    """Yield the ranges of positions between the runs after `after`, in order, for a bundle of `tasks` tasks."""
    start = next_open_position(db, bundle_id, rater, after)
    query = "SELECT first, last FROM finished_runs WHERE bundle = ? AND rater = ? AND first > ? ORDER BY first"
    for first, last in db.execute(query, (bundle_id, rater, start)):
        if start < first:
            yield range(start, first)
        start = last + 1
    if start < tasks:
        yield range(start, tasks)


def count_finished(db: Database, bundle_id: str, rater: str) -> int:
    """Count the finished tasks."""
    query = "SELECT coalesce(sum(last - first + 1), 0) FROM finished_runs WHERE bundle = ? AND rater = ?"
    return db.execute(query, (bundle_id, rater)).fetchone()[0]


def _starting_by(db: Database, bundle_id: str, rater: str, position: int) -> FinishedRun | None:
    query = """
        SELECT first, last FROM finished_runs WHERE bundle = ? AND rater = ? AND first <= ?
        ORDER BY first DESC LIMIT 1
    """
    return db.execute(query, (bundle_id, rater, position)).fetchone()


def _put(db: Database, bundle_id: str, rater: str, run: FinishedRun) -> None:
    query = "INSERT OR REPLACE INTO finished_runs (bundle, rater, first, last) VALUES (?, ?, ?, ?)"
    db.execute(query, (bundle_id, rater, *run))


def _remove(db: Database, bundle_id: str, rater: str, first: int) -> None:
    db.execute("DELETE FROM finished_runs WHERE bundle = ? AND rater = ? AND first = ?", (bundle_id, rater, first))


_CHOSEN = """(
    SELECT max(bundle_events.key) FROM bundle_events
    WHERE bundle_events.bundle = bundles.id AND what = 'revision' AND bundle_events.revision = bundles.revision)"""

# The current revision of each bundle. It is the one of the last event that chooses a revision of the store, otherwise
# the highest. `become_current` appends such an event for an imported revision, so that it takes precedence too.
CURRENT_BUNDLES = f"""
    SELECT id, key, rubric FROM (
        SELECT id, key, rubric, row_number() OVER (PARTITION BY id ORDER BY {_CHOSEN} DESC, revision DESC) AS place
        FROM bundles WHERE ready)
    WHERE place = 1
"""  # noqa: S608 - a constant
CURRENT_OF_BUNDLE = f"""
    SELECT id, key, tasks FROM bundles WHERE id = ? AND ready ORDER BY {_CHOSEN} DESC, revision DESC LIMIT 1
"""  # noqa: S608 - a constant
PUT_AWAY_BUNDLES = """
    SELECT bundle FROM (SELECT bundle, what, max(key) FROM bundle_events WHERE what <> 'revision' GROUP BY bundle)
    WHERE what = 'put away'
"""

_LOSS = "The revisions of the bundle can't be read."


class BundleEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event: `what` is `revision`, `put away`, `brought back` or `removed`; `moment` is a time."""

    bundle: str
    what: str
    revision: int
    reason: str = ""
    moment: str


class RevisionEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Effect of making another revision current, in tasks over all raters.

    `finished` and `begun` tasks would be out of sight because the revision lacks them. `reopened` ones are finished and
    would have to be finished again because their text or the rubric differs. `current`: the current revision, 0 if
    there is none.
    """

    current: int = 0
    finished: int = 0
    begun: int = 0
    reopened: int = 0


class StoredRevision(msgspec.Struct, frozen=True, kw_only=True):
    """A revision in the store: `rated` counts its tasks that any rater has begun or finished."""

    id: str
    revision: int
    title: str
    tasks: int
    rated: int
    imported: str
    current: bool
    put_away: bool


def list_revisions(store: Store, bundle_id: str | None = None) -> list[StoredRevision]:
    """Return all revisions of one bundle or of all bundles, also of those put away: by id, the highest first."""
    query = f"""
        SELECT id, revision, title, tasks,
               (SELECT count(DISTINCT heads.task) FROM heads JOIN tasks ON tasks.id = heads.task
                WHERE heads.bundle = bundles.id AND tasks.bundle = bundles.key),
               imported, key IN (SELECT key FROM ({CURRENT_BUNDLES})), id IN ({PUT_AWAY_BUNDLES})
        FROM bundles WHERE ready AND (?1 IS NULL OR id = ?1) ORDER BY id, revision DESC
    """  # noqa: S608 - constants
    with store.reading(_LOSS) as db:
        rows = db.execute(query, (bundle_id,)).fetchall()
    return [
        row_struct(StoredRevision, (*columns, bool(current), bool(put_away))) for *columns, current, put_away in rows
    ]


def revision_effect(store: Store, bundle_id: str, key: int) -> RevisionEffect:
    """Return the effect of making the bundle row `key` current; it need not be ready."""
    with store.reading(_LOSS) as db:
        return _effect(db, bundle_id, key)


def _effect(db: Database, bundle_id: str, key: int) -> RevisionEffect:
    query = """
        WITH shown AS (
            SELECT heads.task, max(heads.status IN ('complete', 'skipped')) AS finished,
                   max(heads.status IN ('complete', 'skipped') AND (
                       heads.line_sha256 IS NOT tasks.line_sha256
                       OR ?4 AND json_extract(ratings.body, '$.rubric') IS NOT ?3)) AS reopened,
                   tasks.key IS NULL AS gone
            FROM heads JOIN ratings ON ratings.key = heads.rating
            LEFT JOIN tasks ON tasks.bundle = ?2 AND tasks.id = heads.task
            WHERE heads.bundle = ?1 AND heads.position IS NOT NULL GROUP BY heads.task)
        SELECT total(gone AND finished), total(gone AND NOT finished), total(NOT gone AND reopened) FROM shown
    """
    current = db.execute(CURRENT_OF_BUNDLE, (bundle_id,)).fetchone()
    if current is None:
        return RevisionEffect()
    (rubric,) = db.execute("SELECT rubric FROM bundles WHERE key = ?", (key,)).fetchone()
    (revision,) = db.execute("SELECT revision FROM bundles WHERE key = ?", (current[1],)).fetchone()
    rubrics = db.execute("SELECT count(DISTINCT rubric) FROM bundles WHERE id = ?", (bundle_id,)).fetchone()[0]
    finished, begun, reopened = map(int, db.execute(query, (bundle_id, key, rubric, rubrics > 1)).fetchone())
    return RevisionEffect(current=revision, finished=finished, begun=begun, reopened=reopened)


def choose_revision(store: Store, event: BundleEvent) -> RevisionEffect | None:
    """Make a revision current; return the effect, `None` if it is current already. Raises `NotInStore`."""
    with store.writing(f"The current revision of the bundle {event.bundle} was not changed.") as db:
        query = "SELECT key, rubric FROM bundles WHERE id = ? AND revision = ? AND ready"
        row = db.execute(query, (event.bundle, event.revision)).fetchone()
        if row is None:
            raise NotInStore(f"The store has no revision {event.revision} of the bundle {event.bundle!r}.")
        key, rubric = row
        effect = _effect(db, event.bundle, key)
        if effect.current == event.revision:
            return None
        append_event(db, event)
        place_heads(db, event.bundle, key, rubric)
        return effect


def is_put_away(store: Store, bundle_id: str) -> bool:
    """Return whether a bundle is left out of lists."""
    with store.reading(_LOSS) as db:
        return (bundle_id,) in db.execute(PUT_AWAY_BUNDLES).fetchall()


def set_put_away(store: Store, event: BundleEvent) -> bool:
    """Append `put away` or `brought back`; return false if the bundle is in that state already."""
    with store.writing(f"The bundle {event.bundle} was not changed.") as db:
        put_away = event.bundle in {bundle for (bundle,) in db.execute(PUT_AWAY_BUNDLES)}
        if put_away is (event.what == "put away"):
            return False
        append_event(db, event)
        return True


def become_current(db: Database, bundle_id: str, revision: int, moment: str) -> None:
    """Let an imported revision take precedence over an earlier choice and over higher revisions, if there are any.

    The event also ends a removal, after which ratings could be deleted.
    """
    query = """
        SELECT 1 FROM bundle_events WHERE bundle = ?1 AND what IN ('revision', 'removed')
        UNION ALL SELECT 1 FROM bundles WHERE id = ?1 AND ready AND revision > ?2 LIMIT 1
    """
    if db.execute(query, (bundle_id, revision)).fetchone() is not None:
        what = BundleEvent(bundle=bundle_id, what="revision", revision=revision, reason="imported", moment=moment)
        append_event(db, what)


def place_heads(db: Database, bundle_id: str, key: int, rubric: str) -> None:
    """Position the ratings of a bundle by the revision that becomes current.

    If a task's line and the rubric are those of its rating, its status is that of its rating; if one differs, the task
    is incomplete; if the revision lacks the task, its ratings are history only.
    """
    others = "SELECT 1 FROM bundles WHERE id = ? AND ready AND rubric <> ? LIMIT 1"
    only_rubric = db.execute(others, (bundle_id, rubric)).fetchone() is None  # then no rating has to be inspected
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
    rebuild_runs(db, bundle_id)


def append_event(db: Database, event: BundleEvent) -> None:
    """Append an event in the current transaction."""
    db.execute(
        "INSERT INTO bundle_events (bundle, what, revision, reason, moment) VALUES (?, ?, ?, ?, ?)",
        msgspec.structs.astuple(event),
    )
