"""Interface of all hubs, their environment, and the findings of probes."""

import hashlib
import socket
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import MAX_CLOCK_SKEW, Secret
from desktop_rater.http.client import UploadBody
from desktop_rater.http.resolve import Resolve
from desktop_rater.hub.errors import HubError


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


PROBE_FOLDER = "probe"
_LITTLE = 100 * 1024 * 1024  # bytes: some hundred results
_MEGA = 1024 * 1024
# The finding that each kind of error belongs to; all others mean that the server was not reached.
_FINDING_OF_ERROR = {"sign_in": "sign_in", "rights": "write", "place": "place", "full": "space", "certificate": "tls"}
_WHOLE, _CUT_AT = 4096, 1024  # bytes of the upload that is interrupted


class ProbeFile(NamedTuple):
    """A file that a probe writes; `name` is that on the hub."""

    content: bytes
    sha256: str
    name: str

    @property
    def upload(self) -> UploadBody:
        return UploadBody(len(self.content), lambda: (self.content,))


def _probe_file(number: int) -> ProbeFile:
    content = b'{"format":"desktop-rater/probe","number":%d}\n' % number
    sha256 = hashlib.sha256(content).hexdigest()
    return ProbeFile(content, sha256, f"{PROBE_FOLDER}/{sha256}.json")


PROBE_FILES = (_probe_file(1), _probe_file(2))


def run_probe(checks: Iterable[ProbeFinding], skew: Callable[[], float | None]) -> ProbeResult:
    """Collect findings, of which an error is the last; then add one about the server's clock, if known."""
    findings: list[ProbeFinding] = []
    try:
        findings.extend(checks)  # those before an error are kept
    except HubError as error:
        finding_id = _FINDING_OF_ERROR.get(error.kind, "write" if findings else "reach")
        findings.append(ProbeFinding(finding_id, passed=False, words=str(error), matters=True))
    server_skew = skew()
    if server_skew is not None:
        findings.append(clock_finding(server_skew))
    return ProbeResult(tuple(findings), server_skew)


def tls_finding(*, plain: bool) -> ProbeFinding:
    """Return the finding about encryption."""
    if plain:
        return ProbeFinding("tls", passed=False, words="The connection is not encrypted; it stays on this computer.")
    text = "The connection is encrypted, and the server's certificate is valid."
    return ProbeFinding("tls", passed=True, words=text, matters=True)


def write_finding() -> ProbeFinding:
    """Return the finding that two files were written and read back."""
    return ProbeFinding("write", passed=True, words="Files can be written and read back unchanged.", matters=True)


def space_finding(free: int) -> ProbeFinding:
    """Return the finding about free space; `free` in bytes."""
    return ProbeFinding("space", passed=free >= _LITTLE, words=f"{free // _MEGA:,} MB are free.")


def clock_finding(skew: float) -> ProbeFinding:
    """Return the finding about the clock; `skew`: the server's clock minus ours, in seconds."""
    if abs(skew) <= MAX_CLOCK_SKEW:
        return ProbeFinding("clock", passed=True, words="The server's clock and yours agree.")
    which = "ahead of" if skew > 0 else "behind"
    text = f"The server's clock is {abs(skew) / 60:.0f} min {which} yours. Nothing depends on it, but one is wrong."
    return ProbeFinding("clock", passed=False, words=text)


class _InterruptUpload(Exception):
    pass


def interrupt_upload(send: Callable[[UploadBody, str], object]) -> None:
    """Call `send` with a body that breaks off, and the SHA-256 of the whole."""

    def pieces() -> Generator[bytes]:
        yield b" " * _CUT_AT
        raise _InterruptUpload

    with suppress(_InterruptUpload):
        send(UploadBody(_WHOLE, pieces), hashlib.sha256(b" " * _WHOLE).hexdigest())
