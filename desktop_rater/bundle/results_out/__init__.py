"""Formats that results are turned into, for the tools of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.bundle.results_out.parquet import write_parquet
from desktop_rater.bundle.results_out.tables import write_csv, write_jsonl

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES: dict[str, Callable[..., None]] = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
"""Rows to a file: `write(path, columns, rows, bom=…)`."""

LABEL_STUDIO, WEB_ANNOTATION = "label-studio", "web-annotation"

FORMATS = (*sorted((*TABLES, LABEL_STUDIO, WEB_ANNOTATION)),)
