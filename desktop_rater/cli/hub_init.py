"""Set up a hub."""

from __future__ import annotations

import re
import secrets
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

import click

from desktop_rater.cli.answer import DONE, WORDS, json_option, show
from desktop_rater.cli.hub_options import address_of, hub_options, opening, tried_once
from desktop_rater.model.limits import now
from desktop_rater.model.progress import Progress
from desktop_rater.work.hub_marker import init_hub, marker_if_any


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


def _made_up(url: str) -> str:
    """An id that no other hub has, and that can be told from others."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", PurePosixPath(url.partition("?")[0]).name).strip("-").lower()[:30]
    return f"{name or 'hub'}-{secrets.token_hex(4)}"
