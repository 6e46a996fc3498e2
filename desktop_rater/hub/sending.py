"""A file of this computer on its way to a hub."""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from desktop_rater.http.server import Upload
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_PIECE = 256 * 1024


@contextmanager
def sending(content: Path, name: str) -> Generator[tuple[Generator[bytes], int]]:
    """The pieces of a file, and its size. What this computer's own disk says is no trouble of the hub's."""
    try:
        file = content.open("rb")
        size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise _unreadable(name, error) from error
    with file:
        yield _pieces(file, name), size


def upload_of(content: Path, name: str, sha256: str) -> Upload:
    """A file as the body of a request. One that is not what its hash says never gets to its end, so it is cut."""
    with sending(content, name) as (_pieces, size):
        pass
    return Upload(size, lambda: _as_promised(content, name, sha256, size))


def legs(progress: Progress, size: int, count: int) -> tuple[Progress, ...]:
    """The progress of each time that a file goes over the wire, one after another: up, and back to be compared."""

    def told(before: int) -> Progress:
        return Progress(lambda done, _total: progress((before + min(done, size)) // count, size))

    return tuple(told(turn * size) for turn in range(count))


def not_as_it_was(name: str) -> HubTrouble:
    """Trouble of a file whose bytes are not those that its hash stands for."""
    return HubTrouble("other", "A file that is to be sent is not what it was", f"It is {name}.", _AGAIN)


_AGAIN = "It is made again from what is stored."


def _pieces(file: IO[bytes], name: str) -> Generator[bytes]:
    try:
        while piece := file.read(_PIECE):
            yield piece
    except OSError as error:
        raise _unreadable(name, error) from error


def _as_promised(content: Path, name: str, sha256: str, size: int) -> Generator[bytes]:
    digest, ahead = hashlib.sha256(), b""
    with sending(content, name) as (pieces, now):
        if now != size:
            raise not_as_it_was(name)
        for piece in pieces:
            digest.update(piece)
            if ahead:
                yield ahead
            ahead = piece
        if digest.hexdigest() != sha256:
            raise not_as_it_was(name)
        if ahead:
            yield ahead


def _unreadable(name: str, error: OSError) -> HubTrouble:
    reason = error.strerror or type(error).__name__
    return HubTrouble("other", "A file that is to be sent can't be read", f"It is {name}: {reason}.", _AGAIN)
