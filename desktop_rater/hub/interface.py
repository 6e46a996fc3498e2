"""What every hub can do. Names are paths below the hub, such as `results/r-17/lr-2026/1-<sha256>.zip`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_rater.hub.trouble import HubTrouble
    from desktop_rater.model.progress import Progress


class Listed(msgspec.Struct, frozen=True):
    """A file on the hub: its whole name there, and its size in bytes."""

    name: str
    size: int


class Finding(msgspec.Struct, frozen=True):
    """One thing that was tried on a hub. `matters`: without it the hub can't be used."""

    id: str
    passed: bool
    words: str
    matters: bool = False


class Probe(msgspec.Struct, frozen=True):
    """What a hub can and can't do, as far as two tiny files show it. `skew`: its clock less ours, seconds, if known."""

    findings: tuple[Finding, ...]
    skew: float | None = None

    @property
    def usable(self) -> bool:
        """Whether nothing failed that matters."""
        return all(one.passed for one in self.findings if one.matters)


Put = Literal["put", "there"]
Closed: TypeAlias = "Callable[[str, HubTrouble], object]"
"""Hears the name of a folder on the hub, and why nobody may look into it."""


class Hub(Protocol):
    """A hub that is open. Every method raises `HubTrouble`, and `Cancelled` within a moment.

    `address` shows no secret. Several threads may use one hub at once.
    """

    address: str

    @property
    def skew(self) -> float | None:
        """The hub's clock less ours in seconds, as its last answer said, if it did."""
        ...

    def probe(self, progress: Progress) -> Probe:
        """Write and read back two tiny files whose names and bytes are always the same, and say how it went."""
        ...

    def list(self, folder: str, progress: Progress, closed: Closed | None = None) -> tuple[Listed, ...]:
        """All files in a folder and below it, by name. A folder that is not there is empty.

        Only finished files of our own are among them: those whose name holds their hash. A folder below that may not
        be looked into is told to `closed`, and the rest is listed; without it the trouble is raised.
        """
        ...

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        """Hand the bytes of a file to `write`, piece by piece; how many there were. At most `most`.

        `gone` where there is none, `torn` where it is not what its name says, as one that is larger; of the marker that
        is `not_a_hub`.
        """
        ...

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> Put:
        """Put a file there that was not, and never in the place of another: it is whole under its name, or not there.

        "there": the same bytes stood there already. `other` where other bytes do.
        """
        ...

    def exists(self, name: str, progress: Progress) -> bool:
        """Whether a file of that name is there, whole or not."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...
