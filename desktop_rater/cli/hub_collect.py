"""Bring all results of a hub into a folder."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.cli.answer import DONE, LOOK, first, json_option, say, show, terminal_progress
from desktop_rater.cli.hub_options import by_command, hub_options, opening, tried_once
from desktop_rater.model.hub_names import RESULTS
from desktop_rater.work.collect_results import collect_results

if TYPE_CHECKING:
    from desktop_rater.work.collect_results import Collected


@click.command()
@click.argument("url")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder, which may be new.")
@hub_options
@json_option
@click.pass_obj
def collect(folder: Path, url: str, out: Path, *, as_json: bool, **given: Any) -> int:
    """Bring the results of all raters into a folder: 0 all are there, 1 some could not be had and are named.

    The folder looks like the hub. What it holds is not fetched again, so a run that was stopped goes on. `audit open`
    takes the folder. One that holds another project's results is refused.
    """
    with tried_once(), closing(opening(url, folder, given)()) as hub:
        collected = collect_results(hub, out, chance=random.random, progress=terminal_progress("Collecting"))
    show(_plain(collected, out), _words(collected, out), as_json=as_json)
    say(*first([f"{name}: {by_command(why)}" for name, why in collected.failed]))
    return LOOK if collected.failed else DONE


def _plain(collected: Collected, out: Path) -> dict[str, object]:
    return {
        "project": collected.project,
        "out": str(out),
        "fetched": list(collected.fetched),
        "there": collected.there,
        "failed": [{"name": name, "kind": why.kind, "why": str(by_command(why))} for name, why in collected.failed],
    }


def _words(collected: Collected, out: Path) -> list[str]:
    results = sum(1 for name in collected.fetched if name.startswith(RESULTS))
    keys = len(collected.fetched) - results
    lines = [f"{collected.hub_title or collected.project}: {results:,} new results are in {out}."]
    if keys:
        lines.append(f"New keys of raters: {keys:,}")
    if collected.there:
        lines.append(f"There before: {collected.there:,}")
    return lines
