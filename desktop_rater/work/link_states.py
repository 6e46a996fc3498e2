"""How the links of a task stood when they were last fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import pages

if TYPE_CHECKING:
    from collections.abc import Collection

    from desktop_rater.store.pages import LastState
    from desktop_rater.store.store import Store


def states_of(store: Store, bundle: str, wanted: Collection[str]) -> dict[str, LastState]:
    """Page → how its last visit ended; what was never fetched is left out. Raises `StoreError`."""
    return pages.last_states_of(store, bundle, wanted)
