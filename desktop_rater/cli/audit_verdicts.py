"""Say verdicts by script, or show what was said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.answer import DONE, KNOWN, LOOK, first, json_option, say, show, terminal_progress
from desktop_rater.cli.desk import desk_to_read, desk_to_write, lead_of, lead_option
from desktop_rater.work.verdicts_file import all_said, review_from_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.work.verdicts_file import AllSaid, FromFile


@click.command()
@click.argument("bundle", type=KNOWN)
@click.option(
    "--from", "path", type=click.Path(path_type=Path), help="Verdicts, decisions and own ratings, one a line."
)
@lead_option
@json_option
@click.pass_obj
def verdicts(folder: Path, bundle: str, path: Path | None, lead: str | None, *, as_json: bool) -> int:
    """Show what was said of a bundle's ratings, or say what stands in a file: 1 where it names what is not here.

    A line says one thing: {"task", "where", "rater", "kind", "reason", "comment"} is a verdict, {"task", "where",
    "question", "value"} a decision, {"task", "own"} the lead's own rating. One malformed line refuses all.
    """
    if path is None:
        with desk_to_read(folder, bundle) as store:
            said = all_said(store, bundle)
        show(said.plain(), _all(said), as_json=as_json)
        return DONE
    whose = lead_of(folder, lead)
    with desk_to_write(folder, bundle, "audit verdicts") as store:
        done = review_from_file(store, bundle, path, whose, terminal_progress("Reviewing"))
    show(_plain(done), [_words(done)], as_json=as_json)
    say(*first([f"Not a rating that counts here, and not kept: {one}" for one in done.unknown]))
    return LOOK if done.unknown else DONE


def _plain(done: FromFile) -> dict[str, object]:
    return {
        "verdicts": done.verdicts,
        "decisions": done.decisions,
        "own": done.own,
        "same": done.same,
        "unknown": list(done.unknown),
    }


def _words(done: FromFile) -> str:
    return (
        f"{done.verdicts:,} verdicts, {done.decisions:,} decisions, {done.own:,} own ratings; "
        f"{done.same:,} were said already"
    )


def _all(said: AllSaid) -> Iterator[str]:
    for one in said.verdicts:
        outdated = ", of an earlier rating" if (one.task, one.where, one.rater) in said.outdated else ""
        reason = f", {one.reason}" if one.reason else ""
        yield f"{one.task} {one.where}: {one.rater}: {one.kind}{reason}{outdated}"
    for final in said.finals:
        yield f"{final.task} {final.where}: {final.question} is {final.value}"
    for own in said.owns:
        yield f"{own.task}: rated by {own.lead}{', blind' if own.blind else ''}"
    if not (said.verdicts or said.finals or said.owns):
        yield "Nothing was said of these ratings yet."
