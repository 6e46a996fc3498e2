"""Backups of a store: `backups/` in its folder. One has its name only when it is whole, checked and on disk.

A name says number, time, format and the SHA-256 of the file's bytes, so that it can be seen later, without opening it,
whether it still is what it was. Snapshots never change, and a backup shares them with the store.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.limits import format_time, parse_time
from desktop_rater.model.unfinished import PREFIX, SUFFIX
from desktop_rater.store import schema
from desktop_rater.store.connection import NAME, connect_still, version_of
from desktop_rater.store.database_copy import copy_database
from desktop_rater.store.durable import put_in_place, sync_folder
from desktop_rater.store.holdings import Holdings, holdings
from desktop_rater.store.proof import prove
from desktop_rater.store.trouble import StoreDamaged, StoreError, translating

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from desktop_rater.model.progress import Progress
    from desktop_rater.store.store import Store

KEPT = 5
ROOM = 2  # times the size of the store has to be free

_NAME = re.compile(r"(\d{5,})-(\d{8}T\d{6}Z)-format(\d+)-([0-9a-f]{16})\.sqlite3")
_CHUNK = 1 << 20  # bytes
_LOSS = "No backup was made."


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that has its name. `number` grows from one to the next, whatever a clock says; `made` is a time.

    `ratings` counts the revisions in it, `None` where that can't be read. `good`: whether its bytes are those that
    were checked when it was made; `None` where nobody has looked.
    """

    path: Path
    number: int
    made: str
    version: int
    size: int
    ratings: int | None
    good: bool | None

    @property
    def usable(self) -> bool:
        """Whether this program can restore it, as far as is known."""
        return self.good is not False and self.version <= schema.version()


class Draft(msgspec.Struct, frozen=True):
    """A copy that has not been checked, what it should hold, and the version of its tables."""

    path: Path
    holdings: Holdings
    version: int


def backup_folder(folder: Path) -> Path:
    """Where the backups of a store lie."""
    return folder / "backups"


def listed(folder: Path, *, look: Callable[[], None] | None = None) -> tuple[Backup, ...]:
    """The backups of a store, the newest first. With `look`, called often, each is read and `good` says how it is."""
    with translating("The backups can't be listed."):
        found = [backup for path in backup_folder(folder).glob("*.sqlite3") if (backup := of_file(path))]
        found.sort(key=lambda one: (one.number, one.path.name), reverse=True)
        return tuple(found if look is None else (checked(one, look) for one in found))


def checked(backup: Backup, look: Callable[[], None]) -> Backup:
    """The same, with `good` found out; a file that can't be read is not good."""
    try:
        good = backup.good is not False and _is_whole(backup.path, look)
    except OSError:
        good = False
    return msgspec.structs.replace(backup, good=good)


def newest_good(folder: Path, *, look: Callable[[], None] = lambda: None) -> Backup | None:
    """The latest backup that is as it was made and that this program can restore."""
    ours = (backup for backup in listed(folder) if backup.usable)
    return next((one for backup in ours if (one := checked(backup, look)).good), None)


def is_needed(store: Store, newest: Backup | None) -> bool:
    """Whether the store holds something that its newest good backup does not."""
    with translating(_LOSS):
        if newest is None:
            return True
        return (newest.version, _holdings_of(newest.path)) != (_version(store), holdings(store.db))


def draft(store: Store, progress: Progress, place: Path | None = None) -> Draft:
    """Copy what a store holds into a file without a name, in its folder of backups or in `place`.

    For the thread that owns the store's connection: `progress` is told between short steps, and what is written then
    goes into the copy. Raises `StoreError`, or `Cancelled`; then nothing is left.
    """
    with translating(_LOSS):
        place = place or _made_folder(store.folder)
        check_room(_size_of(store.folder), shutil.disk_usage(place).free)
        number, name = tempfile.mkstemp(dir=place, prefix=PREFIX, suffix=SUFFIX)
        os.close(number)
        path = Path(name)
        try:
            with store.at_one_moment():
                store.db.execute("SELECT 1 FROM sqlite_schema").fetchone()  # a reader's moment begins with a read
                copy_database(store.db.conn, path, progress)
                return Draft(path, holdings(store.db), _version(store))
        except BaseException:
            drop(path)
            raise


