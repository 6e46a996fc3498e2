"""Ratings in the store: append-only revisions, their heads, and their history."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from desktop_rater.format.rating import Rating, Status
from desktop_rater.format.strict_json import canonical_json, from_plain, sha256, to_plain
from desktop_rater.store import bundle_events
from desktop_rater.store.bundle_events import CURRENT_OF_BUNDLE
from desktop_rater.store.bundles import current_revision
from desktop_rater.store.connection import matches_sha256
from desktop_rater.store.errors import NotInStore, StoreDamaged, StoreError
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.sqlite_tools import Database, row_struct
from desktop_rater.store.store import Store


class NewRevision(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a rating that is to be saved.

    `changed` is a time; `done` a short English key of the change; `leaving_sha256` that of the export form. The counts
    are of the current problems, and of answered and asked questions. `checked` is the export form, checked against the
    current task, and its basis: rubric and engine used; `None` if the rating may not be exported. `units`: how many of
    the targets, responses or tasks, whichever the rubric counts, are done.
    """

    rating: Rating
    changed: str
    done: str
    leaving_sha256: str
    blocking: int = 0
    warnings: int = 0
    answered: int = 0
    total: int = 0
    checked: tuple[Rating, str] | None = None
    units: int = 0


class StoredRating(msgspec.Struct, frozen=True, kw_only=True):
    """The latest revision of a rating; `sha256` is that of its canonical JSON as saved.

    `task_changed`: the task differs from the rated one or no longer exists. `rating.status` is the effective status:
    incomplete if the task has changed.
    """

    rating: Rating
    sha256: str
    leaving_sha256: str
    blocking: int
    warnings: int
    answered: int
    total: int
    task_changed: bool


def rating_head(store: Store, bundle_id: str, task_id: str, rater: str) -> StoredRating | None:
    """Return a rater's latest revision. Raises `StoreDamaged` if it was modified."""
    with store.reading(f"The rating of {task_id} can't be read.") as db:
        query = _HEAD + _FROM + "WHERE heads.bundle = ? AND heads.task = ? AND heads.rater = ?"
        first = current_revision(db, bundle_id).task_key(0)
        row = db.execute(query, (first, bundle_id, task_id, rater)).fetchone()
    return None if row is None else _stored(row)


def append_revision(store: Store, bundle_id: str, new: NewRevision) -> StoredRating:
    """Save a rating durably. Return it with its new revision and time.

    It follows the last revision of `rating.rater` and `rating.task`, regardless of `rating.revision`. A task that is
    not in the bundle (any more) is saved too: an answer is never lost. Raises `StoreError` and then saves nothing.
    """
    with store.writing(f"The rating of {new.rating.task} is not saved.") as db:
        return _append(db, _last_revision(db, bundle_id, new.rating), new)


def append_change(store: Store, bundle_id: str, new: NewRevision) -> bool:
    """Save a rating as `append_revision` does, unless it equals the last revision. Return whether it was saved."""
    with store.writing(f"The rating of {new.rating.task} is not saved.") as db:
        return _append_change(store, db, bundle_id, new)


def append_changes(store: Store, bundle_id: str, many: Iterable[NewRevision]) -> list[str]:
    """Save those of many ratings that differ from their last revisions, all or none. Return the ids of their tasks."""
    with store.writing("The ratings are not saved.") as db:
        return [new.rating.task for new in many if _append_change(store, db, bundle_id, new)]


def read_revision(store: Store, bundle_id: str, task_id: str, rater: str, number: int) -> Rating:
    """Return an earlier revision of a rating, for undo. Raises `NotInStore` or `StoreDamaged`."""
    with store.reading(f"The rating of {task_id} can't be read.") as db:
        query = """
            SELECT task, rater, revision, sha256, CAST(body AS BLOB) FROM ratings
            WHERE bundle = ? AND task = ? AND rater = ? AND revision = ?
        """
        row = db.execute(query, (bundle_id, task_id, rater, number)).fetchone()
    if row is None:
        raise NotInStore(f"There is no revision {number} of the rating of {task_id}.")
    return _read(*row)


def recent_ratings(store: Store, bundle_id: str, rater: str, most: int) -> tuple[Rating, ...]:
    """Return a rater's latest ratings in a bundle, the most recent first. Raises `StoreDamaged`."""
    with store.reading("The latest ratings can't be read.") as db:
        query = """
            SELECT ratings.task, ratings.rater, ratings.revision, sha256, CAST(body AS BLOB)
            FROM heads JOIN ratings ON ratings.key = heads.rating
            WHERE heads.bundle = ? AND heads.rater = ? ORDER BY heads.rating DESC LIMIT ?
        """
        rows = db.execute(query, (bundle_id, rater, most)).fetchall()
    return tuple(_read(*row) for row in rows)


def latest_tasks(store: Store, rater: str, most: int) -> list[tuple[str, str]]:
    """Return bundle and id of the tasks that a rater has worked on last, the most recent first."""
    with store.reading("The latest ratings can't be read.") as db:
        query = "SELECT bundle, task FROM heads WHERE rater = ? ORDER BY rating DESC LIMIT ?"
        return db.execute(query, (rater, most)).fetchall()


