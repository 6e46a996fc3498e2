"""How a process ends, or what its disk does to it: killed at a random moment, killed or failed at a chosen system call.

Calls are reached with `strace`, which counts those of each thread by itself.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any, Self, TextIO

# All by which a file, or a name in a folder, changes. `writev` is how a victim says what it has done.
CHANGES = ("pwrite64", "write", "fdatasync", "fsync", "ftruncate", "rename", "unlink", "mkdir", "writev")
NO_FORK = None if sys.platform == "linux" else "processes are forked and stopped as Linux does it"
NO_STRACE = None if shutil.which("strace") else "strace is not installed: no kills and no errors at chosen system calls"
LONG = 120  # seconds, after which a victim hangs


@dataclass(frozen=True)
class Ended:
    """What a victim said, line by line, and how it ended."""

    said: tuple[tuple[Any, ...], ...]
    status: int
    errors: str

    @property
    def killed(self) -> bool:
        return self.status == -signal.SIGKILL

    def named(self, what: str) -> list[tuple[Any, ...]]:
        """The rest of the lines that begin so."""
        return [tuple(line[1:]) for line in self.said if line[0] == what]


@dataclass(frozen=True)
class AtMoment:
    """Killed so many seconds after its first word."""

    seconds: float
    fatal = True

    def __str__(self) -> str:
        return f"killed {self.seconds:.3f} s after its first word"


@dataclass(frozen=True)
class AtCall:
    """Killed at the nth call of that name."""

    call: str
    nth: int
    fatal = True

    def __str__(self) -> str:
        return f"killed at {self.call} {self.nth}"

    def inject(self) -> list[str]:
        return ["-e", f"trace={self.call}", "-e", f"inject={self.call}:signal=SIGKILL:when={self.nth}"]


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

    def inject(self) -> list[str]:
        when = f"{self.nth}{'' if self.once else '+'}"
        return ["-e", f"trace={self.call}", "-e", f"inject={self.call}:error={self.error}:when={when}"]


@dataclass(frozen=True)
class Displaced:
    """Its files are changed from outside, each so many seconds after its first word, and then it is asked to close."""

    acts: tuple[tuple[float, Callable[[], None]], ...]
    seconds: float
    fatal = False

    @contextmanager
    def acting(self, process: int) -> Generator[None]:
        """Do it beside the block, which ends with the process."""
        over = Event()

        def act() -> None:
            begun = time.monotonic()
            for seconds, change in self.acts:
                if over.wait(max(0, begun + seconds - time.monotonic())):
                    return
                change()
            over.wait(max(0, begun + self.seconds - time.monotonic()))
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGUSR1)

        beside = Thread(target=act)
        beside.start()
        try:
            yield
        finally:
            over.set()
            beside.join()


Ending = AtMoment | AtCall | Failing | Displaced


class Nursery:
    """Lets victims live, one at a time. `modules` are loaded before; `place` is a folder for what they say."""

    def __init__(self, place: Path, *modules: str) -> None:
        self._said, self._errors = place / "said", place / "errors"
        os.mkfifo(self._said)
        # Opened by a reader, and once by a writer, it waits for no other.
        self._child: int | None = None
        self._ear = os.open(self._said, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(self._ear, True)
        command = [sys.executable, "-m", "tests.torture.nursery", *modules]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._child is not None:  # it waits for a harness that broke off
            os.kill(self._child, signal.SIGKILL)
        self._process.communicate()
        os.close(self._ear)

    def run(self, module: str, words: Sequence[str], ending: Ending | None = None) -> Ended:
        """Let a victim live to its end."""
        child = self._forked(module, words)
        tracer = None
        if isinstance(ending, AtCall | Failing):
            # By itself it would let go of a traced call only now and then, and lose the signal: no --seccomp-bpf.
            tracer = _traced(child, *ending.inject())
        os.kill(child, signal.SIGCONT)
        with _killing(child, LONG), self._listening() as words_said:
            lines = [words_said.readline()]
            with _ended_by(ending, child):
                lines += words_said.readlines()
                status = self._ended()
        if tracer is not None:
            tracer.communicate()
        # A last line that was cut off was never said whole.
        said = tuple(tuple(json.loads(line)) for line in lines if line.endswith("\n"))
        return Ended(said=said, status=status, errors=self._errors.read_text("utf-8", "replace"))

    def watch(self, module: str, words: Sequence[str], calls: Sequence[str], log: Path, *more: str) -> None:
        """Let a victim live undisturbed, and write each of these calls of its to `log`."""
        child = self._forked(module, words)
        tracer = _traced(child, *more, "-e", f"trace={','.join(calls)}", log=log)
        os.kill(child, signal.SIGCONT)
        with self._listening() as words_said:
            words_said.read()
            assert self._ended() == 0, self._errors.read_text("utf-8")
        tracer.communicate()

    def _forked(self, module: str, words: Sequence[str]) -> int:
        """A victim that has not begun yet."""
        self._errors.unlink(missing_ok=True)
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([module, list(words), str(self._said), str(self._errors)]) + "\n")
        self._process.stdin.flush()
        self._child = self._answer()
        return self._child

    def _listening(self) -> TextIO:
        return os.fdopen(os.dup(self._ear), encoding="utf-8")

    def _ended(self) -> int:
        status = self._answer()
        self._child = None
        return status

    def _answer(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())


def _ended_by(ending: Ending | None, child: int) -> AbstractContextManager[None]:
    if isinstance(ending, AtMoment):
        return _killing(child, ending.seconds)
    return ending.acting(child) if isinstance(ending, Displaced) else nullcontext()


@contextmanager
def _killing(process: int, seconds: float) -> Generator[None]:
    """Kill a process after so many seconds, unless the block ends first."""

    def kill() -> None:
        with suppress(ProcessLookupError):  # it came to its end just before
            os.kill(process, signal.SIGKILL)

    timer = Timer(seconds, kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _traced(process: int, *words: str, log: Path | str = os.devnull) -> subprocess.Popen[str]:
    """Strace, once it has got hold of a process."""
    command = ["strace", "-f", "-e", "signal=none", "-o", str(log), *words, "-p", str(process)]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert tracer.stderr is not None
    first = tracer.stderr.readline()
    assert "attached" in first, first
    return tracer
