"""Paths of values in records, and maps: the fields of a task, each with the path of its value."""

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Literal

import msgspec

from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.plugins.convert.conversion import parsed_json_text
from desktop_rater.rubric.load import RubricTomlError, parse_toml

CONSTANT = "="
"""First character of a path that is a text itself."""
OR = " | "
_MOST_STEPS = 32
_DIGITS = 10
_STEP = re.compile(
    r"""\.?(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<key>[^.\[\]"]+))"""
    r"""|\[(?P<index>-?\d{1,9}|last|keys|\*?)\]"""
    r"""|\[\?(?P<filter>[^\[\]=!]+?)\s*(?P<sign>!?=)\s*(?P<value>[^\[\]]*)\]"""
)
_PLAIN_KEY = re.compile(r"""[^.\[\]"=][^.\[\]"]*""")


class PathStep(msgspec.Struct, frozen=True):
    """Step of a path. `filter`: entries whose `key` is, or with `negated` is not, `value`; `index` chooses one.

    `names`: the keys of an object, in the place of its values.
    """

    kind: Literal["key", "index", "each", "filter", "names"]
    key: str = ""
    index: int | None = None
    value: str = ""
    negated: bool = False


class PathMatch(msgspec.Struct, frozen=True):
    """Value at a path, and the indexes of the entries on the way, which align it with values at other paths."""

    indexes: tuple[int, ...]
    value: Any


@lru_cache(maxsize=4096)
def parse_path(text: str) -> tuple[PathStep, ...]:
    """Parse `a.b[0].c[*].d[?role=user][last]`. Raises `BundleFault`."""
    steps: list[PathStep] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or (position == 0 and text.startswith(".")) or len(steps) >= _MOST_STEPS:
            why = "has too many steps" if len(steps) >= _MOST_STEPS else f"can't be read at {text[position:][:20]!r}"
            raise BundleFault(f"The path {text[:80]!r} {why}")
        if match["filter"] is not None:
            steps.append(
                PathStep("filter", match["filter"].strip(), None, _value(match["value"]), match["sign"] == "!=")
            )
        elif match["index"] is not None:
            _add_index(steps, match["index"])
        else:
            if position and not match[0].startswith("."):
                raise BundleFault(f"The path {text[:80]!r} has no full stop before {match[0][:20]!r}")
            quoted = match["quoted"]
            steps.append(PathStep("key", match["key"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)))
        position = match.end()
    if not steps:
        raise BundleFault("A path is empty")
    return tuple(steps)


