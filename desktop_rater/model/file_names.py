"""Names of files that the program opens: which suffixes stand for bundles, results and records."""

from collections.abc import Sequence
from pathlib import Path

BUNDLE = ".rater"  # a zip, as is every bundle
ZIPS = (BUNDLE, ".zip")
RECORDS = frozenset({".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".xlsx", ".gz"})


def is_zip_name(path: Path) -> bool:
    """Return whether a file is a bundle or results by its name."""
    return path.suffix.lower() in ZIPS


def zip_suffix(path: Path) -> str:
    """Return the suffix for a bundle that is made of another."""
    return path.suffix if is_zip_name(path) else ".zip"


def is_source(path: Path) -> bool:
    """Return whether a file holds records: tasks of another shape, or annotations."""
    return path.suffix.lower() in RECORDS and not path.is_dir()


def can_open(paths: Sequence[Path]) -> bool:
    """Return whether files can be opened together: bundles, results and folders, or files of records."""
    return all(is_zip_name(path) or path.is_dir() for path in paths) or all(map(is_source, paths))