def altered_rating(task_id: str, rater: str, number: int) -> StoreDamaged:
    """Return the exception for a stored rating that was modified."""
    name = _name(task_id, rater, number)
    return StoreDamaged(f"A stored rating was modified: {name}.", "It is not what was saved.")


def missing_revisions(task_id: str, rater: str, count: int, wanted: int) -> StoreDamaged:
    """Return the exception for missing revisions of a stored rating."""
    title = f"Only {count} of {wanted} revisions of {rater}'s rating of {task_id} exist."
    return StoreDamaged(title, "The others were stored and are missing.")


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
    if not matches_sha256(body, digest):
        raise altered_rating(task_id, rater, number)
    return decode_rating(task_id, rater, number, body)


def decode_rating(task_id: str, rater: str, number: int, body: bytes) -> Rating:
    """Return a stored revision, whose bytes match their hash. Raises `StoreDamaged`."""
    try:
        return from_plain(msgspec.json.decode(body), Rating)
    except msgspec.MsgspecError as error:
        name = _name(task_id, rater, number)
        raise StoreDamaged(f"A stored rating can't be read: {name}.", str(error)) from error


def _name(task_id: str, rater: str, number: int) -> str:
    return f"revision {number} of {rater}'s rating of {task_id}"


class _LastRevision(NamedTuple):
    """The last revision of a rating, and the task's row in the bundle's current revision.

    `revision` is 0 if there is none yet, and `position` `None` if the task is not in the bundle. `form` is the task of
    the stored export form.
    """

    bundle: str
    bundle_key: int
    tasks: int
    position: int | None
    line: str | None
    revision: int
    key: int | None
    status: Status
    form: int | None
    sha256: str | None
    body: bytes | None


_LAST_REVISION = f"""
    SELECT current.id, current.key, current.tasks, tasks.position, tasks.line_sha256,
           coalesce(heads.revision, 0), heads.rating, coalesce(heads.status, 'incomplete'), leaving.task,
           ratings.sha256, CAST(ratings.body AS BLOB)
    FROM ({CURRENT_OF_BUNDLE}) AS current
    LEFT JOIN tasks ON tasks.bundle = current.key AND tasks.id = ?2
    LEFT JOIN heads ON heads.bundle = current.id AND heads.task = ?2 AND heads.rater = ?3
    LEFT JOIN leaving ON leaving.rating = heads.rating
    LEFT JOIN ratings ON ratings.key = heads.rating
"""  # noqa: S608 - a constant
# Fields whose change alone makes no revision: they are derived, or count revisions.
_DERIVED_FIELDS = ("revision", "changed", "suggestions", "decided", "problems")


def _last_revision(db: Database, bundle_id: str, rating: Rating) -> _LastRevision:
    row = db.execute(_LAST_REVISION, (bundle_id, rating.task, rating.rater)).fetchone()
    if row is None:
        raise NotInStore(f"The store has no bundle {bundle_id!r}.")
    return _LastRevision(*row)


def _append_change(store: Store, db: Database, bundle_id: str, new: NewRevision) -> bool:
    last, rating = _last_revision(db, bundle_id, new.rating), new.rating
    if last.body is not None:
        saved_digest, before = store.last_saved or ("", None)
        if before is None or saved_digest != last.sha256 or not matches_sha256(last.body, saved_digest):
            before = _read(rating.task, rating.rater, last.revision, last.sha256 or "", last.body)
        derived = {name: getattr(rating, name) for name in _DERIVED_FIELDS}
        if msgspec.structs.replace(before, status=last.status, **derived) == rating:
            return False
    saved = _append(db, last, new)
    store.last_saved = saved.sha256, saved.rating
    return True


def _append(db: Database, last: _LastRevision, new: NewRevision) -> StoredRating:
    number = last.revision + 1
    rating = msgspec.structs.replace(new.rating, revision=number, changed=new.changed)
    body = _encoded(rating)
    digest = sha256(body)
    added = db.execute(
        """
        INSERT INTO ratings (bundle, task, rater, revision, changed, status, done, sha256, leaving_sha256, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(last.bundle, rating.task, rating.rater, number, new.changed, rating.status, new.done),
            *(digest, new.leaving_sha256, body.decode()),
        ),
    ).lastrowid
    db.execute("INSERT INTO work_done (rating, done) VALUES (?, ?)", (added, new.units))
    db.execute(
        """
        INSERT OR REPLACE INTO heads (bundle, task, rater, rating, revision, position, status, line_sha256,
                                      blocking, warnings, answered, total)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(last.bundle, rating.task, rating.rater, added, number, last.position, rating.status, last.line),
            *(new.blocking, new.warnings, new.answered, new.total),
        ),
    )
    if last.position is not None and rating.status in bundle_events.FINISHED:
        bundle_events.mark_finished(db, last.bundle, rating.rater, last.position)
    elif last.position is not None and last.status in bundle_events.FINISHED:
        bundle_events.mark_open(db, last.bundle, rating.rater, last.position)
    # A form of another revision of the bundle is kept, for its export.
    first = last.bundle_key << POSITIONS
    if last.form is not None and first <= last.form <= first + last.tasks:
        db.execute("DELETE FROM leaving WHERE rating = ?", (last.key,))
    if new.checked is not None and last.position is not None and added is not None:
        checked, basis = new.checked
        form = msgspec.structs.replace(checked, revision=number, changed=new.changed)
        put_form(db, added, first + last.position, basis, None if form == rating else _encoded(form))
    return StoredRating(
        rating=rating,
        sha256=digest,
        leaving_sha256=new.leaving_sha256,
        blocking=new.blocking,
        warnings=new.warnings,
        answered=new.answered,
        total=new.total,
        task_changed=last.position is None,
    )


