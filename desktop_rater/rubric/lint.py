"""Everything that is to be said of a rubric at once: its faults, and where it has none what its author overlooked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from desktop_rater.rubric.compiling import Compiling
from desktop_rater.rubric.lines import Lines
from desktop_rater.rubric.load import MOST_TABLES, TOO_DEEP, TOO_MANY, NotToml, named, read_file, read_tables
from desktop_rater.rubric.remarks import remarks
from desktop_rater.rubric.sound import Unsound

if TYPE_CHECKING:
    from collections.abc import Collection

    from desktop_rater.model.rubric import RubricFile
    from desktop_rater.rubric.compiled import Rubric

Level = Literal["fault", "remark"]

WHOLE = "the rubric"
_ROWS = frozenset({"questions", "decide", "rules"})
_LEAST = {"id": "unnamed"}
_PLACE_IN_TOML = re.compile(r" \(at [^)]*\)$")


class Finding(Struct, frozen=True, kw_only=True):
    """A fault keeps the rubric from being loaded, a remark does not. `line`: where its table begins, from 1."""

    level: Level
    table: str
    line: int
    reason: str


def lint(text: str, sections: Collection[str] | None = None) -> tuple[Finding, ...]:
    """What is to be said of the rubric that `text` is, from its first line to its last.

    `sections` are the headings of its guidelines, where they are known.
    """
    try:
        tables = read_tables(text)
    except NotToml as error:
        return (_not_toml(text, error),)
    linting = _Linting(tables)
    try:
        rubric = linting.rubric()
    except RecursionError:
        return (Finding(level="fault", table=WHOLE, line=1, reason=TOO_DEEP[:1].lower() + TOO_DEEP[1:]),)
    found: list[tuple[Level, str, int, str]] = [
        ("fault", fault.table, fault.index, str(fault)) for fault in linting.faults
    ]
    if rubric is not None:
        found += [("remark", *one) for one in remarks(rubric, sections)]
    lines = Lines(text)
    findings = {
        Finding(
            level=level,
            table=named(tables, table, index) if table else WHOLE,
            line=lines.begins(table, index) if table else 1,
            reason=reason,
        ): None
        for level, table, index, reason in found
    }
    return tuple(sorted(findings, key=lambda one: one.line))


def _not_toml(text: str, error: NotToml) -> Finding:
    table, index = Lines(text).around(error.line)
    kind = {"questions": "question", "decide": "decision", "rules": "rule"}.get(table, f"[{table}]")
    called = f"{kind} number {index + 1}" if table in _ROWS else kind if table else WHOLE
    reason = _PLACE_IN_TOML.sub("", str(error))
    return Finding(level="fault", table=called, line=max(error.line, 1), reason=f"{error.kind}: {reason}")


class _Linting:
    """Goes on where reading a rubric ends: what is faulty is put aside, and nothing is said of what hangs on it."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.faults: list[Unsound] = []
        self._tables = tables
        self._doubtful: set[str] = set()
        self._kept: dict[str, list[int]] = {}

    def rubric(self) -> Rubric | None:
        """The rubric, where nothing is wrong with it."""
        file = self._file()
        if file is None:
            return None
        rubric = Compiling(file, self._note, self._doubtful).rubric()
        return None if self.faults else rubric

    def _note(self, fault: Unsound) -> None:
        """Rows that were put aside shift the numbers of those behind them."""
        kept = self._kept.get(fault.table)
        index = kept[fault.index] if kept and fault.index < len(kept) else fault.index
        self.faults.append(Unsound(fault.table, index, str(fault)))

    def _file(self) -> RubricFile | None:
        """What can be read of the file; `None` where too little is left to say more."""
        lists = {table: rows for table, rows in self._tables.items() if table in _ROWS and isinstance(rows, list)}
        if sum(map(len, lists.values())) > MOST_TABLES:
            self.faults.append(Unsound("questions", 0, TOO_MANY))
            return None
        readable: dict[str, Any] = {"id": "unnamed"}
        if "id" not in self._tables:
            self._reads("id", 0, {})
        for table, value in self._tables.items():
            if table in lists:
                kept = [index for index, row in enumerate(value) if self._reads(table, index, {**_LEAST, table: [row]})]
                self._kept[table] = kept
                readable[table] = [value[index] for index in kept]
            elif self._reads(table, 0, {**_LEAST, table: value}):
                readable[table] = value
            elif table == "questions":
                return None
        return read_file(readable)

    def _reads(self, table: str, index: int, part: dict[str, Any]) -> bool:
        """Whether a part of the file can be read by itself; what it names is in doubt where it can't."""
        try:
            read_file(part)
        except Unsound as fault:
            self.faults.append(Unsound(table, index, str(fault)))
            if table == "compare":
                self._doubtful.add("better")
            if table == "questions":
                (row,) = part[table] if isinstance(part[table], list) else ({},)
                self._doubtful.update(name for name in [_id_of(row)] if name)
            return False
        return True


def _id_of(row: Any) -> str:
    name = row.get("id") if isinstance(row, dict) else None
    return name if isinstance(name, str) else ""
