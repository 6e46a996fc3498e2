"""Files of a release: downloaded and verified, or put on a team's hub."""

from __future__ import annotations

import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import IO

import msgspec

from desktop_rater.files import PARTIAL_SUFFIX, file_sha256, remove_leftovers, rename_durably
from desktop_rater.hub.interface import Hub
from desktop_rater.model.change import Progress
from desktop_rater.model.release import HUB_RELEASES, INDEX_NAME, ReleaseFile
from desktop_rater.model.strict_json import sha256
from desktop_rater.work.hub.connect import read_marker
from desktop_rater.work.updates.places import FolderPlace, ReleasePlace, UpdateError
from desktop_rater.work.updates.release_index import SeenReleases, check_for_update


def download_file(place: ReleasePlace, file: ReleaseFile, folder: Path, progress: Progress) -> tuple[Path, bool]:
    """Download into `folder`, created if missing; return the path, and true unless the file was there already.

    An interrupted download leaves a hidden file, with which the next one continues; a wrong one is removed. A
    different file of the same name is never replaced. Raises `RaterError` and `Cancelled`.
    """
    target = folder / file.name
    partial = folder / f".{file.name}.{file.sha256[:16]}{PARTIAL_SUFFIX}"
    title = f"{file.name} can't be saved in {folder}."
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(target):
            if _is_complete(target, file, progress):
                return target, False
            raise UpdateError(title, "A different file has that name.", "Move it away, or choose another folder.")
        if partial.is_symlink() or (partial.exists() and (not partial.is_file() or partial.stat().st_size > file.size)):
            partial.unlink()
        with partial.open("ab") as out:
            if (start := out.tell()) < file.size:
                place.read(file.name, start, lambda piece: _write(out, piece, title), progress, size=file.size)
            _finish(out, partial, target, file, progress)
    except OSError as error:
        raise UpdateError(title, f"{error.strerror or error}.", "Free some space, or choose another folder.") from error
    return target, True


def _write(out: IO[bytes], piece: bytes, title: str) -> None:
    try:
        out.write(piece)
    except OSError as error:  # not to be taken for an error of the place
        raise UpdateError(title, f"{error.strerror or error}.", "Free some space, or choose another folder.") from error


def _finish(out: IO[bytes], partial: Path, target: Path, file: ReleaseFile, progress: Progress) -> None:
    out.flush()
    if out.tell() < file.size:
        why = f"{out.tell():,} of {file.size:,} bytes arrived."
        raise UpdateError(f"{file.name} is incomplete.", why, "Start the download again: it continues.", away=True)
    if not _is_complete(partial, file, progress):
        out.close()
        remove_leftovers([partial])
        why = "It is not the file that the signed index names. What was downloaded has been removed."
        raise UpdateError(f"{file.name} is refused.", why, "Try again, or ask whoever gives you the program.")
    rename_durably(out, partial, target)


def _is_complete(path: Path, file: ReleaseFile, progress: Progress) -> bool:
    if path.is_symlink() or not path.is_file() or path.stat().st_size != file.size:
        return False
    return file_sha256(path, lambda: progress(file.size, file.size)) == file.sha256


class SharedRelease(msgspec.Struct, frozen=True):
    """A release on a hub. `sent`: names of new files; `there`: those that were there before."""

    release: str
    index_name: str
    sent: tuple[str, ...]
    there: tuple[str, ...]


def publish_release(
    hub: Hub, place: FolderPlace, folder: Path, keys: tuple[str, ...], now: datetime, progress: Progress
) -> SharedRelease:
    """Send the release in a folder to a hub. Raises `UpdateError` or `HubError`; the index is sent only at the end."""
    read_marker(hub, progress)  # an address without a hub gets no files
    content = b"".join(place.indexes(progress))
    index = check_for_update(place, SeenReleases(), installed="0", keys=keys, now=now, progress=progress).index
    for file in index.files:
        path = folder / file.name
        if not path.is_file() or file_sha256(path, lambda: progress(0, 0)) != file.sha256:
            why = f"{path} is missing, or is not the file that {INDEX_NAME} names."
            raise UpdateError("The release is not complete.", why, "Nothing was sent. Make its index again.")
    outcomes = {
        file.name: hub.put_new(f"{HUB_RELEASES}/{file.name}", folder / file.name, file.sha256, progress)
        for file in index.files
    }
    digest = sha256(content)
    name = f"{HUB_RELEASES}/{index.number}-{digest}.json"
    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as temporary:
        copy = Path(temporary) / INDEX_NAME
        copy.write_bytes(content)
        hub.put_new(name, copy, digest, progress)
    return SharedRelease(
        index.release,
        name,
        tuple(name for name, outcome in outcomes.items() if outcome == "put"),
        tuple(name for name, outcome in outcomes.items() if outcome == "there"),
    )
