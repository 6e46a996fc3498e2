"""Commands that need no store: results and schemas."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.cli.answer import DONE, LOOK, json_option, print_json, say, show, terminal_progress
from desktop_rater.model.schemas import SCHEMAS
from desktop_rater.model.schemas import schema as schema_of
from desktop_rater.work.check_results import check_results

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("path", metavar="RESULTS.zip", type=_FILE)
@json_option
def check(path: Path, *, as_json: bool) -> int:
    """Check results from scratch: hashes, schema, snapshots and every rule again."""
    checked = check_results(path, terminal_progress("Checking"))
    broken = [
        {"task": task, "rule": one.rule, "level": one.level, "where": one.where, "message": one.message}
        for task, problems in checked.broken
        for one in problems
    ]
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
    }
    words = f"{checked.bundle} revision {checked.revision} by {checked.rater}"
    practice = "practice, " if checked.practice else ""
    counts = f"{practice}{checked.complete:,} complete, {checked.skipped:,} skipped"
    show(result, [f"{words}: {counts}, {'a rule is broken' if broken else 'good'}"], as_json=as_json)
    for one in broken:
        say(f"{one['task']}, {one['where']}: {one['rule']}: {one['message']}")
    for note in checked.notes:
        say(note)
    return LOOK if broken else DONE


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)))
@click.option("--json", is_flag=True, expose_value=False, help="The output is JSON in any case.")
def schema(name: str) -> int:
    """Print the JSON Schema of a format."""
    print_json(schema_of(name))
    return DONE
