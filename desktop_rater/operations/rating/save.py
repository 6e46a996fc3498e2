"""Save a rating from the window, or many from a file."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from desktop_rater.format.change import NO_CHANGE, Change, Progress
from desktop_rater.format.errors import FormatError
from desktop_rater.format.rating import Rating, Status, SuggestionCounts
from desktop_rater.format.task import Task
from desktop_rater.format.values import format_time
from desktop_rater.operations import rubrics
from desktop_rater.operations.rating.open_task import decode_task, drop_unknown_references, load_bundle
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating, exported_form, exported_sha256
from desktop_rater.rubric.check import SharedParts, finished_units
from desktop_rater.rubric.display_order import exchanged_rating, exchanged_task
from desktop_rater.rubric.suggest import count_suggestions
from desktop_rater.store import ratings, tasks
from desktop_rater.store.errors import NotInStore, StoreError
from desktop_rater.store.store import Store

FROM_FILE_ACTION = "rated from a file"


def save_rating(
    store: Store,
    rubric: Rubric,
    bundle_id: str,
    task: Task,
    rating: Rating,
    *,
    done: str,
    now: Callable[[], datetime],
    checked: CheckOutcome | None = None,
) -> Change:
    """Append a revision; `done`: the action in short English. A rating equal to the stored one makes none.

    Task and rating are in the terms of the display, as `open_task` returns them; stored are those of the file.
    `checked` is the outcome of checking this very rating of this very task, which then is not checked again.
    A rating marked complete is stored as incomplete while something blocks. Raises `StoreError`; nothing is saved then.
    After a disk failure the store is reopened first, since an answer is worth a retry.
    """
    store.resume_after_failure()
    if task.display_order is not None:
        rating = exchanged_rating(rubric, rating, task.display_order)
        task, checked = exchanged_task(rubric, task), None
    outcome = checked if checked is not None else check_rating(rubric, task, rating)
    finished = rating.status != "incomplete" and _is_current_task(store, bundle_id, task)
    rating = evaluated_rating(rating, outcome, as_complete=finished and rating.status == "complete")
    rating = with_suggestion_counts(rubric, task, rating, outcome)
    new = rating_revision(rubric, rating, outcome, done, now, basis=rubric.basis if finished else None)
    saved = ratings.append_change(store, bundle_id, new)
    return Change(tasks=frozenset({(bundle_id, rating.task)})) if saved else NO_CHANGE


def merge_saved(store: Store) -> Change:
    """Merge saved ratings into the store's main file, which otherwise one of the next saves does. They are on disk."""
    with suppress(StoreError):  # nothing is lost, and SQLite tries again by itself
        store.merge_wal()
    return NO_CHANGE


class RatedFromFile(Change, frozen=True, kw_only=True):
    """Outcome of a ratings file. `unknown`: ids of tasks, and `task/target`; `problems`: rule → count."""

    complete: int
    incomplete: int
    skipped: int
    unknown: tuple[str, ...]
    problems: dict[str, int]
    blocked: bool


def rate_from_file(
    store: Store, bundle_id: str, path: Path, rater: str, *, progress: Progress, now: Callable[[], datetime]
) -> RatedFromFile:
    """Store the ratings of a `.jsonl` file, all or none. Raises `RaterError`."""
    from desktop_rater.format.jsonl import structs  # noqa: PLC0415 - only when it is used

    bundle = load_bundle(store, bundle_id)
    rubric = rubrics.bundle_rubric_of(bundle.rubric, bundle.rubric_toml, bundle_id)
    rating_file = _RatingFile(store, bundle_id, rubric, rater, now)

    def coming() -> Iterator[ratings.NewRevision]:
        for number, (where, rating) in enumerate(structs(path, Rating), 1):
            progress(number, 0)
            new = rating_file.revision_of(where, rating)
            if new is not None:
                yield new

    changed = ratings.append_changes(store, bundle_id, coming())
    counts = Counter(rating_file.statuses.values())
    return RatedFromFile(
        tasks=frozenset((bundle_id, task) for task in changed),
        complete=counts["complete"],
        incomplete=counts["incomplete"],
        skipped=counts["skipped"],
        unknown=tuple(dict.fromkeys(rating_file.unknown)),
        problems=dict(sorted(Counter(rule for rules in rating_file.rules.values() for rule in rules).items())),
        blocked=bool(rating_file.blocked),
    )


