"""The history of runs in build/bench.json, and what moved between two of them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench.machine import Disturbance, Machine

MAX_RUNS = 100


class Line(msgspec.Struct, frozen=True):
    """Row of a run. `low` and `high` are the 95 % interval of the result, `None` where there is a single sample."""

    row: str
    unit: str
    value: float
    floor: float | None
    result: float
    low: float | None
    high: float | None
    goal: float
    samples: int
    disturbance: Disturbance

    @property
    def met(self) -> bool:
        """Return whether the goal is reached."""
        return self.result <= self.goal


class Run(msgspec.Struct, frozen=True):
    """Run of the benchmark. `revision` is the commit, with a plus if files were changed since."""

    number: int
    moment: str
    revision: str
    machine: Machine
    tasks: int
    rows: list[Line]
    skipped: list[str]

    @property
    def quiet(self) -> bool:
        """Return whether each row was measured without other work."""
        return all(line.disturbance.quiet for line in self.rows)


class History(msgspec.Struct, frozen=True):
    """Runs in the order in which they were made."""

    runs: list[Run] = []


class Move(msgspec.Struct, frozen=True):
    """Row of two runs. `moved` tells that the intervals do not overlap; it is `None` where one has no interval."""

    before: Line
    after: Line
    moved: bool | None

    @property
    def change(self) -> float:
        """Return the relative change of the result."""
        return self.after.result / self.before.result - 1 if self.before.result else 0.0


def read_history(path: Path) -> History:
    """Return the history of a file; an empty one if there is no file or if it has another form."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=History)
    except (FileNotFoundError, msgspec.ValidationError):
        return History()


def add_run(path: Path, run: Run) -> Run:
    """Append a run, give it the next number, and return it."""
    runs = read_history(path).runs
    numbered = msgspec.structs.replace(run, number=runs[-1].number + 1 if runs else 1)
    raw = msgspec.json.encode(History(runs=[*runs[1 - MAX_RUNS :], numbered]))
    path.write_bytes(msgspec.json.format(raw, indent=1) + b"\n")
    return numbered


def find_run(history: History, name: str) -> Run:
    """Return a run by its number, or the last one of a commit. Raises `LookupError`."""
    for run in reversed(history.runs):
        if name == str(run.number) or (len(name) >= 4 and run.revision.startswith(name)):
            return run
    raise LookupError(f"There is no run {name}. Runs: {', '.join(str(run.number) for run in history.runs)}")


def compare_runs(before: Run, after: Run) -> list[Move]:
    """Return the rows that both runs have, in the order of the later one."""
    known = {line.row: line for line in before.rows}
    pairs = [(known[line.row], line) for line in after.rows if line.row in known]
    return [Move(before=old, after=new, moved=_moved(old, new)) for old, new in pairs]


def _moved(old: Line, new: Line) -> bool | None:
    if old.low is None or old.high is None or new.low is None or new.high is None:
        return None
    return new.low > old.high or new.high < old.low
