"""Draw the places that a lead looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from desktop_rater.audit.sampling import BYS, HOWS, Draw
from desktop_rater.cli.answer import DONE, KNOWN, LOOK, first, json_option, show, terminal_progress
from desktop_rater.cli.desk import desk_to_write, lead_of, lead_option
from desktop_rater.work.audit_desk import load_audit
from desktop_rater.work.draw_sample import draw_sample

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_rater.audit.sampling import By, How, Sample


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option("--how", type=click.Choice(HOWS), required=True, help="Which places.")
@click.option("--share", type=float, help="How many of all, such as 0.1; rounded up.")
@click.option("--by", type=click.Choice(BYS), help="stratified: as many of each kind as its share.")
@click.option(
    "--seed", type=click.IntRange(-(2**53), 2**53), default=0, show_default=True, help="Another one draws otherwise."
)
@lead_option
@json_option
@click.pass_obj
def sample(
    folder: Path,
    bundle: str,
    how: How,
    share: float | None,
    by: By | None,
    seed: int,
    lead: str | None,
    *,
    as_json: bool,
) -> int:
    """Draw the places to look at, and write down how: 1 where there was none to draw.

    The same results and the same seed give the same places. The review room shows them, and the last draw holds.
    """
    wanted = Draw(how=how, seed=seed, share=share, by=by)
    whose = lead_of(folder, lead)
    with desk_to_write(folder, bundle, "audit sample") as store:
        audit = load_audit(store, bundle)
        done = draw_sample(store, audit, wanted, whose, terminal_progress("Drawing")).sample
    show({"bundle": bundle, **_plain(done)}, _words(done), as_json=as_json)
    return DONE if done.places else LOOK


def _plain(done: Sample) -> dict[str, object]:
    places = [{"task": task, "where": where} for task, where in done.places]
    return {**msgspec.to_builtins(done), "drawn": len(done.places), "places": places}


def _words(done: Sample) -> Iterator[str]:
    yield f"{len(done.places):,} of {done.of:,} places, {done.how}, seed {done.seed}"
    for one in done.strata:
        yield f"  {one.name or 'no label'}: {one.drawn:,} of {one.places:,}"
    yield from first([f"{task} {where}" for task, where in done.places])
