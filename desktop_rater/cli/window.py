"""Commands that need a window. Qt is imported only when one of them runs."""

import gc
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from desktop_rater.cli.output import EXIT_ATTENTION, EXIT_OK, json_option, print_result, terminal_progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.values import utc_now
from desktop_rater.paths import settings_file
from desktop_rater.work.rating.settings_file import peek_settings


def open_window(folder: Path) -> int:
    """Open the window on a store, until it is closed."""
    if _no_screen() and "QT_QPA_PLATFORM" not in os.environ:
        raise RaterError("There is no display for the window.", hint="The commands work without one: see --help.")
    # Everything loaded now stays until the end. Scanning it for garbage now and at each later collection would take
    # noticeable time. From the first paint on, the application collects in its own thread.
    gc.disable()
    from desktop_rater.ui.window.startup import paint_first  # noqa: PLC0415 - see above

    first = paint_first(folder, now=utc_now)
    from desktop_rater import app  # noqa: PLC0415 - the window is on the screen by now

    gc.freeze()
    _keep_secrets_from_children()
    _exit_on_signals()
    return app.open_window(folder, now=utc_now, first=first)


def open_preview(store: Path, **previewed: Any) -> int:
    """Open the window on a rubric until it is closed. The store only provides the settings."""
    if _no_screen() and "QT_QPA_PLATFORM" not in os.environ:
        raise RaterError("There is no display for the window.", hint="rubric lint works without one.")
    from desktop_rater.work.rubrics.preview import PreviewSource, begin_preview  # noqa: PLC0415 - rubric lint needs none of it

    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as folder:
        preview = PreviewSource(folder=Path(folder), **previewed)
        begin_preview(preview, now=utc_now)  # a rubric that can't be loaded is refused before a window opens
        from desktop_rater import app  # noqa: PLC0415 - see above

        _keep_secrets_from_children()
        _exit_on_signals()
        return app.preview_rubric(preview, peek_settings(settings_file(store)), now=utc_now)


@click.command("self-test")
@json_option
def self_test(*, as_json: bool) -> int:
    """Do the main tasks on the sample in a temporary store, then open the window once offscreen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from desktop_rater import app  # noqa: PLC0415 - see above
    from desktop_rater.work.self_test import run_self_test  # noqa: PLC0415 - it does the work of nearly all commands

    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as folder:
        steps = run_self_test(Path(folder), terminal_progress("Self-test"), now=utc_now)
        steps = (*steps, app.try_window(Path(folder) / "window", now=utc_now))
    failed = [step for step in steps if not step.passed]
    lines = [
        f"{'passed' if step.passed else 'FAILED'}  {step.name}{step.detail and ': '}{step.detail}" for step in steps
    ]
    print_result({"steps": steps}, lines, as_json=as_json)
    return EXIT_ATTENTION if failed else EXIT_OK


def _keep_secrets_from_children() -> None:
    """Remove secrets from the environment of child processes; the copy in `os.environ` keeps them for the window."""
    from desktop_rater.work import credentials  # noqa: PLC0415 - see above

    for name in (credentials.HUB_PASSWORD_VARIABLE, credentials.MODEL_KEY_VARIABLE, credentials.PASS_PHRASE_VARIABLE):
        os.unsetenv(name)


def _exit_on_signals() -> None:
    """Exit at once on a signal: an exception would be lost in Qt's event loop, and every answer is on disk anyway."""
    for name in ("SIGTERM", "SIGHUP"):
        if name in signal.Signals.__members__:
            signal.signal(signal.Signals[name], signal.SIG_DFL)


def _no_screen() -> bool:
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not display
