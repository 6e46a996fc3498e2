"""Take the pages that results carry into another store, so that their evidence opens there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.results import open_results
from desktop_rater.model.change import Change
from desktop_rater.store import snapshots
from desktop_rater.work.stored_pages import note

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store


class Taken(Change, frozen=True, kw_only=True):
    """`new` pages came in, `known` ones were there; `broken`: the SHA-256 of those of which nothing can be read."""

    bundle: str
    new: int
    known: int
    broken: tuple[str, ...] = ()


def take_pages(store: Store, path: Path, progress: Progress) -> Taken:
    """Store each page of a results zip. Raises `RaterError`; what came in before that stays, it does no harm."""
    with open_results(path) as results:
        new = [sha256 for sha256 in results.snapshots if snapshots.intact(store.folder, sha256) is None]
        total = len(results.snapshots)
        for done, sha256 in enumerate(results.snapshots, 1):
            snapshots.keep(store.folder, sha256, results.snapshot(sha256))
            progress(done, total)
        bundle = results.manifest.bundle.id
        noted = note(store, bundle, results.snapshots, progress)
        return Taken(bundle=bundle, new=len(new), known=total - len(new), broken=noted.broken)
