"""Upload and download of files, and validation of their names on a hub."""

import hashlib
import os
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from desktop_rater.http.client import UploadBody
from desktop_rater.http.response import StreamedResponse
from desktop_rater.hub import responses
from desktop_rater.hub.errors import HubError
from desktop_rater.model.change import Progress

_PIECE = 256 * 1024


@contextmanager
def open_upload(content: Path, name: str) -> Generator[tuple[Generator[bytes], int]]:
    """Open a file; yield its pieces and size. Errors of the local disk are not attributed to the hub."""
    try:
        file = content.open("rb")
        size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise _unreadable(name, error) from error
    with file:
        yield _pieces(file, name), size


def upload_body(content: Path, name: str, sha256: str) -> UploadBody:
    """Make a file the body of a request. If it does not match its hash, the body is never completed."""
    with open_upload(content, name) as (_pieces, size):
        pass
    return UploadBody(size, lambda: _verified_chunks(content, name, sha256, size))


def transfer_legs(progress: Progress, size: int, count: int) -> tuple[Progress, ...]:
    """Return the progress of each transfer of a file, in order: upload, and reading back for comparison."""

    def leg_progress(before: int) -> Progress:
        return Progress(lambda done, _total: progress((before + min(done, size)) // count, size))

    return tuple(leg_progress(turn * size) for turn in range(count))


def changed_file_error(name: str) -> HubError:
    """Return the error for a file that does not match its hash."""
    return HubError("other", "A file to be sent was modified", f"The file is {name}.", _AGAIN)


_AGAIN = "It will be recreated from the store."


def _pieces(file: IO[bytes], name: str) -> Generator[bytes]:
    try:
        while piece := file.read(_PIECE):
            yield piece
    except OSError as error:
        raise _unreadable(name, error) from error


def _verified_chunks(content: Path, name: str, sha256: str, size: int) -> Generator[bytes]:
    digest, pending = hashlib.sha256(), b""
    with open_upload(content, name) as (pieces, actual_size):
        if actual_size != size:
            raise changed_file_error(name)
        for chunk in pieces:
            digest.update(chunk)
            if pending:
                yield pending
            pending = chunk
        if digest.hexdigest() != sha256:
            raise changed_file_error(name)
        if pending:
            yield pending


def _unreadable(name: str, error: OSError) -> HubError:
    reason = error.strerror or type(error).__name__
    return HubError("other", "A file to be sent can't be read", f"It is {name}: {reason}.", _AGAIN)


MAX_LISTED_FILES = 2_000_000
"""Maximum files of one list: a server with more is endless, or too large for a laptop."""

# Everything that `model.hub_names` makes; no "..", no hidden files.
_PART = re.compile(r"[A-Za-z0-9~][A-Za-z0-9._~-]{0,199}")


def split_hub_name(name: str) -> tuple[str, ...]:
    """Split a name into folders and file. Raises `HubError` if it could lead out of the hub."""
    parts = tuple(name.split("/"))
    if not all(is_valid_part(part) for part in parts):
        raise HubError("not_a_hub", "A file on the hub has an invalid name", f"It is {name[:200]!r}.")
    return parts


def is_valid_part(text: str) -> bool:
    """Tell if a folder or a file of ours can have this name."""
    return _PART.fullmatch(text) is not None and not text.endswith(".")


def endless_list_error(place: str) -> HubError:
    """Return the error for an endless list of files."""
    message = f"{place} lists more folders and files than a hub can have. A folder may be listed inside itself."
    return HubError("not_a_hub", "The hub's list of files does not end.", message, "Ask the hub's administrator.")


class DownloadTooLarge(Exception):
    """More bytes arrived than expected."""


def receive_body(response: StreamedResponse, host: str, write: Callable[[bytes], object], most: int) -> tuple[str, int]:
    """Pass the bytes of a file to `write`; return their SHA-256 and number.

    Raises `DownloadTooLarge` for more than `most` bytes, and `HubError` if a web page was returned instead.
    """
    digest, size = hashlib.sha256(), 0
    length = response.headers.get("content-length", "")
    announced = int(length) if length.isdecimal() else 0
    for piece in response.chunks:
        if not size and responses.is_web_page(response.headers, piece):
            raise responses.login_page_error(host)
        size += len(piece)
        if max(size, announced) > most:
            raise DownloadTooLarge
        digest.update(piece)
        write(piece)
    return digest.hexdigest(), size
