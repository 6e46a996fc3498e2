"""What each peer offers to the measurement, and the environment of its own that it runs in."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from bench.figures import ServerMissing
from bench.peers.client import Client, RefusedRequest
from bench.process_group import ProcessGroup
from tests.hub.servers.process import free_port

REQUIREMENTS = Path(__file__).parent / "requirements"
LABELS = ("supported", "refuted", "partially supported", "not enough evidence")
USER, PASSWORD = "rater@example.org", "a password of 20 characters"
Tasks = list[dict[str, Any]]
_LATE = 600.0  # seconds
_PAUSE = 0.02
_SERVER_ERROR = 500


class Turn(NamedTuple):
    """Seconds of one turn of a rater: until the answer is stored, and then until the next task is there."""

    answer: float
    following: float


class Peer(ABC):
    """A peer and its data. All seconds are those of a client on this computer, without a browser.

    What a peer does not offer returns `None`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    package: ClassVar[str]

    def __init__(self, environment: Path, folder: Path) -> None:
        self.environment, self.folder = environment.resolve(), folder.resolve()
        self.port = free_port()
        self.client = Client(self.port)
        self._processes: list[ProcessGroup] = []
        self._started = 0
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    @property
    def version(self) -> str:
        """The version that is measured."""
        lines = (REQUIREMENTS / f"{self.name}.txt").read_text("utf-8").splitlines()
        return next(line.partition("==")[2] for line in lines if line.startswith(f"{self.package}=="))

    @abstractmethod
    def prepare(self, tasks: Tasks) -> None:
        """Create the data, an account and a project with the tasks. It is not measured."""

    @abstractmethod
    def start(self) -> float:
        """Start the server, sign in and fetch the first task."""

    @abstractmethod
    def import_tasks(self, tasks: Tasks) -> float | None:
        """Bring tasks into a new project, until all are counted."""

    @abstractmethod
    def turn(self, number: int) -> Turn:
        """Store a label for the task that is open, and fetch the next one."""

    @abstractmethod
    def search(self, word: str) -> float:
        """Fetch the first page of the tasks whose response contains a word."""

    @abstractmethod
    def export(self, tasks: Tasks) -> float | None:
        """Export a project of these tasks, each with one label. Creating the project is not measured."""

    @abstractmethod
    def agreement(self, tasks: Tasks, labels: Sequence[Sequence[str]]) -> float | None:
        """Compute the agreement of raters. `labels` holds those of each rater. Storing them is not measured."""

    @property
    def megabytes(self) -> float:
        """The most memory that the running processes had."""
        return sum(process.peak for process in self._processes)

    def run(self, name: str, *words: str) -> ProcessGroup:
        """Start a command of the environment; `stop` ends it."""
        self._started += 1
        command = [self.environment / "bin" / name, *words]
        process = ProcessGroup(command, self.folder, self.variables(), self.folder / f"{self._started}.log")
        self._processes.append(process)
        return process

    def serve(self, path: str, name: str, *words: str) -> None:
        """Start a server, and wait until it answers a request. Raises `RuntimeError` with its log if it does not."""
        server, client = self.run(name, *words), Client(self.port)
        late = time.monotonic() + _LATE
        while time.monotonic() < late and server.process.poll() is None:
            try:
                client.get(path)
            except RefusedRequest as refused:
                if refused.status < _SERVER_ERROR:  # it answers, and does not take this request
                    return
            except OSError:
                pass
            else:
                return
            finally:
                client.close()
            time.sleep(_PAUSE)
        self.stop()
        raise RuntimeError(f"{self.title} does not serve: {server.log.read_text('utf-8', 'replace')[-2_000:]}")

    def variables(self) -> dict[str, str]:
        """Return the environment variables of its processes."""
        return {}

    def stop(self) -> None:
        """End all processes."""
        self.client.close()
        for process in self._processes:
            process.stop()
        self._processes.clear()


def wait_until(ready: Callable[[], bool]) -> None:
    """Ask again and again until something is ready."""
    late = time.monotonic() + _LATE
    while not ready():
        if time.monotonic() > late:
            raise TimeoutError("a peer did not come to an end")
        time.sleep(_PAUSE)


def environment_of(peer: type[Peer], folder: Path) -> Path:
    """Return the environment of a peer, made from the package index where it is missing.

    Raises `ServerMissing` if it can't be had.
    """
    home = folder / peer.name
    wanted = REQUIREMENTS / f"{peer.name}.txt"
    installed = home / "installed.txt"
    if installed.exists() and installed.read_bytes() == wanted.read_bytes():
        return home
    print(f"installing {peer.title} in {home}", flush=True)
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        pip = [home / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-input", "--requirement", wanted]
        subprocess.run(pip, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ServerMissing(f"{peer.title} could not be installed: {error}") from error
    shutil.copyfile(wanted, installed)
    return home
