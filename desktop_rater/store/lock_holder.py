"""Note next to the lock about the process that writes to a store."""

from pathlib import Path

import msgspec

from desktop_rater.files import partial_file, retry_while_open, write_durably
from desktop_rater.model.strict_json import prepared_type

_NAME = "holder.json"


class StoreHolder(msgspec.Struct, frozen=True, kw_only=True):
    """The process that writes to a store; `since` is a time. `log`: it has written to the WAL."""

    pid: int
    host: str
    command: str
    since: str
    log: bool = False


def write_holder(folder: Path, me: StoreHolder) -> None:
    """Write the note. Raises `OSError`."""
    write_durably(folder / _NAME, msgspec.json.encode(me))


def rewrite_holder(folder: Path, me: StoreHolder) -> None:
    """Rewrite the note without waiting for the disk: after a power cut the old one may be back."""
    with partial_file(folder) as (file, path):
        file.write(msgspec.json.encode(me))
        file.close()
        retry_while_open(path.replace, folder / _NAME)


def read_holder(folder: Path) -> StoreHolder | None:
    """Return the last holder; `None` if there is no readable note."""
    try:
        return msgspec.json.decode((folder / _NAME).read_bytes(), type=prepared_type(StoreHolder))
    except (OSError, msgspec.MsgspecError):
        return None


def delete_holder(folder: Path) -> None:
    """Delete the note. Raises `OSError`."""
    retry_while_open((folder / _NAME).unlink, missing_ok=True)
