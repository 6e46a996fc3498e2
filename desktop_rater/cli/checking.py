"""Commands that need no store: results and schemas."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.audit.signed import is_known
from desktop_rater.cli.answer import DONE, LOOK, REFUSED, json_option, print_json, say, show, terminal_progress
from desktop_rater.cli.signed import asked_keys, plain_signature, signature_words
from desktop_rater.model.schemas import SCHEMAS
from desktop_rater.model.schemas import schema as schema_of
from desktop_rater.work.check_results import check_results

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("path", metavar="RESULTS.zip", type=_FILE)
@json_option
@click.pass_obj
def check(folder: Path, path: Path, *, as_json: bool) -> int:
    """Check results from scratch: hashes, schema, snapshots, the signature and every rule again.

    Nothing else is needed for it. Where there is a store, the rater's keys in it say whose signature it is.
    """
    checked = check_results(path, terminal_progress("Checking"))
    broken = [
        {"task": task, "rule": one.rule, "level": one.level, "where": one.where, "message": one.message}
        for task, problems in checked.broken
        for one in problems
    ]
    signature = checked.signature
    known = is_known(signature, asked_keys(folder, checked.rater)) if signature.state == "signed" else None
    result = {
        "bundle": checked.bundle,
        "revision": checked.revision,
        "rater": checked.rater,
        "complete": checked.complete,
        "skipped": checked.skipped,
        "partial": checked.partial,
        "practice": checked.practice,
        "broken": broken,
        "notes": list(checked.notes),
        "signature": plain_signature(signature, checked.rater, known),
    }
    words = f"{checked.bundle} revision {checked.revision} by {checked.rater}"
    practice = "practice, " if checked.practice else ""
    counts = f"{practice}{checked.complete:,} complete, {checked.skipped:,} skipped"
    good = "altered" if signature.state == "altered" else "a rule is broken" if broken else "good"
    show(result, [f"{words}: {counts}, {good}", signature_words(signature, checked.rater, known)], as_json=as_json)
    for one in broken:
        say(f"{one['task']}, {one['where']}: {one['rule']}: {one['message']}")
    for note in checked.notes:
        say(note)
    if signature.state == "altered":
        return REFUSED
    return LOOK if broken or known is False else DONE


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)))
@click.option("--json", is_flag=True, expose_value=False, help="The output is JSON in any case.")
def schema(name: str) -> int:
    """Print the JSON Schema of a format."""
    print_json(schema_of(name))
    return DONE
