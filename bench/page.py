"""The first table of docs/performance.md, written from a quiet run of its rows with 100,000 tasks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from bench.history import Line, Run

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
TASKS = 100_000
_LINE = 120  # characters
_TABLE = re.compile(r"(?<=<!-- begin of the figures -->\n).*(?=<!-- end of the figures -->)", re.DOTALL)
_HEAD = """| row | unit | value | floor | result | from – to | at most |
|---|---|---|---|---|---|---|
"""


def unfit(run: Run, words: Sequence[str]) -> str:
    """Return why a run does not go into the page, or an empty string. `words` selected the rows."""
    if run.tasks < TASKS:
        return f"it has {run.tasks:,} tasks, not {TASKS:,}"
    if words:
        return "it has only the rows that were named"
    noisy = [line.row for line in run.rows if not line.disturbance.quiet]
    return f"other programs ran beside: {', '.join(noisy)}" if noisy else ""


def write_page(run: Run, page: Path = PAGE) -> None:
    """Write the table of a run and where it was measured."""
    text = page.read_text(encoding="utf-8")
    body = f"\n{_origin(run)}\n\n{_HEAD}{''.join(_row(line) for line in run.rows)}\n"
    written, count = _TABLE.subn(lambda _match: body, text)
    if count != 1:
        raise ValueError(f"{page.name} has no place for the figures")
    page.write_text(written, encoding="utf-8")


def _origin(run: Run) -> str:
    machine = run.machine
    others = max((line.disturbance.others or 0) + (line.disturbance.steal or 0) for line in run.rows)
    told = (
        f"Measured on {run.moment[:10]} at commit {run.revision} on {machine.cores} cores of {machine.processor},"
        f" {machine.system}, Python {machine.python}, SQLite {machine.sqlite}, PySide6 {machine.pyside6}."
        f" While a row was measured, everything else on the machine used at most {others:.2f} cores."
    )
    skipped = f" Not measured, because the server is missing: {', '.join(run.skipped)}." if run.skipped else ""
    return textwrap.fill(told + skipped, _LINE, break_on_hyphens=False)


def _row(line: Line) -> str:
    floor = "" if line.floor is None else f"{line.floor:,.2f}"
    spread = "" if line.low is None or line.high is None else f"{line.low:,.2f}–{line.high:,.2f}"
    cells = (line.row, line.unit, f"{line.value:,.2f}", floor, f"{line.result:,.2f}", spread, f"{line.goal:g}")
    return f"| {' | '.join(cells)} |\n"
