"""`audit power`: how many tasks and raters an interval of a wanted width needs."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from desktop_rater.audit.questions import JudgedQuestion, judged_questions, main_question
from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.output import EXIT_OK, ID, json_option, print_result
from desktop_rater.model.errors import RaterError
from desktop_rater.work.audit.load_audit import load_audit

if TYPE_CHECKING:
    from desktop_rater.audit.scales.power_plan import PowerPlan

FEW_TASKS = 20  # variances from fewer are no more than a guess
LEAST_WIDTH = 1e-6


@click.command()
@click.argument("bundle", type=ID)
@click.option(
    "--width", type=float, required=True, help="Half of the wanted 95 % interval, such as 0.05: a share of 0.4 ± 0.05."
)
@click.option("--question", type=ID, default="", help="The question; default: the label.")
@click.option("--raters", type=click.IntRange(2), help="Raters of the study; default: as many as have rated.")
@click.option("--these-raters", is_flag=True, help="The figure is about these raters, not about any.")
@json_option
@click.pass_obj
def power(
    folder: Path, bundle: str, width: float, question: str, raters: int | None, *, these_raters: bool, as_json: bool
) -> int:
    """Plan a study from the results that are there: tasks and raters for an interval of a wanted width.

    The ratings show how much tasks, targets, raters and the rest differ. A line for each number of ratings a target
    says how many tasks the interval needs, for the share of each value, or for the mean of a scale.
    """
    if not isfinite(width) or width < LEAST_WIDTH:
        raise click.BadParameter("it is not a number from 0.000001.", param_hint="--width")
    with open_results_store(folder, bundle) as store:
        audit = load_audit(store, bundle)
    questions = {item.id: item for item in judged_questions(audit.rubric)}
    chosen = questions.get(question) if question else main_question(audit.rubric)
    if chosen is None:
        names = ", ".join(questions) or "none"
        raise RaterError(f"There is no question {question!r}.", f"Questions: {names}.")
    from desktop_rater.audit.scales.power_plan import power_plans  # noqa: PLC0415 - numpy, for this command alone

    results = power_plans(audit, chosen, width, raters, these_raters=these_raters)
    if not results:
        raise RaterError("There is nothing to plan from.", f"Fewer than two tasks have an answer to {chosen.id!r}.")

    plain = {"bundle": bundle, "question": chosen.id, "width": width, "plans": msgspec.to_builtins(results)}
    print_result(plain, [line for plan in results for line in _lines(plan, chosen)], as_json=as_json)
    return EXIT_OK


def _lines(plan: PowerPlan, question: JudgedQuestion) -> Iterator[str]:
    now, pilot, unit = plan.now, plan.pilot, question.per
    name = "mean" if plan.value is None else question.text_of(plan.value)
    value, low, high = (
        f"{number or 0:.2f}" if plan.value is None else f"{number or 0:.1%}"
        for number in (now.value, now.low, now.high)
    )
    units = "" if unit == "task" else f", {now.n:,} {unit}s"
    base = f"rests on {now.tasks:,} tasks{units}, {now.raters:,} raters"
    yield f"{question.id}: {name}  {value}  95 %: {low} to {high}  {base}"
    within = {} if unit == "task" else {f"{unit}s of a task": pilot.unit}
    parts = {"tasks": pilot.task, **within, "raters": pilot.rater, "rest": pilot.rest}
    total = sum(parts.values()) or 1
    shares = ", ".join(f"{part} {variance / total:.0%}" for part, variance in parts.items())
    rough = f"; rough, from {now.tasks} tasks" if now.tasks < FEW_TASKS else ""
    yield f"    variance: {shares}; design effect {pilot.design_effect:.1f}{rough}"
    for row in plan.plans:
        each = f"    {row.per_unit} {'rating' if row.per_unit == 1 else 'ratings'} a {unit}"
        if row.tasks is None:
            yield f"{each}: no number of tasks is enough with {row.raters:,} raters; {row.least_raters:,} are needed"
        else:
            yield f"{each}: {row.tasks:,} tasks, {row.ratings:,} ratings, {row.raters:,} raters"
