"""The bytes of what goes to a hub and what came from one: `outbox/<sha256>` and `inbox/<sha256>` in a store's folder.

A file has its name only when it is complete and on disk, and its row is written after that. So a row without its file
has lost it, and a file without a row is what a killed process left.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Literal

from desktop_rater.store.durable import leftovers, put_in_place, sync_folder, unfinished
from desktop_rater.store.trouble import StoreError, translating

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable
    from pathlib import Path

    from desktop_rater.store.store import Store

Box = Literal["outbox", "inbox"]
BOXES: tuple[Box, ...] = ("outbox", "inbox")

_SHA256 = re.compile("[0-9a-f]{64}")
_CHUNK = 1 << 20  # bytes
_LOSS = {"outbox": "What goes to the hub is not stored.", "inbox": "What came from the hub is not stored."}
# Needed while the row waits; and of what the hub holds the newest of its kind, should the hub lose it.
_WANTED: dict[Box, str] = {
    "outbox": """
        SELECT sha256 FROM outbox WHERE state <> 'verified' OR key IN (
            SELECT max(key) FROM outbox GROUP BY project, kind, rater, bundle)
    """,
    "inbox": "SELECT sha256 FROM inbox WHERE state = 'fetched'",
}


class Receiving:
    """A file on its way in. `write` takes its bytes, `keep` gives it its name."""

    def __init__(self, file: IO[bytes], path: Path, target: Path, loss: str) -> None:
        self._loss = loss
        self._file = file
        self._path = path
        self._target = target
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Take more of it."""
        self._digest.update(data)
        self.size += len(data)
        with translating(self._loss):
            self._file.write(data)

    def keep(self) -> bool:
        """Whether it is what was promised; then it is on disk and has its name. Else nothing of it stays."""
        if self._digest.hexdigest() != self._target.name:
            return False
        with translating(self._loss):
            put_in_place(self._file, self._path, self._target)
        return True


@contextmanager
def receiving(folder: Path, box: Box, sha256: str) -> Generator[Receiving]:
    """Take in a file of that SHA-256, piece by piece; without `keep` nothing of it stays. Any thread may.

    Raises `StoreError`; what goes wrong inside with the one who sends passes as it is.
    """
    loss, stack = _LOSS[box], ExitStack()
    with translating(loss):
        place = _made(folder, box)
        file, path = stack.enter_context(unfinished(place))
    try:
        yield Receiving(file, path, place / _checked(sha256), loss)
    finally:
        with translating(loss):
            stack.close()


def keep(folder: Path, box: Box, chunks: Iterable[bytes]) -> tuple[str, int]:
    """Store bytes for good; their SHA-256, and how many there are. Raises `StoreError`."""
    digest, size = hashlib.sha256(), 0
    with translating(_LOSS[box]):
        place = _made(folder, box)
        with unfinished(place) as (file, path):
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
            put_in_place(file, path, place / digest.hexdigest())
    return digest.hexdigest(), size


def path(folder: Path, box: Box, sha256: str) -> Path:
    """Where the bytes of that SHA-256 lie, if they do."""
    return folder / box / _checked(sha256)


def intact(folder: Path, box: Box, sha256: str, look: Callable[[], None] = lambda: None) -> Path | None:
    """The same; `None` where there is no such file, or it is not what its name says any more.

    `look` is called often, and may raise.
    """
    file = path(folder, box, sha256)
    with translating(f"The file {sha256[:12]}… can't be read."):
        if file.is_symlink() or not file.is_file():
            return None
        digest = hashlib.sha256()
        with file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                look()
                digest.update(chunk)
    return file if digest.hexdigest() == sha256 else None


def listed(folder: Path, box: Box) -> list[Path]:
    """The files that are there, by name, without unfinished ones and whatever else lies there."""
    if not (folder / box).is_dir():
        return []
    return sorted(file for file in (folder / box).iterdir() if _SHA256.fullmatch(file.name))


def let_go(store: Store, box: Box, some: Collection[str] | None = None) -> None:
    """Remove what no row needs any more, of `some` SHA-256 or of all. For the writer, in the store's lane."""
    with store.reading("Files that are not needed any more are not removed.") as db:
        wanted = {sha256 for (sha256,) in db.execute(_WANTED[box])}
    with translating("Files that are not needed any more are not removed."):
        for file in listed(store.folder, box) if some is None else (store.folder / box / _checked(s) for s in some):
            if file.name not in wanted:
                file.unlink(missing_ok=True)


def share(folder: Path, other: Path, some: Collection[str] | None = None) -> None:
    """Let the files of the outbox, of `some` SHA-256 or all, be in another store's folder, too.

    Where the disk can't give a file a second name it is copied. Raises `OSError`.
    """
    there = [file for file in listed(folder, "outbox") if some is None or file.name in some]
    if not there:
        return
    place = _made(other, "outbox")
    for file in there:
        if (place / file.name).exists():
            continue
        try:
            os.link(file, place / file.name)
        except OSError:  # FAT and some shares know no second names
            with unfinished(place) as (copy, path), file.open("rb") as source:
                shutil.copyfileobj(source, copy, _CHUNK)
                put_in_place(copy, path, place / file.name)
    sync_folder(place)


def sweep(store: Store) -> None:
    """Remove what a killed process left. For the writer, while nothing is on its way in."""
    for box in BOXES:
        with translating("Unfinished files of an earlier run are not removed."):
            for file in leftovers(store.folder / box):
                file.unlink(missing_ok=True)
        let_go(store, box)


def _made(folder: Path, box: Box) -> Path:
    place = folder / box
    if not place.is_dir():
        place.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder)
    return place


def _checked(sha256: str) -> str:
    if not _SHA256.fullmatch(sha256):
        raise StoreError("A file has no such name.", f"{sha256[:80]!r} is no SHA-256.")
    return sha256
