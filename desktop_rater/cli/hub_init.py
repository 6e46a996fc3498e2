"""Set up a hub, and see what one can do."""

from __future__ import annotations

import re
import secrets
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from desktop_rater.cli.answer import DONE, LOOK, REFUSED, WORDS, json_option, say, show
from desktop_rater.cli.hub_options import address_of, hub_options, opening, tried_once
from desktop_rater.hub.findings import SKEWED
from desktop_rater.model.limits import now
from desktop_rater.model.progress import Progress
from desktop_rater.work.hub_marker import init_hub, marker_if_any, try_hub

if TYPE_CHECKING:
    from desktop_rater.work.hub_marker import Tried


@click.command()
@click.argument("url")
@click.option("--project", type=WORDS, help="The project's id, which no other hub has; made up without it.")
@click.option("--title", type=WORDS, help="What people see.")
@hub_options
@json_option
@click.pass_obj
def init(folder: Path, url: str, project: str | None, title: str | None, *, as_json: bool, **given: Any) -> int:
    """Set up a hub at URL. Where it is set up for that project already, nothing changes.

    Its own folder is made for it, in a folder that is there. A bucket is not.
    """
    address = address_of(url)
    watch = Progress()
    with tried_once(), closing(opening(url, folder, given)()) as hub:
        before = None if project else marker_if_any(hub, watch, new=True)
        name = project or (before.project if before is not None else _made_up(address))
        marked = init_hub(hub, name, title or name, now(), watch)
    marker = marked.marker
    result = {
        "url": address,
        "project": marker.project,
        "title": marker.title,
        "created": marker.created,
        "made": marked.made,
    }
    words = "is set up" if marked.made else "was set up already"
    show(result, [f"{address}: the hub of {marker.title or marker.project} {words}."], as_json=as_json)
    return DONE


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


def _made_up(url: str) -> str:
    """An id that no other hub has, and that can be told from others."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", PurePosixPath(url.partition("?")[0]).name).strip("-").lower()[:30]
    return f"{name or 'hub'}-{secrets.token_hex(4)}"
