"""Put a bundle on a hub, and assign it to raters."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.cli import left_out
from desktop_rater.cli.answer import LOOK, WORDS, json_option, say, show, some, terminal_progress
from desktop_rater.cli.hub_options import by_command, hub_options, opening, tried_once
from desktop_rater.work.publish_bundle import publish_bundle
from desktop_rater.work.raters_file import can_be_seen, raters_of

if TYPE_CHECKING:
    from desktop_rater.work.publish_bundle import Published

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("url")
@click.argument("bundle", type=_FILE)
@click.option("--to", "raters", multiple=True, type=WORDS, help="A rater who gets it; can be given several times.")
@click.option("--to-file", type=_FILE, help="Raters from a file, one a line.")
@hub_options
@json_option
@click.pass_obj
def publish(
    folder: Path, url: str, bundle: Path, raters: tuple[str, ...], to_file: Path | None, *, as_json: bool, **given: Any
) -> int:
    """Put a bundle on a hub and assign it to raters, whose next sync brings it to them.

    Gold stays here, but for practice. Published again, nothing changes but who gets it. Another bundle of the same id
    and revision is refused.
    """
    names = [*map(_rater, raters), *(raters_of(to_file) if to_file is not None else ())]
    with tried_once(), closing(opening(url, folder, given)()) as hub:
        watch = terminal_progress("Publishing")
        published = publish_bundle(hub, bundle, names, chance=random.random, progress=watch)
    show(_plain(published), _words(published), as_json=as_json)
    for rater, why in published.failed:
        say(f"{rater}: it could not be assigned. {by_command(why)}")
    return LOOK if published.failed else left_out.told(published.left_out)


def _rater(text: str) -> str:
    """A name as the settings of a rater's window keep it."""
    name = text.strip()
    if not can_be_seen(name):
        raise click.UsageError("--to: the name holds control characters.")
    return name


def _plain(published: Published) -> dict[str, object]:
    bundle = published.bundle
    return {
        "project": published.project,
        "bundle": bundle.id,
        "revision": bundle.revision,
        "name": bundle.name,
        "sha256": bundle.sha256,
        "there": published.there,
        "gold_left_out": published.gold_kept,
        "assigned": list(published.assigned),
        "already": list(published.already),
        "failed": [{"rater": rater, "kind": why.kind, "why": str(by_command(why))} for rater, why in published.failed],
        "left_out": left_out.plain(published.left_out),
    }


def _words(published: Published) -> list[str]:
    bundle = published.bundle
    before = " was there already" if published.there else " is there now"
    lines = [f"{published.hub_title or published.project}: {bundle.id} revision {bundle.revision}{before}."]
    if published.gold_kept:
        lines.append("Its gold stayed here.")
    if published.assigned:
        lines.append(f"Assigned to {len(published.assigned):,}: {some(published.assigned)}")
    if published.already:
        lines.append(f"Assigned before to {len(published.already):,}: {some(published.already)}")
    if not (published.assigned or published.already or published.failed):
        lines.append("Nobody has it yet: assign it with --to or --to-file.")
    return lines
