"""The figures of a QA lead, on plain files."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.cli.answer import DONE, print_json
from desktop_rater.work.compute_figures import f1_of_file

_FILE = click.Path(path_type=Path)


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
