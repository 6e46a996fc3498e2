"""How far one rater is with each bundle, and a mark that changes with each of the rater's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.store import bundles
from desktop_rater.store.bundles import BundleRow

if TYPE_CHECKING:
    from desktop_rater.store.store import Store


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that a rater has begun. `mark` is equal as long as the same would leave."""

    bundle: BundleRow
    complete: int
    skipped: int
    mark: str

    @property
    def open(self) -> int:
        """How many tasks are neither complete nor skipped."""
        return self.bundle.tasks - self.complete - self.skipped


def listed(store: Store, rater: str) -> list[Rated]:
    """The bundles of which the rater has completed or skipped something, by id."""
    # Keys of revisions only grow. The hash tells a store that was put together anew from the one that it was.
    query = """
        SELECT done.bundle, complete, skipped, sum, sha256 FROM (
            SELECT bundle, total(heads.status = 'complete') AS complete, total(heads.status = 'skipped') AS skipped,
                   total(heads.revision) AS sum, max(rating) AS newest
            FROM heads WHERE rater = ? AND position IS NOT NULL GROUP BY bundle) AS done
        JOIN ratings ON ratings.key = newest WHERE complete + skipped > 0
    """
    with store.reading("How far the bundles are can't be read.") as db:
        found = {bundle: counted for bundle, *counted in db.execute(query, (rater,))}
    rated = []
    for bundle in bundles.listed(store):
        if bundle.id in found:
            complete, skipped, *rest = found[bundle.id]
            mark = sha256(canonical([bundle.revision, bundle.identity, complete, skipped, *rest]))
            rated.append(Rated(bundle=bundle, complete=int(complete), skipped=int(skipped), mark=mark))
    return rated
