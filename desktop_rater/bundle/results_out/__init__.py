"""Export formats of results."""

from collections.abc import Callable

from desktop_rater.bundle.results_out.tables import write_csv, write_jsonl, write_parquet

TABLES: dict[str, Callable[..., None]] = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
"""Writers of rows: `write(path, columns, rows, bom=…)`."""

LABEL_STUDIO, WEB_ANNOTATION = "label-studio", "web-annotation"

FORMATS = (*sorted((*TABLES, LABEL_STUDIO, WEB_ANNOTATION)),)
