"""Commands around ratings: how far they are, from a file into the store, and out as results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import (
    DONE,
    KNOWN,
    LOOK,
    NAMED_AT_MOST,
    WORDS,
    first,
    json_option,
    say,
    show,
    some,
    terminal_progress,
    updating,
)
from desktop_rater.model.limits import now
from desktop_rater.model.signature import fingerprint
from desktop_rater.store.opening import open_reader, open_writer
from desktop_rater.store.trouble import NotThere
from desktop_rater.work import browse
from desktop_rater.work.export_results import Stays, export_results
from desktop_rater.work.rate import rate_from_file
from desktop_rater.work.rater_key import rater_keys

if TYPE_CHECKING:
    from desktop_rater.store.bundles import BundleStatus
    from desktop_rater.store.store import Store

_FILE = click.Path(path_type=Path)


@click.command()
@json_option
@click.pass_obj
def status(folder: Path, *, as_json: bool) -> int:
    """Show the bundles in the store and how far each is."""
    store = open_reader(folder)
    try:
        bundles = browse.status(store)
    finally:
        if store is not None:
            store.close()
    lines = [
        f"{one.id} revision {one.revision}, {one.title}: {_kind(one)}{one.tasks:,} tasks, "
        f"{one.complete:,} complete, {one.incomplete:,} incomplete, {one.skipped:,} skipped"
        for one in bundles
    ]
    show({"bundles": bundles}, lines or ["No bundles yet. `desktop-rater import B.zip` brings one."], as_json=as_json)
    return DONE


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option("--from", "path", required=True, type=_FILE, help="Ratings, one a line.")
@click.option("--rater", required=True, type=WORDS, help="Whose ratings they become.")
@json_option
@click.pass_obj
def rate(folder: Path, bundle: str, path: Path, rater: str, *, as_json: bool) -> int:
    """Store the ratings of a file as if they were given in the window."""
    with _store_with(bundle, folder, "rate") as store:
        rated = rate_from_file(store, bundle, path, rater, progress=terminal_progress("Rating"), now=now)
    result = {
        "complete": rated.complete,
        "incomplete": rated.incomplete,
        "skipped": rated.skipped,
        "unknown": list(rated.unknown),
        "problems": rated.problems,
    }
    lines = [f"{rated.complete:,} complete, {rated.incomplete:,} incomplete, {rated.skipped:,} skipped"]
    lines += [f"  {count:,} × {rule}" for rule, count in rated.problems.items()]
    show(result, lines, as_json=as_json)
    if rated.unknown:
        say(f"Not in the bundle, and not stored: {some(rated.unknown)}")
    return LOOK if rated.unknown or rated.blocked else DONE


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option("--rater", required=True, type=WORDS, help="Whose results.")
@click.option("--out", required=True, type=_FILE, help="The zip to write.")
@click.option("--partial", is_flag=True, help="Let what is complete or skipped leave, even if the rest stays.")
@json_option
@click.pass_obj
def export(folder: Path, bundle: str, rater: str, out: Path, *, partial: bool, as_json: bool) -> int:
    """Write the rater's results of a bundle, if nothing blocks. They are signed where the rater has a signing key."""
    signer = rater_keys(folder, os.environ).for_use(rater, make=False)
    with _store_with(bundle, folder, "export") as store:
        done = export_results(
            store, bundle, rater, out, progress=terminal_progress("Exporting"), partial=partial, key=signer.key
        )
    result = {
        "written": done.written,
        "out": str(out) if done.written else None,
        "sha256": done.sha256 or None,
        "complete": done.complete,
        "skipped": done.skipped,
        "stays": [_plain(one) for one in done.stays],
        "altered": list(done.altered),
        "key": done.key or None,
    }
    signed = f", signed with the key {fingerprint(done.key)}" if done.key else ""
    words = f"{out}: {done.complete:,} complete, {done.skipped:,} skipped{signed}"
    show(result, [words if done.written else "Nothing was exported."], as_json=as_json)
    for one in done.stays[:NAMED_AT_MOST]:
        say(f"{one.task}: {one.why}")
        say(*(f"  {problem.where}: {problem.rule}: {problem.message}" for problem in one.problems[:NAMED_AT_MOST]))
    if len(done.stays) > NAMED_AT_MOST:
        say(f"… and {len(done.stays) - NAMED_AT_MOST:,} more tasks")
    why = "was altered since it was stored, and is not in the results."
    say(*first([f"The stored page {sha256} {why}" for sha256 in done.altered]))
    if done.written and (signer.locked or signer.trouble):
        say(f"Not signed: {signer.why}")
    return DONE if done.written and not (done.stays or done.altered) else LOOK


def _kind(one: BundleStatus) -> str:
    return f"sent back, round {one.round:,}, " if one.round else "practice, " if one.practice else ""


def _store_with(bundle: str, folder: Path, command: str) -> Store:
    """The store to write, which has to be there: what is refused makes none."""
    store = open_reader(folder)
    if store is None:
        raise NotThere(f"There is no bundle {bundle!r} in the store.", f"{folder} is no store yet.")
    store.close()
    return open_writer(folder, command=command, updating=updating)


def _plain(one: Stays) -> dict[str, object]:
    problems = [{"rule": it.rule, "where": it.where, "message": it.message} for it in one.problems]
    return {"task": one.task, "why": one.why, "problems": problems}
