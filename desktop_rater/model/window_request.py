"""Request of a second start of the program to the window that is open: raise it, and open files."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from desktop_rater.model.file_names import can_open

MOST_BYTES, MOST_FILES = 1 << 20, 5_000
ACCEPTED, REFUSED = b"accepted\n", b"refused\n"


class WindowRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Absolute paths to open in the window of a store, and the desktop's permission to raise it.

    `store` is the real path of its folder.
    """

    store: str
    files: tuple[str, ...] = ()
    activation: str = ""

    def encoded(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


def read_request(line: bytes, store: str) -> WindowRequest | None:
    """Return the request for a store; nothing if it is none, or not for this store."""
    try:
        request = msgspec.json.decode(line, type=WindowRequest)
        paths = paths_of(request.files)
        valid = request.store == store and len(paths) <= MOST_FILES and can_open(paths)
    except (msgspec.MsgspecError, ValueError, OSError):  # no JSON, another shape, or names that no file can have
        return None
    return request if valid and all(path.is_absolute() and "\0" not in str(path) for path in paths) else None


def paths_of(files: Sequence[str]) -> tuple[Path, ...]:
    """Return the files of a request as paths."""
    return tuple(map(Path, files))
