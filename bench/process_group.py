"""Processes that one command starts: watched for their memory, and ended as a group."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

_KEPT = ("PATH", "LANG", "TMPDIR", "JAVA_HOME")
_STOPPING = 20.0  # seconds that processes have to end by themselves
_EVERY = 0.2  # seconds between two looks at the memory, at least
_PAUSE = 20  # times as long as the last look, which takes a while for processes of many gigabytes


class ProcessGroup:
    """Group of processes with a few variables of this environment and those that are given. It ends with the block.

    `peak` is the most memory in MB that they had together. Pages that several share are divided among them.
    """

    def __init__(self, command: Sequence[str | Path], folder: Path, variables: Mapping[str, str], log: Path) -> None:
        self.log = log
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                cwd=folder,
                env={**kept, "HOME": str(folder), **variables},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.peak = 0.0
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self._watch.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the whole group."""
        self._ended.set()
        self._watch.join()
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                break
            try:
                self.process.wait(_STOPPING)
            except subprocess.TimeoutExpired:
                continue
        self.process.wait()

    def _look(self) -> None:
        pause = _EVERY
        while not self._ended.wait(pause):
            began = time.monotonic()
            self.peak = max(self.peak, group_memory(self.process.pid))
            pause = max(_EVERY, _PAUSE * (time.monotonic() - began))


def group_memory(group: int) -> float:
    """Return the memory of a process and its descendants in MB: the proportional share of each, from /proc."""
    total, left = 0, [group]
    for pid in left:
        home = Path("/proc", str(pid))
        try:
            lines = (home / "smaps_rollup").read_text("ascii").splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
            for thread in (home / "task").iterdir():
                left += [int(child) for child in (thread / "children").read_text("ascii").split()]
        except OSError:  # it ended while it was read
            continue
    return total / 1_024
