"""Commands that need a window. Qt is imported only when one of them runs."""

from pathlib import Path

import click

from desktop_rater.cli.frame import open_window, use_offscreen_platform
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, json_option, print_result, terminal_progress
from desktop_rater.files import temporary_folder
from desktop_rater.format.values import utc_now


@click.command(add_help_option=False)
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.pass_context
def open_files(context: click.Context, files: tuple[Path, ...]) -> int:
    """Open files in the window; the program without a command, but with files."""
    return open_window(context.obj, files, another=context.find_root().params["new_window"])


@click.command("self-test")
@json_option
def self_test(*, as_json: bool) -> int:
    """Do the main tasks on the sample in a temporary store, then open the window once offscreen."""
    use_offscreen_platform()
    from desktop_rater import app  # noqa: PLC0415 - see above
    from desktop_rater.operations.self_test import run_self_test  # noqa: PLC0415 - it does the work of nearly all commands

    with temporary_folder() as folder:
        steps = run_self_test(Path(folder), terminal_progress("Self-test"), now=utc_now)
        steps = (*steps, app.try_window(Path(folder) / "window", now=utc_now))
    failed = [step for step in steps if not step.passed]
    lines = [
        f"{'passed' if step.passed else 'FAILED'}  {step.name}{step.detail and ': '}{step.detail}" for step in steps
    ]
    print_result({"steps": steps}, lines, as_json=as_json)
    return EXIT_ATTENTION if failed else EXIT_OK
