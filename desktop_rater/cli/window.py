"""The commands that need a window. Qt is loaded here and only when one of them runs, so that `status` needs none."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from desktop_rater.cli.answer import DONE, LOOK, json_option, show, terminal_progress
from desktop_rater.model.limits import now
from desktop_rater.model.trouble import RaterError
from desktop_rater.paths import settings_file
from desktop_rater.work.keep_settings import settings_as_they_are


def open_window(folder: Path) -> int:
    """Open the window on a store, until it is closed."""
    if _no_screen() and "QT_QPA_PLATFORM" not in os.environ:
        raise RaterError("There is no display to open the window on.", hint="The commands work without: see --help.")
    # What is loaded now stays to the end. Looking through it for garbage would be felt, now and at every look later on.
    gc.disable()
    from desktop_rater.ui.first_paint import paint_first  # noqa: PLC0415 - see above

    first = paint_first(folder, now=now)
    from desktop_rater import app  # noqa: PLC0415 - the window is on the screen by now

    gc.freeze()
    gc.enable()
    _keep_secrets_from_children()
    _end_at_once_when_asked()
    return app.open_window(folder, now=now, first=first)


def open_preview(store: Path, **previewed: Any) -> int:
    """Open the window on a rubric until it is closed. The store only says which settings the window wears."""
    if _no_screen() and "QT_QPA_PLATFORM" not in os.environ:
        raise RaterError("There is no display to open the window on.", hint="rubric lint works without one.")
    from desktop_rater.work.preview_rubric import Previewed, begin_preview  # noqa: PLC0415 - rubric lint needs none of it

    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as folder:
        looked_at = Previewed(folder=Path(folder), **previewed)
        begin_preview(looked_at, now=now)  # a rubric that can't be loaded is refused before any window is there
        from desktop_rater import app  # noqa: PLC0415 - see above

        _keep_secrets_from_children()
        _end_at_once_when_asked()
        return app.preview_rubric(looked_at, settings_as_they_are(settings_file(store)), now=now)


@click.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder for the pictures.")
@click.option("--only", metavar="NAME", multiple=True, help="This screen only; more than once for several.")
@click.option("--all", "everywhere", is_flag=True, help="Each screen in every size and look.")
@json_option
def tour(out: Path, only: tuple[str, ...], *, everywhere: bool, as_json: bool) -> int:
    """Take pictures of the window's screens in several sizes and looks, with the sample in a temporary store."""
    _without_a_screen()
    from desktop_rater import app  # noqa: PLC0415 - see above

    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as folder:
        pictures = app.take_tour(Path(folder), out, now=now, only=only, everywhere=everywhere)
    show({"pictures": [str(picture) for picture in pictures]}, map(str, pictures), as_json=as_json)
    return DONE


@click.command("self-test")
@json_option
def self_test(*, as_json: bool) -> int:
    """Do the main job on the sample in a temporary store, then open the window once without a screen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from desktop_rater import app  # noqa: PLC0415 - see above
    from desktop_rater.work.self_test import run_self_test  # noqa: PLC0415 - it does the work of nearly all commands

    with tempfile.TemporaryDirectory(prefix="desktop-rater-") as folder:
        steps = run_self_test(Path(folder), terminal_progress("Self-test"), now=now)
        steps = (*steps, app.try_window(Path(folder) / "window", now=now))
    failed = [step for step in steps if not step.passed]
    lines = [
        f"{'passed' if step.passed else 'FAILED'}  {step.name}{step.detail and ': '}{step.detail}" for step in steps
    ]
    show({"steps": steps}, lines, as_json=as_json)
    return LOOK if failed else DONE


def _keep_secrets_from_children() -> None:
    """A browser and the engine that shows strangers' pages get the environment of this process, but for these.

    What `os.environ` took from it at the start stays there, for the window itself.
    """
    from desktop_rater.work.hub_secrets import PASSWORD  # noqa: PLC0415 - see above
    from desktop_rater.work.keep_secrets import ENVIRONMENT  # noqa: PLC0415 - see above
    from desktop_rater.work.rater_key import PASS_PHRASE  # noqa: PLC0415 - see above

    for name in (PASSWORD, ENVIRONMENT, PASS_PHRASE):
        os.unsetenv(name)


def _end_at_once_when_asked() -> None:
    """By a signal: an exception would be lost in Qt's loop, and every answer is on disk anyway."""
    for name in ("SIGTERM", "SIGHUP"):
        if name in signal.Signals.__members__:
            signal.signal(signal.Signals[name], signal.SIG_DFL)


def _without_a_screen() -> None:
    """Draw offscreen where there is no display; a display that is there is used."""
    if _no_screen():
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def _no_screen() -> bool:
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and not display
