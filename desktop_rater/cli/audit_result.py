"""`audit result`: errors in all work by the lead's verdicts, each rater against chance, and how many places to draw."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from desktop_rater.audit.audit_result.panels import draws_panel, errors_panel, places_table, raters_panel
from desktop_rater.audit.audit_result.result import AuditResult, ResultRequest
from desktop_rater.audit.audit_result.texts import ResultTexts
from desktop_rater.audit.label_rules import LABEL_METHODS
from desktop_rater.audit.report_tables import ReportTableData
from desktop_rater.audit.results import open_cautions
from desktop_rater.cli.audit import audit_lead, lead_option, open_results_store, open_results_writer
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    FILE,
    ID,
    RATER,
    is_verbose,
    json_option,
    limited_lines,
    print_result,
)
from desktop_rater.cli.stored_bundles import configured_settings
from desktop_rater.cli.streams import OUTPUT
from desktop_rater.cli.summaries import caution_lines
from desktop_rater.model.errors import RaterError
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.model.values import utc_now
from desktop_rater.work.audit.report import REPORT_SEED
from desktop_rater.work.audit.result import draw_more, load_result, save_result_page, save_result_tables


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
        save_result_page(report, page, ResultTexts(), colors, lead=configured_settings(folder).rater, language="en")
    if rater is not None and rater not in {row.rater for row in report.raters}:
        raise RaterError(f"There are no results of the rater {rater!r}.")
    print_result(msgspec.to_builtins(report), _lines(report, rater), as_json=as_json)
    done = report.errors.state == "shown" and not open_cautions(report.cautions)
    return EXIT_OK if done else EXIT_ATTENTION


def _lines(report: AuditResult, rater: str | None) -> Iterator[str]:
    texts = ResultTexts()
    yield f"{report.title}: {texts.rests_result(report)}; final labels by {report.method}, seed {report.seed}"
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
            if cell.text != texts.none and (is_verbose() or len(report.raters) <= 12)
        )
        for row in raters.table.rows
    ]
    yield from limited_lines(lines)
    for row in report.raters:
        if row.rater == rater:
            yield texts.behind.format(rater=row.rater) + ":"
            yield from _table_lines(places_table(report, row, texts))


def _table_lines(table: ReportTableData) -> Iterator[str]:
    if table.rows:
        texts = [[column.title for column in table.columns]]
        texts += [[" ".join(filter(None, (cell.before, cell.text))) for cell in row] for row in table.rows]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        for row in texts:
            yield "  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
