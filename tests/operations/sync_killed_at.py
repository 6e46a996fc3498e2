"""Kills an exchange with a hub at its n-th step.

Steps are: a call to the hub before and after, each piece that passes in between, each statement, each file.

Run as a program it loads everything once, then forks for each line of JSON that it reads, a `Job`, and writes how the
child ended and how many steps it came.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import Secret
from desktop_rater.format.signing import SigningKey
from desktop_rater.hub.interface import Hub, SignIn
from desktop_rater.operations.hub.collect import collect_into_inbox, collect_results, import_collected
from desktop_rater.operations.hub.connect import store_hub_environment
from desktop_rater.operations.hub.context import SyncContext, SyncEnvironment, SyncOptions, SyncResult
from desktop_rater.operations.hub.publish import PublishedBundle, publish_bundle
from desktop_rater.operations.hub.sync import sync_with_hub
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store
from tests.operations.bundles import noon
from tests.operations.hubs import PROJECT, Laptop, Team
from tests.readers import reader_of
from tests.store.killed_at import STEPS

RATER = "r-17"
KEY = SigningKey(b"k" * 32)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of work with a hub. `steps`: which of its steps count.

    It is killed at the one with the number `at`, or after `seconds`; 0 for neither.
    """

    url: str
    user: str = ""
    password: str = ""
    folder: str
    doing: Literal["sync", "publish", "collect"] = "sync"
    steps: Literal["hub", "all"] = "hub"
    at: int = 0
    seconds: float = 0.0


class Ended(NamedTuple):
    """How a child ended; −9 where it was killed. `steps`: how many it came, if it was not."""

    status: int
    steps: int


@contextmanager
def killer():
    """Gives a function that carries out a `Job` in a process of its own, and says how it ended."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.operations.sync_killed_at"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as forker:
        assert forker.stdin is not None
        assert forker.stdout is not None
        ask, answer = forker.stdin, forker.stdout

        def run(job):
            ask.write(msgspec.json.encode(job) + b"\n")
            ask.flush()
            return Ended(*map(int, answer.readline().split()))

        yield run
        ask.close()


class Counted:
    """Counts steps, and ends the process, as a power cut would, at one of them."""

    def __init__(self, job: Job) -> None:
        self.count = 0
        self._at = job.at

    def __call__(self, *_: Any) -> None:
        self.count += 1
        if self.count == self._at:
            os.kill(os.getpid(), signal.SIGKILL)

    def everything(self) -> None:
        """Count statements and what is done with files, too."""
        execute = Database.execute

        def counted(db: Any, sql: str, *parameters: Any) -> Any:
            self()
            return execute(db, sql, *parameters)

        Database.execute = counted
        sys.addaudithook(lambda event, _arguments: self() if event in STEPS else None)


class CountedHub:
    """A hub whose calls are counted before and after, and each piece that passes in between."""

    def __init__(self, hub: Hub, step: Counted) -> None:
        self._hub = hub
        self._step = step
        self.address = hub.address

    @property
    def skew(self) -> float | None:
        return self._hub.skew

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        def piece(data: bytes) -> None:
            self._step()
            write(data)

        return self._call(self._hub.get, name, piece, progress, most=most)

    def __getattr__(self, verb: str) -> Any:
        return lambda *given, **named: self._call(getattr(self._hub, verb), *given, **named)

    def _call(self, verb: Callable[..., Any], *given: Any, **named: Any) -> Any:
        self._step()
        told = [Progress(self._step) if isinstance(one, Progress) else one for one in given]
        done = verb(*told, **named)
        self._step()
        return done


def team_of(job: Job) -> Team:
    """The hub of a job, with its sign-in."""
    chance = random.Random()

    def means() -> Any:
        known = store_hub_environment(
            Path(job.folder),
            clock=time.monotonic,
            now=noon,
            token=lambda: f"{chance.getrandbits(48):012x}",
            allow_loopback=True,
        )
        return known._replace(sign_in=SignIn(job.user, Secret(job.password)))

    return Team(job.url, means)


def exchange(job: Job, through: Callable[[Hub], Any] = lambda hub: hub) -> SyncResult:
    """One sync and one import, from opening the store to closing it."""
    laptop = Laptop(Path(job.folder), RATER, team_of(job))
    try:
        with laptop.team.opened() as hub, reader_of(Path(job.folder)) as reader:
            means = SyncEnvironment(laptop.clock, lambda: 0.5, KEY)
            on_store = lambda work: work(laptop.store)  # noqa: E731 - there is one thread here
            between = SyncContext(on_store, reader, through(hub), laptop.row, RATER, means, Progress())
            done = sync_with_hub(between, SyncOptions(at_once=True))
        laptop.take()
    finally:
        laptop.close()
    return done


def publish(job: Job, through: Callable[[Hub], Any] = lambda hub: hub) -> PublishedBundle:
    """A lead gives a bundle out, `d.zip` beside the store."""
    with team_of(job).opened() as hub:
        path = Path(job.folder).parent / "d.zip"
        return publish_bundle(through(hub), path, ["ana", RATER], chance=lambda: 0.5, progress=Progress())


def collect(job: Job, through: Callable[[Hub], Any] = lambda hub: hub) -> None:
    """A lead fetches all results into a folder, `collected`, and into a store, `lead`, both beside the rater's."""
    place, lane = Path(job.folder).parent, Lock()
    lead = Laptop(place / "lead", "lena", team_of(job))

    def on_store(work: Callable[[Store], Any]) -> Any:
        with lane:
            return work(lead.store)

    try:
        with lead.team.opened() as opened, reader_of(place / "lead") as reader:
            hub = through(opened)
            collect_results(hub, place / "collected", chance=lambda: 0.5, progress=Progress())
            means = SyncEnvironment(noon, lambda: 0.5)
            collect_into_inbox(SyncContext(on_store, reader, hub, lead.row, "lena", means, Progress()))
        import_collected(lead.store, PROJECT, lead="lena", now=noon, progress=Progress())
    finally:
        lead.close()


DOINGS: dict[str, Callable[..., object]] = {"sync": exchange, "publish": publish, "collect": collect}


def carry_out(job: Job) -> int:
    step = Counted(job)
    if job.steps == "all":
        step.everything()
    if job.seconds:
        signal.setitimer(signal.ITIMER_REAL, job.seconds)  # nobody handles that signal, so it ends the process
    DOINGS[job.doing](job, lambda hub: CountedHub(hub, step))
    return step.count


def main() -> None:
    for line in sys.stdin.buffer:
        job = msgspec.json.decode(line, type=Job)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.write(writing, str(carry_out(job)).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as said:
            steps = said.read()
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)} {steps or 0}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
