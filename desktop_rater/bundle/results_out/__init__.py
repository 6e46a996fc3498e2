"""Export formats of results."""

from collections.abc import Callable

from desktop_rater.bundle.results_out.table_files import write_csv, write_jsonl, write_parquet
from desktop_rater.bundle.results_out.web_annotation import write_web_annotation

TABLES: dict[str, Callable[..., None]] = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
"""Writers of rows: `write(path, columns, rows, bom=…, metadata=…)`."""

DOCUMENTS: dict[str, Callable[..., None]] = {"web-annotation": write_web_annotation}
"""Writers of rated tasks: `write(path, rated)`."""

LABEL_STUDIO = "label-studio"

FORMATS = (*sorted((*TABLES, *DOCUMENTS, LABEL_STUDIO)),)
