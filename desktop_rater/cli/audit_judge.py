"""`audit judge` and `audit judge-check`: a language model as a rater, and its ratings against those of people."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.audit_models import ModelOptions, cost_line, oracle_options, oracle_run
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    ID,
    RATER,
    json_option,
    limited_lines,
    print_message,
    print_result,
    terminal_progress,
)
from desktop_rater.cli.stored_bundles import writer
from desktop_rater.cli.streams import INPUT, OUTPUT
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.model.values import utc_now
from desktop_rater.work.audit.model_check import load_model_checks
from desktop_rater.work.audit.report import EPSILON, REPORT_SEED
from desktop_rater.work.scoring.model_rater import JudgeOptions
from desktop_rater.work.scoring.model_results import (
    ModelRatedBundle,
    bundle_id_of,
    model_rating_cost,
    plan_bundle,
    rate_bundle_by_model,
    read_metric_prompts,
    take_model_answers,
)
from desktop_rater.work.scoring.oracle import require_setting

if TYPE_CHECKING:
    from desktop_rater.audit.model_check import ModelCheck
    from desktop_rater.audit.report import ReportFigure


_LEAST_SHOWN = 0.001  # of p
_OF_ASKING = ("question", "one_metric", "reasons", "prompts", "replies", "record", "estimate")


@click.command()
@click.argument("path", metavar="BUNDLE.zip", type=INPUT)
@click.option("--out", required=True, type=OUTPUT, help="The results to write.")
@click.option("--rater", type=RATER, help="The rater's name; default: `model-` and the name of the model.")
@click.option("--question", multiple=True, type=ID, help="Ask only this question, and those that it depends on.")
@click.option("--one-metric", is_flag=True, help="Ask each question in a call of its own, with a reason.")
@click.option("--reasons", is_flag=True, help="Ask for a reason for each answer, and keep it in the results.")
@click.option("--prompts", type=INPUT, metavar="FILE.toml", help="Instructions for single questions, for --one-metric.")
@click.option(
    "--answers", type=INPUT, metavar="FILE.jsonl", help="Take a model's answers from a ratings file, and ask nobody."
)
@oracle_options
@json_option
@click.pass_obj
def judge(folder: Path, path: Path, out: Path, rater: str | None, *, as_json: bool, **options: Any) -> int:
    """Let a language model rate a bundle as an additional rater, marked as a model.

    It answers the questions about targets, responses and the task, by the bundle's rubric and guidelines. Questions
    and rules that rest on opened pages are left to people. Exit status 1: some tasks are left open and listed. Answers
    are saved in the store, so an interrupted run can be continued.
    """
    model_options = ModelOptions.of(folder, options)
    if options["prompts"] is not None and not options["one_metric"]:
        raise click.UsageError("--prompts is for --one-metric.")
    if options["answers"] is not None:
        unused = next((name for name in _OF_ASKING if options[name]), None)
        if unused is not None:
            raise click.UsageError(f"--answers asks nobody: leave --{unused.replace('_', '-')} out.")
        return _take_answers(path, options["answers"], out, rater, model_options, as_json=as_json)
    wanted = JudgeOptions(
        questions=options["question"],
        one_metric=options["one_metric"],
        reasons=options["reasons"] or options["one_metric"],
        prompts=read_metric_prompts(options["prompts"]) if options["prompts"] is not None else {},
    )
    plan = plan_bundle(path, wanted)
    with writer(folder, "audit judge") as store:
        model_run = oracle_run(model_options, store, bundle_id_of(path))
        cost = model_rating_cost(path, plan, model_run.asking, model_options.prices)
        if not model_run.confirm(cost, as_json=as_json):
            return EXIT_OK
        result = rate_bundle_by_model(
            path,
            out,
            plan,
            model_run.asking,
            model=model_run.model,
            rater=rater or f"model-{model_run.model}",
            now=utc_now,
            progress=terminal_progress("Asking"),
        )
    model_run.record()
    cost = model_run.asking.cost(model_options.prices)
    plain = {"cost": msgspec.to_builtins(cost)}
    return _print_rated(result, plain, f"; {cost_line(cost)}", as_json=as_json)


def _take_answers(
    path: Path, answers: Path, out: Path, rater: str | None, model_options: ModelOptions, *, as_json: bool
) -> int:
    model = require_setting(model_options.model, "model", "--model")
    name = rater or f"model-{model}"
    progress = terminal_progress("Rating")
    result = take_model_answers(path, answers, out, model=model, rater=name, now=utc_now, progress=progress)
    return _print_rated(result, {}, "", as_json=as_json)


def _print_rated(result: ModelRatedBundle, more: dict[str, Any], cost: str, *, as_json: bool) -> int:
    plain = {**msgspec.to_builtins(result, enc_hook=str), **more}
    text = f"{result.out}: {result.complete:,} tasks rated by {result.rater}{cost}"
    print_result(plain, [text if result.written else "Nothing was written: no task could be rated."], as_json=as_json)
    if result.not_asked:
        print_message(f"Left to people: {', '.join(result.not_asked)}")
    unrated = [f"{item.task}: {item.why}" for item in (*result.missing, *result.left_out)]
    print_message(*limited_lines(unrated))
    reason = "a text is very long; only its beginning was read."
    print_message(*limited_lines([f"{task}: {reason}" for task in result.shortened]))
    return EXIT_ATTENTION if unrated else EXIT_OK


@click.command("judge-check")
@click.argument("bundle", type=ID)
@click.argument("model", nargs=-1, type=RATER)
@click.option("--question", type=ID, default="", help="The question; default: the label.")
@click.option(
    "--epsilon",
    type=float,
    default=EPSILON,
    show_default=True,
    help="What a person is worth more than a model: 0.2 for experts, 0.15 for trained raters, 0.1 for a crowd.",
)
@click.option("--seed", type=int, default=REPORT_SEED, show_default=True, help="Seed of the intervals.")
@json_option
@click.pass_obj
def judge_check(
    folder: Path, bundle: str, model: tuple[str, ...], question: str, epsilon: float, seed: int, *, as_json: bool
) -> int:
    """Compare models with the people who rated the same bundle: agreement, and whether a model could replace a rater.

    Each rater in turn is left out: is the rater closer to the others, or the model? Exit status 1: a model could not
    replace a rater, or there are too few tasks to tell.
    """
    if not isfinite(epsilon) or not 0 <= epsilon <= 1:
        raise click.BadParameter("it is not a number from 0 to 1.", param_hint="--epsilon")
    with open_results_store(folder, bundle) as store:
        checks = load_model_checks(
            store, bundle, models=model, question=question, epsilon=epsilon, seed=seed, now=utc_now()
        )
    print_result(
        {"bundle": bundle, "checks": msgspec.to_builtins(checks)},
        [line for check in checks for line in _check_lines(check)],
        as_json=as_json,
    )
    print_message(*caution_lines(checks[0].cautions))
    return EXIT_OK if all(check.replaces for check in checks) else EXIT_ATTENTION


def _check_lines(check: ModelCheck) -> Iterator[str]:
    yield f"{check.model}, {check.question}"
    for name, figure in (
        ("same value as a person", check.alike),
        ("alpha with the people", check.alpha),
        ("alpha of the people", check.people),
        ("agrees with gold", check.gold),
    ):
        yield f"    {name:24}{_figure(figure)}"
    if check.replaces is None:
        yield f"    could it replace a rater? {check.why}"
    else:
        won = sum(rater.wins for rater in check.raters)
        verdict = "yes" if check.replaces else "no"
        needed = "" if check.needed is None else f", and it does from {check.needed:.2f} on"
        yield (
            f"    could it replace a rater? {verdict}: it wins against {won:,} of {len(check.raters):,} raters "
            f"(half of them is enough) with epsilon {check.epsilon:g}{needed}"
        )
        yield f"    {'winning rate':24}{_figure(check.winning_rate, 'comparisons')}"
        yield f"    {'as close as a rater':24}{_figure(check.advantage, 'comparisons')}"
        for rater in check.raters:
            outcome = "wins" if rater.wins else "does not win"
            difference = _figure(rater.difference)
            p = f"p {rater.p:.3f}" if rater.p >= _LEAST_SHOWN else f"p < {_LEAST_SHOWN}"
            yield f"    against {rater.rater}: {outcome}, {p}; rater minus model {difference}"
    for rater, tasks in check.too_few:
        yield f"    against {rater}: {tasks:,} tasks, {check.least_tasks:,} are needed"


def _figure(figure: ReportFigure, units: str = "places") -> str:
    if figure.value is None:
        return figure.why or "undefined"
    ends = (
        f"{figure.low:.2f} to {figure.high:.2f}" if figure.low is not None and figure.high is not None else figure.why
    )
    return f"{figure.value:.2f}  95 %: {ends}  {figure.tasks:,} tasks, {figure.n:,} {units}"
