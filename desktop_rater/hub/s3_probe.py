"""What an object store can and can't do, as far as two tiny files show it."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from desktop_rater.http.server import Upload
from desktop_rater.hub import findings, probe_files
from desktop_rater.hub.interface import Finding
from desktop_rater.hub.named import parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from desktop_rater.hub.interface import Listed, Probe
    from desktop_rater.hub.s3_bucket import Bucket
    from desktop_rater.model.progress import Progress

_WHOLE, _CUT_AT = 4096, 1024


class Steps(Protocol):
    """The steps of an upload, one by one, as `s3.S3` does them."""

    def list(self, folder: str, progress: Progress) -> tuple[Listed, ...]: ...
    def get(self, name: str, write: Callable[[bytes], object], progress: Progress, *, most: int) -> int: ...
    def create(self, parts: tuple[str, ...], upload: Upload, sha256: str, progress: Progress) -> bool: ...


def probe(steps: Steps, bucket: Bucket, token: str, progress: Progress) -> Probe:
    """Try it. What goes wrong is a finding, unless nothing can be tried at all. `token`: letters not drawn before."""
    found = findings.as_far_as_it_goes(_tried(steps, bucket, token, progress))
    return findings.with_clock(found, bucket.skew)


def _tried(steps: Steps, bucket: Bucket, token: str, progress: Progress) -> Generator[Finding]:
    steps.list(probe_files.FOLDER, progress)
    yield Finding("reach", passed=True, words=f"{bucket.host} answers as an object store does.", matters=True)
    yield findings.tls(plain=bucket.plain)
    yield Finding("place", passed=True, words="The bucket is there.", matters=True)
    for content in (probe_files.FIRST, probe_files.SECOND):
        _create(steps, content, progress)
        # What comes back and is not what the name promises is raised, and so a finding.
        steps.get(probe_files.name_of(content), lambda _piece: None, progress, most=len(content))
    yield findings.written()
    again = _create(steps, probe_files.SECOND, progress)  # the same bytes, so a store that replaces does no harm
    words = "A file that is there is not replaced."
    if again:
        words = "A file that is there would be replaced, so a look comes first. Names hold the hash of their file."
    yield Finding("no_overwrite", passed=not again, words=words)
    yield _cut(steps, bucket, token, progress)


def _create(steps: Steps, content: bytes, progress: Progress) -> bool:
    name, sha256 = parts_of(probe_files.name_of(content)), probe_files.sha256_of(content)
    return steps.create(name, Upload(len(content), lambda: (content,)), sha256, progress)


class _CutHere(Exception):
    """Ends an upload in its middle."""


def _cut(steps: Steps, bucket: Bucket, token: str, progress: Progress) -> Finding:
    def pieces() -> Generator[bytes]:
        yield b" " * _CUT_AT
        raise _CutHere

    beside = (probe_files.FOLDER, f".tmp-{token}")
    with suppress(_CutHere):
        steps.create(beside, Upload(_WHOLE, pieces), hashlib.sha256(b" " * _WHOLE).hexdigest(), progress)
    if bucket.status("HEAD", beside, progress) != 200:
        return Finding("cut", passed=True, words="Nothing is left of an upload that is cut.")
    bucket.status("DELETE", beside, progress)
    words = (
        "What is left of a cut upload stays under the file's name. It is noticed by its hash, and has to be removed."
    )
    return Finding("cut", passed=False, words=words)
