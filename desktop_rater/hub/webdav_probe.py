"""What a WebDAV server can and can't do, as far as two tiny files show it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from desktop_rater.http.server import Upload
from desktop_rater.hub import dav_listing, findings, probe_files
from desktop_rater.hub.interface import Finding
from desktop_rater.hub.named import parts_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from desktop_rater.hub.dav import Dav
    from desktop_rater.hub.interface import Listed, Probe
    from desktop_rater.model.progress import Progress

_WHOLE, _CUT_AT = 4096, 1024


class Steps(Protocol):
    """The steps of an upload, one by one, as `webdav.WebDav` does them."""

    def list(self, folder: str, progress: Progress) -> tuple[Listed, ...]: ...
    def beside(self, parts: tuple[str, ...]) -> tuple[str, ...]: ...
    def send(self, beside: tuple[str, ...], upload: Upload, progress: Progress) -> None: ...
    def check(self, parts: tuple[str, ...], sha256: str, size: int, progress: Progress) -> None: ...
    def move(self, beside: tuple[str, ...], parts: tuple[str, ...], progress: Progress) -> bool: ...
    def drop(self, beside: tuple[str, ...], progress: Progress) -> None: ...


def probe(steps: Steps, dav: Dav, progress: Progress) -> Probe:
    """Try it. What goes wrong is a finding, unless nothing can be tried at all."""
    found = findings.as_far_as_it_goes(_tried(steps, dav, progress))
    return findings.with_clock(found, dav.skew)


def _tried(steps: Steps, dav: Dav, progress: Progress) -> Generator[Finding]:
    here = dav_listing.folder_itself(dav, (), progress)
    yield Finding("reach", passed=True, words=f"{dav.host} answers as a WebDAV server does.", matters=True)
    yield findings.tls(plain=dav.address.plain)
    yield _signed_in(dav)
    if here is None:
        words = "The folder is not there. Look at the address; `hub init` makes it where its parent is there."
        yield Finding("place", passed=False, words=words, matters=True)
        return
    yield Finding("place", passed=True, words="The folder is there.", matters=True)
    if here.free is not None:
        yield findings.space(here.free)
    for content in (probe_files.FIRST, probe_files.SECOND):
        _put(steps, content, progress)
    yield findings.written()
    # The same bytes once more, so that a server which replaces files does no harm by it.
    again = _put(steps, probe_files.SECOND, progress)
    words = "A file that was there was replaced." if again else "A file that is there is not replaced."
    yield Finding("no_overwrite", passed=not again, words=words)
    yield _cut(steps, dav, progress)
    steps.list(probe_files.FOLDER, progress)  # which sweeps what earlier probes of this computer left


def _put(steps: Steps, content: bytes, progress: Progress) -> bool:
    """Write one of the two; whether it got a name that no file had, or that a server gave twice."""
    name, sha256 = parts_of(probe_files.name_of(content)), probe_files.sha256_of(content)
    beside = steps.beside(name)
    steps.send(beside, Upload(len(content), lambda: (content,)), progress)
    steps.check(beside, sha256, len(content), progress)
    moved = steps.move(beside, name, progress)
    steps.check(name, sha256, len(content), progress)
    return moved


class _CutHere(Exception):
    """Ends an upload in its middle."""


def _cut(steps: Steps, dav: Dav, progress: Progress) -> Finding:
    def pieces() -> Generator[bytes]:
        yield b" " * _CUT_AT
        raise _CutHere

    beside = steps.beside(parts_of(probe_files.name_of(probe_files.FIRST)))
    with suppress(_CutHere):
        steps.send(beside, Upload(_WHOLE, pieces), progress)
    stays = dav.done("GET", dav.address.asked(beside), progress).status == 200
    if stays:
        steps.drop(beside, progress)
        words = "What is left of a cut upload stays. It does no harm: unfinished files never have their final name."
    else:
        words = "Nothing is left of an upload that is cut."
    return Finding("cut", passed=not stays, words=words)


def _signed_in(dav: Dav) -> Finding:
    if dav.signs_in:
        return Finding("sign_in", passed=True, words="The server knows you.", matters=True)
    return Finding("sign_in", passed=False, words="Nobody has to sign in: whoever finds the address gets in.")
