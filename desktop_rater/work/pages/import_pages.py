"""Import the stored pages in results, so that their evidence opens in another store."""

from datetime import datetime
from pathlib import Path

from desktop_rater.audit.results import origin_of
from desktop_rater.bundle.results import open_results
from desktop_rater.files import file_sha256
from desktop_rater.model.change import Change, Progress
from desktop_rater.model.values import format_time
from desktop_rater.store import snapshots
from desktop_rater.store.pages import PageOrigin
from desktop_rater.store.store import Store
from desktop_rater.work.pages.stored_pages import record_pages


class ImportedPages(Change, frozen=True, kw_only=True):
    """Outcome of an import. `new` pages were added, `known` ones were there; `broken`: SHA-256 of unreadable ones."""

    bundle: str
    new: int
    known: int
    broken: tuple[str, ...] = ()


def import_pages(store: Store, path: Path, progress: Progress, now: datetime) -> ImportedPages:
    """Store each page of a results zip, as coming from its rater.

    Raises `RaterError`; pages stored before that remain, which is harmless.
    """
    with open_results(path) as results:
        new = [sha256 for sha256 in results.snapshots if snapshots.intact_snapshot(store.folder, sha256) is None]
        total = len(results.snapshots)
        for index, sha256 in enumerate(results.snapshots, 1):
            snapshots.store_snapshot(store.folder, sha256, results.snapshot(sha256))
            progress(index, total)
        manifest = results.manifest
        origin = PageOrigin(
            kind="results",
            bundle=origin_of(manifest).bundle,
            rater=manifest.rater,
            results=file_sha256(path),
            arrived=format_time(now),
        )
        broken = record_pages(store, origin, results.snapshots, progress)
        return ImportedPages(bundle=manifest.bundle.id, new=len(new), known=total - len(new), broken=broken)
