"""Statistics of plain files, for QA leads."""

from pathlib import Path
from typing import Any, get_args

import click

from desktop_rater.cli.output import EXIT_OK, INPUT, ExtensibleGroup, as_plain, json_option, print_json, print_result
from desktop_rater.operations.audit.file_figures import (
    Agreement,
    agreement_of_file,
    f1_of_file,
    score_file,
    weighted_of_file,
)
from desktop_rater.stats.agreement import ValueKind

_MOST_UNITS = 5
WEIGHT_NAMES = ("unweighted", "ordinal", "linear", "quadratic", "radical", "ratio", "circular", "bipolar")


@click.group(cls=ExtensibleGroup)
def stats() -> None:
    """Compute statistics of plain files; no store is needed."""


@stats.command()
@click.argument("path", metavar="FILE.jsonl", type=INPUT)
@click.option("--json", is_flag=True, expose_value=False, help="The output is always JSON.")
def f1(path: Path) -> int:
    """Compute the token F1 of each line of FILE.jsonl: the overlap of words of response and reference."""
    figures = list(f1_of_file(path))  # all of them or none: a script must not mistake a part for the whole
    for figure in figures:
        print_json(figure)
    return EXIT_OK


@stats.command()
@click.option("--kind", required=True, type=click.Choice(get_args(ValueKind)), help="The kind of values.")
@click.option("--weights", type=click.Choice(WEIGHT_NAMES), help="Also AC2 and the like: near numbers agree in part.")
@click.argument("path", metavar="FILE.csv", type=INPUT)
@json_option
def agreement(path: Path, kind: ValueKind, weights: str | None, *, as_json: bool) -> int:
    """Compute rater agreement: FILE.csv has the columns unit, rater and value; a missing rating has no row.

    Units of one task hang together: with a column named task, intervals are over tasks, otherwise over units.
    """
    if weights and kind == "nominal":
        raise click.UsageError("--weights need numbers: --kind ordinal or interval.")
    figures, disagreements = agreement_of_file(path, kind)
    plain, lines = as_plain(figures), _agreement_lines(figures)
    if weights:
        plain["weighted"] = as_plain(weighted_of_file(path, kind, weights))
        lines += [f"{name + '.' + weights:24}  {_figure(figure)}" for name, figure in plain["weighted"].items()]
    units = [f"  {unit}  {share:.0%}" for unit, share in disagreements[:_MOST_UNITS]]
    worst_units = ["Units that disagree most, by the share of their pairs:", *units] if units else []
    print_result(plain, [*lines, *worst_units], as_json=as_json)
    return EXIT_OK


def _figure(figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return f"undefined: {figure['why'] or 'every rating is the same'}"
    interval = figure["why"] if figure["low"] is None else f"95 %: {figure['low']:.3f} to {figure['high']:.3f}"
    return f"{figure['value']:6.3f}  {interval}"


@stats.command()
@click.argument("path", metavar="FILE.json", type=INPUT)
@json_option
def score(path: Path, *, as_json: bool) -> int:
    """Compute the score of a written justification from an oracle's answers about its points."""
    scores = score_file(path)
    points = (f"point {number}  {value:.4f}" for number, value in enumerate(scores["points"], 1))
    measures = (f"{name:7}  {value:.4f}" for name, value in scores.items() if name != "points")
    print_result(scores, [*points, *measures], as_json=as_json)
    return EXIT_OK


def _agreement_lines(agreement_: Agreement) -> list[str]:
    of_tasks = f" of {agreement_.tasks:,} tasks" if agreement_.tasks < agreement_.units else ""
    lines = [f"{agreement_.units:,} units{of_tasks}, {agreement_.raters:,} raters, {agreement_.ratings:,} ratings"]
    weighted = agreement_.weighted_kappa or {}
    values = {
        "percent": agreement_.percent,
        "cohen_kappa": agreement_.cohen_kappa,
        "weighted_kappa.linear": weighted.get("linear"),
        "weighted_kappa.quadratic": weighted.get("quadratic"),
        "fleiss_kappa": agreement_.fleiss_kappa,
        "krippendorff_alpha": agreement_.krippendorff_alpha,
        "gwet_ac1": agreement_.gwet_ac1,
    }
    for name, value in values.items():
        if value is None:
            lines.append(f"{name:24}  undefined: {agreement_.undefined[name.partition('.')[0]]}")
        else:
            low, high = agreement_.intervals.get(name, (None, None))
            interval = agreement_.no_interval[name] if low is None else f"95 %: {low:.3f} to {high:.3f}"
            lines.append(f"{name:24}  {value:6.3f}  {interval}")
    return lines
