"""Tasks of a bundle that a rater has finished, as runs of positions."""

from collections.abc import Iterator

from desktop_rater.store.sqlite_tools import Database

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
    db.conn.executemany(
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
