"""A hub in a folder, raters who exchange with it, and a hub that fails where a test says."""

import hashlib
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, Self

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import (
    ASSIGNMENT_FORMAT,
    AssignedBundle,
    Assignment,
    assignment_name,
    bundle_name,
    results_name,
    returned_name,
)
from desktop_rater.format.signing import SigningKey
from desktop_rater.hub.address import open_hub, parse_address
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import Hub
from desktop_rater.operations.hub.connect import connect_to_hub, init_hub, read_marker, store_hub_environment
from desktop_rater.operations.hub.context import SyncContext, SyncEnvironment, SyncOptions, SyncResult
from desktop_rater.operations.hub.receive import import_arrivals
from desktop_rater.operations.hub.sync import sync_with_hub
from desktop_rater.operations.hub.transfer import put_small_file, small_file_bytes
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store import hubs, mailbox

from .bundles import NOON, noon, rating, write_lines, writer

PROJECT = "kelp-2026"


class Clock:
    """A time of day that a test sets, in seconds after noon."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return NOON + timedelta(seconds=self.seconds)


def sha256_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Team:
    """A hub and what a lead puts there by hand."""

    def __init__(self, url: str, means: Callable[[], Any]) -> None:
        self.url = url
        self._means = means

    @classmethod
    def in_folder(cls, folder: Path, project: str = PROJECT) -> Self:
        tokens = count(1)

        def means():
            return store_hub_environment(folder, clock=time.monotonic, now=noon, token=lambda: f"{next(tokens):012d}")

        team = cls(f"folder:{folder}", means)
        with team.opened() as hub:
            init_hub(hub, project, "Kelp", NOON, Progress())
        return team

    def opened(self) -> closing[Hub]:
        return closing(open_hub(parse_address(self.url), self._means()))

    def publish(self, path: Path, *raters: str, **more: Any) -> str:
        """A bundle and who it is for; the bundle's name there."""
        said = AssignedBundle(
            name=bundle_name(path.stem, more.get("revision", 1), sha256_of(path)),
            sha256=sha256_of(path),
            bytes=path.stat().st_size,
            id=path.stem,
            revision=more.get("revision", 1),
            title=path.stem.upper(),
            tasks=more.get("tasks", 1),
        )
        with self.opened() as hub:
            hub.put_new(said.name, path, said.sha256, Progress())
            for rater in raters:
                one = Assignment(format=ASSIGNMENT_FORMAT, version=1, rater=rater, bundle=said)
                content = small_file_bytes(one)
                name = assignment_name(rater, hashlib.sha256(content).hexdigest())
                put_small_file(hub, name, content, Progress())
        return said.name

    def give_back(self, path: Path, rater: str) -> str:
        name = returned_name(rater, sha256_of(path))
        with self.opened() as hub:
            hub.put_new(name, path, sha256_of(path), Progress())
        return name

    def results(self, rater: str) -> dict[str, int]:
        """What lies there of a rater; each file is what its name says."""
        with self.opened() as hub:
            found = hub.list(results_name(rater, "b", 1, "0" * 64).rpartition("/")[0].rpartition("/")[0], Progress())
            for one in found:
                seen = hashlib.sha256()
                hub.get(one.name, seen.update, Progress(), most=one.size)
                assert seen.hexdigest() in one.name
        return {one.name: one.size for one in found}


class Laptop:
    """A rater's store, which exchanges with a hub."""

    def __init__(self, folder: Path, rater: str, team: Team) -> None:
        self.store = writer(folder)
        self.rater = rater
        self.team = team
        self.clock = Clock()
        self.key: SigningKey | None = None
        self.move_to(team)

    def move_to(self, team: Team) -> None:
        """Connect with a hub."""
        self.team = team
        with team.opened() as hub:
            connect_to_hub(self.store, read_marker(hub, Progress()), team.url, "", NOON)

    def get(self, path: Path, *tasks: str) -> None:
        """A bundle, published, assigned, imported and rated."""
        self.get_all([path], *tasks)

    def get_all(self, paths: list[Path], *tasks: str) -> None:
        """The same of several; of none of them results have gone."""
        for path in paths:
            self.team.publish(path, self.rater)
        self.sync()
        self.take()
        for path in paths:
            self.rate(path.stem, *tasks)

    def sync(self, through: Callable[[Hub], Hub] = lambda hub: hub, **wanted: Any) -> SyncResult:
        row = hubs.current_hub(self.store)
        assert row is not None
        with self.team.opened() as hub:
            means = SyncEnvironment(self.clock, lambda: 0.5, self.key)
            between = SyncContext(
                lambda work: work(self.store), self.store, through(hub), row, self.rater, means, Progress()
            )
            return sync_with_hub(between, SyncOptions(**wanted))

    def take(self, **more: Any):
        return import_arrivals(self.store, PROJECT, self.rater, progress=Progress(), now=self.clock, **more)

    def rate(self, bundle: str, *tasks: str, **more: Any) -> None:
        self.rate_so(bundle, *(rating(one, **more) for one in tasks))

    def rate_so(self, bundle: str, *plain: dict[str, Any]) -> None:
        lines = write_lines(self.store.folder.parent / f"{self.rater}.jsonl", plain)
        rate_from_file(self.store, bundle, lines, self.rater, progress=Progress(), now=self.clock)

    def items(self) -> list[tuple[str, str]]:
        """What is in the outbox: (bundle, state)."""
        return [(one.bundle, one.state) for one in mailbox.list_items(self.store, PROJECT)]

    @property
    def row(self) -> hubs.HubRow:
        row = hubs.hub_by_project(self.store, PROJECT)
        assert row is not None
        return row

    def close(self) -> None:
        self.store.close()


class Around:
    """A hub that is a real one but for what a test takes the place of."""

    def __init__(self, hub: Any, **instead: Any) -> None:
        self._hub = hub
        self.__dict__.update(instead)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hub, name)


class Failing:
    """A hub of which some calls fail: `troubles` is asked with the verb and the name, and may raise."""

    def __init__(self, hub: Hub, troubles: Callable[[str, str], None]) -> None:
        self._hub = hub
        self._troubles = troubles
        self.address = hub.address
        self.calls: list[tuple[str, str]] = []

    @property
    def skew(self):
        return self._hub.skew

    def __getattr__(self, verb: str) -> Any:
        whole = getattr(self._hub, verb)

        def call(*given: Any, **named: Any) -> Any:
            name = given[0] if given and isinstance(given[0], str) else ""
            self.calls.append((verb, name))
            self._troubles(verb, name)
            return whole(*given, **named)

        return call


def fails(kind: Any, verb: str, part: str = "", retry_after: float | None = None) -> Callable[[str, str], None]:
    """Trouble of a kind whenever that is asked of a name that holds `part`."""

    def troubles(asked: str, name: str) -> None:
        if asked == verb and part in name:
            raise HubError(kind, f"It is {kind}.", retry_after=retry_after)

    return troubles
