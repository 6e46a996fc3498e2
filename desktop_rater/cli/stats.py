"""The figures of a QA lead, on plain files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
import msgspec

from desktop_rater.cli.answer import DONE, json_option, print_json, show
from desktop_rater.stats.agreement import Kind
from desktop_rater.work.compute_figures import f1_of_file
from desktop_rater.work.measure_agreement import agreement_of_file
from desktop_rater.work.score_points import score_file

if TYPE_CHECKING:
    from desktop_rater.work.measure_agreement import Agreement

_FILE = click.Path(path_type=Path)
_MOST_UNITS = 5


@click.group()
def stats() -> None:
    """Compute figures of plain files; no store is needed."""


@stats.command()
@click.argument("path", metavar="FILE.jsonl", type=_FILE)
@click.option("--json", is_flag=True, expose_value=False, help="The output is JSON in any case.")
def f1(path: Path) -> int:
    """Token F1 of each line of FILE.jsonl: how many words response and reference share."""
    figures = list(f1_of_file(path))  # all of them or none: a script must not take a part for the whole
    for figure in figures:
        print_json(figure)
    return DONE


@stats.command()
@click.option("--kind", required=True, type=click.Choice(get_args(Kind)), help="What the values are.")
@click.argument("path", metavar="FILE.csv", type=_FILE)
@json_option
def agreement(path: Path, kind: Kind, *, as_json: bool) -> int:
    """How far raters agree: FILE.csv has the columns unit, rater and value, and a missing rating has no row."""
    found = agreement_of_file(path, kind)
    units = [f"  {unit}  {share:.0%}" for unit, share in found.most_disagreement[:_MOST_UNITS]]
    apart = ["Units that disagree most, by the share of their pairs:", *units] if units else []
    show(msgspec.to_builtins(found.agreement), [*_lines(found.agreement), *apart], as_json=as_json)
    return DONE


@stats.command()
@click.argument("path", metavar="FILE.json", type=_FILE)
@json_option
def score(path: Path, *, as_json: bool) -> int:
    """The score of a written justification, from what an oracle says of its points."""
    found = msgspec.to_builtins(score_file(path))
    points = (f"point {at}  {value:.4f}" for at, value in enumerate(found["points"], 1))
    ways = (f"{name:7}  {value:.4f}" for name, value in found.items() if name != "points")
    show(found, [*points, *ways], as_json=as_json)
    return DONE


def _lines(found: Agreement) -> list[str]:
    lines = [f"{found.units:,} units, {found.raters:,} raters, {found.ratings:,} ratings"]
    weighted = found.weighted_kappa
    values = {
        "percent": found.percent,
        "cohen_kappa": found.cohen_kappa,
        "weighted_kappa.linear": weighted.linear if weighted else None,
        "weighted_kappa.quadratic": weighted.quadratic if weighted else None,
        "fleiss_kappa": found.fleiss_kappa,
        "krippendorff_alpha": found.krippendorff_alpha,
        "gwet_ac1": found.gwet_ac1,
    }
    for name, value in values.items():
        if value is None:
            lines.append(f"{name:24}  undefined: {found.undefined[name.partition('.')[0]]}")
        else:
            ends = found.intervals.get(name)
            lines.append(f"{name:24}  {value:6.3f}" + (f"  95 %: {ends[0]:.3f} to {ends[1]:.3f}" if ends else ""))
    return lines
