"""`python -m bench`: measure the rows of the first table, print it, and add the run to build/bench.json.

BENCH_TASKS=10000 takes fewer tasks; words behind the command select the rows that contain one of them, also of those
that take hours. A quiet run without words with 100,000 tasks is written to docs/performance.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures import Row, Samples, ServerMissing, figure
from bench.history import Line, Run, add_run
from bench.machine import Watch, machine
from bench.page import unfit, write_page
from bench.rows import LONG_ROWS, ROWS
from bench.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.machine import Disturbance

_ROOT = Path(__file__).resolve().parents[1]
_BUILD = _ROOT / "build"
_ATTEMPTS = 2  # a measurement beside other work is repeated once, and counts as it is then
_HEAD = f"{'row':<46} {'':>4} {'value':>10} {'floor':>10} {'result':>8} {'from':>8} {'to':>8} {'goal':>8}"

Measured = tuple[dict[str, Samples], "Disturbance"]


def main(words: list[str]) -> None:
    """Measure the rows that contain one of `words`, or those of the first table."""
    workload = Workload(_BUILD / "bench", int(os.environ.get("BENCH_TASKS", "100000")))
    workload.folder.mkdir(parents=True, exist_ok=True)
    wanted = [row for row in (*ROWS, *LONG_ROWS) if any(word in row.row for word in words)] if words else ROWS
    measured: dict[Callable[..., dict[str, Samples]], Measured | None] = {}
    print(_HEAD, flush=True)
    lines, skipped = [], []
    for row in wanted:
        if row.measure not in measured:
            measured[row.measure] = _measure(row, workload)
        result = measured[row.measure]
        if result is None:
            skipped.append(row.row)
            continue
        lines.append(_line(row, *result, workload.tasks))
        print(_shown(lines[-1]), flush=True)
    run = Run(
        number=0,
        moment=datetime.now(UTC).isoformat(timespec="seconds"),
        revision=_revision(),
        machine=machine(),
        tasks=workload.tasks,
        rows=lines,
        skipped=skipped,
    )
    run = add_run(_BUILD / "bench.json", run)
    print(f"run {run.number} of build/bench.json", flush=True)
    reason = unfit(run, words)
    if reason:
        print(f"docs/performance.md stays as it is: {reason}")
    else:
        write_page(run)


def _measure(row: Row, workload: Workload) -> Measured | None:
    """Return the samples of a row and what disturbed them; `None` where its server is missing, which is printed."""
    for _ in range(_ATTEMPTS):
        with Watch() as watch:
            try:
                samples = row.measure(workload)
            except ServerMissing as missing:
                print(f"skipped: {row.row}: {missing}", flush=True)
                return None
        if watch.disturbance.quiet:
            break
    return samples, watch.disturbance


def _line(row: Row, samples: dict[str, Samples], disturbance: Disturbance, tasks: int) -> Line:
    computed = figure(samples[row.figure], row.statistic, row.bounds)
    return Line(
        row=row.row.format(tasks=f"{tasks:,}"),
        unit=row.unit,
        value=round(computed.value, 4),
        floor=None if computed.floor is None else round(computed.floor, 4),
        result=round(computed.result, 4),
        low=None if computed.low is None else round(computed.low, 4),
        high=None if computed.high is None else round(computed.high, 4),
        goal=row.goal,
        samples=computed.samples,
        disturbance=disturbance,
    )


def _shown(line: Line) -> str:
    floor, low, high = ("" if value is None else f"{value:,.2f}" for value in (line.floor, line.low, line.high))
    missed = "" if line.met else "  missed"
    other = line.disturbance
    noisy = "" if other.quiet else f"  beside others: {other.others} cores, {other.steal} stolen, load {other.load}"
    measured = f"{line.row:<46} {line.unit:>4} {line.value:>10,.2f} {floor:>10} {line.result:>8,.2f}"
    return f"{measured} {low:>8} {high:>8} {line.goal:>8,.2f}{missed}{noisy}"


def _revision() -> str:
    """Return the commit of the checkout, with a plus if program or benchmark were changed since; or `unknown`."""
    commands = (["git", "rev-parse", "--short=9", "HEAD"], ["git", "status", "--porcelain", "desktop_rater", "bench"])
    try:
        commit, changed = (
            subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True).stdout
            for command in commands
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return commit.strip() + ("+" if changed.strip() else "")


if __name__ == "__main__":
    main(sys.argv[1:])
