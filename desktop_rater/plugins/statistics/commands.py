"""`audit result`, `audit power`, `audit spans` and `stats spans`."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from desktop_rater.audit.label_rules import LABEL_METHODS
from desktop_rater.audit.questions import JudgedQuestion, judged_questions, main_question
from desktop_rater.audit.report_format import NONE
from desktop_rater.audit.report_tables import ReportTableData
from desktop_rater.audit.results import open_cautions
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_store, open_results_writer
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    INPUT,
    OUTPUT,
    RATER,
    is_verbose,
    json_option,
    limited_lines,
    print_result,
)
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.model.errors import RaterError
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.model.values import utc_now
from desktop_rater.plugins.statistics.result import AuditResult, ResultRequest
from desktop_rater.plugins.statistics.result_panels import (
    Wording,
    draws_panel,
    errors_panel,
    places_table,
    raters_panel,
    result_base,
)
from desktop_rater.work.audit.load_audit import load_audit
from desktop_rater.work.audit.report import REPORT_SEED

if TYPE_CHECKING:
    from desktop_rater.plugins.statistics.power import PowerPlan
    from desktop_rater.plugins.statistics.spans import SpanFigures


@click.command()
@click.argument("bundle", type=ID)
@click.option(
    "--goal",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The error rate that the work must be shown to be under.",
)
@click.option("--final", type=click.Choice(LABEL_METHODS), help="The way of deciding final labels; default: as chosen.")
@click.option("--rater", type=RATER, help="Show the places behind this rater's figures.")
@click.option("--draw", is_flag=True, help="Draw as many more places as the goal needs if the rate stays.")
@lead_option
@click.option("--csv", "csv_folder", metavar="DIR", type=FILE, help="A folder for the tables as CSV.")
@click.option("--html", "page", metavar="FILE", type=OUTPUT, help="An HTML page with everything.")
@click.option(
    "--seed", type=click.IntRange(0, 2**53), default=REPORT_SEED, show_default=True, help="Seed of the bands of chance."
)
@json_option
@click.pass_obj
def result(
    folder: Path,
    bundle: str,
    goal: float,
    final: str | None,
    rater: str | None,
    csv_folder: Path | None,
    page: Path | None,
    *,
    lead: str | None,
    seed: int,
    draw: bool,
    as_json: bool,
) -> int:
    """Report what the audit found: errors in all work, with a bound, and each rater against chance.

    Errors are the lead's verdicts and decisions on a random sample of places (audit sample), weighted to all work. Exit
    status 1 if the goal is not shown, if results wait for the lead's decision, were admitted without the rater's
    signature, or conflict.
    """
    from desktop_rater.plugins.statistics.load_result import (  # noqa: PLC0415 - numpy, for this command alone
        draw_more,
        load_result,
        save_result_page,
        save_result_tables,
    )

    request = msgspec.convert({"goal": goal, "final": final or ""}, prepared_type(ResultRequest))
    with open_results_store(folder, bundle) as store:
        report = load_result(store, bundle, request, now=utc_now(), seed=seed)
    if draw:
        enough = report.errors.enough
        if enough is None or not report.errors.more:
            why = "Judge the drawn ones." if enough is not None else "If the rate stays, no number shows the goal."
            why = "The goal is shown." if report.errors.state == "shown" else why
            raise RaterError("No sample was drawn.", f"No more places are needed. {why}")
        with open_results_writer(folder, bundle, "audit result") as store:
            draw_more(store, bundle, enough.by_stratum, audit_lead(folder, lead))
            report = load_result(store, bundle, request, now=utc_now(), seed=seed)
    if csv_folder is not None:
        save_result_tables(report, csv_folder)
    if page is not None:
        from desktop_rater.ui.report.texts_and_colors import page_colors  # noqa: PLC0415 - loads Qt, for the page alone

        colors = page_colors()
        save_result_page(report, page, Wording(), colors, lead=configured_settings(folder).rater, language="en")
    if rater is not None and rater not in {row.rater for row in report.raters}:
        raise RaterError(f"There are no results of the rater {rater!r}.")
    print_result(report, _lines(report, rater), as_json=as_json)
    done = report.errors.state == "shown" and not open_cautions(report.cautions)
    return EXIT_OK if done else EXIT_ATTENTION


def _lines(report: AuditResult, rater: str | None) -> Iterator[str]:
    texts = Wording()
    yield f"{report.title}: {result_base(report, texts)}; final labels by {report.method}, seed {report.seed}"
    yield from caution_lines(report.cautions)
    errors, draws = errors_panel(report, texts), draws_panel(report, texts)
    yield f"{errors.title}:"
    yield from (f"  {line}" for line in errors.foot)
    yield from _table_lines(errors.table)
    yield f"{draws.title} ({draws.note}):"
    yield from _table_lines(draws.table)
    if report.errors.more:
        yield f"  {report.errors.more:,} more places to draw: audit result {report.bundle} --draw"
    yield from (f"  {line}" for line in draws.foot)
    raters = raters_panel(report, texts)
    yield f"{raters.title}:"
    yield from (f"  {line}" for line in raters.foot)
    lines = [
        f"  {row[0].text}: {row[1].text} tasks and ratings; outside: {row[-1].text}"
        + "".join(
            f"\n    {column.title}: {cell.text}"
            for column, cell in list(zip(raters.table.columns, row, strict=True))[2:-1]
            if cell.text != NONE and (is_verbose() or len(report.raters) <= 12)
        )
        for row in raters.table.rows
    ]
    yield from limited_lines(lines)
    for row in report.raters:
        if row.rater == rater:
            yield texts.translate("Report", "{rater}, the places behind it").format(rater=row.rater) + ":"
            yield from _table_lines(places_table(report, row, texts))


def _table_lines(table: ReportTableData) -> Iterator[str]:
    if table.rows:
        texts = [[column.title for column in table.columns]]
        texts += [[" ".join(filter(None, (cell.before, cell.text))) for cell in row] for row in table.rows]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        for row in texts:
            yield "  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


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
    from desktop_rater.plugins.statistics.power import power_plans  # noqa: PLC0415 - numpy, for this command alone

    results = power_plans(audit, chosen, width, raters, these_raters=these_raters)
    if not results:
        raise RaterError("There is nothing to plan from.", f"Fewer than two tasks have an answer to {chosen.id!r}.")

    plain = {"bundle": bundle, "question": chosen.id, "width": width, "plans": results}
    print_result(plain, [line for plan in results for line in _power_lines(plan, chosen)], as_json=as_json)
    return EXIT_OK


def _power_lines(plan: PowerPlan, question: JudgedQuestion) -> Iterator[str]:
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


_SPAN_FIGURES = {
    "u_alpha": "alpha for unitizing",
    "u_alpha.binary": "  marked or not",
    "u_alpha.coding": "  values where spans meet",
    "f1.exact": "F1 of equal spans",
    "f1.characters": "F1 of characters",
}


@click.command()
@click.argument("path", metavar="FILE.jsonl", type=INPUT)
@json_option
def spans(path: Path, *, as_json: bool) -> int:
    """Compute agreement on spans: a line of FILE.jsonl is a text with the spans of each rater.

    A line is {"length": 60, "spans": {"ann": [[2, 5, "error"]], "ben": []}}: offsets in characters, the end excluded.
    """
    from desktop_rater.plugins.statistics.spans import spans_of_file  # noqa: PLC0415 - as above

    return _print_spans(spans_of_file(path), as_json=as_json)


@click.command()
@click.argument("bundle", type=ID)
@click.option("--question", type=ID, default="", help="The question whose answers are the values; default: the label.")
@json_option
@click.pass_obj
def bundle_spans(folder: Path, bundle: str, question: str, *, as_json: bool) -> int:
    """Compute agreement on targets as spans, within the borders that each rater has moved."""
    from desktop_rater.plugins.statistics.spans import spans_of_bundle  # noqa: PLC0415 - as above

    with open_results_store(folder, bundle) as store:
        audit = load_audit(store, bundle)
        questions = {item.id: item for item in judged_questions(audit.rubric) if item.per == "target"}
        chosen = questions.get(question) if question else main_question(audit.rubric)
        if chosen is None or chosen.per != "target":
            names = ", ".join(questions) or "none"
            raise RaterError(f"There is no question {question!r} about targets.", f"Questions: {names}.")
        return _print_spans(spans_of_bundle(store, audit, chosen), as_json=as_json)


def _print_spans(result: SpanFigures, *, as_json: bool) -> int:
    lines = [f"{result.texts:,} texts of two raters or more, {result.raters:,} raters, {result.spans:,} spans"]
    for name, figure in result.figures.items():
        if figure.value is None:
            lines.append(f"{_SPAN_FIGURES[name]:26}  undefined")
            continue
        ends = f"95 %: {figure.low:.3f} to {figure.high:.3f}" if figure.low is not None else figure.why
        lines.append(f"{_SPAN_FIGURES[name]:26}  {figure.value:6.3f}  {ends}")
    print_result(result, lines, as_json=as_json)
    return EXIT_OK
