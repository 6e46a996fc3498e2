"""What was done to ratings, revision by revision, without the answers themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.rating import Status

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


_ROWS = "SELECT task, revision, changed, status, done, sha256, leaving_sha256 FROM ratings "
_LOSS = "The history can't be read."


def history(store: Store, bundle_id: str, task_id: str, rater: str) -> list[RevisionRow]:
    """The revisions of one rating, from the first."""
    with store.reading(_LOSS) as db:
        query = _ROWS + "WHERE bundle = ? AND task = ? AND rater = ? ORDER BY revision"
        return [_row(row) for row in db.execute(query, (bundle_id, task_id, rater))]


def _row(row: tuple) -> RevisionRow:
    return RevisionRow(**dict(zip(RevisionRow.__struct_fields__, row, strict=True)))
