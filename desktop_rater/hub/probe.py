"""Probes: capabilities of a hub, checked with two tiny files whose names and bytes are always the same."""

import hashlib
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from typing import NamedTuple

from desktop_rater.http.client import UploadBody
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.interface import ProbeFinding, ProbeResult
from desktop_rater.model.hub_names import MAX_CLOCK_SKEW

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
