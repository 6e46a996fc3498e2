"""Stored pages and pictures, each named by its own SHA-256."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from desktop_rater.files import file_sha256, find_partial_files, partial_file, remove_leftovers, rename_durably
from desktop_rater.format.strict_json import sha256
from desktop_rater.store.connection import files_in_manifest, matches_sha256
from desktop_rater.store.errors import StoreError, translate_errors
from desktop_rater.store.store import Store

_SUFFIX = ".warc.gz"
_SHA256 = re.compile("[0-9a-f]{64}")


def store_snapshot(folder: Path, sha: str, chunks: Iterable[bytes]) -> Path:
    """Store a snapshot durably, and return its path; an existing one stays, and `chunks` is not read.

    A modified one is replaced. Raises `StoreError` if the bytes do not match `sha` or can't be written; then nothing is
    left behind.
    """
    existing = intact_snapshot(folder, sha)
    if existing is not None:
        return existing
    with translate_errors(f"The snapshot {sha[:12]}… is not stored."):
        place = snapshot_folder(folder)
        place.mkdir(mode=0o700, exist_ok=True)
        with partial_file(place) as (file, name):
            digest = hashlib.sha256()
            for chunk in chunks:
                digest.update(chunk)
                file.write(chunk)
            if digest.hexdigest() != sha:
                raise StoreError(
                    "The content of a snapshot does not match its name.",
                    f"Its name is {sha[:80]}, but its SHA-256 is {digest.hexdigest()}. It was not stored.",
                )
            rename_durably(file, name, place / f"{sha}{_SUFFIX}")
    return place / f"{sha}{_SUFFIX}"


def snapshot_path(folder: Path, sha: str) -> Path | None:
    """Return the path of a snapshot; `None` if it does not exist."""
    if not _SHA256.fullmatch(sha):
        return None
    file = snapshot_folder(folder) / f"{sha}{_SUFFIX}"
    return file if file.is_file() else None


def intact_snapshot(folder: Path, sha: str) -> Path | None:
    """Return the path as `snapshot_path` does, but `None` also if the bytes no longer match the name."""
    file = snapshot_path(folder, sha)
    if file is None:
        return None
    with translate_errors(f"The snapshot {sha[:12]}… can't be read."):
        return file if file_sha256(file) == sha else None


def list_snapshots(folder: Path) -> list[Path]:
    """Return the stored snapshots, by name."""
    return sorted(snapshot_folder(folder).glob(f"*{_SUFFIX}"))


def snapshot_folder(folder: Path) -> Path:
    """Return the folder of a store's snapshots."""
    return folder / "snapshots"


def delete_unfinished_snapshots(folder: Path) -> None:
    """Delete unfinished files of a killed process, here and in the store's folder. For the writer only."""
    remove_leftovers([*find_partial_files(folder), *find_partial_files(snapshot_folder(folder))])


FOLDER = "guidelines/"


def store_pictures(store: Store, pictures: Iterable[bytes]) -> None:
    """Store pictures, each in a transaction of its own; those that are stored already stay."""
    for data in pictures:
        with store.writing("The pictures of the guidelines are not stored.", lasting=False) as db:
            db.execute("INSERT OR IGNORE INTO task_texts (sha256, line) VALUES (?, ?)", (sha256(data), data))


def listed_pictures(manifest: str) -> dict[str, str]:
    """Return name → SHA-256 of the pictures that a stored manifest lists."""
    return {name: digest for name, digest in files_in_manifest(manifest).items() if name.startswith(FOLDER)}


def find_pictures(store: Store, listed: Mapping[str, str]) -> dict[str, bytes]:
    """Return the bytes by name. A picture that is missing or was modified is left out: `doctor` reports it."""
    pictures = {}
    with store.reading("The pictures of the guidelines can't be read.") as db:
        for name, digest in listed.items():
            row = db.execute("SELECT line FROM task_texts WHERE sha256 = ?", (digest,)).fetchone()
            if row is not None and matches_sha256(row[0], digest):
                pictures[name] = row[0]
    return pictures
