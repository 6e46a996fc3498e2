"""`stats spans` and `audit spans`: agreement on spans, of a file or of the targets of a bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from desktop_rater.audit.judged_questions import judged_questions, main_question
from desktop_rater.cli.audit import open_results_store
from desktop_rater.cli.output import EXIT_OK, ID, json_option, print_result
from desktop_rater.cli.streams import INPUT
from desktop_rater.model.errors import RaterError
from desktop_rater.work.audit.load_audit import load_audit

if TYPE_CHECKING:
    from desktop_rater.work.audit.span_figures import SpanFigures

_NAMES = {
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
    from desktop_rater.work.audit.span_figures import spans_of_file  # noqa: PLC0415 - numpy, for this command alone

    return _print(spans_of_file(path), as_json=as_json)


@click.command()
@click.argument("bundle", type=ID)
@click.option("--question", type=ID, default="", help="The question whose answers are the values; default: the label.")
@json_option
@click.pass_obj
def bundle_spans(folder: Path, bundle: str, question: str, *, as_json: bool) -> int:
    """Compute agreement on targets as spans, within the borders that each rater has moved."""
    from desktop_rater.work.audit.span_figures import spans_of_bundle  # noqa: PLC0415 - as above

    with open_results_store(folder, bundle) as store:
        audit = load_audit(store, bundle)
        questions = {item.id: item for item in judged_questions(audit.rubric) if item.per == "target"}
        chosen = questions.get(question) if question else main_question(audit.rubric)
        if chosen is None or chosen.per != "target":
            names = ", ".join(questions) or "none"
            raise RaterError(f"There is no question {question!r} about targets.", f"Questions: {names}.")
        return _print(spans_of_bundle(store, audit, chosen), as_json=as_json)


def _print(result: SpanFigures, *, as_json: bool) -> int:
    lines = [f"{result.texts:,} texts of two raters or more, {result.raters:,} raters, {result.spans:,} spans"]
    for name, figure in result.figures.items():
        if figure.value is None:
            lines.append(f"{_NAMES[name]:26}  undefined")
            continue
        ends = f"95 %: {figure.low:.3f} to {figure.high:.3f}" if figure.low is not None else figure.why
        lines.append(f"{_NAMES[name]:26}  {figure.value:6.3f}  {ends}")
    print_result(msgspec.to_builtins(result), lines, as_json=as_json)
    return EXIT_OK
