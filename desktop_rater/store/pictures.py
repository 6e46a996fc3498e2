"""Pictures of guidelines: their bytes are in `task_texts`, by SHA-256; a bundle's manifest lists them by name."""

from collections.abc import Iterable, Mapping

from desktop_rater.model.strict_json import sha256
from desktop_rater.store.checksums import files_in_manifest, matches_sha256
from desktop_rater.store.store import Store

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
