"""Figures of the start page: bundles with progress, returned tasks, the week, recent files, and where to go on."""

from collections import Counter
from datetime import datetime
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from desktop_rater.format.change import NO_CHANGE, Change
from desktop_rater.format.errors import RaterError
from desktop_rater.format.manifests import (
    RETURN_TOOL,
    derivation_in_manifest,
    due_in_manifest,
    libraries_in_manifest,
    library_id,
)
from desktop_rater.format.rating import Rating
from desktop_rater.format.task import Task, TaskReturn
from desktop_rater.operations import rubrics
from desktop_rater.operations.rating import rater_state
from desktop_rater.operations.rating.open_task import (
    bundle_rubric,
    has_task,
    load_bundle,
    next_unfinished,
    open_task,
    task_counts,
    task_list_page,
)
from desktop_rater.operations.rating.rater_state import (
    BundleOverview,
    Reason,
    RememberedSpot,
    WorkWeek,
    next_bundle,
    week_of,
)
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.rubric.check import Unit, counted_unit
from desktop_rater.store import bundles
from desktop_rater.store.bundles import BundleRow
from desktop_rater.store.state import (
    BundleCounts,
    RecentFile,
    count_bundles,
    get_state,
    is_begun,
    list_files,
    put_state,
    seconds_per_unit,
)
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import StateCounts

MAX_CAME_BACK = 20
_LIBRARIES = "libraries"  # folder of a store, where the plug-in `library` has a folder for each
GUIDELINES_READ = "guidelines read by {}"


class ReturnedTask(msgspec.Struct, frozen=True, kw_only=True):
    """An unfinished task that the lead sent back; `position` counts from 1."""

    bundle: str
    task: str
    position: int
    prompt: str
    returned: TaskReturn


class NewGuideline(msgspec.Struct, frozen=True, kw_only=True):
    """The guidelines of a bundle's current revision that differ from those of the revision before."""

    bundle: str
    title: str
    revision: int
    before: str
    after: str


