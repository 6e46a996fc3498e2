"""Export formats of results."""

from collections.abc import Callable

from desktop_rater.bundle.results_out.annotation_tools import write_argilla, write_doccano
from desktop_rater.bundle.results_out.evaluation_logs import write_inspect, write_otel
from desktop_rater.bundle.results_out.label_studio import write_label_studio
from desktop_rater.bundle.results_out.table_files import write_csv, write_jsonl, write_parquet
from desktop_rater.bundle.results_out.web_annotation import write_web_annotation

TABLES: dict[str, Callable[..., None]] = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}
"""Writers of rows: `write(path, columns, rows, bom=…, metadata=…)`."""

DOCUMENTS: dict[str, Callable[..., None]] = {
    "doccano": write_doccano,
    "inspect": write_inspect,
    "otel": write_otel,
    "web-annotation": write_web_annotation,
}
"""Writers of rated tasks: `write(path, rated)`."""

PROJECTS: dict[str, tuple[Callable[..., bytes], str]] = {
    "argilla": (write_argilla, ".settings.json"),
    "label-studio": (write_label_studio, ".config.xml"),
}
"""Writers `write(path, rated, rubric)`, which return the project's configuration, and the suffix of its file."""

FORMATS = (*sorted((*TABLES, *DOCUMENTS, *PROJECTS)),)
