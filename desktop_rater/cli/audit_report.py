"""`audit report`: the figures of a bundle's results, in words, as JSON, as tables, or as a page."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from desktop_rater.audit.html_report import Colors
from desktop_rater.audit.report import Filter
from desktop_rater.audit.shown import main_of
from desktop_rater.audit.wording import Wording
from desktop_rater.cli.answer import DONE, KNOWN, json_option, show
from desktop_rater.cli.desk import desk_to_read
from desktop_rater.model.limits import now
from desktop_rater.model.ready import ready
from desktop_rater.paths import settings_file
from desktop_rater.ui.report.inks import inks
from desktop_rater.ui.theme_tokens import DARK, LIGHT
from desktop_rater.work.audit_figures import report as report_of
from desktop_rater.work.keep_settings import settings_as_they_are
from desktop_rater.work.save_report import save_page, save_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.audit.report import Agreement, Figure, OfRater, Report

SEED = 1  # the same results give the same intervals
_MOST_UNITS = 5
_NAMES = {
    "percent": "percent agreement",
    "krippendorff_alpha": "Krippendorff's alpha",
    "krippendorff_alpha.interval": "alpha, steps as distances",
    "fleiss_kappa": "Fleiss' kappa",
    "gwet_ac1": "Gwet's AC1",
    "cohen_kappa": "Cohen's kappa",
    "weighted_kappa.linear": "weighted kappa, linear",
    "weighted_kappa.quadratic": "weighted kappa, quadratic",
}


class Day(click.ParamType):
    """A day like 2026-11-01."""

    name = "day"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError:
            self.fail(f"{value!r} is no day like 2026-11-01.", param, ctx)


_DAY = Day()


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option("--csv", "tables", metavar="DIR", type=click.Path(path_type=Path), help="A folder for the CSV files.")
@click.option("--html", "page", metavar="FILE", type=click.Path(path_type=Path), help="One page with all of it.")
@click.option("--seed", type=click.IntRange(0, 2**53), default=SEED, show_default=True, help="That of the intervals.")
@click.option(
    "--rater", "raters", type=KNOWN, multiple=True, help="Only this one, beside all; or several, among themselves."
)
@click.option("--question", type=KNOWN, default="", help="What raters are compared on; the label without it.")
@click.option("--since", type=_DAY, help="Only ratings that were changed on this day or later.")
@click.option("--until", type=_DAY, help="Only those on this day or before.")
@click.option("--models", is_flag=True, help="Count models as raters too.")
@click.option("--tolerance", type=click.IntRange(0, 100), default=0, show_default=True,
              help="Steps of a scale that an answer may lie from gold.")  # fmt: skip
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
    **wanted: str | int | bool | None,
) -> int:
    """Say how far raters agree, where they differ, and what each of them did. Nothing is ranked.

    Every figure has its 95 % interval and says what it rests on. The same results and seed give the same figures.
    """
    given = {name: value for name, value in wanted.items() if value is not None}
    filter_ = msgspec.convert({"raters": tuple(dict.fromkeys(raters)), **given}, ready(Filter))
    if filter_.until and filter_.since > filter_.until:
        raise click.UsageError(f"There is no day from {filter_.since} on until {filter_.until}.")
    with desk_to_read(folder, bundle) as store:
        found = report_of(store, bundle, seed=seed, now=now(), wanted=filter_)
    if tables is not None:
        save_tables(found, tables)
    if page is not None:
        lead = settings_as_they_are(settings_file(folder)).rater
        save_page(found, page, Wording(), Colors(inks(LIGHT), inks(DARK)), lead=lead, language="en")
    show(msgspec.to_builtins(found), _lines(found), as_json=as_json)
    return DONE


def _lines(found: Report) -> Iterator[str]:
    yield (
        f"{found.title}: {found.results:,} results, {found.tasks:,} tasks, {found.ratings:,} ratings; seed {found.seed}"
    )
    chosen = found.filter.question or main_of(found)
    for one in found.agreement:
        if one.question.id == chosen:
            yield from _agreement(one)
        elif one.rated:
            yield f"{one.question.id}: alpha {_figure(one.figures['krippendorff_alpha'])}, {one.units:,} units"
    yield "Raters, in order of name:"
    for rater in found.raters:
        yield f"  {_rater(rater, chosen)}"
    worst = [one for one in found.differing if one.question == chosen]
    if worst:
        yield "Where they differ most:"
    words = {one.question.id: one.question.words for one in found.agreement}
    for one in worst[:_MOST_UNITS]:
        given = ", ".join(f"{count:,} × {words[chosen](value)}" for value, count in one.given)
        yield f"  {one.task} {one.where}: {given}"


def _agreement(one: Agreement) -> Iterator[str]:
    yield f"{one.question.id}: {one.units:,} units with two ratings or more, {one.pairs:,} pairs"
    for name, words in _NAMES.items():
        if name in one.figures and (one.figures[name].value is not None or name in ("percent", "krippendorff_alpha")):
            yield f"  {words:26} {_figure(one.figures[name])}"


def _figure(one: Figure) -> str:
    if one.value is None:
        return f"undefined: {one.why}"
    ends = "" if one.low is None or one.high is None else f" ({one.low:.2f} to {one.high:.2f})"
    return f"{one.value:.2f}{ends}"


def _rater(one: OfRater, question: str) -> str:
    said = [f"{one.rater}{' (model)' if one.model else ''}: {one.tasks:,} tasks"]
    spread = one.per_target or one.per_task
    if spread is not None:
        per = "target" if one.per_target is not None else "task"
        said.append(f"{spread.median / 60:.1f} min a {per}, p90 {spread.high / 60:.1f}")
    others = one.others.get(question)
    if others is not None:
        said.append(f"alpha with the others {_figure(others)}")
    if one.gold.value is not None:
        said.append(f"as gold {_figure(one.gold)} of {one.gold.n:,}")
    if one.repeats.value is not None:
        said.append(f"same on repeats {_figure(one.repeats)}")
    said.append(f"never opened {one.unopened:,} of {one.evidence:,} pages, warnings left {one.warnings_left:,}")
    return ", ".join(said)