class StartOverview(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of the start page. `last` is the bundle opened last; `next` the one to go on with, and why."""

    bundles: tuple[BundleOverview, ...]
    came_back: tuple[ReturnedTask, ...]
    guidelines: tuple[NewGuideline, ...]
    week: WorkWeek
    files: tuple[RecentFile, ...]
    last: str
    next: tuple[str, Reason] | None


def read_overview(store: Store, rater: str, *, now: datetime) -> StartOverview:
    """Return the figures of the start page. Raises `StoreError`."""
    rows = bundles.list_bundles(store, put_away=True)
    counts = count_bundles(store, rater)
    came_back = [task for row in rows for task in _came_back(store, row, rater)]
    waiting = Counter(task.bundle for task in came_back)
    sent_back = Counter(origin for row in rows for origin in _origins(row) for _ in range(waiting[row.id]))
    overviews = [
        _bundle_overview(store, row, counts[row.id], sent_back[row.id], rater) for row in rows if row.id in counts
    ]
    places = rater_state.load_places(store, rater)
    spot = places.spots.get(places.bundle)
    begun = spot is not None and is_begun(store, places.bundle, spot.task, rater)
    return StartOverview(
        bundles=tuple(overviews),
        came_back=tuple(came_back),
        guidelines=tuple(_new_guidelines(store, rows, rater)),
        week=week_of(rater_state.load_days(store, rater), now.astimezone().date()),
        files=list_files(store),
        last=places.bundle,
        next=next_bundle(overviews, places.bundle, begun=begun),
    )


def read_progress(store: Store, rater: str) -> tuple[BundleOverview, ...]:
    """Return the progress of each listed bundle, for a list to choose from."""
    counts = count_bundles(store, rater)
    rows = bundles.list_bundles(store)
    return tuple(_bundle_overview(store, row, counts[row.id], 0, rater) for row in rows if row.id in counts)


def bundle_progress(store: Store, bundle_id: str, rater: str) -> BundleOverview:
    """Return the progress of one bundle, without an estimate of the time for returned tasks."""
    counts = count_bundles(store, rater, bundle_id).get(bundle_id, BundleCounts())
    progress = _bundle_overview(store, load_bundle(store, bundle_id), counts, 0, rater)
    return replace(progress, seconds_left=None) if progress.returned else progress


def list_progress(store: Store, bundle_id: str, rater: str) -> tuple[StateCounts, BundleOverview]:
    """Return the number of tasks per state, and the progress of a bundle, for the list of its tasks."""
    return task_counts(store, bundle_id, rater), bundle_progress(store, bundle_id, rater)


def _bundle_overview(store: Store, row: BundleRow, counts: BundleCounts, sent_back: int, rater: str) -> BundleOverview:
    unit = _unit_of(row.rubric, row.rubric_toml)
    sizes = {"targets": (counts.finished_targets, counts.targets)}
    sizes["responses"] = (counts.finished_responses, counts.responses)
    done, total = sizes.get(unit, (counts.finished_tasks, row.tasks))
    done = min(total, done + (counts.partial if unit in sizes else 0))
    pace = seconds_per_unit(store, row.id, rater, unit) if done < total and counts.finished_tasks else None
    return BundleOverview(
        id=row.id,
        revision=row.revision,
        title=row.title,
        rubric=row.rubric,
        unit=unit,
        done=done,
        total=total,
        tasks=row.tasks,
        finished=counts.finished_tasks,
        due=due_in_manifest(row.manifest),
        missing_libraries=_missing_libraries(store, row),
        changed=counts.changed,
        left=counts.left,
        imported=row.imported,
        sent_back=sent_back,
        returned=_is_returned(row),
        practice=row.practice,
        put_away=row.put_away,
        seconds_left=None if pace is None else round(pace * (total - done)),
    )


def _missing_libraries(store: Store, row: BundleRow) -> tuple[str, ...]:
    return tuple(
        f"{wanted.name} ({wanted.date})" if wanted.date else wanted.name
        for wanted in libraries_in_manifest(row.manifest)
        if not (store.folder / _LIBRARIES / library_id(wanted.name) / "library.json").is_file()
    )


@cache
def _unit_of(rubric: str, toml: str | None) -> Unit:
    try:
        return counted_unit(rubrics.bundle_rubric_of(rubric, toml, rubric))
    except RaterError:
        return "tasks"  # opening the bundle reports it


def _is_returned(row: BundleRow) -> bool:
    derived = derivation_in_manifest(row.manifest) if RETURN_TOOL in row.manifest else None
    return derived is not None and derived.tool == RETURN_TOOL


def _origins(row: BundleRow) -> tuple[str, ...]:
    """Return the returned bundle itself, and those that its tasks were in."""
    derived = derivation_in_manifest(row.manifest) if _is_returned(row) else None
    return () if derived is None else (row.id, *(origin.id for origin in derived.bundles if origin.id != row.id))


def _came_back(store: Store, row: BundleRow, rater: str) -> list[ReturnedTask]:
    if row.put_away or not _is_returned(row):
        return []
    unfinished = task_list_page(store, row.id, rater, state="unfinished", limit=MAX_CAME_BACK).rows
    tasks = [open_task(store, row.id, listed.id, rater) for listed in unfinished]
    return [
        ReturnedTask(
            bundle=row.id,
            task=opened.task.id,
            position=opened.position + 1,
            prompt=opened.task.prompt.text,
            returned=opened.task.returned,
        )
        for opened in tasks
        if opened.task.returned is not None
    ]


def _new_guidelines(store: Store, rows: list[BundleRow], rater: str) -> list[NewGuideline]:
    """Return the guidelines that changed with the current revision and that the rater has not been shown."""
    revisions = get_state(store, GUIDELINES_READ.format(rater))
    revisions = revisions if isinstance(revisions, dict) else {}
    changes = []
    for row in rows:
        before = bundles.find_bundle_revision(store, row.id, row.revision - 1) if row.revision > 1 else None
        if (
            before is None
            or row.put_away
            or before.guidelines == row.guidelines
            or revisions.get(row.id) == row.revision
        ):
            continue
        change = NewGuideline(
            bundle=row.id, title=row.title, revision=row.revision, before=before.guidelines, after=row.guidelines
        )
        changes.append(change)
    return changes


class LeftOff(NamedTuple):
    """The place where a rater goes on in a bundle: a task with its checked rating, and the remembered spot in it."""

    bundle: str
    task: Task
    rating: Rating
    rubric: Rubric
    outcome: CheckOutcome
    spot: RememberedSpot


def read_left_off(store: Store, bundle_id: str, rater: str) -> LeftOff | None:
    """Return the rater's last position in a bundle, else its first unfinished task; `None` if it has no tasks."""
    spot = rater_state.load_places(store, rater).spots.get(bundle_id)
    if spot is None or not has_task(store, bundle_id, spot.task):
        task_id = next_unfinished(store, bundle_id, rater, -1)
        if task_id is None:
            rows = task_list_page(store, bundle_id, rater, limit=1).rows
            task_id = rows[0].id if rows else None
        if task_id is None:
            return None
        spot = RememberedSpot(task=task_id)
    rubric = bundle_rubric(store, bundle_id)
    opened = open_task(store, bundle_id, spot.task, rater)
    outcome = check_rating(rubric, opened.task, opened.rating)
    return LeftOff(bundle_id, opened.task, opened.rating, rubric, outcome, spot)


def mark_guideline_read(store: Store, rater: str, bundle_id: str, revision: int) -> Change:
    """Record that the rater has read the changes of a revision's guidelines. Raises `StoreError`."""
    key = GUIDELINES_READ.format(rater)
    stored_state = get_state(store, key)
    put_state(store, key, {**(stored_state if isinstance(stored_state, dict) else {}), bundle_id: revision})
    return NO_CHANGE
