"""Open results: import them, and make the list of their places, so that the review starts at once."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.store.store import Store
from desktop_rater.work.audit.import_results import ImportedResults, import_results
from desktop_rater.work.audit.listed_places import refresh_listing


def open_results(
    store: Store, paths: Sequence[Path], *, lead: str, now: datetime, progress: Progress
) -> ImportedResults:
    """Import results, bundle copies and raters' keys, as `import_results` does, and list the places of their audits."""
    imported = import_results(store, paths, lead=lead, now=now, progress=progress)
    for bundle in sorted(imported.audits):
        # The results are in the store. What is wrong with an audit is said to whoever opens it.
        with suppress(RaterError):
            refresh_listing(store, bundle, lambda: progress(len(imported.took), len(imported.took)))
    return imported
