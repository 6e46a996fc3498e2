"""How a process ends, or what its disk does to it: killed at a random moment, killed or failed at a chosen system call.

Calls are reached with `strace`, which counts those of each thread by itself.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

# All by which a file, or a name in a folder, changes. `writev` is how a victim says what it has done.
CHANGES = ("pwrite64", "write", "fdatasync", "fsync", "ftruncate", "rename", "unlink", "mkdir", "writev")
NO_STRACE = None if shutil.which("strace") else "strace is not installed: no kills and no errors at chosen system calls"
LONG = 120  # seconds, after which a victim hangs


@dataclass(frozen=True)
class Ended:
    """What a victim said, line by line, and how it ended."""

    said: tuple[tuple[Any, ...], ...]
    killed: bool
    status: int
    errors: str

    def named(self, what: str) -> list[tuple[Any, ...]]:
        """The rest of the lines that begin so."""
        return [tuple(line[1:]) for line in self.said if line[0] == what]


@dataclass(frozen=True)
class AtMoment:
    """Killed so many seconds after it said its first word."""

    seconds: float
    fatal = True

    def __str__(self) -> str:
        return f"killed after {self.seconds:.3f} s"


@dataclass(frozen=True)
class AtCall:
    """Killed at the nth call of that name."""

    call: str
    nth: int
    fatal = True

    def __str__(self) -> str:
        return f"killed at {self.call} {self.nth}"

    def inject(self) -> str:
        return f"{self.call}:signal=SIGKILL:when={self.nth}"


@dataclass(frozen=True)
class Failing:
    """The nth call of that name fails, and all after it where it is not `once`."""

    call: str
    error: str
    nth: int
    once: bool = True
    fatal = False

    def __str__(self) -> str:
        return f"{self.error} at {self.call} {self.nth}{'' if self.once else ' and after it'}"

    def inject(self) -> str:
        return f"{self.call}:error={self.error}:when={self.nth}{'' if self.once else '+'}"


@dataclass(frozen=True)
class Undisturbed:
    """Nothing happens to it."""

    fatal = False


Ending = AtMoment | AtCall | Failing | Undisturbed


def run(command: Sequence[str], ending: Ending) -> Ended:
    """Run a victim to its end."""
    words = [sys.executable, *command]
    if isinstance(ending, AtCall | Failing):
        only = ["-e", f"trace={ending.call}", "-e", "signal=none", "-e", f"inject={ending.inject()}"]
        words = ["strace", "-f", "-qqq", "-o", "/dev/null", *only, *words]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    lines = [process.stdout.readline()]
    timer = Timer(ending.seconds if isinstance(ending, AtMoment) else LONG, process.kill)
    timer.start()
    rest, errors = process.communicate()
    timer.cancel()
    lines += rest.splitlines(keepends=True)
    # A last line that was cut off was never said whole.
    said = tuple(tuple(json.loads(line)) for line in lines if line.endswith("\n"))
    killed = process.returncode in {-signal.SIGKILL, 128 + signal.SIGKILL}
    return Ended(said=said, killed=killed, status=process.returncode, errors=errors)


def calls(command: Sequence[str], folder: Path) -> Counter[str]:
    """How often the busiest thread of a victim makes each of the calls that change something, undisturbed."""
    log = folder / "calls"
    watch = ["strace", "-ff", "-qqq", "-o", str(log), "-e", f"trace={','.join(CHANGES)}", "-e", "signal=none"]
    subprocess.run([*watch, sys.executable, *command], stdout=subprocess.DEVNULL, check=True, timeout=LONG)
    most: Counter[str] = Counter()
    for file in folder.glob("calls.*"):
        most |= Counter(line.partition("(")[0] for line in file.read_text("utf-8", "replace").splitlines())
        file.unlink()
    return most
