"""The one entry: the group of commands, and the one handler of what goes wrong in them."""

from __future__ import annotations

import io
import os
import sys
import traceback
from pathlib import Path

import click

from desktop_rater import __version__
from desktop_rater.cli.answer import DONE, INTERRUPTED, REFUSED, say, say_trouble
from desktop_rater.cli.bundles import bundle, import_bundles
from desktop_rater.cli.care import doctor
from desktop_rater.cli.checking import check, rubric, schema
from desktop_rater.cli.ratings import export, rate, status
from desktop_rater.cli.window import open_window, self_test, tour
from desktop_rater.model.progress import Cancelled
from desktop_rater.model.trouble import RaterError
from desktop_rater.paths import default_store

_SHOW_TRACEBACKS = "DESKTOP_RATER_TRACEBACK"


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--store", type=click.Path(path_type=Path), help="The folder of the store; the user's own without it.")
@click.version_option(__version__, message="Desktop Rater %(version)s")
@click.pass_context
def commands(context: click.Context, store: Path | None) -> int | None:
    """Judge, offline and with evidence, whether what an AI wrote is true.

    Without a command the window opens. Exit status: 0 done, 1 done and something is to be looked at, 2 refused,
    130 interrupted.
    """
    context.obj = store if store is not None else default_store()
    return open_window(context.obj) if context.invoked_subcommand is None else None


for command in (bundle, import_bundles, status, rate, export, rubric, check, doctor, schema, self_test, tour):
    commands.add_command(command)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        done = commands.main(args=arguments, prog_name="desktop-rater", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has gone; nothing more can be said, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE
    except (click.Abort, KeyboardInterrupt, Cancelled):
        say("\nInterrupted.")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the one handler of what goes wrong in a command
        _explain(error)
        return REFUSED
    return done if isinstance(done, int) else DONE


def _explain(error: Exception) -> None:
    match error:
        case click.ClickException():
            error.show()
        case RaterError():
            say_trouble(error)
        case OSError():  # files are read and written below, and told of as a RaterError
            say(f"The answer can't be written: {error.strerror or error}.")
        case _:
            _bug(error)


def _bug(error: Exception) -> None:
    """A fault of the program. The texts that are rated are kept out of what is shown: they may stand in the message."""
    if os.environ.get(_SHOW_TRACEBACKS):
        raise error
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "desktop_rater" in frame.filename]
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    say(f"This is a fault of Desktop Rater {__version__}, not of your files: {type(error).__name__}{place}.")
    say(f"  Set {_SHOW_TRACEBACKS}=1 and run it again to see where.")
