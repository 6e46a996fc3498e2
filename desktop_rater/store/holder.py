"""Who writes to a store: a note beside the lock. It only informs; the lock alone decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.ready import ready
from desktop_rater.store.durable import put_in_place, unfinished

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "holder.json"


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """The process that writes to a store; `since` is a time of the formats. `log`: what it wrote stands in the log."""

    pid: int
    host: str
    command: str
    since: str
    log: bool = False


def sign(folder: Path, me: Holder) -> None:
    """Leave the note. Raises `OSError`."""
    with unfinished(folder) as (file, path):
        file.write(msgspec.json.encode(me))
        put_in_place(file, path, folder / _NAME)


def sign_again(folder: Path, me: Holder) -> None:
    """Say something new in the note. It does not wait for the disk: after a power cut it may say the old thing."""
    with unfinished(folder) as (file, path):
        file.write(msgspec.json.encode(me))
        file.close()
        path.replace(folder / _NAME)


def holder(folder: Path) -> Holder | None:
    """Who signed last; `None` where nobody did, or where the note can't be read."""
    try:
        return msgspec.json.decode((folder / _NAME).read_bytes(), type=ready(Holder))
    except (OSError, msgspec.MsgspecError):
        return None


def erase(folder: Path) -> None:
    """Take the note away. Raises `OSError`."""
    (folder / _NAME).unlink(missing_ok=True)
