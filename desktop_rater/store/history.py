"""What was done to ratings, revision by revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.rating import Rating, Status
from desktop_rater.store import ratings
from desktop_rater.store.trouble import StoreDamaged

if TYPE_CHECKING:
    from desktop_rater.store.store import Store


class RevisionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A revision: when, the status that it gave, a short English key of what was done, and two SHA-256.

    `sha256` is of the rating as stored, `leaving_sha256` of the form that leaves.
    """

    task: str
    revision: int
    changed: str
    status: Status
    done: str
    sha256: str
    leaving_sha256: str


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A revision with the rating as it was then; `None` where it is not what was written, or can't be read."""

    row: RevisionRow
    rating: Rating | None


_ROWS = "SELECT task, revision, changed, status, done, sha256, leaving_sha256 FROM ratings "
_NO_END = 2**62
_LOSS = "The history can't be read."


def history(store: Store, bundle_id: str, task_id: str, rater: str) -> list[RevisionRow]:
    """The revisions of one rating, from the first."""
    with store.reading(_LOSS) as db:
        query = _ROWS + "WHERE bundle = ? AND task = ? AND rater = ? ORDER BY revision"
        return [_row(row) for row in db.execute(query, (bundle_id, task_id, rater))]


def written(store: Store, bundle_id: str, task_id: str, rater: str, *, last: int | None, most: int) -> list[Written]:
    """The latest revisions of one rating up to `last`, or to the head, at most so many of them, the oldest first."""
    with store.reading(_LOSS) as db:
        query = _ROWS + "WHERE bundle = ? AND task = ? AND rater = ? AND revision <= ? ORDER BY revision DESC LIMIT ?"
        end = _NO_END if last is None else last
        rows = [_row(row) for row in db.execute(query, (bundle_id, task_id, rater, end, most))]
    return [Written(row=row, rating=_rating(store, bundle_id, rater, row)) for row in reversed(rows)]


def _rating(store: Store, bundle_id: str, rater: str, row: RevisionRow) -> Rating | None:
    try:
        return ratings.revision(store, bundle_id, row.task, rater, row.revision)
    except StoreDamaged:
        return None  # whoever asks has the others, and `doctor` says which one is altered


def _row(row: tuple) -> RevisionRow:
    return RevisionRow(**dict(zip(RevisionRow.__struct_fields__, row, strict=True)))
