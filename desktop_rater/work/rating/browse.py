"""List bundles and tasks in the store with their progress."""

import msgspec

from desktop_rater.rubric import Rubric
from desktop_rater.store import bundles, tasks
from desktop_rater.store.bundles import BundleRow, BundleStatus
from desktop_rater.store.pictures import find_pictures, listed_pictures
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import ListState, StateCounts, TaskListRow
from desktop_rater.work.rating.open_task import load_bundle
from desktop_rater.work.rubrics import rubrics


class TaskListPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the task list; `more`: further rows follow."""

    rows: tuple[TaskListRow, ...]
    more: bool


class UnfinishedTasks(msgspec.Struct, frozen=True, kw_only=True):
    """The tasks that hold back an export: their number, and the ids of the first ones.

    `blocked` of them are answered, but a problem blocks. `finished` is the number of the others.
    """

    count: int
    blocked: int
    finished: int
    first: tuple[str, ...]


def unfinished_tasks(store: Store, bundle_id: str, rater: str, most: int) -> UnfinishedTasks:
    """Return what is unfinished in a bundle, with the first `most` tasks."""
    counts = tasks.count_tasks_by_state(store, bundle_id, rater)
    rows = tasks.list_tasks(store, bundle_id, rater, state="unfinished", limit=most)
    return UnfinishedTasks(
        count=counts.untouched + counts.incomplete,
        blocked=counts.blocked,
        finished=counts.complete + counts.skipped,
        first=tuple(row.id for row in rows),
    )


def bundle_list(store: Store) -> tuple[BundleRow, ...]:
    """Return the current revision of each bundle, also of those put away."""
    return tuple(bundles.list_bundles(store, put_away=True))


def bundle_statuses(store: Store | None, *, put_away: bool = False) -> list[BundleStatus]:
    """Return the progress of each bundle, with `put_away` also of those put away; empty if there is no store yet."""
    return [] if store is None else bundles.count_progress(store, put_away=put_away)


def task_list_page(
    store: Store,
    bundle_id: str,
    rater: str,
    *,
    text: str = "",
    state: ListState = "all",
    after: int = -1,
    limit: int = 500,
) -> TaskListPage:
    """Return a page of a bundle's tasks that contain all words of `text` and are in `state`.

    It starts after the position `after`.
    """
    rows = tasks.list_tasks(store, bundle_id, rater, text=text, state=state, after=after, limit=limit + 1)
    return TaskListPage(rows=tuple(rows[:limit]), more=len(rows) > limit)


def task_counts(store: Store, bundle_id: str, rater: str) -> StateCounts:
    """Return the number of tasks per state."""
    return tasks.count_tasks_by_state(store, bundle_id, rater)


def next_unfinished(store: Store, bundle_id: str, rater: str, after: int) -> str | None:
    """Return the first unfinished task after a position, otherwise the first of all; `None` if all are finished."""
    position = tasks.next_unfinished_position(store, bundle_id, rater, after)
    if position is None:
        position = tasks.next_unfinished_position(store, bundle_id, rater, -1)
    return None if position is None else tasks.task_at(store, bundle_id, position).id


def has_task(store: Store, bundle_id: str, task_id: str) -> bool:
    """Return whether a bundle has that task."""
    return tasks.task_position(store, bundle_id, task_id) is not None


def bundle_rubric(store: Store, bundle_id: str) -> Rubric:
    """Return the rubric of a bundle."""
    bundle = load_bundle(store, bundle_id)
    return rubrics.bundle_rubric_of(bundle.rubric, bundle.rubric_toml, bundle_id)


def bundle_guidelines(store: Store, bundle_id: str) -> tuple[str, dict[str, bytes]]:
    """Return the guidelines (Markdown) and their pictures: the bundle's own, or those of the built-in rubric."""
    bundle = load_bundle(store, bundle_id)
    if not bundle.guidelines:
        return rubrics.builtin_guidelines(bundle.rubric), {}
    return bundle.guidelines, find_pictures(store, listed_pictures(bundle.manifest))
