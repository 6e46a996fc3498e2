"""Files of a hub, read whole and held against the hash that their name promises."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from desktop_rater.hub.file_troubles import not_whole
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.canonical import canonical
from desktop_rater.model.hub import HUB_VERSION, MOST_BYTES, SMALL_BYTES
from desktop_rater.model.hub_names import hash_in
from desktop_rater.model.kept import Kept, to_plain
from desktop_rater.model.strict_json import NotSound, read_file, read_struct

if TYPE_CHECKING:
    from desktop_rater.hub.interface import Hub, Put
    from desktop_rater.model.progress import Progress

K = TypeVar("K", bound=Kept)


def small(hub: Hub, name: str, progress: Progress) -> bytes:
    """A small file of the hub; its name's hash, where it has one, is its own. Raises `HubTrouble`."""
    pieces: list[bytes] = []
    hub.get(name, pieces.append, progress, most=SMALL_BYTES)
    content = b"".join(pieces)
    promised = hash_in(name)
    if promised is not None and hashlib.sha256(content).hexdigest() != promised:
        raise not_whole(name)
    return content


def compare(hub: Hub, name: str, sha256: str, size: int, progress: Progress) -> None:
    """Read a file of the hub and see that it is what it is to be. Raises `HubTrouble`."""
    seen = hashlib.sha256()
    hub.get(name, seen.update, progress, most=min(size, MOST_BYTES))
    if seen.hexdigest() != sha256:
        raise not_whole(name)


def put_small(hub: Hub, name: str, content: bytes, progress: Progress) -> Put:
    """Put a small file there, but none that nobody would read. Raises `HubTrouble`."""
    if len(content) > SMALL_BYTES:
        message = f"{name} would have {len(content):,} bytes, and {SMALL_BYTES:,} are read."
        raise HubTrouble("too_large", "A file is too large for the hub.", message, "Choose a shorter title or name.")
    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)
        return hub.put_new(name, path, hashlib.sha256(content).hexdigest(), progress)


def written(value: Kept) -> bytes:
    """A small file's bytes: the same for the same."""
    return canonical(to_plain(value)) + b"\n"


class Newer(HubTrouble):
    """A small file that a newer program wrote: this one can't know what it says."""


def read_small(content: bytes, shape: type[K], name: str) -> K:
    """What a small file says. Raises `HubTrouble` where it is none of ours; `Newer` where it is not one of ours yet."""
    try:
        plain = read_file(content)
        version = plain.get("version")
        if isinstance(version, int) and version > HUB_VERSION:
            why = f"Its version is {version}, and this program knows {HUB_VERSION}."
            raise Newer("not_a_hub", f"{name} on the hub is a newer program's.", why, "Bring this program up to date.")
        return read_struct(plain, shape)
    except NotSound as error:
        raise HubTrouble(
            "not_a_hub", f"{name} on the hub can't be read.", f"It is not what it should be: {error}."
        ) from None
