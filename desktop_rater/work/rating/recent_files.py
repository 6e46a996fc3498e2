"""Files that were imported, exported or came from a hub lately."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

import msgspec

from desktop_rater.model.strict_json import prepared_type
from desktop_rater.model.values import format_time
from desktop_rater.store.state import get_state, put_state
from desktop_rater.store.store import Store

_KEY = "recent files"
MAX_FILES = 12


class RecentFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file by its name, without its folder; `moment` is a time."""

    name: str
    what: Literal["imported", "exported", "received"]
    bundle: str
    moment: str


def list_files(store: Store) -> tuple[RecentFile, ...]:
    """Return the files, the latest first; none if the record is unreadable, since nothing depends on it."""
    try:
        return msgspec.convert(get_state(store, _KEY) or [], prepared_type(tuple[RecentFile, ...]))
    except msgspec.ValidationError:
        return ()


def record_file(store: Store, new: RecentFile) -> None:
    """Record a file as the latest one. Raises `StoreError`."""
    others = [row for row in list_files(store) if (row.name, row.what, row.bundle) != (new.name, new.what, new.bundle)]
    put_state(store, _KEY, msgspec.to_builtins([new, *others][:MAX_FILES]))


def recent_file(
    name: str, what: Literal["imported", "exported", "received"], bundle: str, now: Callable[[], datetime]
) -> RecentFile:
    """Return a record of a file that was handled now."""
    return RecentFile(name=name[:200], what=what, bundle=bundle, moment=format_time(now()))
