"""Units of progress: the targets, responses, pairs or tasks of a bundle, by its rubric."""

from typing import Literal

from desktop_rater.format.rating import Status
from desktop_rater.format.values import Place
from desktop_rater.rubric.check import CheckOutcome
from desktop_rater.rubric.compiled import Rubric

Unit = Literal["targets", "responses", "pairs", "tasks"]


def counted_unit(rubric: Rubric) -> Unit:
    """Return what a rubric's progress counts: the smallest thing that all its questions are about."""
    if rubric.per_target:
        return "targets"
    if rubric.questions_by_scope["response"]:
        return "pairs" if rubric.questions_by_scope["task"] else "responses"
    return "tasks"


def finished_units(rubric: Rubric, outcome: CheckOutcome, status: Status) -> int:
    """Return how many targets or responses of an unfinished task are done: all their required questions answered.

    Of a pair or task it is 1 once the rating is finished.
    """
    unit = counted_unit(rubric)
    if unit in {"pairs", "tasks"}:
        return int(status != "incomplete")
    open_units: dict[str, bool] = {}
    for where, questions in outcome.asked.items():
        place = outcome.places.get(where, Place())
        name = place.target if unit == "targets" else place.response
        if name is not None:
            for question in questions:
                if question.required:
                    open_units[name] = open_units.get(name, False) or question.value is None
    return list(open_units.values()).count(False)
