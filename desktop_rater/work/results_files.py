"""The files that a lead names, and those in the folders: each by a name that can be shown, and by what it holds."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.model.hub_names import MARKER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AGAIN = "Name a results zip, a bundle, or a folder of them."
_PIECE = 2**20


class ResultsFile(msgspec.Struct, frozen=True):
    """`shown`: its name below the folder that was named; what is no text in it is spelt out."""

    path: Path
    shown: str

    @property
    def name(self) -> str:
        """Without the folders."""
        return PurePath(self.shown).name


class Content(NamedTuple):
    """What a file held when it was looked at: `sha256` of all of it; the rest tells whether it is still the same."""

    sha256: str
    size: int
    changed: int
    device: int
    number: int


def files_of(path: Path, refuse: Callable[[str, BundleError], None]) -> Iterator[ResultsFile]:
    """The file, or the zips of a folder and of all below it by name: none that is hidden or behind a link to a folder.

    A folder that can't be looked into is refused, and the rest is found.
    """
    shown = readable(path.name or str(path))
    if not is_folder(path):
        yield ResultsFile(path, shown)
        return
    closed: list[OSError] = []
    found = sorted(_zips(path, closed))
    for one in closed:
        place = Path(one.filename or path)
        below = place.relative_to(path) if place != path else path.name
        refuse(readable(str(below)), _closed(place, one))
    if not found and not closed and not (path / MARKER).is_file():  # of a hub, where nothing lies yet
        refuse(shown, BundleError("The folder holds no zip.", hint=AGAIN))
    for one in found:
        yield ResultsFile(one, readable(str(one.relative_to(path))))


def content_of(path: Path) -> Content:
    """Raises `BundleError`: also for what is no plain file or larger than any zip may be, without reading it."""
    with named(path, "opened", AGAIN):
        _refuse_odd(path, path.stat())
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Content(digest, about.st_size, about.st_mtime_ns, about.st_dev, about.st_ino)


def refuse_changed(path: Path, content: Content) -> None:
    """Raise `BundleError` where the file is another now than the one that `content_of` saw."""
    with named(path, "opened", AGAIN):
        about = path.stat()
    if (about.st_size, about.st_mtime_ns, about.st_dev, about.st_ino) != content[1:]:
        why = "It changed while it was read."
        raise BundleError(f"{path.name} can't be opened", why, "Wait until it is there whole, then open it again.")


def readable(name: str) -> str:
    """A name of the file system as text that can be stored: bytes that are none are spelt out."""
    return name.encode("utf-8", "backslashreplace").decode()


def is_folder(path: Path) -> bool:
    """What can't be looked at is none: opening it says why."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except OSError:
        return False


def _refuse_odd(path: Path, about: os.stat_result) -> None:
    # A named pipe would wait for somebody to write into it, and a device may have no end.
    title = f"{path.name} can't be opened"
    if not stat.S_ISREG(about.st_mode):
        raise BundleError(title, "It is not a file.", AGAIN)
    if about.st_size > LIMITS.zip_bytes:
        raise BundleError(title, f"It is larger than {LIMITS.zip_bytes:,} bytes.", AGAIN)


def _zips(folder: Path, closed: list[OSError]) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, onerror=closed.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            if name.lower().endswith(".zip") and not name.startswith("."):
                yield Path(place) / name


def _closed(place: Path, error: OSError) -> BundleError:
    try:
        with named(place, "read", AGAIN):
            raise error
    except BundleError as found:
        return found
