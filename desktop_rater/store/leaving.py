"""The form in which each rating leaves, kept as it was checked, so that an export need not check it again.

It is trusted only where it was checked against this very row of the task, by the same rubric and engine (`basis`), and
where its bytes are those that were written. All of it could be worked out again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.store import leaving_forms
from desktop_rater.store.current import current
from desktop_rater.store.intact import intact
from desktop_rater.store.ratings import altered
from desktop_rater.store.tasks import StoredTask, intact_task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_rater.store.store import Store


class Leaver(msgspec.Struct, frozen=True, kw_only=True):
    """A task and its rating: `rating` is the key of the latest revision, `None` where there is none.

    `body` is that revision to the byte; `ready` is what leaves, `None` where it has to be checked first. `last` is how
    the history ends, which leaves with it.
    """

    task: StoredTask
    task_key: int
    rating: int | None
    body: bytes
    ready: bytes | None
    last: Revision | None


class Revision(msgspec.Struct, frozen=True):
    """One line of a history: `sha256` is that of the form that leaves."""

    task: str
    revision: int
    changed: str
    done: str
    sha256: str


def keep(store: Store, basis: str, checked: Sequence[tuple[Leaver, bytes]]) -> None:
    """Keep what was checked now. Raises `StoreError`."""
    with store.writing("That the ratings were checked is not noted.", lasting=False) as db:
        for leaver, form in checked:
            if leaver.rating is not None:
                leaving_forms.put(db, leaver.rating, leaver.task_key, basis, None if form == leaver.body else form)


def stream(store: Store, bundle_id: str, rater: str, basis: str, batch: int) -> Iterator[list[Leaver]]:
    """All tasks of the bundle in order, `batch` at a time, with the rater's latest ratings.

    Raises `StoreDamaged` at a task or a rating that was altered.
    """
    start = 0
    while True:
        with store.reading("The ratings can't be read.") as db:
            bundle = current(db, bundle_id)
            span = (bundle.task_key(start), bundle.task_key(start + batch - 1))
            rows = db.execute(_LEAVERS, (basis, bundle_id, rater, *span)).fetchall()
        if not rows:
            return
        yield [_leaver(rater, row) for row in rows]
        start += batch


def revisions(store: Store, bundle_id: str, rater: str, tasks: Sequence[str]) -> list[Revision]:
    """The histories of some ratings, one after another in that order."""
    with store.reading("The history can't be read.") as db:
        names = msgspec.json.encode(tasks).decode()
        return [Revision(*row) for row in db.execute(_REVISIONS, (names, bundle_id, rater))]


# Bodies as bytes: their hashes are over bytes, and a damaged one need not be UTF-8.
_LEAVERS = """
    SELECT tasks.key, tasks.position, tasks.id, line, tasks.line_sha256, targets, placed.sha256,
           ratings.key, heads.revision, ratings.sha256, CAST(ratings.body AS BLOB),
           ratings.task, ratings.revision, ratings.changed, ratings.done, ratings.leaving_sha256,
           leaving.rating IS NOT NULL AND heads.status <> 'incomplete' AND heads.line_sha256 = tasks.line_sha256,
           leaving.sha256, form
    FROM tasks
    LEFT JOIN placed ON placed.key = tasks.key
    LEFT JOIN heads ON heads.bundle = ?2 AND heads.task = tasks.id AND heads.rater = ?3
    LEFT JOIN ratings ON ratings.key = heads.rating
    LEFT JOIN leaving ON leaving.rating = heads.rating AND leaving.task = tasks.key AND leaving.basis = ?1
    WHERE tasks.key BETWEEN ?4 AND ?5 ORDER BY tasks.key
"""
_REVISIONS = """
    SELECT task, revision, changed, done, leaving_sha256
    FROM json_each(?1) AS wanted
    CROSS JOIN ratings ON bundle = ?2 AND task = wanted.value AND rater = ?3
    ORDER BY wanted.key, revision
"""


def _leaver(rater: str, row: tuple) -> Leaver:
    task_key, position, task_id, line, line_digest, targets, placed, key, revision, digest, body, *rest = row
    *last, checked, form_digest, form = rest
    task = StoredTask(position, task_id, line, line_digest, targets, placed)
    ready = None
    if key is not None:
        if not intact(body, digest):
            raise altered(task_id, rater, revision)
        if checked:
            ready = body if form_digest is None else form if intact(form, form_digest) else None
    return Leaver(
        task=intact_task(task),
        task_key=task_key,
        rating=key,
        body=body or b"",
        ready=ready,
        last=None if key is None else Revision(*last),
    )
