"""Convert tables and JSON lines of any shape, by a map from columns to fields of a task."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from desktop_rater.bundle.convert.azure_messages import turn_of
from desktop_rater.bundle.convert.conversion import ConvertedRecord, OmittedRecord, json_type
from desktop_rater.bundle.convert.source import SourceRecords
from desktop_rater.bundle.convert.tables import ANOTHER, quote_names, rows_by_column
from desktop_rater.bundle.errors import BundleFault, bundle_errors
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.bundle.limits import LIMITS

PROMPT, RESPONSE, CONTEXT, META = "prompt", "response", "context", "meta"
FORMAT = "format"
FIRST = "a"
"""Default id of a response."""

_SINGLE = ("id", PROMPT, "lang", "history", "reference")
_SEVERAL = (RESPONSE, CONTEXT, META)
_FIELD = re.compile(
    rf"(?:{'|'.join(_SINGLE)})|(?:{RESPONSE}|{CONTEXT})(?:\.[^.=]+)?|{RESPONSE}\.[^.=]+\.format|meta\.[^=]+"
)
_BORDER = re.compile(rf",(?=\s*(?:{'|'.join((*_SINGLE, *_SEVERAL))})(?:\.[^=,]*)?\s*=)")
_STRANGE = re.compile(r",\s*([\w.]+)\s*=")
_FIELDS = "id, prompt, lang, history, response.ID, response.ID.format, reference, context.ID and meta.NAME"
_HINT = "Nothing was written. Write it like prompt=question,response.a=answer,meta.topic=subject."
_PAIR = 2


class ColumnMap(msgspec.Struct, frozen=True, kw_only=True):
    """Field of a task → column, in the given order."""

    fields: dict[str, str]

    def of(self, kind: str) -> Iterator[tuple[str, str]]:
        """Yield (part after the full stop, column) of each field of that kind."""
        for field, column in self.fields.items():
            name, _, rest = field.partition(".")
            if name == kind:
                yield rest, column

    @property
    def responses(self) -> dict[str, str]:
        return {id_ or FIRST: column for id_, column in self.of(RESPONSE) if not id_.endswith(f".{FORMAT}")}

    @property
    def needed(self) -> set[str]:
        return set(self.fields.values())

    @property
    def pair(self) -> bool:
        return len(self.responses) == _PAIR


def read_column_map(given: str) -> ColumnMap:
    """Read a map given by a user: as text, or as the path of a TOML file. Raises `BundleError`."""
    with bundle_errors("The column map", "used", _HINT):
        if given.endswith(".toml"):
            return _checked(_parsed_toml(Path(given)))
        return _checked(_parsed_text(given))


def guessed_column_map(names: Iterable[str]) -> ColumnMap:
    """Return the map of columns named like the fields. Raises `BundleError` without prompt or response."""
    with bundle_errors("The column map", "guessed", _HINT):
        return _checked((name, name) for name in names if _FIELD.fullmatch(name))


def _parsed_text(given: str) -> Iterator[tuple[str, str]]:
    for part in _BORDER.split(given):
        strange = _STRANGE.search(part)
        if strange:
            raise BundleFault(f"A task has no field {strange[1]!r}; there are {_FIELDS}")
        field, equals, column = part.partition("=")
        if not equals or not column.strip():
            raise BundleFault(f"{part.strip()!r} is not a pair of field and column")
        yield field.strip(), column.strip()


def _parsed_toml(path: Path) -> Iterator[tuple[str, str]]:
    try:
        plain = tomllib.loads(read_small_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BundleFault(f"{path.name} is not TOML: {error}") from error
    except RecursionError as error:
        raise BundleFault(f"{path.name} is nested too deeply") from error
    yield from _flat(plain, "", path)


def _flat(plain: Mapping[str, Any], before: str, path: Path) -> Iterator[tuple[str, str]]:
    for key, value in plain.items():
        field = f"{before}.{key}" if before else key
        if isinstance(value, dict):
            yield from _flat(value, field, path)
        elif isinstance(value, str):
            yield field, value
        else:
            raise BundleFault(f"{path.name}: {field} is not a text; it should be the name of a column")


def _checked(pairs: Iterable[tuple[str, str]]) -> ColumnMap:
    fields: dict[str, str] = {}
    for field, column in pairs:
        if not _FIELD.fullmatch(field):
            raise BundleFault(f"A task has no field {field!r}; there are {_FIELDS}")
        if field in fields or (field == f"{RESPONSE}.{FIRST}" and RESPONSE in fields):
            raise BundleFault(f"{field} is named twice")
        fields[field] = column
    columns = ColumnMap(fields=fields)
    if PROMPT not in fields or not columns.responses:
        raise BundleFault(f"It does not say which column is the {PROMPT if PROMPT not in fields else RESPONSE}")
    if RESPONSE in fields and f"{RESPONSE}.{FIRST}" in fields:
        raise BundleFault(f"{RESPONSE} and {RESPONSE}.{FIRST} are the same response")
    return columns


MISSING = object()


def leaf(record: Mapping[str, Any], name: str) -> Any:
    """Return the value of a key with this exact name, otherwise of the dotted path; `MISSING` if there is none."""
    value: Any = record
    for key in _path(record, name):
        if not isinstance(value, dict) or key not in value:
            return MISSING
        value = value[key]
    return value


def without_leaves(record: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return a copy of the record without these values, and without objects that become empty."""
    rest = record
    for name in names:
        rest = _without(rest, _path(record, name))
    return rest


