"""Ratings in the store. Every change is a new revision; none is ever altered or deleted.

The head of a rating is its latest revision and what the lists show of it. Everything is about a bundle's latest ready
revision, and raises `NotThere` where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.kept import from_plain, to_plain
from desktop_rater.model.rating import Rating
from desktop_rater.store import finished_runs, leaving_forms
from desktop_rater.store.current import Current, current
from desktop_rater.store.intact import intact
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlite_utils import Database

    from desktop_rater.store.store import Store


class Checked(msgspec.Struct, frozen=True):
    """The form in which a rating leaves, checked against the task that is in the store now; `basis`: by what."""

    form: Rating
    basis: str


class NewRating(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a rating that is to be saved.

    `changed` is a time of the formats; `done` a short English key of what was done; `leaving_sha256` that of the form
    that leaves. The counts are of the problems now, and of the questions that are answered and asked. `checked` is
    `None` where the rating may not leave.
    """

    rating: Rating
    changed: str
    done: str
    leaving_sha256: str
    blocking: int = 0
    warnings: int = 0
    answered: int = 0
    total: int = 0
    checked: Checked | None = None


class StoredRating(msgspec.Struct, frozen=True, kw_only=True):
    """The latest revision of a rating; `sha256` is that of its canonical JSON as it was saved.

    `task_changed`: the task is no longer the one that was rated, or it is gone. `rating.status` is what counts now:
    incomplete where the task has changed, whatever it was.
    """

    rating: Rating
    sha256: str
    leaving_sha256: str
    blocking: int
    warnings: int
    answered: int
    total: int
    task_changed: bool


def head(store: Store, bundle_id: str, task_id: str, rater: str) -> StoredRating | None:
    """A rater's latest revision. Raises `StoreDamaged` where it is not what was written."""
    with store.reading(f"The rating of {task_id} can't be read.") as db:
        query = _HEAD + _FROM + "WHERE heads.bundle = ? AND heads.task = ? AND heads.rater = ?"
        first = current(db, bundle_id).task_key(0)
        row = db.execute(query, (first, bundle_id, task_id, rater)).fetchone()
    return None if row is None else _stored(row)


def append(store: Store, bundle_id: str, new: NewRating) -> StoredRating:
    """Save a change; it is on disk when this returns. The rating comes back with its new revision and time.

    It follows the last revision of `rating.rater` and `rating.task`, whatever `rating.revision` is. A task that is not
    in the bundle (any more) is saved too: an answer is never lost. Raises `StoreError`; then nothing is saved.
    """
    with store.writing(f"The rating of {new.rating.task} is not saved.") as db:
        return _append(db, current(db, bundle_id), new)


def append_many(store: Store, bundle_id: str, many: Iterable[NewRating]) -> int:
    """Save changes of many ratings, all of them or none; returns how many. Raises as `append`."""
    count = 0
    with store.writing("The ratings are not saved.") as db:
        bundle = current(db, bundle_id)
        for new in many:
            _append(db, bundle, new)
            count += 1
    return count


def revision(store: Store, bundle_id: str, task_id: str, rater: str, number: int) -> Rating:
    """A rating as it was, for undo. Raises `NotThere`, or `StoreDamaged`."""
    with store.reading(f"The rating of {task_id} can't be read.") as db:
        query = """
            SELECT task, rater, revision, sha256, CAST(body AS BLOB) FROM ratings
            WHERE bundle = ? AND task = ? AND rater = ? AND revision = ?
        """
        row = db.execute(query, (bundle_id, task_id, rater, number)).fetchone()
    if row is None:
        raise NotThere(f"There is no revision {number} of the rating of {task_id}.")
    return _read(*row)


def altered(task_id: str, rater: str, number: int) -> StoreDamaged:
    """What is raised where a stored rating is not what was written."""
    name = _name(task_id, rater, number)
    return StoreDamaged(f"A stored rating was altered: {name}.", "It is not what was saved.")


def incomplete(task_id: str, rater: str, there: int, wanted: int) -> StoreDamaged:
    """What is raised where revisions of a stored rating are missing."""
    title = f"Of {wanted} revisions of {rater}'s rating of {task_id} only {there} are there."
    return StoreDamaged(title, "The others were stored and are gone.")


