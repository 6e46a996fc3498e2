"""Commands that need no store: rubrics, results and schemas."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.cli.answer import DONE, LOOK, json_option, print_json, say, show, terminal_progress
from desktop_rater.model.schemas import SCHEMAS
from desktop_rater.model.schemas import schema as schema_of
from desktop_rater.work.check_results import check_results
from desktop_rater.work.check_rubric import as_line, check_files

_FILE = click.Path(path_type=Path)


@click.group()
def rubric() -> None:
    """Use a rubric on its own."""


@rubric.command("check")
@click.argument("rubric_ref", metavar="RUBRIC")
@click.argument("tasks", type=_FILE)
@click.argument("ratings", type=_FILE)
@click.option("--json", is_flag=True, expose_value=False, help="The output is JSON in any case.")
def rubric_check(rubric_ref: str, tasks: Path, ratings: Path) -> int:
    """Decide and check RATINGS of TASKS by RUBRIC, a built-in id or a TOML file.

    Two .json files hold an object each; two .jsonl files pair line by line.
    """
    blocked = False
    for outcome in check_files(rubric_ref, tasks, ratings):
        print_json(as_line(outcome))
        blocked = blocked or outcome.blocking > 0
    return LOOK if blocked else DONE


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
