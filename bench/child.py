"""Measuring in a process of its own, so that nothing of one row helps or burdens another."""

from __future__ import annotations

import importlib
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

_ROOT = Path(__file__).resolve().parents[1]


class Ran(msgspec.Struct, frozen=True):
    """Seconds from the first line of the work to its last, the process's peak of memory in MB, what came back."""

    seconds: float
    processor: float
    megabytes: float
    result: Any = None


def measured(function: str, *arguments: str | int | list[str]) -> Ran:
    """Run `module:function` with plain arguments in a new process."""
    command = [sys.executable, "-m", "bench.child", function, json.dumps(arguments)]
    ran = subprocess.run(command, cwd=_ROOT, env=environment(), stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=Ran)


def environment() -> dict[str, str]:
    """Return the variables of a measured process.

    Modules are compiled, as those of an installed program are, and of a checkout after its first start.
    """
    variables = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "PYTHONPATH": str(_ROOT)}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    variables["PYTHONPYCACHEPREFIX"] = str(_ROOT / "build" / "bench" / "compiled")
    return variables


def main() -> None:
    """The other end of `measured`."""
    module, _, name = sys.argv[1].partition(":")
    function = getattr(importlib.import_module(module), name)
    arguments = json.loads(sys.argv[2])
    started, spent = time.perf_counter(), time.process_time()
    result = function(*arguments)
    ran = Ran(
        seconds=time.perf_counter() - started,
        processor=time.process_time() - spent,
        megabytes=peak(),
        result=result,
    )
    print(msgspec.json.encode(ran).decode())


def peak() -> float:
    """Return the most memory in MB that this process has had so far."""
    told = Path("/proc/self/status")
    if not told.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    # On Linux `ru_maxrss` is at least that of the process which started this one.
    lines = told.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
