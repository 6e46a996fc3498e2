"""The public halves of raters' keys, as files: what a rater hands out, and what a QA lead takes in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.bundle.trouble import BundleError, named
from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.hub import HUB_VERSION, KEY_FORMAT, SMALL_BYTES, RaterKey
from desktop_rater.model.hub_names import KEYS, key_name
from desktop_rater.model.kept import to_plain
from desktop_rater.model.signature import is_nobodys
from desktop_rater.model.strict_json import NotSound, read_file, read_struct
from desktop_rater.model.trouble import RaterError
from desktop_rater.store import rater_keys
from desktop_rater.work.results_files import is_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.store.store import Store

_ASK = "Ask the rater for the public key once more."
_NAMED = re.compile(r"[0-9a-f]{64}\.json")


def key_file(rater: str, key: str) -> bytes:
    """What a rater publishes: the same key gives the same bytes."""
    return canonical(to_plain(RaterKey(format=KEY_FORMAT, version=HUB_VERSION, rater=rater, key=key))) + b"\n"


def read_key(raw: bytes, name: str) -> RaterKey:
    """What a file holds that lies on a hub under `name`.

    Raises `RaterError`: also where its bytes are not those that its name promises, or lie among another rater's keys.
    """
    found = _read(raw, name)
    if name != key_name(found.rater, sha256(raw)):
        why = f"It holds a key of {found.rater!r}, and lies where no such file lies."
        raise RaterError(f"{name} is no rater's key.", why, _ASK)
    return found


def _read(raw: bytes, name: str) -> RaterKey:
    try:
        plain = read_file(raw)
        version = plain.get("version")
        if isinstance(version, int) and version > HUB_VERSION:
            why = f"It needs version {version} of the key format; this program reads version {HUB_VERSION}."
            raise RaterError(f"{name} can't be opened.", why)
        found = read_struct(plain, RaterKey)
    except NotSound as error:
        raise RaterError(f"{name} is no rater's key.", f"{error}.", _ASK) from error
    if is_nobodys(found.key):
        raise RaterError(f"{name} is no rater's key.", "Anybody could sign with it.", _ASK)
    return found


class KeyTaken(msgspec.Struct, frozen=True, kw_only=True):
    """A public key that came in. `known`: it was in the store before."""

    file: str
    rater: str
    key: str
    known: bool


def take_keys(
    store: Store, paths: Sequence[Path], *, now: datetime, refuse: Callable[[str, RaterError], object]
) -> tuple[KeyTaken, ...]:
    """Take in the keys among the files and folders that a lead names; what is none of them is passed over.

    In a folder keys lie as on a hub, below `keys/`, each in its rater's own folder. A file that is named is one.
    """
    known = rater_keys.of_raters(store)
    took: dict[str, KeyTaken] = {}
    for path in paths:
        for file, name in _files(path):
            try:
                with named(file, "opened", _ASK), file.open("rb") as opened:
                    raw = opened.read(SMALL_BYTES + 1)
                if len(raw) > SMALL_BYTES:
                    raise BundleError(f"{file.name} can't be opened", f"It is larger than {SMALL_BYTES:,} bytes.")
                found = read_key(raw, name) if name else _read(raw, file.name)
            except RaterError as error:
                refuse(name or file.name, error)
                continue
            there = found.key in known.get(found.rater, ())
            took[name or file.name] = KeyTaken(file=name or file.name, rater=found.rater, key=found.key, known=there)
    given = {(one.rater, one.key) for one in rater_keys.listed(store) if one.project == rater_keys.IN_FILES}
    fresh = {(one.rater, one.key) for one in took.values()} - given
    if fresh:
        rater_keys.see(store, sorted(fresh), rater_keys.IN_FILES, now=now)
    return tuple(took.values())


def is_key(path: Path) -> bool:
    """Whether a file that was named looks like a published key."""
    return path.suffix.lower() == ".json" and not is_folder(path)


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """Each file and its name on a hub; "" for one that was named itself."""
    if is_key(path):
        yield path, ""
    for file in sorted(path.glob(f"{KEYS}/*/*.json")) if is_folder(path) else ():
        if _NAMED.fullmatch(file.name) and file.is_file() and not file.is_symlink():
            yield file, file.relative_to(path).as_posix()
