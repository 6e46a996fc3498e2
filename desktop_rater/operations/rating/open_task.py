"""Bundles and tasks as lists, and opening of a task, with what a rating refers to and the task does not have."""

import msgspec
from msgspec.structs import replace

from desktop_rater.format.edit import parse_place
from desktop_rater.format.manifests import assistance_in_manifest, is_held_out
from desktop_rater.format.rating import Evidence, Rating, ResearchEntry, SuggestionCounts, TimeSpent
from desktop_rater.format.strict_json import prepared_type, read_json_object, read_struct
from desktop_rater.format.task import Target, Task
from desktop_rater.operations import rubrics
from desktop_rater.operations.rating import rater_state
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.display_order import exchanged_rating, exchanged_task
from desktop_rater.rubric.links import task_links
from desktop_rater.rubric.provenance import follow_guidelines
from desktop_rater.rubric.suggest import suggested_places, with_placed_claims
from desktop_rater.store import bundles, ratings, tasks
from desktop_rater.store.bundle_events import list_revisions
from desktop_rater.store.bundles import BundleRow, BundleStatus
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.snapshots import find_pictures, listed_pictures
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import ListState, StateCounts, StoredTask, TaskListRow
from desktop_rater.text.urls import page_key


def drop_unknown_references(rating: Rating, task: Task) -> tuple[Rating, list[str]]:
    """Return the rating without references to unknown targets, responses and links, and what is unknown."""
    targets = {target.id for target in task.targets or ()}
    responses = {response.id for response in task.responses}
    answers = rating.answers
    ids = [*answers.targets, *rating.claims, *rating.time.targets, *rating.borders]
    ids += [piece.target for piece in (*rating.evidence, *rating.research) if piece.target is not None]
    unknown = [name for name in ids if name not in targets]
    of_responses = [piece.response for piece in (*rating.evidence, *rating.research) if piece.response is not None]
    ids = [*answers.responses, *of_responses]
    unknown += [name for name in ids if name not in responses]
    pages = {link.page for link in task_links(task, ())} if rating.link_verdicts else set()
    unknown += [url for url in rating.link_verdicts if page_key(url) not in pages]
    verdicts = {page: given for url, given in rating.link_verdicts.items() if (page := page_key(url)) in pages and page}
    if not unknown:
        return replace(rating, link_verdicts=verdicts), []
    rating = replace(
        rating,
        answers=replace(
            answers,
            targets={name: answer for name, answer in answers.targets.items() if name in targets},
            responses={name: answer for name, answer in answers.responses.items() if name in responses},
        ),
        claims={name: claims for name, claims in rating.claims.items() if name in targets},
        borders={name: border for name, border in rating.borders.items() if name in targets},
        evidence=tuple(piece for piece in rating.evidence if _is_known(piece, targets, responses)),
        link_verdicts=verdicts,
        research=tuple(entry for entry in rating.research if _is_known(entry, targets, responses)),
        precedents=None
        if rating.precedents is None
        else tuple(record for record in rating.precedents if parse_place(record.where).target in targets),
        time=replace(
            rating.time, targets={name: spent for name, spent in rating.time.targets.items() if name in targets}
        ),
    )
    return rating, list(dict.fromkeys(unknown))


def _is_known(piece: Evidence | ResearchEntry, targets: set[str], responses: set[str]) -> bool:
    return (piece.target is None or piece.target in targets) and (piece.response is None or piece.response in responses)


class OpenTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task with placed targets; `rating`: the rater's latest, or the initial one. `position` counts from 0.

    `language`: that of the prompt, else of the bundle.
    `spent`: total time known; it may be ahead of the rating, as `research`, stored beside it. All is in the terms of
    the display: responses that this rater sees in the reverse order have each other's ids.
    """

    bundle: str
    position: int
    task: Task
    rating: Rating
    language: str
    spent: TimeSpent
    research: tuple[ResearchEntry, ...] = ()


def open_task(store: Store, bundle_id: str, task_id: str, rater: str) -> OpenTask:
    """Load a task. Raises `NotInStore`, or `StoreDamaged` if stored data was altered."""
    bundle = load_bundle(store, bundle_id)
    stored = tasks.get_task(store, bundle_id, task_id)
    head = ratings.rating_head(store, bundle_id, task_id, rater)
    task = decode_task(stored)
    rating = head.rating if head is not None else _first_rating(bundle, task, rater)
    task, rating = as_displayed(bundle, task, rating)
    return OpenTask(
        bundle=bundle_id,
        position=stored.position,
        task=task,
        rating=replace(rating, rater=rater, rubric=bundle.rubric),
        language=task.prompt.lang or bundle.language,
        spent=rater_state.load_time(store, rater, bundle_id, task_id),
        research=rater_state.load_research(store, rater, bundle_id, task_id),
    )


def as_displayed(bundle: BundleRow, task: Task, rating: Rating) -> tuple[Task, Rating]:
    """Return a stored task and a rating of it in the terms of the display."""
    if task.display_order is None:
        return task, rating
    rubric = rubrics.bundle_rubric_of(bundle.rubric, bundle.rubric_toml, bundle.id)
    return exchanged_task(rubric, task), exchanged_rating(rubric, rating, task.display_order)


def initial_rating(task: Task, rubric: str) -> Rating:
    """Return the initial rating: empty, or the returned one if it was made with the same rubric.

    Its time and opened links continue, since the new results replace the old ones.
    """
    if task.returned is None or task.returned.rating.rubric != rubric:
        return Rating(task=task.id)
    rating, _unknown = drop_unknown_references(task.returned.rating, task)
    return replace(rating, status="incomplete", skipped=None, revision=0, changed=None, decided={}, problems=())


def _first_rating(bundle: BundleRow, task: Task, rater: str) -> Rating:
    """Return the initial rating, with the places whose suggestions this rater never sees.

    A returned rating has those of its own bundle, if any.
    """
    rating, share = initial_rating(task, bundle.rubric), assistance_in_manifest(bundle.manifest).suggestions_held_out
    if task.returned is not None:
        return rating
    names = "suggestions", bundle.id, task.id
    held_out = [where for where in suggested_places(task) if is_held_out(share, *names, where, rater)]
    return replace(rating, suggestions=SuggestionCounts(held_out=tuple(held_out) or None))


def load_bundle(store: Store, bundle_id: str, revision: int | None = None) -> BundleRow:
    """Return the bundle's current revision, or the given one. Raises `NotInStore`."""
    bundle = bundles.find_bundle(store, bundle_id, revision)
    if bundle is None:
        held = [row.revision for row in list_revisions(store, bundle_id)]
        if held:
            title = f"The store has no revision {revision} of the bundle {bundle_id}."
            raise NotInStore(title, f"Revisions in the store: {', '.join(map(str, sorted(held)))}.")
        names = ", ".join(row.id for row in bundles.list_bundles(store)) or "none"
        raise NotInStore(f"The store has no bundle {bundle_id!r}.", f"Bundles in the store: {names}.")
    return bundle


def decode_task(stored: StoredTask) -> Task:
    """Return the stored task with the targets placed by the import, and suggested claims in place.

    Raises `StoreDamaged`.
    """
    targets = tasks.intact_targets(stored)
    task = read_struct(read_json_object(stored.line), Task)
    if targets is not None:
        task = replace(task, targets=msgspec.json.decode(targets, type=prepared_type(tuple[Target, ...])))
    return with_placed_claims(task)


class TaskListPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the task list; `more`: further rows follow. `unsearched`: tasks that the search index still lacks."""

    rows: tuple[TaskListRow, ...]
    more: bool
    unsearched: int = 0


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
    unsearched = tasks.count_unindexed(store, bundle_id) if text else 0
    return TaskListPage(rows=tuple(rows[:limit]), more=len(rows) > limit, unsearched=unsearched)


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


def shown_rubric(store: Store, bundle_id: str) -> Rubric:
    """Return the rubric of a bundle as raters see it: its sources are those of the bundle's own guidelines."""
    bundle, rubric = load_bundle(store, bundle_id), bundle_rubric(store, bundle_id)
    if not bundle.guidelines or bundle.guidelines == rubrics.builtin_guidelines(bundle.rubric):
        return rubric
    # A built-in rubric names another text than the bundle's.
    return follow_guidelines(rubric, bundle.guidelines, rubric.file.document if bundle.rubric_toml else None)


def bundle_guidelines(store: Store, bundle_id: str) -> tuple[str, dict[str, bytes]]:
    """Return the guidelines (Markdown) and their pictures: the bundle's own, or those of the built-in rubric."""
    bundle = load_bundle(store, bundle_id)
    if not bundle.guidelines:
        return rubrics.builtin_guidelines(bundle.rubric), {}
    return bundle.guidelines, find_pictures(store, listed_pictures(bundle.manifest))
