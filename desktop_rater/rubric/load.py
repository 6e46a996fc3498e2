"""Read and validate a rubric's TOML."""

import math
import re
import tomllib
from typing import Any

import msgspec

from desktop_rater.model.errors import RaterError
from desktop_rater.model.rubric import RubricFile
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.lines import table_line
from desktop_rater.rubric.validate import RubricFault


class RubricError(RaterError):
    """A rubric is refused. The title names the file, the line of the table, and the table's id."""


MAX_TABLES = 1_000
TOO_MANY_TABLES = f"more than {MAX_TABLES:,} questions, decisions and rules"
# A key of many parts, a.b.c: each makes a nested table, and tomllib's time is quadratic in their number.
_LONG_KEY = re.compile(r"""(?:\.[ \t]*+(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[^\s."']++)[ \t]*+){32}""")
_UNKNOWN = re.compile(r"Object contains unknown field `(.+)`")
_PATH = re.compile(r"\$\.?(\w+)?(?:\[(\d+)\])?(.*)")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
TOO_DEEP = "It is nested too deep"


class RubricTomlError(ValueError):
    """Text that can't be read. The message gives the reason; `line` counts from 1, 0 if unknown."""

    def __init__(self, why: str, line: int = 0, kind: str = "not TOML") -> None:
        super().__init__(why)
        self.line = line
        self.kind = kind


def load_rubric(text: str, name: str = "rubric.toml") -> Rubric:
    """Load a rubric from its text; `name` is used in messages. Raises `RubricError`."""
    try:
        tables = parse_toml(text)
    except RubricTomlError as error:
        position = f", line {error.line}" if error.kind != "not TOML" else ""
        raise RubricError(f"{name}{position}: {error.kind}", f"{error}.", "Nothing was loaded.") from None
    try:
        return RubricCompiler(parse_rubric_file(tables)).rubric()
    except RecursionError:
        raise RubricError(f"{name}: not a rubric", f"{TOO_DEEP}.", "Nothing was loaded.") from None
    except RubricFault as error:
        line = table_line(text, error.table, error.index)
        title = f"{name}, line {line}, {table_label(tables, error.table, error.index)}"
        raise RubricError(title, f"{error}.", "Nothing was loaded.") from None


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text. Raises `RubricTomlError`."""
    long_key = _LONG_KEY.search(text)
    if long_key is not None:
        line = text.count("\n", 0, long_key.start()) + 1
        raise RubricTomlError("A key has too many parts", line, "not a rubric")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise RubricTomlError(TOO_DEEP) from None
    except tomllib.TOMLDecodeError as error:
        match = _AT_LINE.search(str(error))
        line = int(match[1] or text.count("\n") + 1) if match else 0
        raise RubricTomlError(str(error), line) from None
    except ValueError:  # Python refuses integers of more than 4,300 digits
        raise RubricTomlError("A number in it is too long") from None


def table_label(tables: dict[str, Any], table: str, index: int) -> str:
    """Return the name of a table for messages: its kind, and its id if it has one."""
    rows = tables.get(table)
    kind = {"questions": "question", "decide": "decision", "rules": "rule"}.get(table, f"[{table}]")
    row = rows[index] if isinstance(rows, list) and index < len(rows) else None
    return f'{kind} "{row["id"]}"' if isinstance(row, dict) and isinstance(row.get("id"), str) else kind


def parse_rubric_file(tables: dict[str, Any]) -> RubricFile:
    """Convert the tables to structs. Raises `RubricFault` for a wrong shape."""
    for table, rows in tables.items():
        for index, row in enumerate(rows if isinstance(rows, list) else [rows]):
            try:
                _check_values(row)
            except ValueError as error:
                raise RubricFault(table, index, str(error)) from None
    try:
        file = msgspec.convert(tables, prepared_type(RubricFile))
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        match = _PATH.fullmatch(path.strip("`"))
        table, index, rest = match.groups() if match else (None, None, "")
        reason = message[:1].lower() + message[1:]
        unknown = _UNKNOWN.fullmatch(message)
        if unknown and not table:
            table, reason = unknown[1], "unknown table or key"
        if rest:
            reason = f"`{rest.lstrip('.')}`: {reason}"
        raise RubricFault(table or "id", int(index or 0), reason) from None
    if len(file.questions) + len(file.decide) + len(file.rules) > MAX_TABLES:
        raise RubricFault("questions", 0, TOO_MANY_TABLES)
    return file


def _check_values(value: Any) -> None:
    """Raise `ValueError` for values that JSON can't hold: rubrics are exported with results."""
    if isinstance(value, str) and "\0" in value:
        raise ValueError("a text holds U+0000")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        _check_values(part)
