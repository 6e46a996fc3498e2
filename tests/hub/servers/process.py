"""A server in a process of its own: started on a free port, waited for, and stopped for certain."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

HOST = "127.0.0.1"
_TRIES = 3  # somebody else may take a port between the moment it is found free and the server's start
_WAITS, _WAIT = 1_500, 0.02
_STOPPING = 10  # seconds that a server has to end by itself
# A run that is killed takes its servers along.
_WITH_US = ("setpriv", "--pdeathsig", "TERM") if shutil.which("setpriv") else ()


class DidNotStart(Exception):
    """The server ended, or never listened. The text is its log."""


class ServerProcess:
    """Runs what `command` makes of a free port, from the start. `log` is all that it says."""

    def __init__(
        self, command: Callable[[int], Sequence[str]], log: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.log = log
        self._command = command
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        for left in reversed(range(_TRIES)):
            self.port = free_port()
            try:
                self.start()
            except DidNotStart:
                if left == 0:
                    raise
            else:
                return

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it on its port, also again after `stop`; returns when it listens."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*_WITH_US, *self._command(self.port)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
            )
        for _ in range(_WAITS):
            if listens(self.port):
                return
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_WAIT)
                break
        self.stop()
        raise DidNotStart(self.log.read_text("utf-8", "replace"))

    def stop(self) -> None:
        """As a server that goes away: nothing listens on its port any more."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOPPING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.stop()


def free_port() -> int:
    """One on which nobody listens now."""
    with socket.socket() as one:
        one.bind((HOST, 0))
        return one.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex((HOST, port)) == 0
