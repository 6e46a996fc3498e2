"""Mapping files: the fields of a task, each with the path of its value in a record of a source."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from desktop_rater.bundle.convert.maps.path import CONSTANT, alternatives, parse_path
from desktop_rater.bundle.errors import BundleFault, bundle_errors
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.rubric.load import RubricTomlError, parse_toml

FORMAT = "desktop-rater/map"
VERSION = 1
PAIR, SINGLE = "side-by-side@2", "span-factuality@2"
FIRST = "a"
"""Default id of a response."""

Scope = Literal["targets", "claims", "responses", "task"]
LabelUse = Literal["suggestion", "gold", "rating"]
OffsetUnit = Literal["code points", "utf-16", "bytes"]
TargetUnit = Literal["", "sentences", "words", "marks"]

SINGLE_FIELDS = ("id", "prompt", "lang", "history", "messages", "reference")
TARGET_FIELDS = ("targets", "targets.start", "targets.end", "targets.id", "targets.response", "claims")
_FIELD = re.compile(
    rf"{'|'.join(map(re.escape, (*SINGLE_FIELDS, *TARGET_FIELDS)))}|(?:response|context|tools)(?:\.[^.=]+)?"
    r"|response\.[^.=]+\.format|meta\.[^=]+"
)
FIELDS_TEXT = (
    "id, prompt, lang, history, messages, response.ID, response.ID.format, reference, context.ID, tools.ID, "
    "targets, targets.start, targets.end, targets.id, targets.response, claims and meta.NAME"
)
_HINT = "Nothing was written. Correct the map, or have one proposed with `bundle map`."
_PAIR_COUNT = 2
_LETTERS = string.ascii_lowercase


def response_id(number: int) -> str:
    """Return the id of one of several responses at a path, counted from 0."""
    return _LETTERS[number] if number < len(_LETTERS) else f"r{number + 1}"


def response_number(id_: str) -> int:
    """Return the number of a response by the id that `response_id` gave it."""
    return _LETTERS.index(id_) if id_ in _LETTERS else int(id_[1:]) - 1


class LabelMap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Labels at a path, as answers to a question of a target, claim or response, or of the task.

    `answers`: label → answer, or a table of several answers; an empty text is none. Without `answers` a label is the
    answer itself; `*` stands for every other label. A label that is not in a table that is given has no answer.
    """

    path: str
    of: Scope = "targets"
    question: str = ""
    response: str = FIRST
    answers: dict[str, str | bool | int | float | dict[str, Any]] = {}


class FileJoin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """File beside the source: its record whose `key` equals `on` of a record is added to that under the name `as`."""

    file: str
    key: str
    on: str
    name: str = msgspec.field(name="as", default="joined")
    records: str = ""