def put_form(db: Database, rating: int, task: int, basis: str, form: bytes | None) -> None:
    """Store the checked export form of a revision; `None` if it equals the revision byte for byte."""
    digest = None if form is None else sha256(form)
    query = "INSERT OR REPLACE INTO leaving (rating, task, basis, sha256, form) VALUES (?, ?, ?, ?, ?)"
    db.execute(query, (rating, task, basis, digest, form))


def _encoded(rating: Rating) -> bytes:
    try:
        return canonical_json(to_plain(rating))
    except ValueError as error:  # an unpaired surrogate, or a number that is NaN or infinite
        title = f"The rating of {rating.task} contains a value that can't be stored."
        raise StoreError(title, f"It is not saved. ({error})", "Undo the last change.") from error


class RevisionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A revision; `sha256` is of the rating as stored, `leaving_sha256` of its export form."""

    task: str
    revision: int
    changed: str
    status: Status
    done: str
    sha256: str
    leaving_sha256: str


RevisionWithRating = tuple[RevisionRow, Rating | None]
"""A revision with its rating; `None` if the rating was modified or can't be read."""


_ROWS = "SELECT task, revision, changed, status, done, sha256, leaving_sha256 FROM ratings "
_NO_END = 2**62
_LOSS = "The history can't be read."


def rating_history(store: Store, bundle_id: str, task_id: str, rater: str) -> list[RevisionRow]:
    """Return the revisions of one rating, from the first."""
    with store.reading(_LOSS) as db:
        query = _ROWS + "WHERE bundle = ? AND task = ? AND rater = ? ORDER BY revision"
        return [row_struct(RevisionRow, row) for row in db.execute(query, (bundle_id, task_id, rater))]


def read_revisions(
    store: Store, bundle_id: str, task_id: str, rater: str, *, last: int | None, most: int
) -> list[RevisionWithRating]:
    """Return up to `most` revisions of one rating ending with `last`, or with the head, oldest first."""
    with store.reading(_LOSS) as db:
        query = _ROWS + "WHERE bundle = ? AND task = ? AND rater = ? AND revision <= ? ORDER BY revision DESC LIMIT ?"
        end = _NO_END if last is None else last
        rows = [row_struct(RevisionRow, row) for row in db.execute(query, (bundle_id, task_id, rater, end, most))]
    return [(row, _rating(store, bundle_id, rater, row)) for row in reversed(rows)]


def _rating(store: Store, bundle_id: str, rater: str, row: RevisionRow) -> Rating | None:
    try:
        return read_revision(store, bundle_id, row.task, rater, row.revision)
    except StoreDamaged:
        return None  # the caller gets the other revisions, and `doctor` reports the modified one


_EVIDENCE_LOSS = "The evidence can't be read."


def evidence_urls(store: Store, bundle_id: str) -> dict[str, list[str]]:
    """Map task ids to the URLs of their evidence, in the latest revision of each rating."""
    query = """
        SELECT heads.task, json_extract(piece.value, '$.url')
        FROM heads JOIN ratings ON ratings.key = heads.rating, json_each(ratings.body, '$.evidence') AS piece
        WHERE heads.bundle = ? ORDER BY heads.rating, piece.key
    """
    urls_by_task: dict[str, list[str]] = {}
    with store.reading(_EVIDENCE_LOSS) as db:
        for task, url in db.execute(query, (bundle_id,)):
            if isinstance(url, str):
                urls_by_task.setdefault(task, []).append(url)
    return urls_by_task


def evidence_snapshots(store: Store) -> set[str]:
    """Return the SHA-256 of each stored page named by evidence in the latest revisions and in received results."""
    own = """
        SELECT DISTINCT json_extract(piece.value, '$.snapshot')
        FROM heads JOIN ratings ON ratings.key = heads.rating, json_each(ratings.body, '$.evidence') AS piece
    """
    received = """
        SELECT DISTINCT json_extract(piece.value, '$.snapshot')
        FROM received_ratings,
             json_each(CASE WHEN json_valid(CAST(body AS TEXT)) THEN CAST(body AS TEXT) END, '$.evidence') AS piece
        WHERE json_extract(piece.value, '$.snapshot') IN (SELECT sha256 FROM snapshots)
    """
    with store.reading(_EVIDENCE_LOSS) as db:
        return {sha256 for query in (own, received) for (sha256,) in db.execute(query) if isinstance(sha256, str)}
