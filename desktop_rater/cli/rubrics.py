"""Commands for rubric authors: create, lint, preview and try a rubric."""

from pathlib import Path

import click

from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_OK,
    EXIT_REFUSED,
    FILE,
    json_option,
    pick,
    print_json,
    print_result,
)
from desktop_rater.cli.streams import INPUT
from desktop_rater.cli.window import open_preview
from desktop_rater.model.errors import RaterError
from desktop_rater.work.rubrics.lint import (
    NEW_RUBRIC_SCOPES,
    RubricLint,
    check_rating_files,
    lint_rubric,
    new_rubric,
    outcome_object,
)
from desktop_rater.work.rubrics.rubrics import builtin_ids


@click.group()
def rubric() -> None:
    """Write a rubric, and use it on its own."""


@rubric.command("new")
@click.argument("path", metavar="FILE", type=FILE)
@click.option("--per", type=click.Choice(NEW_RUBRIC_SCOPES), help="The scope of the questions; default: targets.")
@click.option("--from", "source", type=click.Choice(builtin_ids()), help="Copy a built-in rubric instead.")
@json_option
def rubric_new(path: Path, per: str | None, source: str | None, *, as_json: bool) -> int:
    """Create a small rubric with explanations in FILE.

    An existing file is never replaced.
    """
    if per is not None and source is not None:
        raise click.UsageError("--per can't be combined with --from: a built-in rubric has its own questions.")
    name = new_rubric(path, per=per or NEW_RUBRIC_SCOPES[0], source=source)
    lines = (f"{path}: the rubric {name}", f"See its form with: desktop-rater rubric preview {path}")
    print_result({"out": str(path), "id": name}, lines, as_json=as_json)
    return EXIT_OK


@rubric.command("lint")
@click.argument("refs", metavar="RUBRIC...", nargs=-1, required=True)
@click.option("--guidelines", type=FILE, help="Their guidelines in Markdown: each `section` must be a heading.")
@json_option
def rubric_lint(refs: tuple[str, ...], guidelines: Path | None, *, as_json: bool) -> int:
    """Report everything that is wrong with each RUBRIC, a TOML file or a built-in id: table, line and reason.

    Exit status: 0 nothing, 1 only remarks, 2 a fault that prevents loading it.
    """
    results = [lint_rubric(ref, guidelines) for ref in refs]
    lines = (line for linted in results for line in _lint_lines(linted))
    print_result([pick(linted, "file", "rubric", "findings") for linted in results], lines, as_json=as_json)
    levels = {finding.level for linted in results for finding in linted.findings}
    return EXIT_REFUSED if "fault" in levels else EXIT_ATTENTION if levels else EXIT_OK


def _lint_lines(linted: RubricLint) -> list[str]:
    if not linted.findings:
        return [f"{linted.file}: {linted.rubric}, no findings"]
    return [
        f"{linted.file}, line {finding.line}, {finding.table}: "
        f"{'' if finding.level == 'fault' else 'remark: '}{finding.reason}"
        for finding in linted.findings
    ]


@rubric.command("preview")
@click.argument("ref", metavar="RUBRIC")
@click.option("--tasks", type=FILE, help="Show these tasks, a .jsonl file, instead of samples.")
@click.option("--ratings", type=FILE, help="Fill in these ratings, a .jsonl file, instead of sample answers.")
@click.option("--guidelines", type=FILE, help="Its guidelines in Markdown.")
@click.pass_obj
def rubric_preview(store: Path, ref: str, tasks: Path | None, ratings: Path | None, guidelines: Path | None) -> int:
    """Open the window on the form of RUBRIC, a TOML file or a built-in id, with sample tasks and answers.

    No store is used: answers are discarded when the window is closed. Changes of the file are shown at once.
    """
    if ratings is not None and tasks is None:
        raise RaterError("--ratings requires the rated tasks.", hint="Name them with --tasks.")
    return open_preview(store, rubric=ref, tasks=tasks, ratings=ratings, guidelines=guidelines)


@rubric.command("check")
@click.argument("rubric_ref", metavar="RUBRIC")
@click.argument("tasks", type=INPUT)
@click.argument("ratings", type=INPUT)
@click.option("--json", is_flag=True, expose_value=False, help="The output is always JSON.")
def rubric_check(rubric_ref: str, tasks: Path, ratings: Path) -> int:
    """Decide and check RATINGS of TASKS by RUBRIC, a built-in id or a TOML file.

    Two .json files contain one object each; two .jsonl files are paired line by line.
    """
    blocked = False
    for outcome in check_rating_files(rubric_ref, tasks, ratings):
        print_json(outcome_object(outcome))
        blocked = blocked or outcome.blocking > 0
    return EXIT_ATTENTION if blocked else EXIT_OK
