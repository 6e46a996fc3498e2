"""Commands for who writes a rubric: begin one, find what is wrong with it, look at it, try it on ratings."""

from __future__ import annotations

from pathlib import Path

import click

from desktop_rater.cli.answer import DONE, LOOK, REFUSED, json_option, print_json, show
from desktop_rater.cli.window import open_preview
from desktop_rater.model.trouble import RaterError
from desktop_rater.work.check_rubric import as_line, check_files
from desktop_rater.work.lint_rubric import Linted, lint_rubric
from desktop_rater.work.new_rubric import SCOPES, new_rubric
from desktop_rater.work.rubrics import builtin_ids

_FILE = click.Path(path_type=Path)


@click.group()
def rubric() -> None:
    """Write a rubric, and use it on its own."""


@rubric.command("new")
@click.argument("path", metavar="FILE", type=_FILE)
@click.option("--per", type=click.Choice(SCOPES), help="What the questions are asked of; targets without it.")
@click.option("--from", "source", type=click.Choice(builtin_ids()), help="Copy a built-in rubric instead.")
@json_option
def rubric_new(path: Path, per: str | None, source: str | None, *, as_json: bool) -> int:
    """Begin a rubric: write a small one, with words on how to go on, to FILE.

    Nothing that is there already is replaced.
    """
    if per is not None and source is not None:
        raise click.UsageError("--per and --from don't go together: a built-in rubric asks what it asks.")
    name = new_rubric(path, per=per or SCOPES[0], source=source)
    lines = (f"{path}: the rubric {name}", f"See its form with: desktop-rater rubric preview {path}")
    show({"out": str(path), "id": name}, lines, as_json=as_json)
    return DONE


@rubric.command("lint")
@click.argument("refs", metavar="RUBRIC...", nargs=-1, required=True)
@click.option("--guidelines", type=_FILE, help="The Markdown that goes with them: each `section` must be a heading.")
@json_option
def rubric_lint(refs: tuple[str, ...], guidelines: Path | None, *, as_json: bool) -> int:
    """Say all that is wrong with each RUBRIC, a TOML file or a built-in id: table, line and reason.

    Exit status: 0 nothing, 1 only remarks, 2 a fault, with which it would not be loaded.
    """
    linted = [lint_rubric(ref, guidelines) for ref in refs]
    result = [{"file": one.file, "rubric": one.rubric, "findings": one.findings} for one in linted]
    show(result, (line for one in linted for line in _lines(one)), as_json=as_json)
    levels = {finding.level for one in linted for finding in one.findings}
    return REFUSED if "fault" in levels else LOOK if levels else DONE


def _lines(linted: Linted) -> list[str]:
    if not linted.findings:
        return [f"{linted.file}: {linted.rubric}, nothing to say"]
    return [
        f"{linted.file}, line {one.line}, {one.table}: {'' if one.level == 'fault' else 'remark: '}{one.reason}"
        for one in linted.findings
    ]


@rubric.command("preview")
@click.argument("ref", metavar="RUBRIC")
@click.option("--tasks", type=_FILE, help="Show these tasks, a .jsonl file, instead of made-up ones.")
@click.option("--ratings", type=_FILE, help="Fill in these ratings, a .jsonl file, instead of made-up answers.")
@click.option("--guidelines", type=_FILE, help="The Markdown that goes with it.")
@click.pass_obj
def rubric_preview(store: Path, ref: str, tasks: Path | None, ratings: Path | None, guidelines: Path | None) -> int:
    """Open the window on the form of RUBRIC, a TOML file or a built-in id, with sample tasks and answers.

    No store is touched: whatever is answered is gone when the window is closed. While it is open, each change of the
    file shows at once.
    """
    if ratings is not None and tasks is None:
        raise RaterError("Ratings need the tasks that they rate.", hint="Name them with --tasks.")
    return open_preview(store, rubric=ref, tasks=tasks, ratings=ratings, guidelines=guidelines)


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
