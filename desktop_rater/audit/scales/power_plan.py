"""Plan of a study from a pilot's results: tasks and raters for an interval of a wanted width."""

from collections.abc import Sequence

from msgspec import Struct

from desktop_rater.audit.question_units import QuestionUnits, units_by_question
from desktop_rater.audit.questions import JudgedQuestion, Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.scales.scale_figures import ratings_of
from desktop_rater.stats.power import Pilot, Plan, half_width, measure_pilot, plans
from desktop_rater.stats.weighted_agreement import ScaleRatings

RATINGS_OF_A_UNIT = (1, 2, 3, 5)


class PowerPlan(Struct, frozen=True, kw_only=True):
    """Plans for the share of a value, or for the mean of a scale, `value` being `None`.

    `now`: the figure of the pilot with the interval that the same variances give it. `pilot`: what they are.
    """

    value: Value | None
    now: ReportFigure
    pilot: Pilot
    plans: tuple[Plan, ...]


def power_plans(
    audit: Audit, question: JudgedQuestion, width: float, raters: int | None, *, these_raters: bool
) -> tuple[PowerPlan, ...]:
    """Return a plan for each value given to a question, the most frequent first, or for the mean of its numbers.

    `raters` in all; by default those of the pilot. `these_raters`: the figure is about these alone.
    """
    ratings = (audit.ratings[key].without_values() for key in sorted(audit.ratings))
    (units,) = units_by_question([question], ratings, audit.tasks, audit.models)
    if question.measure != "nominal":
        codings = [(None, ratings_of(units))]
    else:
        values = sorted((units.values[value] for value in set(units.people.value.tolist())), key=str)
        codings = [(value, _share(units, value)) for value in values]
    made = [
        _plan(value, of_value, width, raters, these_raters=these_raters)
        for value, of_value in codings
        if len(of_value.clusters) > 1
    ]
    return tuple(sorted(made, key=lambda plan: -plan.pilot.mean))


def _share(units: QuestionUnits, value: Value) -> ScaleRatings:
    return ratings_of(units, lambda given: float(given == value))


def _plan(
    value: Value | None, ratings: ScaleRatings, width: float, raters: int | None, *, these_raters: bool
) -> PowerPlan:
    pilot = measure_pilot(ratings)
    wanted = None if these_raters else raters or pilot.raters
    apart = half_width(pilot, pilot.tasks, pilot.per_unit, None if these_raters else pilot.raters)
    ends: Sequence[float] = (pilot.mean - apart, pilot.mean + apart)
    if value is not None:
        ends = [min(max(end, 0.0), 1.0) for end in ends]
    now = ReportFigure(
        value=pilot.mean,
        low=ends[0],
        high=ends[1],
        n=len(ratings.unit_sizes),
        tasks=pilot.tasks,
        raters=pilot.raters,
    )
    return PowerPlan(value=value, now=now, pilot=pilot, plans=plans(pilot, width, RATINGS_OF_A_UNIT, wanted))
