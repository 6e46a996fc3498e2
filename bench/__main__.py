"""`python -m bench`: measure every row, print one table, write build/bench.json.

BENCH_TASKS=10000 takes fewer tasks; words behind the command take only the rows that hold one of them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bench.figures import ServerMissing
from bench.machine import machine
from bench.rows import ROWS
from bench.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.figures import Figure, Row

_BUILD = Path(__file__).resolve().parents[1] / "build"
_HEAD = f"{'row':<40} {'':>4} {'value':>10} {'floor':>10} {'result':>8} {'goal':>8}"


class Line(msgspec.Struct, frozen=True):
    """A row as it stands in the file."""

    row: str
    unit: str
    value: float
    floor: float | None
    result: float
    goal: float

    @property
    def met(self) -> bool:
        """Whether the goal is reached."""
        return self.result <= self.goal


def main(words: list[str]) -> None:
    """Measure the rows that hold one of `words`, or all."""
    workload = Workload(_BUILD / "bench", int(os.environ.get("BENCH_TASKS", "100000")))
    workload.folder.mkdir(parents=True, exist_ok=True)
    wanted = [row for row in ROWS if not words or any(word in row.row for word in words)]
    measured: dict[Callable[..., dict[str, Figure]], dict[str, Figure] | None] = {}
    print(_HEAD, flush=True)
    lines, skipped = [], []
    for row in wanted:
        if row.measure not in measured:
            measured[row.measure] = _measured(row, workload)
        figures = measured[row.measure]
        if figures is None:
            skipped.append(row.row)
            continue
        lines.append(_line(row, figures[row.figure], workload.tasks))
        print(_shown(lines[-1]), flush=True)
    whole = {"machine": {**machine(), "tasks": workload.tasks}, "rows": lines, "skipped": skipped}
    (_BUILD / "bench.json").write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n")


def _measured(row: Row, workload: Workload) -> dict[str, Figure] | None:
    """Return the figures of a row; `None` where its server is missing, which is printed."""
    try:
        return row.measure(workload)
    except ServerMissing as missing:
        print(f"skipped: {row.row}: {missing}", flush=True)
        return None


def _line(row: Row, figure: Figure, tasks: int) -> Line:
    floor = None if figure.floor is None else round(figure.floor, 3)
    return Line(
        row=row.row.format(tasks=f"{tasks:,}"),
        unit=row.unit,
        value=round(figure.value, 3),
        floor=floor,
        result=round(figure.result, 3),
        goal=row.goal,
    )


def _shown(line: Line) -> str:
    floor = "" if line.floor is None else f"{line.floor:,.2f}"
    missed = "" if line.met else "  missed"
    measured = f"{line.row:<40} {line.unit:>4} {line.value:>10,.2f} {floor:>10}"
    return f"{measured} {line.result:>8,.2f} {line.goal:>8,.2f}{missed}"


if __name__ == "__main__":
    main(sys.argv[1:])
