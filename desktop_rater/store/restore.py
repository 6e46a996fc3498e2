"""Putting a backup in the place of a store, which is kept aside: all of it or nothing, whenever it is killed.

From the moment at which the checked copy has its name beside the store, it is the store: whoever reads looks there,
and whoever opens the store for writing first carries out what is left to do.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.limits import format_time
from desktop_rater.model.unfinished import PREFIX, SUFFIX
from desktop_rater.store import boxes
from desktop_rater.store.backups import ROOM, drop
from desktop_rater.store.connection import NAME, connect_reader, version_of
from desktop_rater.store.database_copy import copy_database
from desktop_rater.store.durable import sync_folder
from desktop_rater.store.holdings import Holdings
from desktop_rater.store.proof import about, prove
from desktop_rater.store.trouble import NotThere, StoreError, translating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from desktop_rater.model.progress import Progress

_RESTORED = f"{NAME}.restored"
_REPLACED = "replaced"
_UNDER_WAY = "under-way"
_FILES = tuple(f"{NAME}{end}" for end in ("", "-wal", "-shm", "-journal"))
_LOSS = "Nothing was restored, and the store is as it was."
_ANOTHER = "Choose another backup."


class Ready(msgspec.Struct, frozen=True):
    """A checked copy of a backup in the store's folder, and what it holds."""

    path: Path
    holdings: Holdings


def ready_from_file(folder: Path, source: Path, progress: Progress) -> Ready:
    """Copy a backup, or any store's file, into the folder of the store, and check the copy.

    Raises `StoreError`, or `Cancelled`; then nothing is left.
    """

    def fill(target: Path) -> None:
        if version_of(source) is None:
            raise NotThere(f"There is no {source}.", _LOSS)
        with closing(connect_reader(source)) as db:
            copy_database(db.conn, target, progress)

    return _ready(folder, source, fill, lambda: progress(0, 0), size=_size(source))


def ready_from_chunks(folder: Path, source: Path, chunks: Iterable[bytes], progress: Progress, *, size: int) -> Ready:
    """The same with what an archive, named `source`, holds. `chunks` are one file without companions."""

    def fill(target: Path) -> None:
        with target.open("wb") as file:
            done = 0
            for chunk in chunks:
                file.write(chunk)
                done += len(chunk)
                progress(done, size)

    return _ready(folder, source, fill, lambda: progress(0, 0), size=size)


def _ready(folder: Path, source: Path, fill: Callable[[Path], None], look: Callable[[], None], *, size: int) -> Ready:
    with about(source.name, _LOSS, _ANOTHER):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_room(size, shutil.disk_usage(folder).free)
        number, name = tempfile.mkstemp(dir=folder, prefix=PREFIX, suffix=SUFFIX)
        os.close(number)
        path = Path(name)
        try:
            fill(path)
            holdings = prove(path, source.name, look)
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        except BaseException:
            drop(path)
            raise
    return Ready(path, holdings)


def put_in_place(folder: Path, ready: Ready, *, now: datetime) -> Path | None:
    """Let a checked copy be the store from now on. For who holds the store's lock and has no connection open.

    Returns where the store lies that was replaced; `None` where there was none. Raises `StoreError`.
    """
    with translating("The backup is not in its place yet. The next start goes on with it."):
        ready.path.replace(folder / _RESTORED)
        sync_folder(folder)
        return carry_out(folder, now=now)


def carry_out(folder: Path, *, now: datetime) -> Path | None:
    """Do what is left of a restore that has begun, if one has. For who holds the lock. Raises `OSError`."""
    restored, aside = folder / _RESTORED, folder / _REPLACED / _UNDER_WAY
    if restored.exists():
        aside.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What it has sent and the restored one has not is work, too, and of the restored one's no business.
        boxes.share(folder, aside)
        for name in _FILES:
            if (folder / name).exists():
                (folder / name).replace(aside / name)
        for changed in (aside, aside.parent, folder):
            sync_folder(changed)
        restored.replace(folder / NAME)
        sync_folder(folder)
    if not aside.is_dir():
        return None
    if not any(aside.iterdir()):
        aside.rmdir()
        return None
    place = _free_place(aside.parent, format_time(now).replace(":", ""))
    aside.replace(place)
    sync_folder(place.parent)
    return place


def file_of(folder: Path) -> Path:
    """The file that is the store: the restored one as soon as it is there."""
    restored = folder / _RESTORED
    return restored if restored.exists() else folder / NAME


def _free_place(folder: Path, name: str) -> Path:
    number = 1
    while (place := folder / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return place


def _size(source: Path) -> int:
    files = (source, source.with_name(f"{source.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _check_room(size: int, free: int) -> None:
    if free < ROOM * size:
        raise StoreError(
            "There is too little room to restore a backup.",
            f"It takes up to {ROOM * size // 1_000_000 + 1} MB, and {free // 1_000_000} MB are free. {_LOSS}",
            "Make room on the disk, then try again.",
        )
