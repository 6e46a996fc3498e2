"""Commands that need a window. Qt is imported only when one of them runs."""

import gc
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater.cli.frame import hand_over, has_no_screen, paint_frame, use_offscreen_platform
from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, json_option, print_result, terminal_progress
from desktop_rater.files import temporary_folder
from desktop_rater.format.errors import RaterError
from desktop_rater.format.opened_files import can_open
from desktop_rater.format.values import utc_now

OPEN_WINDOW = "desktop_rater.open_window"  # key of the context's `meta`: the function that opens the window

if TYPE_CHECKING:
    from desktop_rater.ui.window.startup import FirstPaint


def open_window(
    folder: Path, first: "FirstPaint | None" = None, files: Sequence[Path] = (), *, another: bool = False
) -> int:
    """Open files in the window on a store that is open, or open one until it is closed; `another`: in any case.

    `first` is its frame if that is on the screen already.
    """
    if not can_open(files):
        name = next((path for path in files if not can_open((path,))), files[0]).name
        kinds = "bundles, results and folders, or files of records such as CSV and JSON lines"
        raise RaterError(f"{name} can't be opened", f"The window opens {kinds}, not both at once.")
    if has_no_screen():
        raise RaterError("There is no display for the window.", hint="The commands work without one: see --help.")
    if first is None and not another and hand_over(folder, files):
        return EXIT_OK
    first = first or paint_frame(folder)
    from desktop_rater.app import open_desktop_window  # noqa: PLC0415 - the window is on the screen by now

    gc.freeze()
    keep_secrets_from_children()
    exit_on_signals()
    late = None if another else hand_over
    return open_desktop_window(folder, files, now=utc_now, first=first, hand_over=late)


@click.command(add_help_option=False)
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.pass_context
def open_files(context: click.Context, files: tuple[Path, ...]) -> int:
    """Open files in the window; the program without a command, but with files."""
    return context.meta[OPEN_WINDOW](files)


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


def keep_secrets_from_children() -> None:
    """Remove secrets from the environment of child processes; the copy in `os.environ` keeps them for the window."""
    from desktop_rater.operations import credentials  # noqa: PLC0415 - see above

    for name in (credentials.HUB_VARIABLE, credentials.MODEL_KEY_VARIABLE, credentials.KEY_VARIABLE):
        os.unsetenv(name)


def exit_on_signals() -> None:
    """Exit at once on a signal until the window is open, which then saves and quits: `ui.window.window_requests`."""
    for name in ("SIGTERM", "SIGHUP"):
        if name in signal.Signals.__members__:
            signal.signal(signal.Signals[name], signal.SIG_DFL)
