"""What is in the store: bundles, their tasks, and how far each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.store import bundles, tasks
from desktop_rater.store.tasks import StateCounts, TaskListRow
from desktop_rater.work import rubrics
from desktop_rater.work.open_task import bundle_of

if TYPE_CHECKING:
    from desktop_rater.rubric import Rubric
    from desktop_rater.store.bundles import BundleRow, BundleStatus
    from desktop_rater.store.store import Store
    from desktop_rater.store.tasks import ListState


class TaskPage(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of the task list; whether there is `more` of it."""

    rows: tuple[TaskListRow, ...]
    more: bool


def bundle_list(store: Store) -> tuple[BundleRow, ...]:
    """The latest revision of each bundle."""
    return tuple(bundles.listed(store))


def status(store: Store | None) -> list[BundleStatus]:
    """How far each bundle is. A store that is not there yet has none."""
    return [] if store is None else bundles.counts(store)


def task_page(
    store: Store,
    bundle_id: str,
    rater: str,
    *,
    text: str = "",
    state: ListState = "all",
    after: int = -1,
    limit: int = 500,
) -> TaskPage:
    """A piece of the list of a bundle's tasks that hold all the words of `text` and are in `state`.

    It begins behind the position `after`.
    """
    rows = tasks.page(store, bundle_id, rater, text=text, state=state, after=after, limit=limit + 1)
    return TaskPage(rows=tuple(rows[:limit]), more=len(rows) > limit)


def counts(store: Store, bundle_id: str, rater: str) -> StateCounts:
    """How many tasks of a bundle are in which state."""
    return tasks.counts_by_state(store, bundle_id, rater)


def next_unfinished(store: Store, bundle_id: str, rater: str, after: int) -> str | None:
    """The id of the first unfinished task behind a position, else of the first one at all; `None` when all are done."""
    position = tasks.next_unfinished(store, bundle_id, rater, after)
    if position is None:
        position = tasks.next_unfinished(store, bundle_id, rater, -1)
    return None if position is None else tasks.at(store, bundle_id, position).id


def has_task(store: Store, bundle_id: str, task_id: str) -> bool:
    """Whether a bundle has that task."""
    return tasks.position_of(store, bundle_id, task_id) is not None


def rubric(store: Store, bundle_id: str) -> Rubric:
    """The rubric that a bundle is rated by."""
    bundle = bundle_of(store, bundle_id)
    return rubrics.of_bundle(bundle.rubric, bundle.rubric_toml, bundle_id)


def guidelines(store: Store, bundle_id: str) -> str:
    """Markdown that explains the rubric: the bundle's own, else that of the built-in rubric."""
    bundle = bundle_of(store, bundle_id)
    return bundle.guidelines or rubrics.guidelines(bundle.rubric)
