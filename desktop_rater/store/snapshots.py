"""Stored pages: `snapshots/<sha256>.warc.gz` in a store's folder, each named by its own SHA-256."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from desktop_rater.store.durable import leftovers, put_in_place, unfinished
from desktop_rater.store.trouble import StoreError, translating

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_SUFFIX = ".warc.gz"
_SHA256 = re.compile("[0-9a-f]{64}")


def keep(folder: Path, sha: str, chunks: Iterable[bytes]) -> Path:
    """Store a snapshot for good, and return its path; one that is there already stays, and `chunks` is not read.

    One that was altered gives way. Raises `StoreError` where the bytes are not what `sha` says, or can't be written;
    then nothing is left.
    """
    there = intact(folder, sha)
    if there is not None:
        return there
    with translating(f"The snapshot {sha[:12]}… is not stored."):
        place = snapshot_folder(folder)
        place.mkdir(mode=0o700, exist_ok=True)
        with unfinished(place) as (file, name):
            digest = hashlib.sha256()
            for chunk in chunks:
                digest.update(chunk)
                file.write(chunk)
            if digest.hexdigest() != sha:
                raise StoreError(
                    "A snapshot is not what its name says.",
                    f"It is called {sha[:80]}, and its SHA-256 is {digest.hexdigest()}. It is not stored.",
                )
            put_in_place(file, name, place / f"{sha}{_SUFFIX}")
    return place / f"{sha}{_SUFFIX}"


def path(folder: Path, sha: str) -> Path | None:
    """Where a snapshot lies; `None` where there is none of that name."""
    if not _SHA256.fullmatch(sha):
        return None
    file = snapshot_folder(folder) / f"{sha}{_SUFFIX}"
    return file if file.is_file() else None


def intact(folder: Path, sha: str) -> Path | None:
    """As `path`, and `None` also where the bytes are not what the name says any more."""
    file = path(folder, sha)
    if file is None:
        return None
    with translating(f"The snapshot {sha[:12]}… can't be read."), file.open("rb") as opened:
        return file if hashlib.file_digest(opened, "sha256").hexdigest() == sha else None


def listed(folder: Path) -> list[Path]:
    """The stored snapshots, by name."""
    return sorted(snapshot_folder(folder).glob(f"*{_SUFFIX}"))


def snapshot_folder(folder: Path) -> Path:
    """Where the snapshots of a store lie."""
    return folder / "snapshots"


def sweep(folder: Path) -> None:
    """Remove what a killed process left unfinished, here and in the store's own folder. For the writer only."""
    with translating("Unfinished files of an earlier run are not removed."):
        for file in (*leftovers(folder), *leftovers(snapshot_folder(folder))):
            file.unlink(missing_ok=True)
