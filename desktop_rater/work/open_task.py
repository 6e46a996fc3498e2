"""A task with its rating, as a rater takes it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from desktop_rater.model.rating import Rating, TimeSpent
from desktop_rater.model.ready import ready
from desktop_rater.model.strict_json import read_object, read_struct
from desktop_rater.model.task import Target, Task
from desktop_rater.store import bundles, ratings, tasks
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import kept_time
from desktop_rater.work.known_parts import known_parts

if TYPE_CHECKING:
    from desktop_rater.store.bundles import BundleRow
    from desktop_rater.store.store import Store
    from desktop_rater.store.tasks import StoredTask


class OpenTask(msgspec.Struct, frozen=True, kw_only=True):
    """`task` has its targets placed; `rating` is the rater's last one, or what a first one begins with.

    `position` counts from 0.

    `spent` is all the time that is known to be spent on it: what was kept of it may be more than the rating says.
    """

    bundle: str
    position: int
    task: Task
    rating: Rating
    spent: TimeSpent


def open_task(store: Store, bundle_id: str, task_id: str, rater: str) -> OpenTask:
    """Raises `NotThere`, or `StoreDamaged` where what is stored was altered."""
    bundle = bundle_of(store, bundle_id)
    stored = tasks.get(store, bundle_id, task_id)
    head = ratings.head(store, bundle_id, task_id, rater)
    task = task_of(stored)
    rating = head.rating if head is not None else beginning(task, bundle.rubric)
    return OpenTask(
        bundle=bundle_id,
        position=stored.position,
        task=task,
        rating=replace(rating, rater=rater, rubric=bundle.rubric),
        spent=kept_time.spent(store, rater, bundle_id, task_id),
    )


def beginning(task: Task, rubric: str) -> Rating:
    """What a rater starts from: nothing, or where the task was sent back the rating that was, for this very rubric.

    Its time and the links that were opened go on from there: the new results take the place of the old ones.
    """
    if task.returned is None or task.returned.rating.rubric != rubric:
        return Rating(task=task.id)
    known, _strange = known_parts(task.returned.rating, task)
    return replace(known, status="incomplete", skipped=None, revision=0, changed=None, decided={}, problems=())


def bundle_of(store: Store, bundle_id: str) -> BundleRow:
    """The bundle's latest revision. Raises `NotThere`."""
    bundle = bundles.find(store, bundle_id)
    if bundle is None:
        known = ", ".join(row.id for row in bundles.listed(store)) or "none"
        raise NotThere(f"There is no bundle {bundle_id!r} in the store.", f"In the store: {known}.")
    return bundle


def task_of(stored: StoredTask) -> Task:
    """The struct of a stored task, with the targets where the import placed them. Raises `StoreDamaged`."""
    targets = tasks.intact_targets(stored)
    task = read_struct(read_object(stored.line), Task)
    if targets is None:
        return task
    return replace(task, targets=msgspec.json.decode(targets, type=ready(tuple[Target, ...])))