def prove_draft(made: Draft, look: Callable[[], None]) -> None:
    """Read all of a copy. Raises `StoreDamaged` where it is not sound or lacks something."""
    found = prove(made.path, "The backup", look)
    if found != made.holdings:
        raise StoreDamaged("The backup is not whole.", _LOSS)


def keep(folder: Path, made: Draft, *, now: datetime, look: Callable[[], None] = lambda: None) -> Backup:
    """Check a copy, give it its name, and let go of the oldest. Touches no connection of a store.

    Raises `StoreError`, or `Cancelled`; then nothing is left, and the earlier backups are as they were.
    """
    try:
        with translating(_LOSS):
            prove_draft(made, look)
            number = max((backup.number for backup in listed(folder)), default=0) + 1
            stamp = format_time(now).replace("-", "").replace(":", "")
            name = f"{number:05}-{stamp}-format{made.version}-{_digest(made.path, look)}.sqlite3"
            path = backup_folder(folder) / name
            with made.path.open("rb+") as file:
                put_in_place(file, made.path, path)
            return Backup(
                path=path,
                number=number,
                made=format_time(now),
                version=made.version,
                size=path.stat().st_size,
                ratings=made.holdings.ratings,
                good=True,
            )
    finally:
        drop(made.path)


def prune(folder: Path, *, spare: Collection[Path] = (), look: Callable[[], None] = lambda: None) -> None:
    """Remove what is older than the last five good backups, but for `spare`. A bad one counts for nothing."""
    there = listed(folder)
    good = 0
    with translating("The oldest backups are not removed."):
        for backup in there if len(there) > KEPT else ():
            if good == KEPT:
                if backup.path not in spare:
                    backup.path.unlink(missing_ok=True)
            elif backup.usable:
                good += bool(checked(backup, look).good)


def drop(path: Path) -> None:
    """Remove an unfinished copy and what SQLite had beside it."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink(missing_ok=True)


def leftovers(folder: Path) -> list[Path]:
    """What a killed process left unfinished among the backups."""
    return sorted(backup_folder(folder).glob(f".*{SUFFIX}*"))


def sweep(folder: Path) -> None:
    """Remove what a killed process left unfinished. For the writer only."""
    with translating("Unfinished backups are not removed."):
        for file in leftovers(folder):
            file.unlink(missing_ok=True)


def _made_folder(folder: Path) -> Path:
    place = backup_folder(folder)
    if not place.exists():
        place.mkdir(mode=0o700)
        sync_folder(folder)
    return place


def _version(store: Store) -> int:
    return store.db.execute("PRAGMA user_version").fetchone()[0]


def _size_of(folder: Path) -> int:
    files = (folder / f"{NAME}{end}" for end in ("", "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def check_room(size: int, free: int) -> None:
    """Raise `StoreError` where a backup of a store of `size` bytes could fill the disk."""
    if free < ROOM * size:
        raise StoreError(
            "There is too little room for a backup.",
            f"It takes up to {ROOM * size // 1_000_000 + 1} MB, and {free // 1_000_000} MB are free. {_LOSS}",
            "Make room on the disk, then back up.",
        )


def of_file(path: Path) -> Backup | None:
    """What is known of a backup's file without reading all of it; `None` where it has not the name of a backup."""
    name = _NAME.fullmatch(path.name)
    if name is None:
        return None
    stamp = name[2]
    made = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[9:11]}:{stamp[11:13]}:{stamp[13:]}"
    try:
        parse_time(made)
        size = path.stat().st_size
    except (ValueError, OSError):
        return None
    version = int(name[3])
    held = _holdings_of(path) if version <= schema.version() else None
    bad = held is None and version <= schema.version()
    return Backup(
        path=path,
        number=int(name[1]),
        made=made,
        version=version,
        size=size,
        ratings=held.ratings if held else None,
        good=False if bad else None,
    )


def _holdings_of(path: Path) -> Holdings | None:
    """What a backup holds; `None` where that can't be read."""
    try:
        if version_of(path) is None:
            return None
        db = connect_still(path)
        try:
            return holdings(db)
        finally:
            db.close()
    except (StoreError, sqlite3.Error, OSError, UnicodeDecodeError):
        return None


def _is_whole(path: Path, look: Callable[[], None]) -> bool:
    name = _NAME.fullmatch(path.name)
    return name is not None and name[4] == _digest(path, look)


def _digest(path: Path, look: Callable[[], None]) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            look()
            digest.update(chunk)
    return digest.hexdigest()[:16]
