"""Interface of all hubs, their environment, and the findings of probes."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from desktop_rater.http.resolve import Resolve
from desktop_rater.hub.errors import HubError
from desktop_rater.model.change import Progress
from desktop_rater.model.signature import Secret


class SignIn(NamedTuple):
    """Credentials: a user and a password, a key's id and its secret for S3, or only a token."""

    user: str = ""
    secret: Secret = Secret("")


class HubEnvironment(NamedTuple):
    """External dependencies of a hub.

    `clock` is a monotonic clock in seconds, `now` the time in UTC. `token` returns at least 8 random lowercase letters
    and digits. `client` is constant on this computer: 8 to 16 of the same characters. `certificates` is a PEM file of
    additional roots, `allow_loopback` permits connections to this computer without TLS.
    """

    clock: Callable[[], float]
    now: Callable[[], datetime]
    token: Callable[[], str]
    client: str
    sign_in: SignIn = SignIn()
    certificates: str = ""
    allow_loopback: bool = False
    resolve: Resolve = socket.getaddrinfo


class HubFile(msgspec.Struct, frozen=True):
    """A file on the hub: its full name there, and its size in bytes."""

    name: str
    size: int


class ProbeFinding(msgspec.Struct, frozen=True):
    """Result of one check of a hub. `matters`: the hub can't be used without it."""

    id: str
    passed: bool
    words: str
    matters: bool = False


class ProbeResult(msgspec.Struct, frozen=True):
    """Result of checking a hub with two tiny files. `skew`: its clock minus ours, in seconds, if known."""

    findings: tuple[ProbeFinding, ...]
    skew: float | None = None

    @property
    def usable(self) -> bool:
        """Tell if no essential check failed."""
        return all(finding.passed for finding in self.findings if finding.matters)


PutResult = Literal["put", "there"]
ClosedFolderCallback: TypeAlias = Callable[[str, HubError], object]
"""Called with the name of an inaccessible folder on the hub, and the error."""


class Hub(Protocol):
    """An open hub. Every method raises `HubError`, and `Cancelled` within a moment.

    `address` contains no secret. Several threads may use one hub at once.
    """

    address: str

    @property
    def skew(self) -> float | None:
        """Return the hub's clock minus ours in seconds, as of its last response, if known."""
        ...

    def probe(self, progress: Progress) -> ProbeResult:
        """Write and read back two tiny files whose names and bytes are always the same, and report the result."""
        ...

    def list(self, folder: str, progress: Progress, closed: ClosedFolderCallback | None = None) -> tuple[HubFile, ...]:
        """List all files in a folder and below it, by name. A missing folder is empty.

        Only finished files of ours are included: those with a hash in their name. A subfolder without read access is
        reported to `closed`, and the rest is listed; without `closed` the error is raised.
        """
        ...

    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int:
        """Pass the bytes of a file to `write`, piece by piece; return their number. At most `most`.

        Errors: `gone` if missing, `torn` if it does not match its name or is too large; for the marker that is
        `not_a_hub`.
        """
        ...

    def put_new(self, name: str, content: Path, sha256: str, progress: Progress) -> PutResult:
        """Create a file, never replacing another one: it is complete under its name, or does not exist.

        "there": the same bytes exist already. `other` error if different ones do.
        """
        ...

    def exists(self, name: str, progress: Progress) -> bool: ...

    def close(self) -> None: ...
