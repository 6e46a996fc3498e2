"""A rater's progress: finished tasks and returned tasks."""

from collections.abc import Sequence

import msgspec

from desktop_rater.model.manifests import RETURN_TOOL, derivation_in_manifest
from desktop_rater.model.strict_json import canonical_json, prepared_type, sha256
from desktop_rater.store import bundles
from desktop_rater.store.bundles import BundleRow, CurrentRevision
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store


class _Comment(msgspec.Struct, frozen=True):
    reason: str = ""


class _Returned(msgspec.Struct, frozen=True):
    comments: tuple[_Comment, ...] = ()


class _Line(msgspec.Struct, frozen=True):
    returned: _Returned | None = None


def counts_work(db: Database) -> bool:
    """Return whether the store counts targets and responses: those of before version 10 do not."""
    return db.execute("PRAGMA table_info(work_done)").fetchone() is not None


def return_reasons(db: Database, bundle: CurrentRevision, positions: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Map positions to the reasons why the task was sent back, each once. Only for a bundle of returned tasks."""
    if not is_returned_bundle(db, bundle):
        return {}
    query = "SELECT line FROM tasks WHERE key = ?"
    rows = {position: db.execute(query, (bundle.task_key(position),)).fetchone() for position in positions}
    return {position: _reasons(row[0]) for position, row in rows.items() if row is not None}


def is_returned_bundle(db: Database, bundle: CurrentRevision) -> bool:
    """Tell if a bundle consists of returned tasks."""
    (manifest,) = db.execute("SELECT manifest FROM bundles WHERE key = ?", (bundle.key,)).fetchone()
    derived = derivation_in_manifest(manifest) if RETURN_TOOL in manifest else None
    return derived is not None and derived.tool == RETURN_TOOL


def _reasons(line: bytes) -> tuple[str, ...]:
    """Return the reasons in a task's line; none for a damaged line, which is reported when the task is opened."""
    try:
        returned = msgspec.json.decode(line, type=prepared_type(_Line)).returned
    except msgspec.MsgspecError:
        return ()
    return (
        tuple(dict.fromkeys(comment.reason for comment in returned.comments if comment.reason))
        if returned is not None
        else ()
    )


class RatedBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that a rater has begun. `mark` is equal as long as the exported results would be."""

    bundle: BundleRow
    complete: int
    skipped: int
    mark: str

    @property
    def open(self) -> int:
        """Count the tasks that are neither complete nor skipped."""
        return self.bundle.tasks - self.complete - self.skipped


def list_rated_bundles(store: Store, rater: str) -> list[RatedBundle]:
    """Return the bundles of which the rater has completed or skipped tasks, by id, also those put away."""
    # Keys of revisions only grow. The hash distinguishes a rebuilt store from the original.
    query = """
        SELECT done.bundle, complete, skipped, sum, sha256 FROM (
            SELECT bundle, total(heads.status = 'complete') AS complete, total(heads.status = 'skipped') AS skipped,
                   total(heads.revision) AS sum, max(rating) AS newest
            FROM heads WHERE rater = ? AND position IS NOT NULL GROUP BY bundle) AS done
        JOIN ratings ON ratings.key = newest WHERE complete + skipped > 0
    """
    with store.reading("The progress of the bundles can't be read.") as db:
        counts_by_bundle = {bundle: counted for bundle, *counted in db.execute(query, (rater,))}
    rated = []
    for bundle in bundles.list_bundles(store, put_away=True):
        if bundle.id in counts_by_bundle:
            complete, skipped, *rest = counts_by_bundle[bundle.id]
            mark = sha256(canonical_json([bundle.revision, bundle.identity, complete, skipped, *rest]))
            rated.append(RatedBundle(bundle=bundle, complete=int(complete), skipped=int(skipped), mark=mark))
    return rated