def _path(record: Mapping[str, Any], name: str) -> list[str]:
    return [name] if name in record else name.split(".")


def _without(plain: dict[str, Any], way: list[str]) -> dict[str, Any]:
    key, *below = way
    if key not in plain:
        return plain
    part = plain[key]
    if below:
        if not isinstance(part, dict):
            return plain
        rest = _without(part, below)
        if rest:
            return {**plain, key: rest}
    return {name: value for name, value in plain.items() if name != key}


CSV, JSONL = "csv", "jsonl"
_FORMATS = ("plain", "markdown")


def convert_csv(
    records: SourceRecords, columns: ColumnMap, delimiter: str | None
) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each row. Raises `BundleError` with the line number, and for a missing column."""
    tasks = _Tasks(CSV, columns, records)
    for pieces in records.pieces():
        with records.translate_errors():
            for line, row in rows_by_column(pieces, delimiter, columns.needed, LIMITS):
                yield tasks.next(line, records.cleaned(row))


def convert_jsonl(records: SourceRecords, columns: ColumnMap) -> Iterator[ConvertedRecord | OmittedRecord]:
    """Yield a task for each object; a column is a key, or a dotted path of keys. Raises `BundleError` as above."""
    tasks = _Tasks(JSONL, columns, records)
    for line, record in records:
        with records.translate_errors():
            task = tasks.next(line, record)
        yield task
    with records.translate_errors():
        tasks.refuse_never_seen()


class _Tasks:
    """Converter of rows to tasks; checks ids and columns over all rows."""

    def __init__(self, kind: str, columns: ColumnMap, records: SourceRecords) -> None:
        self._kind = kind
        self._columns = columns
        self._records = records
        self._count = 0
        self._ids: dict[str, str] = {}
        self._names: dict[str, None] = {}
        self._never_seen = set(columns.needed)

    def next(self, line: int, row: dict[str, Any]) -> ConvertedRecord | OmittedRecord:
        """Return the task of a row, or why there is none. Raises `BundleFault` for a value of the wrong type."""
        self._count += 1
        if self._never_seen:
            self._never_seen = {name for name in self._never_seen if leaf(row, name) is MISSING}
            self._names.update(dict.fromkeys(row))
        fields = _Row(row, f"line {line}", self._columns)
        id_ = fields.id or f"{self._kind}-{self._count:04}"
        missing = fields.missing()
        if missing:
            return OmittedRecord(line=line, why=missing, name=fields.id)
        plain = fields.task(id_, {"source": self._kind, "line": line})
        place = f"line {line} of {self._records.path.name}"
        before = self._ids.setdefault(id_, place)
        if before is not place:
            raise BundleFault(f'line {line}: the id "{id_}" is used in {before} already')
        return ConvertedRecord(line=line, task=plain)

    def refuse_never_seen(self) -> None:
        """Raise `BundleFault` for keys that no object has."""
        if self._never_seen and self._count:
            words = f"No key is called {quote_names(sorted(self._never_seen))}; there are {quote_names(self._names)}"
            raise BundleFault(words, ANOTHER)


class _Row:
    """Row of a table, read as the fields of a task."""

    def __init__(self, row: dict[str, Any], where: str, columns: ColumnMap) -> None:
        self._row = row
        self._where = where
        self._columns = columns
        self.id = self._id()

    def missing(self) -> str:
        """Return why there is no task; "" if there is one."""
        fields = self._columns.fields
        if "id" in fields and not self.id:
            return f'its id is missing (column "{fields["id"]}")'
        if self._text(fields[PROMPT]) is None:
            return f'its prompt is missing (column "{fields[PROMPT]}")'
        if not self._responses():
            names = ", ".join(f'"{column}"' for column in self._columns.responses.values())
            return f"it has no response (column {names})"
        return ""

    def task(self, id_: str, meta: dict[str, Any]) -> dict[str, Any]:
        """Return the task as plain JSON. Columns not in the map go to `meta` under their own names."""
        fields = self._columns.fields
        prompt = {"text": self._text(fields[PROMPT]) or ""}
        if lang := self._optional("lang"):
            prompt["lang"] = lang
        plain: dict[str, Any] = {"id": id_, "prompt": prompt, "responses": self._responses()}
        if history := _turns_of(self._value(fields.get("history")), self._place("history")):
            plain["history"] = history
        if context := self._context():
            plain["context"] = context
        if reference := self._optional("reference"):
            plain["reference"] = reference
        return {**plain, "meta": {**meta, **without_leaves(self._row, self._columns.needed), **self._meta()}}

    def _id(self) -> str:
        value = self._value(self._columns.fields.get("id"))
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None and not isinstance(value, str):
            raise BundleFault(f"{self._place('id')} is {json_type(value)}, not a text")
        return (value or "").strip()

    def _responses(self) -> list[dict[str, Any]]:
        formats = {id_.removesuffix(f".{FORMAT}"): column for id_, column in self._columns.of(RESPONSE)}
        responses = []
        for id_, column in self._columns.responses.items():
            text = self._text(column)
            if text is None or not text.strip():
                continue
            response = {"id": id_, "text": text}
            if f"{RESPONSE}.{id_}.{FORMAT}" in self._columns.fields:
                response[FORMAT] = self._format(formats[id_])
            responses.append(response)
        return responses

    def _format(self, column: str) -> str:
        format_ = (self._text(column) or _FORMATS[0]).strip().lower()
        if format_ not in _FORMATS:
            raise BundleFault(f'{self._where}, column "{column}": {format_!r} is neither plain nor markdown')
        return format_

    def _context(self) -> list[dict[str, Any]]:
        documents: list[dict[str, Any]] = []
        for id_, column in self._columns.of(CONTEXT):
            documents += _documents_of(self._value(column), id_, f'{self._where}, column "{column}"')
        seen: set[str] = set()
        for document in documents:
            number = 2
            wanted = document["id"]
            while document["id"] in seen:
                document["id"] = f"{wanted}-{number}"
                number += 1
            seen.add(document["id"])
        return documents

    def _meta(self) -> dict[str, Any]:
        return {name: value for name, column in self._columns.of(META) if (value := self._value(column)) is not None}

    def _optional(self, field: str) -> str:
        column = self._columns.fields.get(field)
        return (self._text(column) or "") if column else ""

    def _text(self, column: str) -> str | None:
        """Return the text of a column; `None` if the row has none. Raises `BundleFault` for another type."""
        value = self._value(column)
        if value is not None and not isinstance(value, str):
            raise BundleFault(f'{self._where}, column "{column}" is {json_type(value)}, not a text')
        return value

    def _value(self, column: str | None) -> Any:
        value = MISSING if column is None else leaf(self._row, column)
        return None if value is MISSING else value

    def _place(self, field: str) -> str:
        return f'{self._where}, column "{self._columns.fields.get(field, "")}"'


_TEXT_KEYS = ("text", "content")  # of a document


def _documents_of(value: Any, id_: str, where: str) -> list[dict[str, Any]]:
    """Return documents: a text or an object with a text is one, a list contains several. Raises `BundleFault`."""
    value = _unpacked(value)
    parts = value if isinstance(value, list) else [value]
    documents = [_document(part, where) for part in parts if part not in (None, "")]
    numbered = len(documents) > 1 or not id_
    return [
        {"id": f"{id_ or 'c'}{number}" if numbered else id_, **document} for number, document in enumerate(documents, 1)
    ]


def _turns_of(value: Any, where: str) -> list[dict[str, Any]]:
    """Return the turns of a list of messages with `role` and `content`, or `text`. Raises `BundleFault`."""
    value = _unpacked(value)
    if value in (None, ""):
        return []
    if not isinstance(value, list):
        raise BundleFault(f"{where} is {json_type(value)}, not a list of messages")
    turns = []
    for number, part in enumerate(value, 1):
        text = part.get("text") if isinstance(part, dict) else None
        message = {**part, "content": text} if isinstance(part, dict) and "content" not in part else part
        turns.append(turn_of(message, f"{where}, message {number}"))
    return turns


def _document(part: Any, where: str) -> dict[str, Any]:
    if isinstance(part, str):
        return {"text": part}
    if not isinstance(part, dict):
        raise BundleFault(f"{where} is {json_type(part)}, not a text or a document")
    text = next((part[name] for name in _TEXT_KEYS if isinstance(part.get(name), str)), None)
    if text is None:
        raise BundleFault(f"{where}: a document has no `text`")
    for name in ("id", "title", "url"):
        if not isinstance(part.get(name, ""), str):
            raise BundleFault(f"{where}: `{name}` of a document is {json_type(part[name])}, not a text")
    rest = {name: value for name, value in part.items() if name not in _TEXT_KEYS and value != ""}
    return {**rest, "text": text}


def _unpacked(value: Any) -> Any:
    """Parse a cell of a table: JSON if it is a list or an object, otherwise the text."""
    if isinstance(value, str) and value.lstrip()[:1] in {"[", "{"}:
        try:
            unpacked = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return unpacked if isinstance(unpacked, (dict, list)) else value
    return value
