"""History of ratings, and the URLs and snapshots named by their evidence."""

import msgspec

from desktop_rater.model.rating import Rating, Status
from desktop_rater.store import ratings
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.sqlite_tools import row_struct
from desktop_rater.store.store import Store


class RevisionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A revision; `sha256` is of the rating as stored, `leaving_sha256` of its export form."""

    task: str
    revision: int
    changed: str
    status: Status
    done: str
    sha256: str
    leaving_sha256: str


class RevisionWithRating(msgspec.Struct, frozen=True, kw_only=True):
    """A revision with its rating; `None` if the rating was modified or can't be read."""

    row: RevisionRow
    rating: Rating | None


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
    return [RevisionWithRating(row=row, rating=_rating(store, bundle_id, rater, row)) for row in reversed(rows)]


def _rating(store: Store, bundle_id: str, rater: str, row: RevisionRow) -> Rating | None:
    try:
        return ratings.read_revision(store, bundle_id, row.task, rater, row.revision)
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
