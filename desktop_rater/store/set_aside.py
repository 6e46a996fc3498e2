"""Puts a store's files out of the way, and another file in their place. Nothing is ever deleted or written over."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from desktop_rater.model.limits import format_time
from desktop_rater.store.connection import NAME
from desktop_rater.store.durable import sync_folder
from desktop_rater.store.trouble import translating

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

SET_ASIDE = "set-aside"
LOG_ENDS = ("-wal", "-journal", "-shm")


def new_place(folder: Path, kind: str, now: datetime) -> Path:
    """A new folder `<folder>/<kind>/<time>`, for files that are put aside."""
    stamp = format_time(now).replace(":", "").replace("-", "")
    (folder / kind).mkdir(mode=0o700, exist_ok=True)
    number = 1
    while True:
        place = folder / kind / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            place.mkdir(mode=0o700)
        except FileExistsError:
            number += 1
        else:
            return place


def put_in_place_of(folder: Path, new: Path, aside: Path) -> None:
    """Put the files of the store in `folder` into `aside`, and the complete database at `new` in their place.

    Whoever is killed in between leaves a store: the old one, which may be without its log, or the new one. The old
    files are in `aside` before anything of them goes. For the one who holds the lock. Raises `StoreError`.
    """
    with translating("The store's files are not put aside. They are where they were."):
        file = folder / NAME
        for end in ("", *LOG_ENDS):
            part = file.with_name(f"{NAME}{end}")
            if part.exists():
                _give_second_name(part, aside / part.name)
        sync_folder(aside)
        for end in LOG_ENDS:
            file.with_name(f"{NAME}{end}").unlink(missing_ok=True)
        new.replace(file)
        sync_folder(folder)


def _give_second_name(path: Path, other: Path) -> None:
    try:
        os.link(path, other)
    except OSError:  # a file system that knows one name for each file
        shutil.copy2(path, other)
        with other.open("rb+") as copied:
            os.fsync(copied.fileno())
