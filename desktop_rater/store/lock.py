"""Who may write: one process for each store. The operating system takes the lock back from a killed one."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
from filelock import FileLock, Timeout

from desktop_rater.model.limits import format_time
from desktop_rater.store.durable import put_in_place, unfinished
from desktop_rater.store.trouble import StoreTaken

if TYPE_CHECKING:
    from pathlib import Path

_PATIENCE = 0.3  # seconds; a program that is just closing, or a doctor that looks, lets go within it


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """The process that writes to a store; `since` is a time of the formats."""

    pid: int
    host: str
    command: str
    since: str


class Lock:
    """The right to write to the store in `folder`. Raises `StoreTaken`, or `OSError` of the file system."""

    def __init__(self, folder: Path, *, command: str, now: datetime | None = None) -> None:
        self._holder_file = folder / "holder.json"
        self._lock = _lock(folder)
        try:
            self._lock.acquire(timeout=_PATIENCE)
        except Timeout:
            raise StoreTaken(str(folder), holder(folder)) from None
        since = format_time(now or datetime.now(UTC))
        try:
            self._sign(Holder(pid=os.getpid(), host=platform.node(), command=command, since=since))
        except OSError:
            self._lock.release()
            raise

    def release(self) -> None:
        """Let the next program in."""
        try:
            self._holder_file.unlink(missing_ok=True)
        finally:
            self._lock.release()

    def _sign(self, me: Holder) -> None:
        with unfinished(self._holder_file.parent) as (file, path):
            file.write(msgspec.json.encode(me))
            put_in_place(file, path, self._holder_file)


def holder(folder: Path) -> Holder | None:
    """Who signed last; `None` where nobody did, or where the signature can't be read: it only informs."""
    try:
        return msgspec.json.decode((folder / "holder.json").read_bytes(), type=Holder)
    except (OSError, msgspec.MsgspecError):
        return None


def is_held(folder: Path) -> bool:
    """Whether a process writes to the store now. Raises `OSError` where that can't be found out."""
    if not _path(folder).exists():
        return False
    lock = _lock(folder)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return True
    lock.release()
    return False


def _path(folder: Path) -> Path:
    return folder / "lock"


def _lock(folder: Path) -> FileLock:
    # Not bound to a thread: the window takes the lock on one and lets go of it on another.
    return FileLock(_path(folder), thread_local=False)
