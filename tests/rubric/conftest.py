"""The built-in rubrics, and short ways to write tasks and ratings."""

from typing import Any

import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating

BUILT_IN = ("span-factuality", "side-by-side", "side-by-side-3", "response-quality", "groundedness")


@pytest.fixture(scope="session")
def rubrics():
    """The built-in rubrics by their ids."""
    return {name: builtin_rubric(name) for name in BUILT_IN}


@pytest.fixture
def factuality(rubrics):
    """The rubric of single sentences."""
    return rubrics["span-factuality"]


def one_target_task(**more: Any) -> Task:
    """A task with one target, `s1`."""
    text = "Broder studied at Stanford."
    plain = {
        "id": "t",
        "prompt": {"text": "Who is Broder?"},
        "responses": [{"id": "a", "text": text}],
        "targets": [{"id": "s1", "response": "a", "start": 0, "end": len(text), "quote": text}],
    }
    return read_struct({**plain, **more}, Task)


def rating_of(task: Task, **parts: Any) -> Rating:
    """A rating with those parts."""
    return read_struct({"task": task.id, "rater": "r", **parts}, Rating)


def broken(outcome: CheckOutcome) -> set[tuple[str, str]]:
    """(rule, where) of all problems."""
    return {(problem.rule, problem.where) for problem in outcome.problems}


def check_target(rubric: Rubric, answers: dict[str, Any], **parts: Any) -> CheckOutcome:
    """Check a rating of the one-target task that answers its target so."""
    task = one_target_task()
    return check_rating(rubric, task, rating_of(task, answers={"targets": {"s1": answers}}, **parts))
