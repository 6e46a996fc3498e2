"""Results as Parquet tables: written schema, build from results zips, and what reads them."""

import os
from pathlib import Path


def is_dataset(folder: Path) -> bool:
    """Tell if a folder looks like a dataset; false if it can't be examined: opening it then reports the reason."""
    return os.path.isfile(folder / "manifest.json") and os.path.isdir(folder / "results")  # noqa: PTH112, PTH113
