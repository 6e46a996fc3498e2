"""The task list of a store, as tests ask about it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from desktop_rater.store import tasks

if TYPE_CHECKING:
    from desktop_rater.store.store import Store


def count_tasks(store: Store, bundle: str, rater: str, **how: Any) -> int:
    """How many rows the list has."""
    return len(tasks.list_tasks(store, bundle, rater, limit=sys.maxsize, **how))
