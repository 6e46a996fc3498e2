"""What is not as it was written of the exchange with hubs. Each yields a text for each fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import boxes, outbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_rater.store.boxes import Box
    from desktop_rater.store.store import Store

    Look = Callable[[], None]

# What fails is told where it waits, and of what the hub holds no file is needed here.
_NEEDED: dict[Box, str] = {
    "outbox": "SELECT name, sha256 FROM outbox WHERE state IN ('queued', 'uploading', 'uploaded') ORDER BY key",
    "inbox": "SELECT name, sha256 FROM inbox WHERE state = 'fetched' ORDER BY key",
}
_NEXT: dict[Box, str] = {
    "outbox": "The next sync makes it again, or says that it can't.",
    "inbox": "The next sync fetches it again.",
}


def of_outbox(store: Store, look: Look) -> Iterator[str]:
    """What never changes of each row, against its hash. Stores of before there were hubs have no table for them."""
    if not _has(store, "outbox"):
        return
    for row in outbox.sealed_rows(store.db):
        look()
        if not outbox.is_intact(row):
            yield f"What goes to the hub of {row[0]} as {str(row[5])[:200]} was altered: it is not what was queued."


def of_files(store: Store, look: Look) -> Iterator[str]:
    """The files that wait to go or to be imported, against their names."""
    if not _has(store, "outbox"):
        return
    for box, query in _NEEDED.items():
        for name, sha256 in store.db.execute(query).fetchall():
            if boxes.intact(store.folder, box, sha256, look) is None:
                yield f"In the {box} the file of {str(name)[:200]} is gone or altered. {_NEXT[box]}"


def _has(store: Store, table: str) -> bool:
    return store.db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone() is not None
