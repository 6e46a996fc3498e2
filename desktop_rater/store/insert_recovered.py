"""Insertion of rows saved from a damaged store into a new one."""

from collections.abc import Iterable
from typing import Any

import msgspec

from desktop_rater.store import finished_runs, tasks
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.salvage import OTHER_TABLES, SalvagedRating
from desktop_rater.store.sqlite_tools import Database, placeholders
from desktop_rater.store.store import Store

_COLUMNS = ", ".join(SalvagedRating.__struct_fields__)
_LOSS = "The recovered data was not stored."


class HeadColumns(msgspec.Struct, frozen=True, kw_only=True):
    """The columns of a head besides its last revision. `line_sha256`: the line that was rated, if known."""

    line_sha256: str | None
    blocking: int
    warnings: int
    answered: int
    total: int


def insert_ratings(store: Store, rows: Iterable[tuple[SalvagedRating, HeadColumns | None]]) -> None:
    """Append revisions in one transaction; the last one of each rating comes with its head."""
    with store.writing(_LOSS, lasting=False) as db:
        for row, head in rows:
            marks = placeholders(SalvagedRating.__struct_fields__)
            query = f"INSERT INTO ratings ({_COLUMNS}) VALUES ({marks})"  # noqa: S608 - the struct's fields
            key = db.execute(query, msgspec.structs.astuple(row)).lastrowid
            if head is not None:
                _put_head(store, db, row, key, head)


def _put_head(store: Store, db: Database, row: SalvagedRating, key: int | None, head: HeadColumns) -> None:
    position, line = None, None
    try:
        task = tasks.get_task(store, row.bundle, row.task)
        position, line = task.position, task.line_sha256
    except NotInStore:  # its bundle or task no longer exists: the rating is history only
        pass
    status = row.status if position is None or line == head.line_sha256 else "incomplete"
    db.execute(
        """
        INSERT INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256,
                           blocking, warnings, answered, total)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(row.bundle, row.task, row.rater, key, row.revision, position, status, head.line_sha256),
            *(head.blocking, head.warnings, head.answered, head.total),
        ),
    )


def rebuild_finished_runs(store: Store, bundle_id: str) -> None:
    """Derive the finished tasks of a bundle from the heads, and sync everything to disk."""
    with store.writing(_LOSS) as db:
        finished_runs.rebuild_runs(db, bundle_id)


def insert_other_rows(store: Store, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows of a table that nothing depends on; rows that violate its constraints are skipped."""
    if table not in OTHER_TABLES:
        raise ValueError(table)
    with store.writing(_LOSS) as db:
        for row in rows:
            columns = _OTHER_COLUMNS[table]
            marks = placeholders(columns.split(","))
            db.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row)  # noqa: S608 - our names


_OTHER_COLUMNS = {
    "exports": "bundle, rater, sha256, moment, tasks, complete, skipped, content, supersedes",
    "visits": "bundle, url, page, final_url, final_page, state, status, fetched, snapshot",
    "key_events": "key, rater, public, project, what, by, reason, moment",
    "page_origins": "snapshot, origin, bundle, rater, results, arrived",
    "state": "key, value",
}
