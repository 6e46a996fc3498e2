"""Read a rubric's TOML, and refuse what can't be right."""

from __future__ import annotations

import math
import re
import tomllib
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.ready import ready
from desktop_rater.model.rubric import RubricFile
from desktop_rater.rubric.compiling import Compiling
from desktop_rater.rubric.lines import begins
from desktop_rater.rubric.sound import Unsound
from desktop_rater.rubric.trouble import RubricError

if TYPE_CHECKING:
    from desktop_rater.rubric.compiled import Rubric

MOST_TABLES = 1_000
TOO_MANY = f"more than {MOST_TABLES:,} questions, decisions and rules"
# A key of many parts, a.b.c: each makes a table inside the one before, and tomllib takes the square of their number.
_LONG_KEY = re.compile(r"""(?:\.[ \t]*+(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[^\s."']++)[ \t]*+){32}""")
_UNKNOWN = re.compile(r"Object contains unknown field `(.+)`")
_PATH = re.compile(r"\$\.?(\w+)?(?:\[(\d+)\])?(.*)")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
TOO_DEEP = "It is nested too deep"


class NotToml(ValueError):
    """The message says why; `line` where, from 1, and 0 where that is not known."""

    def __init__(self, why: str, line: int = 0, kind: str = "not TOML") -> None:
        super().__init__(why)
        self.line = line
        self.kind = kind


def load(text: str, name: str = "rubric.toml") -> Rubric:
    """The rubric that `text` is; `name` stands in messages. Raises `RubricError`."""
    try:
        tables = read_tables(text)
    except NotToml as error:
        at = f", line {error.line}" if error.kind != "not TOML" else ""
        raise RubricError(f"{name}{at}: {error.kind}", f"{error}.", "Nothing was loaded.") from None
    try:
        return Compiling(read_file(tables)).rubric()
    except RecursionError:
        raise RubricError(f"{name}: not a rubric", f"{TOO_DEEP}.", "Nothing was loaded.") from None
    except Unsound as error:
        line = begins(text, error.table, error.index)
        title = f"{name}, line {line}, {named(tables, error.table, error.index)}"
        raise RubricError(title, f"{error}.", "Nothing was loaded.") from None


def read_tables(text: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises `NotToml`."""
    long_key = _LONG_KEY.search(text)
    if long_key is not None:
        line = text.count("\n", 0, long_key.start()) + 1
        raise NotToml("A key has too many parts", line, "not a rubric")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotToml(TOO_DEEP) from None
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        line = int(found[1] or text.count("\n") + 1) if found else 0
        raise NotToml(str(error), line) from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise NotToml("A number in it is too long") from None


def named(tables: dict[str, Any], table: str, index: int) -> str:
    """What a table is called in messages: its kind, and its id where it has one."""
    rows = tables.get(table)
    kind = {"questions": "question", "decide": "decision", "rules": "rule"}.get(table, f"[{table}]")
    row = rows[index] if isinstance(rows, list) and index < len(rows) else None
    return f'{kind} "{row["id"]}"' if isinstance(row, dict) and isinstance(row.get("id"), str) else kind


def read_file(tables: dict[str, Any]) -> RubricFile:
    """The tables as structs. Raises `Unsound` for what has another shape."""
    for table, rows in tables.items():
        for index, row in enumerate(rows if isinstance(rows, list) else [rows]):
            try:
                _check_values(row)
            except ValueError as error:
                raise Unsound(table, index, str(error)) from None
    try:
        file = msgspec.convert(tables, ready(RubricFile))
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        found = _PATH.fullmatch(path.strip("`"))
        table, index, rest = found.groups() if found else (None, None, "")
        what = message[:1].lower() + message[1:]
        strange = _UNKNOWN.fullmatch(message)
        if strange and not table:
            table, what = strange[1], "no rubric has such a table or key"
        if rest:
            what = f"`{rest.lstrip('.')}`: {what}"
        raise Unsound(table or "id", int(index or 0), what) from None
    if len(file.questions) + len(file.decide) + len(file.rules) > MOST_TABLES:
        raise Unsound("questions", 0, TOO_MANY)
    return file


def _check_values(value: Any) -> None:
    """Raise `ValueError` for what no JSON can hold: rubrics travel with results."""
    if isinstance(value, str) and "\0" in value:
        raise ValueError("a text holds U+0000")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number to count with")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        _check_values(part)
