"""Records of files, as a map names them, and their conversion to tasks; maps of columns, the short form."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from desktop_rater.format.errors import BundleError, BundleFault, bundle_errors
from desktop_rater.format.jsonl import read_small_text
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.plugins.convert.conversion import (
    ANOTHER,
    ConvertedRecord,
    OmittedRecord,
    columns_in,
    put_member,
    quote_names,
)
from desktop_rater.plugins.convert.maps.mapped_task import MappedTask, apply_map
from desktop_rater.plugins.convert.maps.record_map import (
    FIELDS_TEXT,
    FileJoin,
    RecordMap,
    checked_map,
    label_text,
    matches,
    read_map,
)
from desktop_rater.plugins.convert.source import MOST_OF_A_LIST, SourceRecords, container_of

CSV, JSONL, MAP = "csv", "jsonl", "map"
_SUFFIXES_OF_JSON = (".json", ".jsonl", ".ndjson", ".geojson")
_HINT_JOIN = "Put it beside the source, or correct `file` in the map. Nothing was written."


class MapSource:
    """Records of files: lines, entries of a list, rows of a table, or what `records` of the map names in an object.

    Iterating yields (line, record), with joined files in it. Raises `BundleError`; with `skip` of the map, lines that
    can't be read go to `left_out` instead. `kind`: `csv` or `jsonl`; by default found for each file.
    """

    def __init__(
        self, records: SourceRecords, record_map: RecordMap, *, kind: str = MAP, delimiter: str | None = None
    ) -> None:
        self.left_out: list[OmittedRecord] = []
        self._records = records
        self._map = record_map
        self._kind = kind
        self._delimiter = delimiter
        self._joined: dict[Path, list[dict[str, dict[str, Any]]]] = {}

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        records = self._records
        if self._map.skip and records.on_fault is None:
            records.on_fault = lambda line, why: self.left_out.append(OmittedRecord(line=line, why=why))
        for path in records.files():
            joined = self._joins(path.parent)
            for line, plain in self._objects(path):
                with records.record(line):
                    for record in self._within(line, plain) if self._map.records else [plain]:
                        yield line, self._with_partners(record, joined) if joined else record

    def _objects(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        with self._records.translate_errors():
            text = not container_of(path)
        names = [suffix.lower() for suffix in path.suffixes]
        json = self._kind == JSONL or any(name in _SUFFIXES_OF_JSON for name in names)
        if text and self._kind != JSONL and (self._kind == CSV or not (json or self._records.begins_as_json(path))):
            wanted = self._map.fields.values() if self._kind == CSV else ()
            yield from self._records.table_of(path, self._delimiter, wanted)
            return
        whole: dict[str, Any] = {}
        first = 0
        for line, key, value in self._records.members_of(path):
            if key is None:
                yield line, value
                continue
            first = first or line
            with self._records.translate_errors():
                put_member(whole, key, value, line)
        if whole:
            yield first, whole

    def _within(self, line: int, plain: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the records that `records` names in an object of a file."""
        chosen = self._map.records.startswith("[")  # of the objects themselves
        path = f'""{self._map.records}' if chosen else self._map.records
        given = [match.value for match in matches({"": [plain]} if chosen else plain, path)]
        records = given[0] if len(given) == 1 and isinstance(given[0], list) else given
        if chosen and not given:
            self.left_out.append(OmittedRecord(line=line, why=f"the map chooses other records, {self._map.records}"))
        elif not given:
            raise BundleFault(f"line {line}: there is nothing at the path of the records, {self._map.records!r}")
        for number, record in enumerate(records, 1):
            if isinstance(record, dict):
                yield record
            else:
                with self._records.record(line):
                    raise BundleFault(f"line {line}, record {number}: not an object")

    def _joins(self, folder: Path) -> list[dict[str, dict[str, Any]]]:
        """Return, for each join of the map, the records of its file by their key."""
        if folder not in self._joined:
            self._joined[folder] = [self._partners(join, folder / join.file) for join in self._map.joins]
        return self._joined[folder]

    def _partners(self, join: FileJoin, path: Path) -> dict[str, dict[str, Any]]:
        with self._records.translate_errors():
            if join.file in (".", "..") or Path(join.file).name != join.file:
                raise BundleFault(f"The map joins {join.file!r}, which is not the name of a file", _HINT_JOIN)
            if not path.is_file():
                raise BundleFault(f"The file {join.file} that the map joins is missing", _HINT_JOIN)
            if path.stat().st_size > MOST_OF_A_LIST:
                raise BundleFault(f"{join.file} has more than {MOST_OF_A_LIST:,} bytes, too many to join")
        partners: dict[str, dict[str, Any]] = {}
        inner = RecordMap(fields={}, records=join.records)
        for _, record in MapSource(SourceRecords([path], LIMITS), inner):
            for match in matches(record, join.key):
                partners.setdefault(label_text(match.value), record)
        return partners

    def _with_partners(self, record: dict[str, Any], joined: list[dict[str, dict[str, Any]]]) -> dict[str, Any]:
        for join, partners in zip(self._map.joins, joined, strict=True):
            keys = [label_text(match.value) for match in matches(record, join.on)]
            partner = next((partners[key] for key in keys if key in partners), None)
            if partner is not None:
                record = {**record, join.name: {key: part for key, part in partner.items() if key != join.key}}
        return record


