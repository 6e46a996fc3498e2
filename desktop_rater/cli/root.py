"""The one entry: the group of commands, and the one handler of what goes wrong in them."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from desktop_rater import __version__
from desktop_rater.cli.answer import DONE, INTERRUPTED, REFUSED, say, say_trouble
from desktop_rater.cli.lazy import Lazy
from desktop_rater.cli.window import open_window
from desktop_rater.model.progress import Cancelled
from desktop_rater.model.trouble import RaterError
from desktop_rater.paths import default_store

if TYPE_CHECKING:
    from collections.abc import Generator

_SHOW_TRACEBACKS = "DESKTOP_RATER_TRACEBACK"


# Where each command stands.
COMMANDS = {
    "audit": "audit:audit",
    "backup": "backing_up:backup",
    "bundle": "bundles:bundle",
    "check": "checking:check",
    "doctor": "care:doctor",
    "export": "ratings:export",
    "fetch": "pages:fetch",
    "hub": "hub:hub",
    "import": "bundles:import_bundles",
    "key": "key:key",
    "pages": "pages:pages",
    "rate": "ratings:rate",
    "restore": "backing_up:restore",
    "results": "results:results",
    "rubric": "rubrics:rubric",
    "schema": "checking:schema",
    "self-test": "window:self_test",
    "stats": "stats:stats",
    "status": "ratings:status",
    "sync": "sync:sync_command",
    "tour": "window:tour",
}


@click.group(
    cls=Lazy,
    table=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
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


def main(arguments: list[str] | None = None) -> int:
    """Run one command; its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with interruptible(), commands.make_context("desktop-rater", words) as context:
            done = commands.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except BrokenPipeError:
        # The reader of the output has gone; nothing more can be said, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE
    except (click.Abort, KeyboardInterrupt, Cancelled):
        click.echo("\nInterrupted.", err=True)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the one handler of what goes wrong in a command
        _explain(error)
        return REFUSED
    return done if isinstance(done, int) else DONE


@contextmanager
def interruptible() -> Generator[None]:
    """A command that is asked to end by a signal ends as after Ctrl-C: what it began is taken back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]
    before = {name: signal.signal(name, _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _explain(error: Exception) -> None:
    match error:
        case click.ClickException():
            error.show()
        case RaterError():
            say_trouble(error)
        case OSError():  # files are read and written below, and told of as a RaterError
            say(f"The answer can't be written: {error.strerror or error}.")
        case MemoryError():
            say("There is too little memory for that.")
            say("  Nothing half of it is in the store. Close other programs, then try again.")
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
