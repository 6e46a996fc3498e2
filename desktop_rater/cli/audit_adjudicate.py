"""Write what was decided: one final value for each question at each place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, WORDS, first, json_option, say, show, terminal_progress
from desktop_rater.cli.desk import desk_to_read
from desktop_rater.paths import settings_file
from desktop_rater.work.adjudicate_results import FORMATS, RESULTS, Wished, adjudicate_results
from desktop_rater.work.keep_settings import settings_as_they_are

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.work.adjudicate_results import Final


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write.")
@click.option("--to", type=click.Choice(FORMATS), required=True, help="What becomes of it.")
@click.option("--rater", type=WORDS, help="results: whose they become; the name in the settings without it.")
@click.option("--partial", is_flag=True, help="Let what is decided leave, even if the rest is open.")
@click.option("--bom", is_flag=True, help="CSV: begin with a byte order mark, which Excel needs to read UTF-8.")
@json_option
@click.pass_obj
def adjudicate(
    folder: Path, bundle: str, out: Path, to: str, rater: str | None, *, partial: bool, bom: bool, as_json: bool
) -> int:
    """Write one final label for each place, and where it comes from: the lead, or more than half of the raters.

    1 while something is open: then nothing is written, with --partial what is decided. Results hold whole ratings that
    say just that; a task of which none does stays, and is named.
    """
    name = rater or settings_as_they_are(settings_file(folder)).rater
    if to == RESULTS and not name.strip():
        raise click.UsageError("Whose results they become has to be known: give --rater.")
    wished = Wished(to=to, rater=name, partial=partial, bom=bom)
    with desk_to_read(folder, bundle) as store:
        done = adjudicate_results(store, bundle, out, wished, terminal_progress("Adjudicating"))
    show(_plain(done), _words(done), as_json=as_json)
    counted = ((f"{one.task} {one.where}: {one.question}", one.votes_for, one.against) for one in done.open)
    say(*first([f"Open: {what}, {most:,} against {rest:,}" for what, most, rest in counted]))
    why = "no rating says all that was decided of it and holds by the rubric, so it stays."
    say(*first([f"{task}: {why}" for task in done.stays]))
    return DONE if done.written and not (done.open or done.stays) else LOOK


def _plain(done: Final) -> dict[str, object]:
    return {
        "written": done.written,
        "out": str(done.out) if done.written else None,
        "sha256": done.sha256 or None,
        "decided": done.decided,
        "ratings": done.ratings,
        "open": [
            {
                "task": one.task,
                "where": one.where,
                "question": one.question,
                "for": one.votes_for,
                "against": one.against,
            }
            for one in done.open
        ],
        "stays": list(done.stays),
    }


def _words(done: Final) -> Iterator[str]:
    yield f"{done.out}: {done.decided:,} decided" if done.written else f"Nothing was written: {_why_not(done)}"
    if done.ratings:
        yield f"  {done.ratings:,} ratings"
    if done.open:
        yield f"Open: {len(done.open):,}"


def _why_not(done: Final) -> str:
    if done.open:
        return "something is open. Decide it, or let the rest leave with --partial."
    if done.stays:
        return "no rating says all that was decided."
    return "nobody has answered anything yet."
