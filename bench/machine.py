"""The machine of a run, and the work of others on it while something is measured."""

from __future__ import annotations

import os
import platform
import resource
import sqlite3
import time
from importlib.metadata import version
from pathlib import Path
from typing import Self

import msgspec

_STAT = Path("/proc/stat")
_BUSY_COLUMNS = (0, 1, 2, 5, 6)  # user, nice, system, irq, softirq
_STEAL_COLUMN = 7
MAX_OTHERS = 0.1  # cores


class Machine(msgspec.Struct, frozen=True):
    """Facts about the machine that a reader needs to compare the figures with others."""

    system: str
    processor: str
    cores: int
    python: str
    sqlite: str
    pyside6: str


class Disturbance(msgspec.Struct, frozen=True):
    """Work of others during a measurement.

    `others` is the mean number of cores that other processes used, `steal` that which other virtual machines took;
    both are `None` where the system does not tell. `switches` counts per second how often a process of the
    measurement had to give up its core, and `load` is the load average of one minute at the end.
    """

    others: float | None
    steal: float | None
    switches: float
    load: float

    @property
    def quiet(self) -> bool:
        """Return whether next to nothing else ran."""
        return self.others is not None and self.steal is not None and self.others + self.steal <= MAX_OTHERS


class Watch:
    """Context manager that measures the disturbance of the block. Children count as own once they were waited for."""

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        self._machine, self._own, self._switches = _machine_seconds(), _own_seconds(), _own_switches()
        return self

    def __exit__(self, *_error: object) -> None:
        seconds = time.monotonic() - self._started
        others, steal = None, None
        after = _machine_seconds()
        if self._machine is not None and after is not None:
            busy = after[0] - self._machine[0] - (_own_seconds() - self._own)
            others, steal = max(0.0, busy / seconds), (after[1] - self._machine[1]) / seconds
        self.disturbance = Disturbance(
            others=None if others is None else round(others, 3),
            steal=None if steal is None else round(steal, 3),
            switches=round((_own_switches() - self._switches) / seconds, 1),
            load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0,
        )


def machine() -> Machine:
    """Return the facts about this machine."""
    return Machine(
        system=platform.platform(),
        processor=_processor(),
        cores=os.cpu_count() or 0,
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        pyside6=version("PySide6"),
    )


def _machine_seconds() -> tuple[float, float] | None:
    """Return how long all cores together have been busy, and how long they were taken away; `None` if unknown."""
    if not _STAT.exists():
        return None
    columns = [int(column) for column in _STAT.read_text("ascii").partition("\n")[0].split()[1:]]
    tick = os.sysconf("SC_CLK_TCK")
    return sum(columns[number] for number in _BUSY_COLUMNS) / tick, columns[_STEAL_COLUMN] / tick


def _own_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _own_switches() -> int:
    return sum(resource.getrusage(who).ru_nivcsw for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
