"""Commands around results, for those who read them: into the formats of other tools."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.bundle.results_out import FORMATS
from desktop_rater.cli.answer import DONE, LOOK, json_option, say, show, terminal_progress
from desktop_rater.work.convert_results import Wished, convert_results

_FILE = click.Path(path_type=Path)


@click.group()
def results() -> None:
    """Turn results into the formats of other tools."""


@results.command("convert")
@click.option("--to", required=True, type=click.Choice(FORMATS), help="What becomes of them.")
@click.option("--out", required=True, type=_FILE, help="The file to write.")
@click.option("--wide", is_flag=True, help="Tables: a row for each thing that is rated, a column for each question.")
@click.option("--bom", is_flag=True, help="CSV: begin with a byte order mark, which Excel needs to read UTF-8.")
@click.option("--config", type=_FILE, help="label-studio: the project's configuration; beside OUT without it.")
@click.argument("paths", metavar="RESULTS.zip...", nargs=-1, required=True, type=_FILE)
@json_option
def convert(
    paths: tuple[Path, ...], to: str, out: Path, config: Path | None, *, wide: bool, bom: bool, as_json: bool
) -> int:
    """Check results, then write what they say to one file.

    Cells of a CSV file that a spreadsheet would run get an apostrophe in front.
    """
    done = convert_results(
        paths, out, Wished(to=to, wide=wide, bom=bom, config=config), terminal_progress("Converting")
    )
    broken = [
        {"results": path.name, "task": task, "rule": one.rule, "where": one.where, "message": one.message}
        for path, checked in zip(paths, done.checked, strict=True)
        for task, problems in checked.broken
        for one in problems
    ]
    answer = {
        "out": str(out),
        "config": str(done.config) if done.config else None,
        "ratings": done.ratings,
        "rows": done.rows if to not in ("label-studio", "web-annotation") else None,
        "raters": sorted({checked.rater for checked in done.checked}),
        "broken": broken,
    }
    rows = f", {done.rows:,} rows" if done.rows else ""
    show(answer, [f"{out}: {done.ratings:,} ratings of {len(done.checked):,} results{rows}"], as_json=as_json)
    for path, checked in zip(paths, done.checked, strict=True):
        for note in checked.notes:
            say(f"{path.name}: {note}")
        if checked.practice:
            say(f"{path.name}: They are practice, rated with the gold answers in view after each task.")
    for one in broken:
        say(f"{one['results']}: {one['task']}, {one['where']}: {one['rule']}: {one['message']}")
    return LOOK if broken else DONE
