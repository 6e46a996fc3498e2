"""Check ratings in files against a rubric."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rater.bundle.jsonl import structs
from desktop_rater.bundle.targets import prepare_task
from desktop_rater.model.errors import FormatError
from desktop_rater.model.rating import Rating
from desktop_rater.model.strict_json import to_plain
from desktop_rater.model.task import Task
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating
from desktop_rater.work.rubrics import rubrics


def check_rating_files(rubric_ref: str, tasks: Path, ratings: Path) -> Iterator[CheckOutcome]:
    """Yield an outcome per rating, in order. `rubric_ref`: a built-in id or a TOML file.

    Two `.jsonl` files are paired line by line; other files contain one object each. Raises `RaterError`.
    """
    rubric = rubrics.find_rubric(rubric_ref)
    task_side, rating_side = structs(tasks, Task), structs(ratings, Rating)
    for where, task in task_side:
        numbered_rating = next(rating_side, None)
        if numbered_rating is None:
            raise FormatError(f"{ratings.name} ends before {where} has its rating.")
        place, rating = numbered_rating
        if rating.task != task.id:
            raise FormatError(
                f"{place} rates {rating.task!r}, but {where} is {task.id!r}.",
                "Tasks and ratings must be in the same order.",
            )
        yield check_rating(rubric, with_targets(rubric, task), rating)
    extra = next(rating_side, None)
    if extra is not None:
        raise FormatError(f"{extra[0]} has no task, since {tasks.name} has fewer lines.")


def outcome_object(outcome: CheckOutcome) -> dict[str, Any]:
    """Return the JSON object that `rubric check` prints for a rating."""
    return {"decided": to_plain(outcome.decided), "problems": to_plain(outcome.problems)}


def with_targets(rubric: Rubric, task: Task) -> Task:
    """Return the task with its targets unchanged, or its sentences as targets, as after an import."""
    if task.targets is not None or not rubric.per_target:
        return task
    return prepare_task(task, per_target=True, accept_close=False, lang="").task or task
