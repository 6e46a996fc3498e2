"""Take results in, and say at once whether everything is here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import (
    DONE,
    LOOK,
    REFUSED,
    WORDS,
    first,
    json_option,
    say,
    show,
    terminal_progress,
    updating,
)
from desktop_rater.model.limits import now
from desktop_rater.store.opening import open_writer
from desktop_rater.work.audit_status import audit_status
from desktop_rater.work.open_results import open_results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from desktop_rater.work.open_results import Opened
    from desktop_rater.work.take_results import Took

_PATH = click.Path(path_type=Path)


@click.command("open")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=_PATH)
@click.option("--lead", type=WORDS, help="Your name, for what is kept of a bundle that you open.")
@json_option
@click.pass_obj
def open_(folder: Path, paths: tuple[Path, ...], lead: str | None, *, as_json: bool) -> int:
    """Take in results: zips, or folders of them. A bundle that is among them tells what should be there.

    Each is checked from scratch. One that is damaged or altered is refused by name, and the rest goes in. The same
    file twice changes nothing, and the order is of no matter. Raters' public keys come in too: those below `keys/` of
    a folder, as on a hub, and a file that is named.
    """
    with open_writer(folder, command="audit open", updating=updating) as store:
        opened = open_results(store, paths, lead=lead or "", now=now(), progress=terminal_progress("Opening"))
        names = sorted({one.bundle for one in (*opened.took, *opened.copies)})
        here = {name: audit_status(store, name).plain() for name in names}
    show({**_plain(opened), "bundles": here}, _words(opened), as_json=as_json)
    for one in opened.refused:
        say(f"{one.file}: {one.title}{'' if one.title.endswith('.') else '.'} {one.message}".rstrip())
    for took in opened.took:
        say(*(f"{took.file}: {note}" for note in (*first(took.notes), *_broken(took))))
    for copy in opened.copies:
        say(*(f"{copy.file}: {note}" for note in first(copy.notes)))
    if opened.refused and not opened.took and not opened.copies and not opened.keys:
        return REFUSED
    return LOOK if opened.refused or any(one.broken or one.signature == "altered" for one in opened.took) else DONE


def _broken(took: Took) -> Iterator[str]:
    said = [f"{task}, {one.where}: {one.rule}: {one.message}" for task, problems in took.broken for one in problems]
    return first(said, "broken rules")


def _plain(opened: Opened) -> dict[str, Any]:
    return {
        "results": [
            {
                "file": one.file,
                "sha256": one.sha256,
                "bundle": one.bundle,
                "rater": one.rater,
                "complete": one.complete,
                "skipped": one.skipped,
                "partial": one.partial,
                "practice": one.practice,
                "known": one.known,
                "broken": [
                    {"task": task, "rule": it.rule, "where": it.where, "message": it.message}
                    for task, problems in one.broken
                    for it in problems
                ],
                "notes": list(one.notes),
                "signature": one.signature,
            }
            for one in opened.took
        ],
        "copies": [
            {"file": one.file, "bundle": one.bundle, "revision": one.revision, "tasks": one.tasks, "gold": one.gold}
            for one in opened.copies
        ],
        "keys": [{"file": one.file, "rater": one.rater, "key": one.key, "known": one.known} for one in opened.keys],
        "refused": [
            {"file": one.file, "title": one.title, "message": one.message, "hint": one.hint} for one in opened.refused
        ],
    }


def _words(opened: Opened) -> list[str]:
    new = [one for one in opened.took if not one.known]
    lines = []
    for bundle in sorted({one.bundle for one in new}):
        own = [one for one in new if one.bundle == bundle]
        ratings = sum(one.complete + one.skipped for one in own)
        raters = len({one.rater for one in own})
        lines.append(f"{bundle}: {len(own):,} results of {raters:,} raters, {ratings:,} ratings")
    lines += [
        f"{one.bundle}: the bundle itself, revision {one.revision}, {one.tasks:,} tasks, {one.gold:,} with gold"
        for one in opened.copies
    ]
    fresh = sum(not one.known for one in opened.keys)
    if fresh:
        lines.append(f"Public keys of raters: {fresh:,}")
    known = len(opened.took) - len(new)
    if known:
        lines.append(f"In the store already: {known:,}")
    if opened.refused:
        lines.append(f"Refused: {len(opened.refused):,}")
    return lines or ["Nothing new was taken in."]
