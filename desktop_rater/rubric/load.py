"""Loading of a rubric file, with the line of each table and the wording of its questions."""

import math
import re
import tomllib
from bisect import bisect_right
from typing import Any

import msgspec

from desktop_rater.format.errors import RaterError
from desktop_rater.format.rubric import Question, RubricFile, SourcedStruct
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.rubric.compile import RubricCompiler
from desktop_rater.rubric.compiled import Rubric
from desktop_rater.rubric.condition import answer_rows, same_value
from desktop_rater.rubric.validate import RubricFault

# Strings and comments may hold brackets; multi-line ones may hold whole headers. One that does not end is masked up to
# the end of its line or of the text, so that no character is looked at again.
_MASKED = re.compile(
    r'''
    """ (?: \\. | [^\\] )*? (?: """ | \Z )
    | \'\'\' .*? (?: \'\'\' | \Z )
    | " (?: \\[^\n] | [^"\\\n] )* "?
    | ' [^'\n]* '?
    | \# [^\n]*
    ''',
    re.DOTALL | re.VERBOSE,
)
_HEADER = re.compile(r"^[ \t]*\[\[?([^\[\]\n]*)\]", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*([\w-]+)[ \t]*[.=]", re.MULTILINE)


class TableLines:
    """Line numbers of the tables of one text."""

    def __init__(self, text: str) -> None:
        masked = _MASKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._headers: list[tuple[int, str]] = []
        self._of: dict[str, list[int]] = {}
        self._first: dict[str, int] = {}
        for match in _HEADER.finditer(masked):
            # The name from the original text: a quoted one is masked.
            name = text[match.start(1) : match.end(1)].strip(" \t\"'")
            line = self._line(match.start(1))
            self._headers.append((line, name))
            self._of.setdefault(name, []).append(line)
        for match in _KEY.finditer(masked):
            self._first.setdefault(match[1], self._line(match.start(1)))
        for line, name in self._headers:  # [compare.by] alone defines [compare] too
            self._first.setdefault(name.partition(".")[0].strip(" \t\"'"), line)

    def begins(self, table: str, index: int = 0) -> int:
        """Return the line, from 1, of the `index`-th header of `table` or of its inline key; 1 if there is none."""
        headers = self._of.get(table)
        return headers[min(index, len(headers) - 1)] if headers else self._first.get(table, 1)

    def table_at(self, line: int) -> tuple[str, int]:
        """Return the table that a line belongs to, "" before the first, and the number of equal headers before it."""
        names = [name for begin, name in self._headers if begin <= line]
        return (names[-1], names.count(names[-1]) - 1) if names else ("", 0)

    def _line(self, offset: int) -> int:
        return bisect_right(self._ends, offset) + 1


def table_line(text: str, table: str, index: int = 0) -> int:
    """Return the line of one table of a text; see `TableLines.begins`."""
    return TableLines(text).begins(table, index)


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


def load_rubric(text: str, name: str = "rubric.toml", *, is_trusted: bool = False) -> Rubric:
    """Load a rubric from its text; `name` is used in messages. `is_trusted`: see the compiler. Raises `RubricError`."""
    try:
        tables = parse_toml(text)
    except RubricTomlError as error:
        position = f", line {error.line}" if error.kind != "not TOML" else ""
        raise RubricError(f"{name}{position}: {error.kind}", f"{error}.", "Nothing was loaded.") from None
    try:
        return RubricCompiler(parse_rubric_file(tables)).rubric(is_trusted=is_trusted)
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


def label_of_value(question: Question, value: Any) -> str:
    """Return the label of a value: its choice's label, its anchor, or itself; of a row its text and what is chosen."""
    for row in answer_rows([value]) if isinstance(value, dict) else ():
        choice = label_of_value(question, row.choice) if row.choice else ""
        documents = f"({', '.join(map(str, row.documents))})" if row.documents else ""
        chosen = f"{choice} {documents}".strip()
        return f"{row.text}: {chosen}" if chosen else row.text
    for choice in question.choices:
        if same_value(choice.id, value):
            return choice.label
    for anchor in question.anchors:
        if same_value(anchor.at, value):
            return anchor.label
    return str(value)


def format_answer(question: Question, value: Any) -> str:
    """Return an answer as text: the labels of all its choices, or its rows."""
    parts = value if isinstance(value, list | tuple) else (value,)
    return ("; " if question.kind == "list" else ", ").join(label_of_value(question, part) for part in parts)


CHOICE_TONES = frozenset({"accurate", "inaccurate", "unsupported", "disputed", "not factual", "skipped"})
CHOICE_SHAPES = frozenset(
    {
        "circle-tick",
        "square-cross",
        "diamond-question",
        "half-circle",
        "ring-bar",
        "ring-plus",
        "square-minus",
        "circle",
        "square",
        "bar-triangle",
        "skipped",
    }
)


def source_of_problem(rubric: Rubric, rule: str) -> SourcedStruct | None:
    """Return the question, decision or rule that a problem names; `None` if this rubric has none of that name."""
    kind, _, name = rule.rpartition(":")
    rows: tuple[SourcedStruct, ...] = {
        "required": rubric.file.questions,
        "contradicts": rubric.file.decide,
        "": rubric.file.rules,
    }.get(kind, ())
    return next((row for row in rows if getattr(row, "id", None) == name), None)


def source_of_question(question: Question) -> SourcedStruct:
    """Return the question, or its first choice, anchor or level if a guideline's question has only the project's."""
    parts = _parts_by_name(question)
    return next(iter(parts.values())) if parts and len(own_parts(question)) == len(parts) else question


def own_parts(question: Question) -> list[str]:
    """Return the names of the choices, steps and levels that a project adds to a question of the guideline."""
    if question.source == "project":
        return []
    return [name for name, part in _parts_by_name(question).items() if part.source == "project"]


def _parts_by_name(question: Question) -> dict[str, SourcedStruct]:
    named = [(part.label, part) for part in (*question.choices, *question.levels)]
    return dict([*named, *((f"{anchor.at:g}", anchor) for anchor in question.anchors)])
