"""Puts a store that was made from a damaged one in its place. The damaged files are kept, under `set-aside/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import restore
from desktop_rater.store.durable import sync_folder
from desktop_rater.store.proof import prove
from desktop_rater.store.restore import Ready
from desktop_rater.store.trouble import translating

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

_SET_ASIDE = "set-aside"


def replace_damaged(folder: Path, new: Path, *, now: datetime, look: Callable[[], None]) -> Path | None:
    """Let the database at `new` be the store in `folder`; where the damaged files are now, `None` if they were gone.

    It is checked before. For who holds the store's lock and has no connection open. Raises `StoreError`.
    """
    ready = Ready(new, prove(new, "The new store", look))
    replaced = restore.put_in_place(folder, ready, now=now)
    if replaced is None:
        return None
    with translating(f"The damaged files are in {replaced}."):
        aside = folder / _SET_ASIDE
        aside.mkdir(mode=0o700, exist_ok=True)
        number = 1
        while (place := aside / (replaced.name if number == 1 else f"{replaced.name}-{number}")).exists():
            number += 1
        replaced.replace(place)
        sync_folder(aside)
    return place
