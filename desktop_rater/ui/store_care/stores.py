"""The window's two connections to its store. Where it can't write, it looks, and says why it can do no more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.store.opening import open_reader, open_writer
from desktop_rater.store.trouble import NotThere, StoreDamaged, StoreError, StoreTaken, StoreTooNew
from desktop_rater.ui import spelling

if TYPE_CHECKING:
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


class NotUpdated(StoreError):
    """The store is of an older version, and the user did not want it brought up to date."""

    def __init__(self) -> None:
        super().__init__("The store is not brought up to date.", "It is as it was.")


@dataclass(frozen=True)
class Updated:
    """What came of bringing an older store up to date: it is open for writing, or that was `refused`."""

    writer: Store | None = None
    refused: StoreError | None = None


def open_stores(folder: Path, now: datetime, updated: Updated | None = None) -> Stores:
    """To write and to read; only to read where another program writes or the disk can't be written.

    `updated`: what has been done to an older one already. Raises `StoreError` where not even reading works.
    """
    updated = updated or Updated()
    try:
        if updated.refused is not None:
            raise updated.refused
        writer = updated.writer or open_writer(folder, command=COMMAND, now=now)
    except (StoreTooNew, StoreDamaged):
        raise
    except NotUpdated as error:
        words = translate("Stores", "Read-only: an older version made this store, and it was not brought up to date.")
        return Stores(_reader(folder, error), why=words)
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
        raise error from other  # why it can't be written says more
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
    try:
        when = datetime.fromisoformat(time).astimezone(UTC)
    except ValueError:
        return time
    return translate("Stores", "{day} at {minute} UTC").format(day=spelling.day(when), minute=spelling.clock(when))
