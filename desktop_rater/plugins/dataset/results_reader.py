"""Results that a lead opens as a folder with a dataset."""

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import ImportedResults
from desktop_rater.store.store import Store
from desktop_rater.ui.widgets.banners import Banners


class DatasetReader:
    """Reads one dataset at a time."""

    def choose(self, paths: Sequence[Path]) -> list[Path]:
        return [path for path in paths if is_dataset(path)][:1]

    def read(
        self,
        store: Store,
        paths: list[Path],
        *,
        audit: str,  # noqa: ARG002 - a dataset names its bundles
        lead: str,
        now: datetime,
        progress: Progress,
    ) -> ImportedResults:
        from desktop_rater.plugins.dataset.open_dataset import open_dataset  # noqa: PLC0415 - only when it is used

        return open_dataset(store, paths[0], lead=lead, now=now, progress=progress)

    def show(self, imported: ImportedResults, banners: Banners) -> None:
        """Show nothing more."""


def is_dataset(folder: Path) -> bool:
    """Tell if a folder looks like a dataset; false if it can't be examined: opening it then reports the reason."""
    return os.path.isfile(folder / "manifest.json") and os.path.isdir(folder / "results")  # noqa: PTH112, PTH113