class _RatingFile:
    """Ratings of a file; the last one of a task counts."""

    def __init__(self, store: Store, bundle_id: str, rubric: Rubric, rater: str, now: Callable[[], datetime]) -> None:
        self._store = store
        self._bundle_id = bundle_id
        self._rubric = rubric
        self._rater = rater
        self._now = now
        self._parts = SharedParts(rubric)
        self.unknown: list[str] = []
        self.statuses: dict[str, Status] = {}
        self.rules: dict[str, tuple[str, ...]] = {}
        self.blocked: set[str] = set()

    def revision_of(self, where: str, rating: Rating) -> ratings.NewRevision | None:
        """Return the revision to store; `None` if its task is unknown. Raises `FormatError` for another rubric."""
        if rating.rubric not in ("", self._rubric.ref, self._rubric.file.id):
            hint = "Nothing was stored."
            raise FormatError(f"{where}: it answers {rating.rubric}, but the bundle uses {self._rubric.ref}.", "", hint)
        try:
            task = decode_task(tasks.get_task(self._store, self._bundle_id, rating.task))
        except NotInStore:
            self.unknown.append(rating.task)
            return None
        rating = replace(rating, rater=self._rater, rubric=self._rubric.ref, display_order=task.display_order)
        rating, unknown = drop_unknown_references(rating, task)
        self.unknown += [f"{task.id}/{name}" for name in unknown]
        outcome = check_rating(self._rubric, task, rating, shared=self._parts)
        rating = evaluated_rating(rating, outcome, as_complete=True)
        rating = with_suggestion_counts(self._rubric, task, rating, outcome)
        self.statuses[task.id] = rating.status
        self.rules[task.id] = tuple(problem.rule for problem in outcome.problems)
        (self.blocked.add if outcome.blocking else self.blocked.discard)(task.id)
        return rating_revision(self._rubric, rating, outcome, FROM_FILE_ACTION, self._now, basis=self._rubric.basis)


def evaluated_rating(rating: Rating, outcome: CheckOutcome, *, as_complete: bool) -> Rating:
    """Return the rating with its status, decided values and problems."""
    status: Status = rating.status
    if status != "skipped":
        status = "complete" if as_complete and not outcome.blocking else "incomplete"
    problems = tuple([replace(problem, message=None) for problem in outcome.problems])
    return replace(rating, status=status, decided=outcome.decided, problems=problems)


def with_suggestion_counts(rubric: Rubric, task: Task, rating: Rating, outcome: CheckOutcome) -> Rating:
    """Return the rating with the counts of the task's suggestions."""
    if task.suggestions is None:
        return replace(rating, suggestions=SuggestionCounts(held_out=rating.suggestions.held_out))
    return replace(rating, suggestions=count_suggestions(rubric, task, rating, outcome))


def rating_revision(
    rubric: Rubric, rating: Rating, outcome: CheckOutcome, done: str, now: Callable[[], datetime], *, basis: str | None
) -> ratings.NewRevision:
    """Return a revision to store, with the figures for lists.

    `basis`: that of the rubric if the rating was checked against the stored task.
    """
    form = exported_form(rating, outcome)
    exportable = basis is not None and rating.status != "incomplete" and not outcome.blocking
    questions = [question for questions in outcome.asked.values() for question in questions if question.required]
    return ratings.NewRevision(
        rating=rating,
        changed=format_time(now()),
        done=done,
        leaving_sha256=exported_sha256(form),
        checked=(form, basis) if exportable else None,
        blocking=outcome.blocking,
        warnings=outcome.warnings,
        answered=len([question for question in questions if question.value is not None]),
        total=len(questions),
        units=finished_units(rubric, outcome, rating.status),
    )


def _is_current_task(store: Store, bundle_id: str, task: Task) -> bool:
    """Return whether the stored task is still the rated one; a newer revision may have been imported."""
    try:
        stored = decode_task(tasks.get_task(store, bundle_id, task.id))
    except NotInStore:
        return False
    ids = [[target.id for target in version.targets or ()] for version in (stored, task)]
    return ids[0] == ids[1] and replace(stored, targets=None) == replace(task, targets=None)
