"""The rubric engine alone: what an answer costs before anything is stored."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bench.figures import Samples
from bench.workload import SENTENCES, ratings, tasks
from desktop_rater.format import edit
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.targets import prepare_task
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import check_rating, load_rubric

if TYPE_CHECKING:
    from bench.workload import Workload

_RATINGS = 1_000


def checks(_workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds of `check_rating` for a thousand different ratings with ten targets."""
    rubric = builtin_rubric("span-factuality")
    took = []
    for plain, rated in zip(tasks(_RATINGS), ratings(_RATINGS), strict=True):
        task = prepare_task(read_struct(plain, Task), per_target=True, accept_close=False, lang="en").task
        assert task is not None
        assert len(task.targets or ()) == SENTENCES, "each sentence is a target"
        rating = read_struct(rated, Rating)
        started = time.perf_counter()
        check_rating(rubric, task, rating)
        took.append((time.perf_counter() - started) * 1_000)
    return {"check": Samples(took)}


_QUESTION = """
id = "limit"
version = 1
title = "Limit"
questions = [{ id = "q", per = "target", kind = "text", ask = "Q?" }]
"""
_RULE = """
[[rules]]
id = "r{number}"
per = "target"
level = "warn"
message = "No."
when = {{ q = {{ filled = false }} }}
"""
_RULES, _TARGETS = 23, 10_000


def limit(_workload: Workload) -> dict[str, Samples]:
    """Measure processor seconds to check a task at the limit of tests, all rules broken, and ms after an answer."""
    rubric = load_rubric(_QUESTION + "".join(_RULE.format(number=number) for number in range(_RULES)))
    targets = [
        {"id": f"s{n}", "response": "a", "start": 2 * n, "end": 2 * n + 1, "quote": "A"} for n in range(_TARGETS)
    ]
    plain = {
        "id": "t",
        "prompt": {"text": "?"},
        "responses": [{"id": "a", "text": "A " * _TARGETS}],
        "targets": targets,
    }
    task, rating = read_struct(plain, Task), Rating(task="t")
    checked, took = [], []
    for _ in range(5):
        started = time.process_time()
        outcome = check_rating(rubric, task, rating)
        checked.append(time.process_time() - started)
    for number in range(20):
        rating = edit.with_answer(rating, Place("a", f"s{number}"), "q", "Yes.")
        started = time.process_time()
        outcome = check_rating(rubric, task, rating, before=outcome)
        took.append((time.process_time() - started) * 1_000)
    return {"checked": Samples(checked), "answered": Samples(took)}