def _value(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


def _add_index(steps: list[PathStep], text: str) -> None:
    if text in ("", "*"):
        steps.append(PathStep("each"))
        return
    if text == "keys":
        steps.append(PathStep("names"))
        return
    index = -1 if text == "last" else int(text)
    if steps and steps[-1].kind == "filter" and steps[-1].index is None:
        steps[-1] = msgspec.structs.replace(steps[-1], index=index)  # an index after a filter counts its matches
    else:
        steps.append(PathStep("index", index=index))


def quoted_key(key: str) -> str:
    """Return a key as a path writes it."""
    if _PLAIN_KEY.fullmatch(key):
        return key
    return '"' + key.replace("\\", r"\\").replace('"', r"\"") + '"'


def child_path(before: str, key: str) -> str:
    """Return the path of a key in the object at a path, "" being the record."""
    return f"{before}.{quoted_key(key)}" if before else quoted_key(key)


def alternatives(path: str) -> list[str]:
    """Return the paths of which the first that finds something counts: `a.b | c`."""
    return path.split(OR)


def is_many(path: str) -> bool:
    """Return whether a path may have more than one match."""
    return any(
        step.kind in ("each", "names") or (step.kind == "filter" and step.index is None)
        for part in alternatives(path)
        if not part.startswith(CONSTANT)
        for step in _steps({}, part)
    )


def matches(record: Mapping[str, Any], path: str) -> list[PathMatch]:
    """Return the values at a path. A key with exactly the name of the path comes first; JSON in a text is entered."""
    if OR in path and path not in record:
        return next((hits for part in alternatives(path) if (hits := matches(record, part))), [])
    if path.startswith(CONSTANT) and path not in record:
        return [PathMatch((), path[1:])]
    return list(_walk(record, _steps(record, path), ()))


def _steps(record: Mapping[str, Any], path: str) -> tuple[PathStep, ...]:
    if path in record:
        return (PathStep("key", path),)
    try:
        return parse_path(path)
    except BundleFault:  # a column of a table may have any name
        return (PathStep("key", path),)


def _walk(value: Any, steps: tuple[PathStep, ...], indexes: tuple[int, ...]) -> Iterator[PathMatch]:
    if not steps:
        yield PathMatch(indexes, value)
        return
    step, *rest = steps
    for number, part in _parts(parsed_json_text(value), step):
        yield from _walk(part, tuple(rest), indexes if number is None else (*indexes, number))


def _parts(value: Any, step: PathStep) -> Iterator[tuple[int | None, Any]]:
    """Yield what a step finds, with its index in a list if the path goes to several entries."""
    if isinstance(value, list):
        several = step.kind == "each" or (step.kind == "filter" and step.index is None)
        for number in _indexes(value, step):
            yield (number if several else None), value[number]
    elif isinstance(value, dict):
        if step.kind == "each":
            yield from enumerate(value.values())
        elif step.kind == "names":
            yield from enumerate(value)
        elif step.kind == "key" and (key := _key(value, step.key)) is not None:
            yield None, value[key]


def _indexes(entries: list[Any], step: PathStep) -> list[int]:
    """Return the indexes of the entries that a step finds in a list."""
    numbers = list(range(len(entries)))
    if step.kind == "filter":
        numbers = [number for number in numbers if _has(entries[number], step) != step.negated]
    index = int(step.key) if step.kind == "key" and step.key.isdecimal() and len(step.key) < _DIGITS else step.index
    if index is not None:
        return [numbers[index]] if -len(numbers) <= index < len(numbers) else []
    return [] if step.kind in ("key", "names") else numbers


def _key(value: dict[str, Any], name: str) -> str | None:
    """Return the key with this name, or the first that a name with `*` fits."""
    if name in value or "*" not in name:
        return name if name in value else None
    return next((key for key in value if fnmatchcase(key, name)), None)


def _has(part: Any, step: PathStep) -> bool:
    values = [match.value for match in matches(part, step.key)] if isinstance(part, dict) else []
    return any(
        label_text(value) == step.value or (isinstance(value, list) and step.value in map(label_text, value))
        for value in values
    )


def label_text(value: Any) -> str:
    """Return a value as the key of a table of labels."""
    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
    return str(value)


def without_paths(record: dict[str, Any], paths: list[str]) -> dict[str, Any]:
    """Return a copy of the record without the values at these paths, and without containers that become empty."""
    rest: Any = record
    for path in paths:
        for part in [path] if path in record else alternatives(path):
            if not part.startswith(CONSTANT) or part in record:
                rest = _pruned(rest, _steps(record, part))
    return rest if isinstance(rest, dict) else {}


_GONE = object()


def _pruned(value: Any, steps: tuple[PathStep, ...]) -> Any:
    """Return a copy without what the steps find; `_GONE` if nothing is left."""
    if not steps:
        return _GONE
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict) and value:
        key = _key(value, step.key) if step.kind == "key" else None
        keys = list(value) if step.kind == "each" else [key] if key is not None else []
        parts = {**value, **{key: _pruned(value[key], rest) for key in keys}}
        return {key: part for key, part in parts.items() if part is not _GONE} or _GONE
    if isinstance(value, list):
        hits = set(_indexes(value, step))
        left = [_pruned(part, rest) if number in hits else part for number, part in enumerate(value)]
        rest_of_list = [{} if part is _GONE else part for part in left]
        return rest_of_list if any(part not in ({}, []) for part in rest_of_list) else _GONE
    return value


FORMAT = "desktop-rater/map"
VERSION = 1
PAIR, SINGLE = "side-by-side@2", "span-factuality@3"
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


_PLACES = ("task", "place", "target", "response")
_OF_RATERS = (*_PLACES, "rater", "question", "value", "time", "seconds", "note", "skipped", "marks")
_EACH = re.compile(r".*\[(?:\*?|keys|\?[^\[\]]*)\]")


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

    @property
    def paths(self) -> list[str]:
        """Paths of what belongs to raters: all that are named, and whole entries of a list that names a rater each."""
        named = [getattr(self, name) for name in _OF_RATERS]
        entries = [
            match[0].replace("[keys]", "[*]") for part in alternatives(self.rater) if (match := _EACH.match(part))
        ]
        return [path for path in (*named, *self.values.values(), *self.only, *entries) if path]


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
        of_raters = self.ratings.paths if self.ratings is not None else ()
        return [*self.fields.values(), *(label.path for label in self.labels), *of_raters]

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
