"""Small things to remember from one start to the next, such as the last rater and the last place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from desktop_rater.store.store import Store


def get(store: Store, key: str) -> Any:
    """The value last put there; `None` where there is none, or none that can be read: nothing depends on it."""
    with store.reading("What was remembered can't be read.") as db:
        row = db.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    try:
        return msgspec.json.decode(row[0])
    except msgspec.DecodeError:
        return None


def put(store: Store, key: str, value: Any) -> None:
    """Remember a plain JSON value."""
    text = msgspec.json.encode(value).decode()
    with store.writing(f"{key} is not remembered.") as db:
        db.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", (key, text))
