"""What a rater who practises is shown of a finished task: the gold answer beside the own one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import NotSound, read_object, read_struct
from desktop_rater.store import gold
from desktop_rater.store.trouble import StoreDamaged

if TYPE_CHECKING:
    from desktop_rater.store.store import Store


def gold_answer(store: Store, bundle_id: str, task_id: str) -> Rating | None:
    """The gold answer of a task; `None` where the bundle has none for it. Raises `StoreError`."""
    line = gold.find(store, bundle_id, task_id)
    if line is None:
        return None
    try:
        return read_struct(read_object(line), Rating)
    except NotSound as error:
        raise StoreDamaged(f"The stored gold answer of {task_id!r} can't be read.", str(error)) from error
