"""Export formats of results: tables, and those of plug-ins."""

from collections.abc import Callable
from typing import NamedTuple

from desktop_rater.hooks import hook, resolve
from desktop_rater.operations.results_tables.table_files import write_csv, write_jsonl, write_parquet

TABLES: dict[str, Callable[..., None]] = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
"""Writers of rows: `write(path, columns, rows, bom=…, metadata=…)`."""


class ResultsFormat(NamedTuple):
    """Export format of a plug-in, whose writer `write(path, rated)` gets rated tasks.

    One with a suffix is that of a project: `write(path, rated, rubric)` returns the configuration for a file with it.
    """

    write: Callable[..., bytes | None]
    config_suffix: str = ""


def format_names() -> list[str]:
    """Return the names of all export formats."""
    return sorted({*TABLES, *hook("results_formats")})


def find_format(name: str) -> ResultsFormat:
    """Return an export format that is no table."""
    return resolve(hook("results_formats")[name])
