"""Check ratings by a rubric straight from files, with no store at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.bundle.plain_files import structs
from desktop_rater.bundle.targets import prepare
from desktop_rater.model.kept import to_plain
from desktop_rater.model.rating import Rating
from desktop_rater.model.task import Task
from desktop_rater.model.trouble import FormatTrouble
from desktop_rater.rubric import Outcome, Rubric, check
from desktop_rater.work import rubrics

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def check_files(rubric_ref: str, tasks: Path, ratings: Path) -> Iterator[Outcome]:
    """One outcome a rating, in order. `rubric_ref` is a built-in id or a TOML file.

    Two `.jsonl` files pair line by line; otherwise each file holds one object. Raises `RaterError`.
    """
    rubric = rubrics.named(rubric_ref)
    task_side, rating_side = structs(tasks, Task), structs(ratings, Rating)
    for where, task in task_side:
        found = next(rating_side, None)
        if found is None:
            raise FormatTrouble(f"{ratings.name} ends before {where} has its rating.")
        place, rating = found
        if rating.task != task.id:
            raise FormatTrouble(f"{place} rates {rating.task!r}, and {where} is {task.id!r}.", "They pair in order.")
        yield check(rubric, _with_targets(rubric, task), rating)
    surplus = next(rating_side, None)
    if surplus is not None:
        raise FormatTrouble(f"{surplus[0]} has no task: {tasks.name} ends before it.")


def as_line(outcome: Outcome) -> dict[str, Any]:
    """What `rubric check` prints of one rating."""
    return {"decided": to_plain(outcome.decided), "problems": to_plain(outcome.problems)}


def _with_targets(rubric: Rubric, task: Task) -> Task:
    """Targets count as they stand; where there are none the sentences are the targets, as after an import."""
    if task.targets is not None or not rubric.per_target:
        return task
    return prepare(task, per_target=True, accept_close=False, lang="").task or task
