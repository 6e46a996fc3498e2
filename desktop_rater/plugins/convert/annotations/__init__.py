"""Readers of what people answered in other tools, each to `SourceRatings`: annotations by task and rater."""

from collections.abc import Callable, Collection
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.format.errors import BundleError, bundle_errors
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.format.strict_json import BOM
from desktop_rater.plugins.convert.annotations.annotation import (
    ANN,
    CONLL_SUFFIXES,
    HINT,
    SourceRatings,
    SourceRecord,
    objects_in,
    source_files,
)
from desktop_rater.plugins.convert.annotations.corpora import (
    BRAT,
    CONLL,
    DOCSTART,
    INCEPTION,
    TSV_HEAD,
    read_brat,
    read_conll,
    read_inception,
)
from desktop_rater.plugins.convert.annotations.mapped import TABLE, guess_rating_map, read_mapped
from desktop_rater.plugins.convert.annotations.tools import (
    ARGILLA,
    DOCCANO,
    LANGFUSE,
    OPIK,
    POTATO,
    PRODIGY,
    read_argilla,
    read_doccano,
    read_label_studio,
    read_langfuse,
    read_opik,
    read_potato,
    read_prodigy,
)
from desktop_rater.plugins.convert.chat.traces import trace_dialect
from desktop_rater.plugins.convert.formats.label_studio import NAME as LABEL_STUDIO
from desktop_rater.plugins.convert.maps import MapSource, RecordMap
from desktop_rater.plugins.convert.maps.map_source import JSONL
from desktop_rater.plugins.convert.maps.record_map import RatingMap
from desktop_rater.plugins.convert.source import SourceRecords, container_of

READERS: dict[str, Callable[[SourceRatings, SourceRecord], None]] = {
    ARGILLA: read_argilla,
    DOCCANO: read_doccano,
    LABEL_STUDIO: read_label_studio,
    LANGFUSE: read_langfuse,
    OPIK: read_opik,
    POTATO: read_potato,
    PRODIGY: read_prodigy,
}
"""Readers of one record of the tools' exports: what it says is added to the ratings."""

FORMATS = (*sorted([*READERS, BRAT, CONLL, INCEPTION]), TABLE)
_ROWS = 100


class AnnotationFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Files to read: `tool` is one of `FORMATS`, "" to find out; `record_map` says what a table's columns are."""

    paths: tuple[Path, ...]
    tool: str = ""
    record_map: RecordMap | None = None
    delimiter: str | None = None


def read_annotations(files: AnnotationFiles, questions: Collection[str]) -> SourceRatings:
    """Return the annotations of files, of zips and of folders of them. Raises `BundleError`.

    `questions`: those of the rubric, for columns that are named like them.
    """
    with source_files(files.paths) as (sources, others):
        paths = [file.path for file in sources]
        if not paths:
            raise BundleError(f"{files.paths[0].name} holds no annotations", hint=HINT)
        tool = files.tool or detect_tool(paths[0])
        records = SourceRecords(paths, LIMITS)
        if tool == INCEPTION:
            source = read_inception(records, sources)
        elif tool == BRAT:
            source = read_brat(records, sources)
        elif tool == CONLL:
            source = read_conll(records, sources, files.record_map.ratings if files.record_map is not None else None)
        elif tool == TABLE:
            record_map = files.record_map
            ratings = record_map.ratings if record_map is not None else None
            if record_map is None or ratings is None or not ratings.rater:
                rows = MapSource(SourceRecords(paths[:1], LIMITS), RecordMap(fields={}), delimiter=files.delimiter)
                columns = dict.fromkeys(name for _, row in islice(rows, _ROWS) for name in row)
                record_map = guess_rating_map(columns, questions, ratings or RatingMap(), paths[0].name)
            source = read_mapped(records, record_map, files.delimiter)
        else:
            source = SourceRatings(tool)
            raters = {file.path: file.rater for file in sources}
            records.on_fault = source.leave_out(records)
            for number, (line, plain) in enumerate(MapSource(records, RecordMap(fields={}), kind=JSONL), 1):
                where = f"{records.path.name}, line {line}"
                with records.record(line):
                    READERS[tool](source, SourceRecord(where, line, number, plain, raters[records.path]))
        for name in others:
            source.losses.add("file", name)
        source.losses.add("number", files.paths[0].name, records.numbers)
        return source


def detect_tool(path: Path) -> str:
    """Return the tool that wrote a file, by what is in it; a table if nothing else fits. Raises `BundleError`."""
    with bundle_errors(path, "read", HINT):
        with path.open("rb") as file:
            start = file.read(len(BOM + TSV_HEAD)).removeprefix(BOM)
        heads = {
            INCEPTION: start.startswith(TSV_HEAD),
            BRAT: path.suffix.lower() == ANN,
            CONLL: start.startswith(DOCSTART.encode()) or path.suffix.lower() in CONLL_SUFFIXES,
        }
        if tool := next((name for name, holds in heads.items() if holds), ""):
            return tool
        records = SourceRecords([path], LIMITS)
        if container_of(path) or not records.begins_as_json(path):
            return TABLE
        whole: dict[str, Any] = {}
        for _, key, value in records.members_of(path):
            if key is None:
                return _tool_of_record(value)
            whole[key] = value
            if key in _KEYS:
                return _KEYS[key]
        return _tool_of_record(whole)


_KEYS = {
    "%TYPES": INCEPTION,
    "%FEATURE_STRUCTURES": INCEPTION,
    "instance_id_to_label_to_value": POTATO,
    "instance_id_to_span_to_value": POTATO,
}
"""Key of a file that is one object → the tool that wrote it."""


def _tool_of_record(record: dict[str, Any]) -> str:
    record = next(iter(objects_in(record.get("data"))), record)  # of a page
    keys = record.keys()
    labels = next((record[key] for key in ("label", "entities", "labels") if isinstance(record.get(key), list)), None)
    signs = {
        LABEL_STUDIO: isinstance(record.get("data"), dict) and keys & {"annotations", "predictions"},
        POTATO: keys & {"label_annotations", "span_annotations"},
        PRODIGY: keys & {"_task_hash", "_input_hash", "_annotator_id"},
        ARGILLA: (isinstance(record.get("fields"), dict) and "responses" in keys)
        or any(key.endswith(".responses") for key in keys),
        DOCCANO: labels is not None and keys & {"text", "data"} and "annotations" not in keys,
        LANGFUSE: keys >= {"traceId", "name", "source"} or trace_dialect(record) == LANGFUSE,
        OPIK: trace_dialect(record) == OPIK,
    }
    return next((tool for tool, sign in signs.items() if sign), TABLE)