class RatingMap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Paths of what raters answered in a record, for an import of ratings.

    `rater` may have several values; the other paths are then aligned with it. `value` is the answer to `question`,
    `values` are answers by question. `place` names a task, response or target, `target` and `response` only such;
    `marks` are spans, with their label if they have one. `only`: path → value of the records that are ratings.

    `answers`: label → answer, or several answers by question. `marked` and `unmarked`: answers of the targets that a
    span without a label, or no span, touches. `units`: the targets of a bundle that is made of the source.
    """

    task: str = ""
    rater: str = ""
    place: str = ""
    target: str = ""
    response: str = ""
    question: str = ""
    value: str = ""
    values: dict[str, str] = {}
    time: str = ""
    seconds: str = ""
    note: str = ""
    skipped: str = ""
    marks: str = ""
    only: dict[str, str] = {}
    answers: dict[str, str | bool | int | float | dict[str, Any]] = {}
    marked: dict[str, Any] = {}
    unmarked: dict[str, Any] = {}
    units: TargetUnit = ""


class RecordMap(msgspec.Struct, frozen=True, kw_only=True):
    """Field of a task → path in a record, with labels and joined files.

    `records`: path of the records in each object of a file; "" if the objects are the records. `skip`: leave out
    records and lines that can't be read instead of refusing the file. `rest`: keep what no field uses in `meta`.
    `sentences`: the targets are all sentences of the responses; those that a marked text touches have its labels.
    `shuffle`: exchange two responses in about half of the tasks, by their ids. `take`: what the labels become.
    `rubric`: that of the bundle, unless another is chosen. `ratings`: what raters answered; a map that has it needs no
    texts.
    """

    fields: dict[str, str]
    title: str = ""
    rubric: str = ""
    records: str = ""
    skip: bool = False
    rest: bool = True
    sentences: bool = False
    shuffle: bool = False
    unit: OffsetUnit = "code points"
    take: LabelUse = "gold"
    labels: tuple[LabelMap, ...] = ()
    joins: tuple[FileJoin, ...] = msgspec.field(name="join", default=())
    ratings: RatingMap | None = None

    def named(self, kind: str) -> Iterator[tuple[str, str]]:
        """Yield (part after the full stop, path) of each field of that kind."""
        for field, path in self.fields.items():
            name, _, rest = field.partition(".")
            if name == kind:
                yield rest, path

    @property
    def responses(self) -> dict[str, str]:
        return {id_ or FIRST: path for id_, path in self.named("response") if not id_.endswith(".format")}

    @property
    def paths(self) -> list[str]:
        """Paths of all values that the map uses."""
        return [*self.fields.values(), *(label.path for label in self.labels)]

    @property
    def marks(self) -> bool:
        """Return whether there are targets, claims or labels."""
        return bool(self.labels) or any(field.startswith(("targets", "claims")) for field in self.fields)

    @property
    def default_rubric(self) -> str:
        return self.rubric or (PAIR if len(self.responses) == _PAIR_COUNT else SINGLE)


_SETTINGS = {field.encode_name for field in msgspec.structs.fields(RecordMap)} - {"fields"}
_HEADER = ("format", "version")


def read_map(text: str, name: str = "map.toml") -> RecordMap:
    """Read a mapping file, or a column map in TOML, which has fields only. Raises `BundleError`, naming the file."""
    with bundle_errors(name, "used as a map", _HINT):
        try:
            tables = parse_toml(text)
        except RubricTomlError as error:
            raise BundleFault(f"It is not TOML: {error}") from None
        if "format" not in tables:
            return checked_map(_flat(tables, ""))
        if tables["format"] != FORMAT:
            raise BundleFault(f"Its `format` is {tables['format']!r}, not {FORMAT!r}")
        if tables.get("version") != VERSION:
            raise BundleFault(f"Its `version` is {tables.get('version', 'missing')}; this program reads {VERSION}")
        plain = {key: value for key, value in tables.items() if key in _SETTINGS}
        try:
            settings = msgspec.convert({"fields": {}, **plain}, prepared_type(RecordMap))
        except msgspec.ValidationError as error:
            message, _, path = str(error).partition(" - at ")
            place = path.strip("`").removeprefix("$").removeprefix(".")
            words = f"{message[:1].lower()}{message[1:]}"
            raise BundleFault(f"`{place}`: {words}" if place else words) from None
        fields = {key: value for key, value in tables.items() if key not in (*_SETTINGS, *_HEADER)}
        record_map = checked_map(_flat(fields, ""), settings)
        for path in [*record_map.paths, *(join.on for join in settings.joins), *filter(None, [settings.records])]:
            for part in alternatives(path):
                if not part.startswith(CONSTANT):
                    parse_path(part)
        return record_map


def write_map(record_map: RecordMap) -> str:
    """Return the mapping file of a map."""
    settings = {"format": FORMAT, "version": VERSION, **msgspec.to_builtins(record_map)}
    defaults = msgspec.to_builtins(RecordMap(fields={}))
    plain = {
        key: value
        for key, value in settings.items()
        if key not in ("fields", "labels", "join") and (key not in defaults or value != defaults[key] or key == "take")
    }
    if not record_map.labels:
        del plain["take"]
    split = {field.partition(".")[0] for field in record_map.fields if "." in field}
    tables: dict[str, dict[str, str]] = {}
    lines = []
    for field, path in record_map.fields.items():
        kind, _, name = field.partition(".")
        if kind in split and (name or kind in _OWN_KEY) and (kind in _OWN_KEY or kind not in record_map.fields):
            tables.setdefault(kind, {})[name or _OWN_KEY[kind]] = path
        else:
            plain[field] = path
    lines += [_entry(key, value) for key, value in plain.items()]
    for kind, entries in tables.items():
        lines += ["", f"[{kind}]", *(_entry(key, value) for key, value in entries.items())]
    for kind, rows in (("join", record_map.joins), ("labels", record_map.labels)):
        for row in msgspec.to_builtins(rows):
            answers = row.pop("answers", {})
            given = {key: value for key, value in row.items() if value != "" and (key, value) != ("response", FIRST)}
            lines += ["", f"[[{kind}]]", *(_entry(key, value) for key, value in given.items())]
            lines += ["[labels.answers]", *(_entry(key, value) for key, value in answers.items())] if answers else []
    return "\n".join(lines) + "\n"


_OWN_KEY = {"response": FIRST, "targets": "text"}
"""Key of a field in the table of its parts."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _entry(key: str, value: Any) -> str:
    return f"{key if _BARE.fullmatch(key) else _toml(key)} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(_entry(key, part) for key, part in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def checked_map(pairs: Iterable[tuple[str, str]], settings: RecordMap | None = None) -> RecordMap:
    """Return the map of these fields and paths. Raises `BundleFault`."""
    fields: dict[str, str] = {}
    for field, path in pairs:
        if not _FIELD.fullmatch(field):
            raise BundleFault(f"A task has no field {field!r}; there are {FIELDS_TEXT}")
        if field in fields or (field == f"response.{FIRST}" and "response" in fields):
            raise BundleFault(f"{field} is named twice")
        fields[field] = path
    record_map = msgspec.structs.replace(settings or RecordMap(fields={}), fields=fields)
    if "response" in fields and f"response.{FIRST}" in fields:
        raise BundleFault(f"response and response.{FIRST} are the same response")
    has_text = "messages" in fields or ("prompt" in fields and bool(record_map.responses))
    if not has_text and (record_map.ratings is None or fields.keys() - {"id"}):
        raise BundleFault(f"It does not say which column is the {'response' if 'prompt' in fields else 'prompt'}")
    if ("targets.start" in fields) != ("targets.end" in fields):
        raise BundleFault("targets.start and targets.end are given together")
    return record_map


def _flat(plain: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for key, value in plain.items():
        field = f"{before}.{key}" if before else key
        if isinstance(value, dict):
            yield from _flat(value, field)
        elif isinstance(value, str):
            yield field.removesuffix(".text") if before in ("targets", "claims") else field, value
        else:
            raise BundleFault(f"{field} is not a text; it should be the name of a column, or a path")
