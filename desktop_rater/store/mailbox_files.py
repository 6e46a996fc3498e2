"""Files to be sent to a hub and files received from one, named by their SHA-256."""

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Generator, Iterable
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Literal

from desktop_rater.files import (
    file_sha256,
    find_partial_files,
    partial_file,
    remove_leftovers,
    rename_durably,
    retry_while_open,
    sync_folder,
)
from desktop_rater.model.change import CancelCheck
from desktop_rater.store.errors import StoreError, translate_errors
from desktop_rater.store.store import Store

Mailbox = Literal["outbox", "inbox"]
MAILBOXES: tuple[Mailbox, ...] = ("outbox", "inbox")

_SHA256 = re.compile("[0-9a-f]{64}")
_CHUNK = 1 << 20  # bytes
_LOSS = {"outbox": "What goes to the hub is not stored.", "inbox": "What came from the hub is not stored."}
# Files are needed while their row is pending; the newest of each kind is also needed in case the hub loses it.
_WANTED: dict[Mailbox, str] = {
    "outbox": """
        SELECT sha256 FROM outbox WHERE state <> 'verified' OR key IN (
            SELECT max(key) FROM outbox GROUP BY project, kind, rater, bundle)
    """,
    "inbox": "SELECT sha256 FROM inbox WHERE state = 'fetched'",
}


class FileReceiver:
    """A file being received."""

    def __init__(self, file: IO[bytes], path: Path, target: Path, loss: str) -> None:
        self._loss = loss
        self._file = file
        self._path = path
        self._target = target
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._digest.update(data)
        self.size += len(data)
        with translate_errors(self._loss):
            self._file.write(data)

    def keep(self) -> bool:
        """Store the file under its name if the SHA-256 matches, else discard it. Return whether it matched."""
        if self._digest.hexdigest() != self._target.name:
            return False
        with translate_errors(self._loss):
            rename_durably(self._file, self._path, self._target)
        return True


@contextmanager
def receive_file(folder: Path, box: Mailbox, sha256: str) -> Generator[FileReceiver]:
    """Receive a file with that SHA-256 on any thread; it is discarded unless kept. Raises `StoreError`."""
    loss, stack = _LOSS[box], ExitStack()
    with translate_errors(loss):
        place = _create_box(folder, box)
        file, path = stack.enter_context(partial_file(place))
    try:
        yield FileReceiver(file, path, place / _validate_sha256(sha256), loss)
    finally:
        with translate_errors(loss):
            stack.close()


def store_file(folder: Path, box: Mailbox, chunks: Iterable[bytes]) -> tuple[str, int]:
    """Store bytes durably; return their SHA-256 and size. Raises `StoreError`."""
    digest, size = hashlib.sha256(), 0
    with translate_errors(_LOSS[box]):
        place = _create_box(folder, box)
        with partial_file(place) as (file, path):
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
            rename_durably(file, path, place / digest.hexdigest())
    return digest.hexdigest(), size


def mailbox_path(folder: Path, box: Mailbox, sha256: str) -> Path:
    """Return the path for the bytes with that SHA-256, whether or not they exist."""
    return folder / box / _validate_sha256(sha256)


def intact_file(folder: Path, box: Mailbox, sha256: str, check_cancelled: CancelCheck = lambda: None) -> Path | None:
    """Return the file's path; `None` if it is missing or its contents no longer match its name."""
    file = mailbox_path(folder, box, sha256)
    with translate_errors(f"The file {sha256[:12]}… can't be read."):
        if file.is_symlink() or not file.is_file():
            return None
        return file if file_sha256(file, check_cancelled) == sha256 else None


def list_files(folder: Path, box: Mailbox) -> list[Path]:
    """Return the complete files, by name, without unfinished or unrelated ones."""
    if not (folder / box).is_dir():
        return []
    return sorted(file for file in (folder / box).iterdir() if _SHA256.fullmatch(file.name))


def delete_unneeded(store: Store, box: Mailbox, some: Collection[str] | None = None) -> None:
    """Delete files that no row needs, of `some` SHA-256 or of all. For the writer, on the store's queue."""
    with store.reading("Files that are not needed any more are not removed.") as db:
        wanted = {sha256 for (sha256,) in db.execute(_WANTED[box])}
    with translate_errors("Files that are not needed any more are not removed."):
        for file in (
            list_files(store.folder, box) if some is None else (store.folder / box / _validate_sha256(s) for s in some)
        ):
            if file.name not in wanted:
                retry_while_open(file.unlink, missing_ok=True)


def share_box(folder: Path, box: Mailbox, other: Path) -> None:
    """Link the files of a box into another store's folder, or copy them. Raises `OSError`."""
    files = list_files(folder, box)
    if files:
        share_files(files, _create_box(other, box))


def share_files(files: Iterable[Path], place: Path) -> None:
    """Link files that never change into the folder `place`, or copy them; existing ones stay. Raises `OSError`."""
    for file in files:
        if (place / file.name).exists():
            continue
        try:
            os.link(file, place / file.name)
        except OSError:  # FAT and some network shares do not support hard links
            with partial_file(place) as (copy, path), file.open("rb") as source:
                shutil.copyfileobj(source, copy, _CHUNK)
                rename_durably(copy, path, place / file.name)
    sync_folder(place)


def delete_leftovers(store: Store) -> None:
    """Delete the files that a killed process left. For the writer, while nothing is being received."""
    for box in MAILBOXES:
        remove_leftovers(find_partial_files(store.folder / box))
        delete_unneeded(store, box)


def _create_box(folder: Path, box: Mailbox) -> Path:
    place = folder / box
    if not place.is_dir():
        place.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder)
    return place


def _validate_sha256(sha256: str) -> str:
    if not _SHA256.fullmatch(sha256):
        raise StoreError("The file name is not valid.", f"{sha256[:80]!r} is not a SHA-256.")
    return sha256