# The body as bytes: its hash is over bytes, and a damaged one need not be UTF-8.
_HEAD = """
    SELECT heads.task, heads.rater, heads.revision, ratings.sha256, CAST(body AS BLOB), heads.status, leaving_sha256,
           blocking, warnings, answered, total,
           heads.position IS NULL OR tasks.line_sha256 IS NOT heads.line_sha256
"""
_FROM = """
    FROM heads JOIN ratings ON ratings.key = heads.rating LEFT JOIN tasks ON tasks.key = ? + heads.position
"""


def _stored(row: Iterable) -> StoredRating:
    task_id, rater, number, digest, body, status, leaving, blocking, warnings, answered, total, task_changed = row
    rating = _read(task_id, rater, number, digest, body)
    if rating.status != status:
        rating = msgspec.structs.replace(rating, status=status)
    return StoredRating(
        rating=rating,
        sha256=digest,
        leaving_sha256=leaving,
        blocking=blocking,
        warnings=warnings,
        answered=answered,
        total=total,
        task_changed=bool(task_changed),
    )


def _read(task_id: str, rater: str, number: int, digest: str, body: bytes) -> Rating:
    if not intact(body, digest):
        raise altered(task_id, rater, number)
    try:
        return from_plain(msgspec.json.decode(body), Rating)
    except msgspec.MsgspecError as error:
        name = _name(task_id, rater, number)
        raise StoreDamaged(f"A stored rating can't be read: {name}.", str(error)) from error


def _name(task_id: str, rater: str, number: int) -> str:
    return f"revision {number} of {rater}'s rating of {task_id}"


def _append(db: Database, bundle: Current, new: NewRating) -> StoredRating:
    task_id, rater = new.rating.task, new.rating.rater
    query = "SELECT revision, rating FROM heads WHERE bundle = ? AND task = ? AND rater = ?"
    last, followed = db.execute(query, (bundle.id, task_id, rater)).fetchone() or (0, None)
    number = last + 1
    rating = msgspec.structs.replace(new.rating, revision=number, changed=new.changed)
    body = _written(rating)
    digest = sha256(body)
    added = db.execute(
        """
        INSERT INTO ratings (bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(bundle.id, task_id, rater, number, new.changed, rating.status, new.done),
            *(digest, new.leaving_sha256, body.decode()),
        ),
    )
    position = _put_head(db, bundle, rating, added.lastrowid, new)
    if followed is not None:
        leaving_forms.remove(db, followed)
    if new.checked is not None and position is not None and added.lastrowid is not None:
        form = msgspec.structs.replace(new.checked.form, revision=number, changed=new.changed)
        written = None if form == rating else _written(form)
        leaving_forms.put(db, added.lastrowid, bundle.task_key(position), new.checked.basis, written)
    return StoredRating(
        rating=rating,
        sha256=digest,
        leaving_sha256=new.leaving_sha256,
        blocking=new.blocking,
        warnings=new.warnings,
        answered=new.answered,
        total=new.total,
        task_changed=position is None,
    )


def _put_head(db: Database, bundle: Current, rating: Rating, key: int | None, new: NewRating) -> int | None:
    """Returns the task's position; `None` where it is not in the bundle."""
    query = "SELECT position, line_sha256 FROM tasks WHERE bundle = ? AND id = ?"
    position, line = db.execute(query, (bundle.key, rating.task)).fetchone() or (None, None)
    db.execute(
        """
        INSERT OR REPLACE INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256,
                                      blocking, warnings, answered, total)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(bundle.id, rating.task, rating.rater, key, rating.revision, position, rating.status, line),
            *(new.blocking, new.warnings, new.answered, new.total),
        ),
    )
    if position is None:
        return None
    note = finished_runs.finish if rating.status in finished_runs.FINISHED else finished_runs.reopen
    note(db, bundle.id, rating.rater, position)
    return position


def _written(rating: Rating) -> bytes:
    try:
        return canonical(to_plain(rating))
    except ValueError as error:  # half a surrogate pair, or a number that is none
        title = f"The rating of {rating.task} holds something that can't be written."
        raise StoreError(title, f"It is not saved. ({error})", "Undo the last change.") from error
