"""Who may write: one process for each store. The operating system takes the lock back from a killed one."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from msgspec.structs import replace

from desktop_rater.model.limits import format_time
from desktop_rater.store.durable import sync_folder
from desktop_rater.store.holder import Holder, erase, holder, sign, sign_again
from desktop_rater.store.trouble import StoreTaken

if TYPE_CHECKING:
    from pathlib import Path

_PATIENCE = 0.3  # seconds; a program that is just closing, or a doctor that looks, lets go within it


class Lock:
    """The right to write to the store in `folder`. Raises `StoreTaken`, or `OSError` of the file system."""

    def __init__(self, folder: Path, *, command: str, now: datetime | None = None) -> None:
        self._folder = folder
        self._lock = _lock(folder)
        try:
            self._lock.acquire(timeout=_PATIENCE)
        except Timeout:
            raise StoreTaken(str(folder), holder(folder)) from None
        since = format_time(now or datetime.now(UTC))
        self._me = Holder(pid=os.getpid(), host=platform.node(), command=command, since=since)
        try:
            sign(folder, self._me)
        except OSError:
            self._lock.release()
            raise

    def note_log(self) -> None:
        """Say that something stands in the log from now on. Raises `OSError`."""
        sign_again(self._folder, replace(self._me, log=True))

    def erase_note(self) -> None:
        """Say nothing any more, before the log is put away. Raises `OSError`."""
        erase(self._folder)
        if self._folder.is_dir():
            sync_folder(self._folder)  # else the note could be there after a power cut, and the log not

    def release(self) -> None:
        """Let the next program in."""
        try:
            erase(self._folder)
        finally:
            self._lock.release()


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
