"""Save a rating: from the window, or many from a file as if given in the window."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.bundle.plain_files import structs
from desktop_rater.model.change import NOTHING, Change
from desktop_rater.model.kept import to_plain
from desktop_rater.model.limits import format_time
from desktop_rater.model.rating import Rating, Status
from desktop_rater.model.trouble import FormatTrouble
from desktop_rater.rubric import Outcome, Rubric, check, leaving, leaving_sha256
from desktop_rater.rubric.suggestions import counted
from desktop_rater.store import ratings, tasks
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import rubrics
from desktop_rater.work.known_parts import known_parts
from desktop_rater.work.open_task import bundle_of, task_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.progress import Progress
    from desktop_rater.model.task import Task
    from desktop_rater.store.store import Store

FROM_FILE = "rated from a file"
# What a revision is not made for: it is worked out anew, or counts what is saved.
_WORKED_OUT = ("revision", "changed", "suggestions", "decided", "problems")


def save(
    store: Store,
    rubric: Rubric,
    bundle_id: str,
    task: Task,
    rating: Rating,
    *,
    done: str,
    now: Callable[[], datetime],
) -> Change:
    """Append a revision; `done` says in short English what was done. A rating equal to the stored one makes none.

    One that is called complete is stored as incomplete while something blocks. Raises `StoreError`: nothing is saved.
    A store that the disk has failed is opened again first: an answer is worth another try.
    """
    store.take_up_again()
    outcome = check(rubric, task, rating)
    finished = rating.status != "incomplete" and _is_the_task(store, bundle_id, task)
    rating = judged(rating, outcome, as_complete=finished and rating.status == "complete")
    rating = replace(rating, suggestions=counted(rubric, task, rating, outcome))
    if _is_stored(store, bundle_id, rating):
        return NOTHING
    ratings.append(store, bundle_id, new_rating(rating, outcome, done, now, basis=rubric.basis if finished else None))
    return Change(tasks=frozenset({(bundle_id, rating.task)}))


class Rated(Change, frozen=True, kw_only=True):
    """What a file of ratings came to. `unknown`: ids of tasks, and `task/target`; `problems`: rule → how often."""

    complete: int
    incomplete: int
    skipped: int
    unknown: tuple[str, ...]
    problems: dict[str, int]
    blocked: bool


def rate_from_file(
    store: Store, bundle_id: str, path: Path, rater: str, *, progress: Progress, now: Callable[[], datetime]
) -> Rated:
    """Store the ratings of a `.jsonl` file, all of them or none. Raises `RaterError`."""
    bundle = bundle_of(store, bundle_id)
    rubric = rubrics.of_bundle(bundle.rubric, bundle.rubric_toml, bundle_id)
    rating_file = _RatingFile(store, bundle_id, rubric, rater, now)
    changed: list[str] = []

    def coming() -> Iterator[ratings.NewRating]:
        for number, (where, rating) in enumerate(structs(path, Rating), 1):
            progress(number, 0)
            new = rating_file.take(where, rating)
            if new is not None:
                changed.append(rating.task)
                yield new

    ratings.append_many(store, bundle_id, coming())
    counts = Counter(rating_file.statuses.values())
    return Rated(
        tasks=frozenset((bundle_id, task) for task in changed),
        complete=counts["complete"],
        incomplete=counts["incomplete"],
        skipped=counts["skipped"],
        unknown=tuple(dict.fromkeys(rating_file.unknown)),
        problems=dict(sorted(Counter(rule for rules in rating_file.rules.values() for rule in rules).items())),
        blocked=bool(rating_file.blocked),
    )


class _RatingFile:
    """Takes the ratings of a file one by one; of several for one task the last one counts."""

    def __init__(self, store: Store, bundle_id: str, rubric: Rubric, rater: str, now: Callable[[], datetime]) -> None:
        self._store = store
        self._bundle_id = bundle_id
        self._rubric = rubric
        self._rater = rater
        self._now = now
        self.unknown: list[str] = []
        self.statuses: dict[str, Status] = {}
        self.rules: dict[str, tuple[str, ...]] = {}
        self.blocked: set[str] = set()

    def take(self, where: str, rating: Rating) -> ratings.NewRating | None:
        """What is to be stored of a rating; `None` where nothing is. Raises `FormatTrouble` for another rubric's."""
        if rating.rubric not in ("", self._rubric.ref, self._rubric.file.id):
            hint = "Nothing was stored."
            raise FormatTrouble(
                f"{where}: it answers {rating.rubric}, and the bundle asks {self._rubric.ref}.", "", hint
            )
        try:
            task = task_of(tasks.get(self._store, self._bundle_id, rating.task))
        except NotThere:
            self.unknown.append(rating.task)
            return None
        rating, strange = known_parts(replace(rating, rater=self._rater, rubric=self._rubric.ref), task)
        self.unknown += [f"{task.id}/{name}" for name in strange]
        outcome = check(self._rubric, task, rating)
        rating = judged(rating, outcome, as_complete=True)
        rating = replace(rating, suggestions=counted(self._rubric, task, rating, outcome))
        self.statuses[task.id] = rating.status
        self.rules[task.id] = tuple(problem.rule for problem in outcome.problems)
        (self.blocked.add if outcome.blocking else self.blocked.discard)(task.id)
        if _is_stored(self._store, self._bundle_id, rating):
            return None
        return new_rating(rating, outcome, FROM_FILE, self._now, basis=self._rubric.basis)


def judged(rating: Rating, outcome: Outcome, *, as_complete: bool) -> Rating:
    """The rating with its status, what was decided and what it breaks."""
    status: Status = rating.status
    if status != "skipped":
        status = "complete" if as_complete and not outcome.blocking else "incomplete"
    problems = tuple(replace(problem, message=None) for problem in outcome.problems)
    return replace(rating, status=status, decided=outcome.decided, problems=problems)


def new_rating(
    rating: Rating, outcome: Outcome, done: str, now: Callable[[], datetime], *, basis: str | None
) -> ratings.NewRating:
    """A revision that is to be stored, with the figures that lists show.

    `basis` is that of the rubric where the rating was checked against the task as it is stored.
    """
    form = leaving(rating, outcome)
    leaves = basis is not None and rating.status != "incomplete" and not outcome.blocking
    asked = [one for asked in outcome.asked.values() for one in asked if one.required]
    return ratings.NewRating(
        rating=rating,
        changed=format_time(now()),
        done=done,
        leaving_sha256=leaving_sha256(form),
        checked=ratings.Checked(form, basis) if leaves else None,
        blocking=outcome.blocking,
        warnings=outcome.warnings,
        answered=sum(one.value is not None for one in asked),
        total=len(asked),
    )


def _is_the_task(store: Store, bundle_id: str, task: Task) -> bool:
    """Whether the bundle still holds what was rated: a newer revision may have come in meanwhile."""
    try:
        there = task_of(tasks.get(store, bundle_id, task.id))
    except NotThere:
        return False
    ids = [[target.id for target in one.targets or ()] for one in (there, task)]
    return ids[0] == ids[1] and replace(there, targets=None) == replace(task, targets=None)


def _is_stored(store: Store, bundle_id: str, rating: Rating) -> bool:
    head = ratings.head(store, bundle_id, rating.task, rating.rater)
    return head is not None and _essence(head.rating) == _essence(rating)


def _essence(rating: Rating) -> dict[str, object]:
    return {key: value for key, value in to_plain(rating).items() if key not in _WORKED_OUT}
