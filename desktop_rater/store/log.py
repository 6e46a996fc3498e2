"""The log beside a store's file: what was written last stands in it alone, until the store is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store.connection import NAME
from desktop_rater.store.holder import holder

if TYPE_CHECKING:
    from pathlib import Path


def log_is_gone(folder: Path) -> bool:
    """Whether the last program wrote and ended without closing the store, and the log that it left is not there.

    So it is where somebody copied the store's file alone, or removed the log. SQLite itself does not notice.
    """
    # In this order: whoever closes a store takes the note away first.
    log = folder / f"{NAME}-wal"  # whoever only looks makes an empty one
    missing = (folder / NAME).exists() and not (log.exists() and log.stat().st_size)
    last = holder(folder) if missing else None
    return last is not None and last.log
