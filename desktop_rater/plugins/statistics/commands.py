"""`audit result`, `audit power`, `audit spans`, `audit systems`, `stats spans` and `stats assisted`."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import asdict, replace

from desktop_rater.audit.adjudication import FinalLabel, PlaceQuestion
from desktop_rater.audit.questions import LABEL_METHODS, METHODS_HELP, JudgedQuestion, judged_questions, main_question
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import ENGLISH, NONE, Wording
from desktop_rater.audit.report_panels import FigureMeanings, ReportTableData
from desktop_rater.audit.results import Audit, open_cautions
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_store, open_results_writer
from desktop_rater.cli.label_figures import LabelFigures
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    INPUT,
    OUTPUT,
    RATER,
    add_options,
    is_verbose,
    json_option,
    limited_lines,
    print_result,
)
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.format.errors import RaterError
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.task import Task
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.report import REPORT_SEED
from desktop_rater.plugins.statistics.assisted import assisted_of_file
from desktop_rater.plugins.statistics.fragility import Fragility
from desktop_rater.plugins.statistics.meanings import column_meanings, result_summary
from desktop_rater.plugins.statistics.operations import (
    draw_more,
    facts_of,
    load_result,
    load_systems,
    save_result_page,
    save_result_tables,
    save_systems_page,
    save_systems_tables,
)
from desktop_rater.plugins.statistics.power import PowerPlan, power_plans
from desktop_rater.plugins.statistics.result import AuditResult, ResultRequest
from desktop_rater.plugins.statistics.result_panels import (
    draws_panel,
    errors_panel,
    places_table,
    raters_panel,
    result_base,
)
from desktop_rater.plugins.statistics.spans import SpanFigures, spans_of_bundle, spans_of_file
from desktop_rater.plugins.statistics.system_figures import NO_RATINGS, make_systems_report
from desktop_rater.plugins.statistics.systems import (
    RoundsReport,
    SystemGroup,
    SystemMetric,
    SystemsReport,
    SystemsRequest,
)
from desktop_rater.plugins.statistics.systems_meanings import comparisons, systems_meanings
from desktop_rater.plugins.statistics.systems_texts import (
    labels_note,
    metric_about,
    metric_title,
    saving_text,
    wide_ends,
)


@click.command()
@click.argument("bundle", type=ID)
@click.option(
    "--goal",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The error rate that the work must be shown to be under.",
)
@click.option(
    "--final",
    type=click.Choice(LABEL_METHODS),
    help=f"The way of deciding final labels; default: as chosen. {METHODS_HELP}.",
)
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
    abouts = column_meanings(ENGLISH)
    meaning = {"summary": result_summary(report.errors, ENGLISH), "columns": abouts}
    print_result({**asdict(report), "meaning": meaning} if as_json else report, _lines(report, rater), as_json=as_json)
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
    ends = f"95 % over {plan.over}, by these variances: {low} to {high}" if now.low is not None else now.why
    yield f"{question.id}: {name}  {value}  {ends}  {base}"
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
    return _print_spans(spans_of_file(path), as_json=as_json)


@click.command()
@click.argument("bundle", type=ID)
@click.option("--question", type=ID, default="", help="The question whose answers are the values; default: the label.")
@click.option("--unmarked", default="", help="The value of targets that a rater did not mark.")
@json_option
@click.pass_obj
def bundle_spans(folder: Path, bundle: str, question: str, unmarked: str, *, as_json: bool) -> int:
    """Compute agreement on targets as spans, within the borders that each rater has moved.

    Where no rater moved a border, there is no such agreement; `stats spans` reads the marks of another tool.
    """
    with open_results_store(folder, bundle) as store:
        audit = load_audit(store, bundle)
        questions = {item.id: item for item in judged_questions(audit.rubric) if item.per == "target"}
        chosen = questions.get(question) if question else main_question(audit.rubric)
        if chosen is None or chosen.per != "target":
            names = ", ".join(questions) or "none"
            raise RaterError(f"There is no question {question!r} about targets.", f"Questions: {names}.")
        return _print_spans(spans_of_bundle(store, audit, chosen, unmarked), as_json=as_json)


def _print_spans(result: SpanFigures, *, as_json: bool) -> int:
    lines = [f"{result.texts:,} texts of two raters or more, {result.raters:,} raters, {result.spans:,} spans"]
    for name, figure in result.figures.items():
        if figure.value is None:
            lines.append(f"{_SPAN_FIGURES[name]:26}  undefined: {figure.why}")
            continue
        ends = f"95 %: {figure.low:.3f} to {figure.high:.3f}" if figure.low is not None else figure.why
        lines.append(f"{_SPAN_FIGURES[name]:26}  {figure.value:6.3f}  {ends}")
    print_result(result, lines, as_json=as_json)
    return EXIT_OK


@click.command()
@click.argument("path", metavar="FILE.csv", type=INPUT)
@json_option
def assisted(path: Path, *, as_json: bool) -> int:
    """Estimate a mean or share from people's judgements on a random sample and a model's on everything.

    FILE.csv has the columns unit, cluster, human and model; human is empty where nobody judged. Clusters, such as
    tasks or documents, have to be drawn at random, and at least ten of them judged.
    """
    figures = assisted_of_file(path)
    print_result(figures, _assisted_lines(figures), as_json=as_json)
    return EXIT_OK


def _assisted_lines(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{figures['labelled']:,} of {figures['clusters']:,} clusters are judged by people"
    for name, figure in (("people", figures["humans"]), ("people and model", figures)):
        ends = "" if figure["low"] is None else f"  95 %: {figure['low']:.3f} to {figure['high']:.3f}"
        why = figures["why"] if figure is figures else "nobody judged"
        yield f"{name:16}  " + (f"undefined: {why}" if figure["value"] is None else f"{figure['value']:6.3f}{ends}")
    if figures["value"] is not None:
        yield f"{'lambda':16}  {figures['lambda']:6.3f}  {saving_text(figures['saving'], Wording())}"


class ColumnValue(click.ParamType):
    """Parameter type of a column and its value, as COLUMN=VALUE."""

    name = "column=value"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        column, sign, wanted = value.partition("=")
        if not sign or not column:
            self.fail(f"{value!r} is not like version=2.1.", param, ctx)
        return column, wanted


_COLUMN_VALUE = ColumnValue()


_OPTIONS = (
    click.option(
        "--by",
        type=ID,
        multiple=True,
        metavar="COLUMN",
        help="Group by this column of the tasks' meta; default: system, model or systems.",
    ),
    click.option(
        "--where",
        type=_COLUMN_VALUE,
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Only responses with this value; several of one column are alternatives.",
    ),
    click.option(
        "--pair",
        type=ID,
        default="",
        metavar="COLUMN",
        help="Equal values are one prompt; default: prompt_id, otherwise the prompt itself.",
    ),
    click.option(
        "--threshold", type=click.FloatRange(0, 1), default=0, help="Leave labels open that are less probable."
    ),
    click.option(
        "--error", "errors", type=ID, multiple=True, metavar="VALUE", help="A value of the label that is an error."
    ),
    click.option("--severe", type=ID, default="", metavar="VALUE", help="The mildest level of severity that counts."),
    click.option(
        "--defect", type=float, default=4, show_default=True, help="The lowest step of a risk that is a defect."
    ),
    click.option("--csv", "csv_folder", metavar="DIR", type=FILE, help="A folder for the tables as CSV."),
    click.option("--parquet", "parquet_folder", metavar="DIR", type=FILE, help="A folder for the tables as Parquet."),
    click.option("--html", "page", metavar="FILE", type=OUTPUT, help="An HTML page with everything."),
    click.option(
        "--seed", type=click.IntRange(0, 2**53), default=REPORT_SEED, show_default=True, help="Seed of the intervals."
    ),
)


@click.command()
@click.argument("bundle", type=ID)
@click.option(
    "--final",
    type=click.Choice(LABEL_METHODS),
    default="majority",
    show_default=True,
    help=f"The way of deciding final labels. {METHODS_HELP}.",
)
@click.option(
    "--against",
    metavar="BUNDLE|COLUMN=VALUE",
    multiple=True,
    help="Compare with an earlier round: another bundle, or other values in this one.",
)
@click.option("--raters-random", is_flag=True, help="Intervals over raters as well as prompts; needs three raters.")
@partial(add_options, options=_OPTIONS)
@json_option
@click.pass_obj
def systems(folder: Path, bundle: str, against: tuple[str, ...], seed: int, **options: Any) -> int:
    """Report what the systems did that wrote the responses, and which is better.

    The system is named by the tasks' meta: one value for all responses, or one for each, such as {"a": "Heron", "b":
    "Kestrel"}. Every figure has its 95 % interval, drawn over prompts, and what it rests on. Exit status 1 if results
    wait for the lead's decision, were admitted without the rater's signature, or conflict.
    """  # fmt: skip
    first, *others = [name for name in against if "=" not in name] or [""]
    if others:
        raise click.UsageError("--against takes one bundle.")
    pairs = tuple(_COLUMN_VALUE.convert(name, None, None) for name in against if "=" in name)
    request = _request({**options, "against": pairs, "against_bundle": first})
    with open_results_store(folder, bundle) as store:
        report = load_systems(store, bundle, request, now=utc_now(), seed=seed)
    return _show(report, folder, options)


def _request(options: Mapping[str, Any]) -> SystemsRequest:
    """Return the request of the options of a report about systems."""
    return msgspec.convert(
        {name: value for name, value in options.items() if name in SystemsRequest.__struct_fields__},
        prepared_type(SystemsRequest),
    )


def _show(report: SystemsReport, folder: Path, options: Mapping[str, Any]) -> int:
    """Save a report in the files that the options name, print it, and return the exit status."""
    for to in ("csv", "parquet"):
        if options[f"{to}_folder"] is not None:
            save_systems_tables(report, options[f"{to}_folder"], to)
    if options["page"] is not None:
        from desktop_rater.ui.report.texts_and_colors import page_colors  # noqa: PLC0415 - loads Qt, for the page alone

        lead = configured_settings(folder).rater
        save_systems_page(report, options["page"], Wording(), page_colors(), lead=lead, language="en")
    meaning, as_json = systems_meanings(report, ENGLISH), options["as_json"]
    plain = {**asdict(report), "meaning": meaning._asdict()} if as_json else report
    print_result(plain, _systems_lines(report, meaning), as_json=as_json)
    return EXIT_ATTENTION if open_cautions(report.cautions) else EXIT_OK


def _compute(
    options: Mapping[str, Any],
    audit: Audit,
    tasks: Iterable[tuple[Task, Mapping[str, str], frozenset[str]]],
    labels: Mapping[PlaceQuestion, FinalLabel],
    *,
    seed: int,
    computed: str,
) -> SystemsReport:
    """Compute the report from final labels alone. Raises `RaterError` for a request that needs the single ratings."""
    request = _request(options)
    if request.raters_random or request.against or request.against_bundle:
        raise RaterError(
            "That is not computed over a dataset.",
            "Rounds, and intervals over raters, need the single ratings.",
            "Leave --against and --raters-random out, or open the dataset in a store.",
        )
    facts = tuple(facts_of(*task) for task in tasks)
    report = make_systems_report(audit, facts, labels, request, seed=seed, computed=computed)
    fragility = [
        Fragility(figure=compared.name, ahead=compared.ahead, behind=compared.behind, why=NO_RATINGS)
        for compared in comparisons(report)
    ]
    return replace(report, fragility=tuple(fragility))


SYSTEMS = LabelFigures(_OPTIONS, _compute, _show)


def _systems_lines(report: SystemsReport, meaning: FigureMeanings) -> Iterator[str]:
    base = report.base
    yield (
        f"{report.title}: {base.prompts:,} prompt{'s' * (base.prompts != 1)}, "
        f"{base.tasks:,} tasks, {base.responses:,} responses, "
        f"{f'{base.targets:,} targets, ' if base.targets else ''}{base.raters:,} raters; "
        f"{'intervals over prompts and raters, ' if report.request.raters_random else ''}seed {report.seed}"
    )
    yield from caution_lines(report.cautions)
    if report.why:
        yield report.why
    elif not report.system_column and not report.request.by:
        yield "No task names its system: add meta.system, or name another column with --by."
    yield from filter(None, (*meaning.summary, labels_note(report.main_figures, Wording())))
    if report.open:
        yield f"Places without a final label, in no figure: {report.open:,}."
    for metric in report.metrics:
        groups = [group for group in report.groups if metric.id in group.figures]
        if groups and (metric.decisive or is_verbose()):
            yield f"{_heading(metric)}:"
            yield from limited_lines([f"  {_group_line(group, metric)}" for group in groups])
            yield from limited_lines(list(_difference_lines(report, metric)))
            yield from limited_lines(list(_model_lines(report, metric)))
    yield from (f"With {assisted.model}: {assisted.why}" for assisted in report.assisted if assisted.why)
    yield from _preference_lines(report)
    yield from meaning.figures.values() if is_verbose() else ()
    if report.rounds is not None:
        yield from _round_lines(report, report.rounds)


def _heading(metric: SystemMetric) -> str:
    texts = Wording()
    title = f"{metric.ask} " if metric.kind == "label" else ""
    title += metric_title(metric, texts)
    if metric.kind == "defect":
        title += f" {metric.text}" if metric.values else f" {metric.value:g} or higher"
    return texts.translate("Report", "{title} ({about})").format(title=title, about=metric_about(metric, texts))


def _group_line(group: SystemGroup, metric: SystemMetric) -> str:
    given = group.figures[metric.id]
    rests = f"{given.whole:,} {metric.unit}s" if not metric.is_share else f"{given.part:,.0f} of {given.whole:,}"
    return f"{group.name}: {_figure(given.figure, metric)}  {rests}, {given.figure.tasks:,} prompts"


def _figure(figure: ReportFigure, metric: SystemMetric | None = None, *, sign: bool = False) -> str:
    if figure.value is None:
        return f"undefined: {figure.why}"
    share = metric is not None and metric.is_share
    form = ("+.1%" if sign else ".1%") if share else ("+.2f" if sign else ".2f")
    ends = f"; {figure.why}" if figure.why else ""
    if figure.low is not None and figure.high is not None:
        wide = " to ".join(f"{end:{form}}" for end in wide_ends(figure))
        ends = f" ({figure.low:{form}} to {figure.high:{form}}{'; labels may be wrong: ' * bool(wide)}{wide})"
    return f"{figure.value:{form}}{ends}"


def _difference_lines(report: SystemsReport, metric: SystemMetric) -> Iterator[str]:
    for row in report.differences:
        if row.metric == metric.id:
            p = "" if row.p is None else f"  p {row.p:.3g}, Holm {row.holm:.3g}"
            difference = _figure(row.figure, metric, sign=True)
            yield f"    {row.one} - {row.other}: {difference}{p}, {row.shared:,} shared prompts"


def _model_lines(report: SystemsReport, metric: SystemMetric) -> Iterator[str]:
    for assisted_figures in report.assisted:
        for row in assisted_figures.figures:
            if row.metric == metric.id:
                name = f"{row.one} - {row.other}" if row.other else row.one
                figure = _figure(row.figure, metric, sign=bool(row.other))
                saving = f", {saving_text(row.saving, Wording())}" if row.figure.value is not None else ""
                rests = f"{row.labelled:,} of {row.clusters:,} prompts judged by people"
                yield f"    {name} with {assisted_figures.model}: {figure}{saving}; {rests}"


def _preference_lines(report: SystemsReport) -> Iterator[str]:
    for answered in report.preferences:
        waiting = f", {answered.open:,} open" if answered.open else ""
        yield f"{answered.ask} {answered.pairs:,} pairs of {answered.base.prompts:,} prompts{waiting}:"
        unit = "judgements" if answered.judgements else "pairs"
        for strength in answered.strengths:
            rests = f"{strength.figure.n or strength.pairs:,} {unit}, {strength.figure.tasks:,} prompts"
            yield f"  {strength.name}: preferred with {_figure(strength.figure)}, {rests}"
        yield from limited_lines(
            [
                f"    {duel.one} : {duel.other}  {duel.wins:,} : {duel.ties:,} ties : {duel.losses:,}, "
                f"share {_figure(duel.figure)}, {duel.figure.tasks:,} prompts"
                for duel in answered.duels
            ]
        )
        first = answered.first
        sides = f"; {first.why}" if first.value and first.why else ""
        yield f"  the response shown first: {_figure(first)}  {first.n:,} {unit}, {first.tasks:,} prompts{sides}"
        if answered.judgements:
            yield "  Raters saw pairs in different orders: each judgement counts in the order in which it was seen."


def _round_lines(report: SystemsReport, rounds: RoundsReport) -> Iterator[str]:
    p = "" if rounds.p is None else f", sign test p {rounds.p:.3g}"
    yield f"{rounds.after} against {rounds.before}, {len(rounds.tasks):,} paired prompts:"
    yield f"  {rounds.better:,} turned better, {rounds.worse:,} worse, {rounds.same:,} the same{p}"
    for row in rounds.differences:
        metric = report.metric(row.metric)
        if metric is not None:
            p = "" if row.p is None else f"  p {row.p:.3g}, Holm {row.holm:.3g}"
            yield f"  {_heading(metric)}: {_figure(row.figure, metric, sign=True)}{p}, {row.figure.tasks:,} prompts"
    turned = [place for task in rounds.tasks for place in task.places]
    yield from limited_lines(
        [
            f"    {place.task or place.task_before} {place.where or place.where_before}: "
            f"{place.before or 'not there'} to {place.after or 'not there'}  {place.quote[:60]}"
            for place in turned
        ]
    )
