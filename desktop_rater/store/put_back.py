"""Puts what was saved from a damaged store into a new one, with the revisions as they were, to the byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.store import finished_runs, tasks
from desktop_rater.store.salvage import OTHERS, FoundRating
from desktop_rater.store.trouble import NotThere

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

_COLUMNS = ", ".join(FoundRating.__struct_fields__)
_LOSS = "What was saved is not stored."


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What the lists show of a rating, beside its last revision. `line_sha256`: the line that was rated, if known."""

    line_sha256: str | None
    blocking: int
    warnings: int
    answered: int
    total: int


def put_ratings(store: Store, rows: Iterable[tuple[FoundRating, Head | None]]) -> None:
    """Append revisions in one transaction; the last one of each rating comes with its head."""
    with store.writing(_LOSS, lasting=False) as db:
        for row, head in rows:
            marks = ", ".join("?" for _ in FoundRating.__struct_fields__)
            query = f"INSERT INTO ratings ({_COLUMNS}) VALUES ({marks})"  # noqa: S608 - the struct's fields
            key = db.execute(query, msgspec.structs.astuple(row)).lastrowid
            if head is not None:
                _put_head(store, db, row, key, head)


def _put_head(store: Store, db: Database, row: FoundRating, key: int | None, head: Head) -> None:
    position, line = None, None
    try:
        task = tasks.get(store, row.bundle, row.task)
        position, line = task.position, task.line_sha256
    except NotThere:  # its bundle is gone, or the task is: the rating is kept as history
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


def rebuild_runs(store: Store, bundle_id: str) -> None:
    """Note which tasks of a bundle are finished, as the heads say. It is on disk with all before it."""
    with store.writing(_LOSS) as db:
        finished_runs.rebuild(db, bundle_id)


def put_others(store: Store, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """The rows of a table that nothing depends on; one that its table does not allow is left out."""
    if table not in OTHERS:
        raise ValueError(table)
    with store.writing(_LOSS) as db:
        for row in rows:
            columns = _OTHER_COLUMNS[table]
            marks = ", ".join("?" for _ in columns.split(","))
            db.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row)  # noqa: S608 - our names


_OTHER_COLUMNS = {
    "exports": "bundle, rater, sha256, moment, tasks, complete, skipped, content, supersedes",
    "visits": "bundle, url, page, final_url, final_page, state, status, fetched, snapshot",
    "state": "key, value",
}
