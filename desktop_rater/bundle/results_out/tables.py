"""Tables as text: CSV that a spreadsheet opens without running anything, and JSON lines."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, TextIO

from desktop_rater.bundle.results_out.columns import as_text, in_order
from desktop_rater.text.spreadsheet import defused

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from desktop_rater.bundle.results_out.columns import Column
    from desktop_rater.bundle.results_out.rows import Row

_BOM = "\ufeff"


def write_csv(path: Path, columns: tuple[Column, ...], rows: Iterable[Row], *, bom: bool) -> None:
    """Write a CSV file; texts stand in quotes, numbers do not. `bom`: for programs that else guess another encoding."""
    with _new(path) as file:
        if bom:
            file.write(_BOM)
        write = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
        write.writerow(
            [column.name if column.name == defused(column.name) else f"'{column.name}" for column in columns]
        )
        for row in rows:
            write.writerow([_cell(value) for value in in_order(row, columns)])


def write_jsonl(path: Path, columns: tuple[Column, ...], rows: Iterable[Row], *, bom: bool) -> None:
    """Write JSON lines, each with all the columns."""
    del bom  # JSON has none
    with _new(path) as file:
        for row in rows:
            plain = {column.name: row.get(column.name) for column in columns}
            file.write(json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n")


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, int | float):
        return value
    return defused(as_text(value))


def _new(path: Path) -> TextIO:
    return path.open("x", encoding="utf-8", newline="")
