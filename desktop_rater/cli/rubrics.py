"""`rubric`: use a rubric on its own."""

from pathlib import Path

import click

from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, INPUT, ExtensibleGroup, print_json
from desktop_rater.operations.rubrics import check_rating_files, outcome_object


@click.group(cls=ExtensibleGroup)
def rubric() -> None:
    """Write a rubric, and use it on its own."""


@rubric.command("check")
@click.argument("rubric_ref", metavar="RUBRIC")
@click.argument("tasks", type=INPUT)
@click.argument("ratings", type=INPUT)
@click.option("--json", is_flag=True, expose_value=False, help="The output is always JSON.")
def rubric_check(rubric_ref: str, tasks: Path, ratings: Path) -> int:
    """Decide and check RATINGS of TASKS by RUBRIC, a built-in id or a TOML file.

    A task and its ratings have the same id. A .json file contains one object, a .jsonl file one per line.
    """
    blocked = False
    for outcome in check_rating_files(rubric_ref, tasks, ratings):
        print_json(outcome_object(outcome))
        blocked = blocked or outcome.blocking > 0
    return EXIT_ATTENTION if blocked else EXIT_OK
