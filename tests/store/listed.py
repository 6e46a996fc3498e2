"""The task list of a store, as tests ask about it."""

import sys
from typing import Any

from desktop_rater.store import tasks
from desktop_rater.store.store import Store


def count_tasks(store: Store, bundle: str, rater: str, **how: Any) -> int:
    """How many rows the list has."""
    return len(tasks.list_tasks(store, bundle, rater, limit=sys.maxsize, **how))
