"""See what a hub can do."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.cli.answer import DONE, LOOK, REFUSED, json_option, say, show
from desktop_rater.cli.hub_options import address_of, hub_options, opening, tried_once
from desktop_rater.hub.findings import SKEWED
from desktop_rater.model.progress import Progress
from desktop_rater.work.hub_marker import try_hub

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.work.hub_marker import Tried


@click.command()
@click.argument("url")
@hub_options
@json_option
@click.pass_obj
def probe(folder: Path, url: str, *, as_json: bool, **given: Any) -> int:
    """Write two tiny files to a hub, read them back, and say what the server can and can't do.

    0: it can be used, 1: it can, and there is something to look at, such as that it is not set up yet, 2: it can't.
    """
    with tried_once(), closing(opening(url, folder, given)()) as hub:
        tried = try_hub(hub, Progress())
    marker, found = tried.marker, tried.probe
    result = {
        "url": address_of(url),
        "project": marker.project if marker is not None else None,
        "title": marker.title if marker is not None else None,
        "usable": found.usable,
        "skew": found.skew,
        "findings": [
            {"id": one.id, "passed": one.passed, "matters": one.matters, "words": one.words} for one in found.findings
        ],
    }
    show(result, _words(address_of(url), tried), as_json=as_json)
    say(*skew_words(found.skew))
    if not found.usable:
        return REFUSED
    return DONE if marker is not None and all(one.passed for one in found.findings) else LOOK


def _words(url: str, tried: Tried) -> list[str]:
    marker = tried.marker
    whose = "not set up yet, `hub init` does it" if marker is None else f"the hub of {marker.title or marker.project}"
    marks = [("yes" if one.passed else "NO" if one.matters else "no", one.words) for one in tried.probe.findings]
    return [f"{url}: {whose}.", *(f"  {mark:3} {words}" for mark, words in marks)]


def skew_words(skew: float | None) -> tuple[str, ...]:
    """What to say of the hub's clock where it is far from this computer's."""
    if skew is None or abs(skew) <= SKEWED:
        return ()
    way = "ahead of" if skew > 0 else "behind"
    return (f"The hub's clock is {abs(skew) / 60:,.0f} min {way} this computer's. Nothing depends on it here.",)