def convert_mapped(
    records: SourceRecords, record_map: RecordMap, *, kind: str = MAP, delimiter: str | None = None
) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each record. Raises `BundleError` with the line for a wrong value, unless the map skips it."""
    source = MapSource(records, record_map, kind=kind, delimiter=delimiter)
    ids: dict[str, str] = {}
    names: dict[str, None] = {}
    never_seen = set(record_map.fields.values()) if kind == JSONL else set()
    count = 0
    for count, (line, record) in enumerate(source, 1):
        if never_seen:
            never_seen = {path for path in never_seen if not matches(record, path)}
            names.update(dict.fromkeys(record))
        mapped = apply_map(record_map, record, id_=f"{kind}-{count:04}", where=f"line {line}", source=kind)
        if mapped.task is not None:
            mapped.task["meta"] = {"source": kind, "line": line, **mapped.task["meta"]}
            id_, place = mapped.task["id"], f"line {line} of {records.path.name}"
            before = ids.setdefault(id_, place)
            if before is not place:
                mapped = MappedTask(task=None, id=id_, why=f'the id "{id_}" is used in {before} already', fault=True)
        yield from source.left_out
        source.left_out.clear()
        with records.record(line):
            if mapped.fault and not record_map.skip:
                raise BundleFault(mapped.why if mapped.why.startswith("line ") else f"line {line}: {mapped.why}")
            yield _converted(line, mapped)
    yield from source.left_out
    if never_seen and count:
        with records.translate_errors():
            words = f"No key is called {quote_names(sorted(never_seen))}; there are {quote_names(names)}"
            raise BundleFault(words, ANOTHER)


def _converted(line: int, mapped: MappedTask) -> ConvertedRecord | OmittedRecord:
    if mapped.task is None:
        return OmittedRecord(line=line, why=mapped.why.removeprefix(f"line {line}, "), name=mapped.id)
    counts = {
        "unknown_labels": sum(mapped.unknown_labels.values()),
        "empty_responses": sum(not response["text"].strip() for response in mapped.task["responses"]),
        "missing_responses": len(mapped.without_response),
    }
    return ConvertedRecord(
        line=line,
        task=mapped.task,
        rating=mapped.rating,
        unplaced=mapped.unplaced,
        aligned=mapped.aligned,
        loose=True,
        counts={name: count for name, count in {**mapped.counts, **counts}.items() if count},
    )


MAPPED_FORMATS = (CSV, JSONL)
"""Formats whose columns are mapped."""

_DELIMITERS = {"tab": "\t", r"\t": "\t", "comma": ",", "semicolon": ";", "bar": "|"}
_FIELDS = "id|prompt|lang|history|messages|reference|targets|claims|response|context|tools|meta"
_BORDER = re.compile(rf",(?=\s*(?:{_FIELDS})(?:\.[^=,]*)?\s*=)")
_STRANGE = re.compile(r",\s*([\w.]+)\s*=")
_GUESSED = re.compile(
    r"id|prompt|lang|history|reference|(?:response|context)(?:\.[^.=]+)?|response\.[^.=]+\.format|meta\..+"
)
_SYNONYMS = {"prompt": ("question", "query", "instruction", "input"), "response": ("answer", "output", "completion")}
_HINT_GUESSED = (
    "Nothing was written. Name the columns, like --columns prompt=question,response=answer, or of two responses "
    "response.a=… and response.b=…. `bundle map` proposes which."
)
_HINT = "Nothing was written. Write it like prompt=question,response.a=answer,meta.topic=subject."


def read_column_map(given: str) -> RecordMap:
    """Read a map given by a user: as text, or as the path of a TOML file. Raises `BundleError`."""
    with bundle_errors("The column map", "used", _HINT):
        if given.endswith(".toml"):
            return read_map(read_small_text(Path(given)), Path(given).name)
        return checked_map(_parsed_text(given))


def map_of_columns(columns: Mapping[str, str]) -> RecordMap:
    """Return the map of fields to columns. Raises `BundleError`."""
    with bundle_errors("columns", "used", _HINT):
        return checked_map(columns.items())


def guessed_column_map(names: Iterable[str]) -> RecordMap:
    """Return the map of columns named like the fields, or by a synonym. Raises `BundleError` without both texts."""
    columns = list(names)
    fields = {name: name for name in columns if _GUESSED.fullmatch(name)}
    for field, synonyms in _SYNONYMS.items():
        column = next((name for name in synonyms if name in columns), None)
        if column is not None and not any(name.partition(".")[0] == field for name in fields):
            fields[field] = column
    with bundle_errors("The column map", "guessed", _HINT_GUESSED):
        return checked_map(fields.items())


def _parsed_text(given: str) -> Iterator[tuple[str, str]]:
    for part in _BORDER.split(given):
        strange = _STRANGE.search(part)
        if strange:
            raise BundleFault(f"A task has no field {strange[1]!r}; there are {FIELDS_TEXT}")
        field, equals, column = part.partition("=")
        if not equals or not column.strip():
            raise BundleFault(f"{part.strip()!r} is not a pair of field and column")
        yield field.strip(), column.strip()


def column_converter(
    source: str, files: Sequence[Path], columns: str | None, delimiter: str | None
) -> tuple[Callable[[SourceRecords], Iterator[ConvertedRecord | OmittedRecord]], str]:
    """Return the converter, and the matching rubric: one for pairs if there are two responses.

    `columns`: a map, or its TOML file; by default columns named like the fields are used. Raises `BundleError`.
    """
    character = parse_delimiter(delimiter)
    column_map = read_column_map(columns) if columns else guessed_column_map(_names(source, files, character))
    converter = partial(convert_mapped, record_map=column_map, kind=source, delimiter=character)
    return converter, column_map.default_rubric


def _names(source: str, files: Sequence[Path], delimiter: str | None) -> list[str]:
    records = SourceRecords(files[:1], LIMITS)
    with records.translate_errors():
        if source == JSONL or container_of(files[0]):
            return [name for _, first in islice(records, 1) for name in first]
    for pieces in records.pieces():
        with records.translate_errors():
            return columns_in(pieces, delimiter, LIMITS)
    return []


def parse_delimiter(delimiter: str | None) -> str | None:
    """Return the character that a user gave for the delimiter of tables. Raises `BundleError`."""
    if delimiter is None:
        return None
    sign = _DELIMITERS.get(delimiter.lower(), delimiter)
    if len(sign) != 1 or sign in '"\r\n\0':
        raise BundleError(
            "The delimiter can't be used", f"{delimiter!r} is not a single character.", "Write it like ; or tab."
        )
    return sign
