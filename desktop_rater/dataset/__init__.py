"""Results as Parquet tables: written schema, build from results zips, and what reads them."""

from pathlib import Path


def is_dataset(folder: Path) -> bool:
    """Tell if a folder looks like a dataset."""
    return (folder / "manifest.json").is_file() and (folder / "results").is_dir()
