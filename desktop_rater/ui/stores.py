"""The window's two connections to its store. Where it can't write, it looks, and says why it can do no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.store.opening import open_reader, open_writer
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreError, StoreTaken, StoreTooNew

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.store.store import Store

COMMAND = "the window"
translate = QCoreApplication.translate


@dataclass(frozen=True)
class Stores:
    """`writer` is `None` where nothing can be written; `why` says then why, `taken` whether another program writes."""

    reader: Store
    writer: Store | None = None
    why: str = ""
    taken: bool = False

    @property
    def log_was_gone(self) -> bool:
        """Whether what the last program wrote at the end is missing."""
        return self.writer is not None and self.writer.log_was_gone

    def close(self) -> None:
        """Close both."""
        self.reader.close()
        if self.writer is not None:
            self.writer.close()


def open_stores(folder: Path, now: datetime) -> Stores:
    """To write and to read; only to read where another program writes or the disk can't be written.

    Raises `StoreError` where not even that works.
    """
    try:
        writer = open_writer(folder, command=COMMAND, now=now)
    except (StoreTooNew, StoreDamaged):
        raise
    except StoreTaken as taken:
        return Stores(_reader(folder, taken), why=_who(taken), taken=True)
    except StoreError as error:
        words = translate("Stores", "Read-only: nothing can be written to {folder}. {why}")
        return Stores(_reader(folder, error), why=words.format(folder=folder, why=error.message))
    try:
        reader = open_reader(folder)
    except StoreError:
        writer.close()
        raise
    if reader is None:
        writer.close()
        raise NotThere(f"The store in {folder} went away.")
    return Stores(reader, writer)


def _reader(folder: Path, error: StoreError) -> Store:
    try:
        reader = open_reader(folder)
    except (StoreTooNew, StoreDamaged):
        raise
    except StoreError as other:
        # Why it can't be written says more, but for a store that has to be brought up to date first.
        raise (other if "older version" in other.title else error) from other
    if reader is None:
        raise error
    return reader


def _who(taken: StoreTaken) -> str:
    holder = taken.holder
    if holder is None:
        return translate("Stores", "Read-only: another program writes to this store.")
    if holder.command == COMMAND:
        words = translate("Stores", "Read-only: another window has it open (process {pid} on {host}, since {since}).")
    else:
        words = translate("Stores", "Read-only: {command} writes to it (process {pid} on {host}, since {since}).")
    return words.format(
        command=holder.command[:60], pid=holder.pid, host=holder.host[:60], since=spoken_moment(holder.since)
    )


def spoken_moment(time: str) -> str:
    """A time of the formats as it is read, to the minute."""
    return translate("Stores", "{day} at {minute} UTC").format(day=time[:10], minute=time[11:16])
