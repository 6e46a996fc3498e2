"""`audit rehearse`: results of made-up raters."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.audit.made_up import MOST_NOISE
from desktop_rater.cli import left_out
from desktop_rater.cli.answer import json_option, show, terminal_progress
from desktop_rater.work.rehearse import MOST_RATERS, Rehearsal, Rehearsed
from desktop_rater.work.rehearse import rehearse as rehearse_bundle

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("path", metavar="B.zip", type=_FILE)
@click.option(
    "--from", "ratings", metavar="RATINGS.jsonl", type=_FILE, help="What they rate like; gold without it, else drawn."
)
@click.option("--raters", type=click.IntRange(1, MOST_RATERS), default=20, show_default=True, help="How many.")
@click.option(
    "--seed", type=click.IntRange(-(2**53), 2**53), default=0, show_default=True, help="Another one draws otherwise."
)
@click.option(
    "--noise",
    type=click.FloatRange(0, MOST_NOISE),
    default=0.1,
    show_default=True,
    help="The share of judgements that differ.",
)
@click.option("--out-dir", "folder", required=True, type=_FILE, help="The folder to write the results to.")
@json_option
def rehearse(
    path: Path, ratings: Path | None, raters: int, seed: int, noise: float, folder: Path, *, as_json: bool
) -> int:
    """Write results of made-up raters of B.zip, to try an audit and to plan how many raters it needs.

    Each has own care, pace and taste; each fourth had exported some tasks before. The same seed gives the same bytes.
    """
    wanted = Rehearsal(raters=raters, seed=seed, noise=noise)
    done = rehearse_bundle(path, ratings, folder, wanted, terminal_progress("Rating"))
    result = {
        "bundle": done.bundle,
        "made_up": True,
        "seed": seed,
        "written": [
            {
                "out": str(one.out),
                "rater": one.rater,
                "sha256": one.sha256,
                "complete": one.complete,
                "skipped": one.skipped,
                "supersedes": one.supersedes,
            }
            for one in done.written
        ],
        "unrated": list(done.unrated),
        "left_out": left_out.plain(done.left_out),
    }
    show(result, _lines(done), as_json=as_json)
    return left_out.told(done.left_out)


def _lines(done: Rehearsed) -> list[str]:
    raters = len({one.rater for one in done.written})
    lines = [f"{len(done.written):,} results of {raters:,} raters of {done.bundle}. All of these raters are made up."]
    for one in done.written:
        skipped = f", {one.skipped:,} skipped" if one.skipped else ""
        lines.append(f"{one.out}: {one.complete:,} tasks{skipped}")
    if done.unrated:
        lines.append(f"{len(done.unrated):,} tasks had no rating to start from.")
    return lines
