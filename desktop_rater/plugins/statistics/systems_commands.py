"""`audit systems`: what the systems did that wrote the responses."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from desktop_rater.audit.final_labels import FinalLabel, PlaceQuestion
from desktop_rater.audit.label_rules import LABEL_METHODS
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.results import Audit, open_cautions
from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.label_figures import LabelFigures
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    OUTPUT,
    F,
    add_options,
    is_verbose,
    json_option,
    limited_lines,
    print_result,
)
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.model.errors import RaterError
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.model.task import Task
from desktop_rater.model.values import utc_now
from desktop_rater.plugins.statistics.load_systems import load_systems, save_systems_page, save_systems_tables
from desktop_rater.plugins.statistics.systems import (
    RoundsReport,
    SystemGroup,
    SystemMetric,
    SystemsReport,
    SystemsRequest,
)
from desktop_rater.plugins.statistics.systems_texts import metric_about, metric_title
from desktop_rater.work.audit.report import REPORT_SEED


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


def _systems_options(command: F) -> F:
    return add_options(command, _OPTIONS)


@click.command()
@click.argument("bundle", type=ID)
@click.option(
    "--final",
    type=click.Choice(LABEL_METHODS),
    default="majority",
    show_default=True,
    help="The way of deciding final labels; of scales, majority takes the median.",
)
@click.option(
    "--against",
    metavar="BUNDLE|COLUMN=VALUE",
    multiple=True,
    help="Compare with an earlier round: another bundle, or other values in this one.",
)
@click.option("--raters-random", is_flag=True, help="Intervals over raters as well as prompts; needs three raters.")
@_systems_options
@json_option
@click.pass_obj
def systems(folder: Path, bundle: str, against: tuple[str, ...], seed: int, **options: Any) -> int:
    """Report what the systems did that wrote the responses, and which is better.

    The system is named by the tasks' meta: one value for all responses, or one for each, such as {"a": "Heron", "b":
    "Kestrel"}. Every figure has its 95 % interval, drawn over prompts, and what it rests on. Exit status 1 if results
    wait for the lead's decision, were admitted without the rater's signature, or conflict.
    """  # fmt: skip
    bundles = [name for name in against if "=" not in name]
    if len(bundles) > 1:
        raise click.UsageError("--against takes one bundle.")
    pairs = tuple(_COLUMN_VALUE.convert(name, None, None) for name in against if "=" in name)
    request = _request({**options, "against": pairs, "against_bundle": next(iter(bundles), "")})
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
        lead = configured_settings(folder).rater
        from desktop_rater.ui.report.texts_and_colors import page_colors  # noqa: PLC0415 - loads Qt, for the page alone

        colors = page_colors()
        save_systems_page(report, options["page"], Wording(), colors, lead=lead, language="en")
    print_result(report, _lines(report), as_json=options["as_json"])
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
    from desktop_rater.plugins.statistics.load_systems import facts_of  # noqa: PLC0415 - numpy
    from desktop_rater.plugins.statistics.system_figures import make_systems_report  # noqa: PLC0415 - as above

    request = _request(options)
    if request.raters_random or request.against or request.against_bundle:
        raise RaterError(
            "That is not computed over a dataset.",
            "Rounds, and intervals over raters, need the single ratings.",
            "Leave --against and --raters-random out, or open the dataset in a store.",
        )
    facts = [facts_of(*task) for task in tasks]
    return make_systems_report(audit, facts, labels, request, seed=seed, computed=computed)


SYSTEMS = LabelFigures(_OPTIONS, _compute, _show)


def _lines(report: SystemsReport) -> Iterator[str]:
    base = report.base
    yield (
        f"{report.title}: {base.prompts:,} prompts, {base.tasks:,} tasks, {base.responses:,} responses, "
        f"{f'{base.targets:,} targets, ' if base.targets else ''}{base.raters:,} raters; "
        f"{'intervals over prompts and raters, ' if report.request.raters_random else ''}seed {report.seed}"
    )
    yield from caution_lines(report.cautions)
    if report.why:
        yield report.why
    elif not report.system_column and not report.request.by:
        yield "No task names its system: add meta.system, or name another column with --by."
    if report.open:
        yield f"{report.open:,} places have no final label and are in no figure."
    for metric in report.metrics:
        groups = [group for group in report.groups if metric.id in group.figures]
        if groups and (metric.decisive or is_verbose()):
            yield f"{_heading(metric)}:"
            yield from limited_lines([f"  {_group_line(group, metric)}" for group in groups])
            yield from limited_lines(list(_difference_lines(report, metric)))
    yield from _preference_lines(report)
    if report.rounds is not None:
        yield from _round_lines(report, report.rounds)


def _heading(metric: SystemMetric) -> str:
    texts = Wording()
    title = f"{metric.ask} " if metric.kind == "label" else ""
    title += f"{metric.ask} {metric.value:g} or higher" if metric.kind == "defect" else metric_title(metric, texts)
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
        ends = f" ({figure.low:{form}} to {figure.high:{form}})"
    return f"{figure.value:{form}}{ends}"


def _difference_lines(report: SystemsReport, metric: SystemMetric) -> Iterator[str]:
    for row in report.differences:
        if row.metric == metric.id:
            p = "" if row.p is None else f"  p {row.p:.3g}, Holm {row.holm:.3g}"
            difference = _figure(row.figure, metric, sign=True)
            yield f"    {row.one} - {row.other}: {difference}{p}, {row.shared:,} shared prompts"


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
