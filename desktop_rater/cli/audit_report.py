"""`audit report`: statistics of a bundle's results."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import click
import msgspec
from msgspec.structs import asdict

from desktop_rater.audit.assistance_panels import library_lines, pull_lines
from desktop_rater.audit.report import (
    AuditReport,
    QuestionAgreement,
    RaterFigures,
    ReportFilter,
    ScaleFigures,
)
from desktop_rater.audit.report_columns import AGREEMENT_FIGURES, RATER_COLUMNS, SCALE_FIGURES
from desktop_rater.audit.report_format import ENGLISH, Wording, figure_line, main_question_id, raters_basis
from desktop_rater.audit.report_panels import meanings_of
from desktop_rater.audit.results import open_cautions
from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    OUTPUT,
    RATER,
    F,
    add_options,
    is_verbose,
    json_option,
    print_result,
)
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.format.values import utc_now
from desktop_rater.operations.audit.report import REPORT_SEED, load_report, save_report_page, save_report_tables

_MOST_UNITS = 5


class DayParameter(click.ParamType):
    """Parameter type of a day like 2026-11-01."""

    name = "day"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError:
            self.fail(f"{value!r} is not a date like 2026-11-01.", param, ctx)


_DAY = DayParameter()


_OPTIONS = (
    click.option("--csv", "tables", metavar="DIR", type=FILE, help="A folder for the CSV files."),
    click.option("--html", "page", metavar="FILE", type=OUTPUT, help="An HTML page with everything."),
    click.option(
        "--seed", type=click.IntRange(0, 2**53), default=REPORT_SEED, show_default=True, help="Seed of the intervals."
    ),
    click.option(
        "--rater",
        "raters",
        type=RATER,
        multiple=True,
        help="Only this rater, compared with all; or several, compared with each other.",
    ),
    click.option("--question", type=ID, default="", help="The question to compare raters on; default: the label."),
    click.option("--since", type=_DAY, help="Only ratings changed on this day or later."),
    click.option("--until", type=_DAY, help="Only ratings changed on this day or earlier."),
    click.option("--models", is_flag=True, help="Count models as raters too."),
    click.option(
        "--raters-random", is_flag=True, help="Intervals of agreement also cover that others might have rated."
    ),
    click.option(
        "--tolerance",
        type=click.IntRange(0, 100),
        default=0,
        show_default=True,
        help="Steps of a scale by which an answer may differ from gold.",
    ),
)


def report_options(command: F) -> F:
    """Add the options of every report to a command."""
    return add_options(command, _OPTIONS)


@click.command()
@click.argument("bundle", type=ID)
@report_options
@json_option
@click.pass_obj
def report(
    folder: Path,
    bundle: str,
    tables: Path | None,
    page: Path | None,
    seed: int,
    raters: tuple[str, ...],
    *,
    as_json: bool,
    **filters: str | int | bool | None,
) -> int:
    """Report how far raters agree, where they differ, and what each of them did. Nothing is ranked.

    Every figure has its 95 % interval and says what it is based on. The same results and seed give the same figures.
    Exit status 1 if results wait for the lead's decision, were admitted without the rater's signature, or conflict.
    """
    filter_ = report_filter(raters, filters)
    with open_results_store(folder, bundle) as store:
        report_ = load_report(store, bundle, seed=seed, now=utc_now(), wanted=filter_)
    save_report_files(report_, tables, page, folder)
    print_result(explained(report_) if as_json else None, report_lines(report_), as_json=as_json)
    return EXIT_ATTENTION if open_cautions(report_.cautions) else EXIT_OK


def explained(report: AuditReport) -> dict[str, object]:
    """Return the fields of a report, and what its figures mean."""
    meanings = {item.question.id: meanings_of(report, item.question.id, ENGLISH) for item in report.agreement}
    return {**asdict(report), "meaning": {question: meaning._asdict() for question, meaning in meanings.items()}}


def report_filter(raters: Sequence[str], filters: Mapping[str, str | int | bool | None]) -> ReportFilter:
    """Return the filter of the options of a report."""
    values = {name: value for name, value in filters.items() if value is not None}
    filter_ = msgspec.convert({"raters": tuple(dict.fromkeys(raters)), **values}, prepared_type(ReportFilter))
    if filter_.until and filter_.since > filter_.until:
        raise click.UsageError(f"--since {filter_.since} is later than --until {filter_.until}.")
    return filter_


def save_report_files(report: AuditReport, tables: Path | None, page: Path | None, folder: Path) -> None:
    """Write the files of a report that are asked for. `folder`: the store, whose settings name the lead."""
    if tables is not None:
        save_report_tables(report, tables)
    if page is not None:
        lead = configured_settings(folder).rater
        from desktop_rater.ui.report.texts_and_colors import page_colors  # noqa: PLC0415 - loads Qt, for the page alone

        colors = page_colors()
        save_report_page(report, page, Wording(), colors, lead=lead, language="en")


def report_lines(report: AuditReport) -> Iterator[str]:
    """Return a report as lines of text."""
    yield (
        f"{report.title}: {report.results:,} results, {report.tasks:,} tasks, {report.ratings:,} ratings; "
        f"intervals over tasks{' and raters' if report.filter.raters_random else ''}, seed {report.seed}"
    )
    yield from (f"{count:,} ratings by {rubric}" for rubric, count in report.revisions.items())
    yield from caution_lines(report.cautions)
    yield raters_basis(report.raters_from, ENGLISH)
    main_question = report.filter.question or main_question_id(report)
    meanings = meanings_of(report, main_question, ENGLISH)
    yield from meanings.summary
    sentences = meanings.figures if is_verbose() else {}
    for item in report.agreement:
        if item.question.id == main_question:
            yield from _agreement_lines(item, sentences)
            scales = (scale for scale in report.scales if scale.question == main_question)
            yield from (line for scale in scales for line in _scale_lines(scale, sentences))
        elif item.rated:
            yield f"{item.question.id}: alpha {figure_line(item.figures['krippendorff_alpha'])}, {item.units:,} units"
    yield "Raters, in order of name:"
    for rater in report.raters:
        yield f"  {_rater_line(rater, main_question)}"
    yield from pull_lines(report)
    if report.libraries:
        yield "Offline libraries:"
        yield from library_lines(report)
    worst = [item for item in report.differing if item.question == main_question]
    if worst:
        yield "Where they differ most:"
    formatters = {item.question.id: item.question.text_of for item in report.agreement}
    for item in worst[:_MOST_UNITS]:
        answers = ", ".join(f"{count:,} × {formatters[main_question](value)}" for value, count in item.given)
        yield f"  {item.task} {item.where}: {answers}"


def _agreement_lines(agreement: QuestionAgreement, sentences: Mapping[str, str]) -> Iterator[str]:
    yield (
        f"{agreement.question.id}: {agreement.units:,} units with two ratings or more, {agreement.pairs:,} pairs, "
        f"of {agreement.tasks:,} tasks"
    )
    for name, row in AGREEMENT_FIGURES.items():
        figure = agreement.figures.get(name)
        if figure is not None and (figure.value is not None or row.shown == "always"):
            yield f"  {row.line:26} {figure_line(figure)}"
            yield from _sentence(sentences, name)


def _scale_lines(scale: ScaleFigures, sentences: Mapping[str, str]) -> Iterator[str]:
    for name, row in SCALE_FIGURES.items():
        if row.line and name in scale.figures:
            yield f"  {row.line:26} {figure_line(scale.figures[name], row.places)}"
            yield from _sentence(sentences, name)


def _sentence(sentences: Mapping[str, str], name: str) -> Iterator[str]:
    if name in sentences:
        yield f"      {sentences[name]}"


def _rater_line(rater: RaterFigures, question: str) -> str:
    lines = (column.line(rater, question) for column in RATER_COLUMNS if column.line is not None)
    return f"{rater.rater}{' (model)' if rater.model else ''}: {', '.join(line for line in lines if line)}"
