"""Entry point: the lazily loaded group of commands, their completion, and the handler of all their errors."""

import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
from click.shell_completion import get_completion_class, shell_complete

from desktop_rater import __version__
from desktop_rater.cli.frame import COMPLETE_VARIABLE, guarded, open_window
from desktop_rater.cli.output import (
    EXIT_ATTENTION,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_REFUSED,
    LazyGroup,
    print_error,
    print_message,
    verbosity_options,
)
from desktop_rater.cli.window import open_files
from desktop_rater.format.change import Cancelled
from desktop_rater.format.errors import RaterError
from desktop_rater.paths import default_store

PROGRAM = "desktop-rater"
_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print a script for a shell that completes commands, options and file names with Tab.

    For bash, add `eval "$(desktop-rater completion bash)"` to ~/.bashrc; for zsh, the same with zsh to ~/.zshrc. For
    fish, save it as ~/.config/fish/completions/desktop-rater.fish.
    """
    shell_class = get_completion_class(shell)
    assert shell_class is not None, "click knows all of them"
    script = shell_class(context.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE)
    click.echo((script.source_template % script.source_vars()).strip())
    return EXIT_OK


def complete(command: click.Command, instruction: str) -> int:
    """Print the completions of the words in the environment. Nothing else is done, and no error is shown."""
    try:
        return shell_complete(command, {}, PROGRAM, COMPLETE_VARIABLE, instruction)
    except Exception:  # noqa: BLE001 - a message would appear in the middle of a typed line
        return EXIT_ATTENTION


class ProgramGroup(LazyGroup):
    """The commands of the program; files in the place of a command are opened in the window."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        words = list(args)  # click empties its list where the first word looks like an option
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            # After `--` a file may be called like an option. No error for a name that is too long to exist.
            if os.path.exists(words[0]):  # noqa: PTH110
                return "open", open_files, ["--", *words] if words[0].startswith("-") else words
            raise click.UsageError(f"{error.message.rstrip('.')}, and no such file.", ctx) from None


_SHOW_TRACEBACKS = "DESKTOP_RATER_TRACEBACK"
_NO_MEMORY = re.compile("without( setting an)? exception|failed to map segment|[Cc]annot allocate memory")


# Modules of the commands.
COMMANDS = {
    "Bundles": {"bundle": "bundles:bundle", "import": "bundles:import_bundles", "rubric": "bundles:rubric"},
    "Rating": {
        "status": "ratings:status",
        "rate": "ratings:rate",
        "fetch": "pages:fetch",
        "pages": "pages:pages",
        "key": "hub:key",
    },
    "Results": {"export": "ratings:export", "check": "store:check", "results": "ratings:results"},
    "Auditing": {"audit": "audit:audit", "stats": "stats:stats"},
    "Hub": {"hub": "hub:hub", "sync": "sync:sync_command"},
    "Store": {"doctor": "store:doctor", "backup": "store:backup", "restore": "store:restore"},
    "Other": {
        "schema": "store:schema",
        "completion": "root:completion",
        "self-test": "window:self_test",
    },
}


@click.group(
    cls=ProgramGroup,
    table=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--store", type=click.Path(path_type=Path), help="The folder of the store; default: the user's own.")
@click.option("--new-window", is_flag=True, help="Open a window even if the store has one; it can only be read there.")
@click.version_option(__version__, message="Desktop Rater %(version)s")
@click.pass_context
def commands(context: click.Context, store: Path | None, *, new_window: bool) -> int | None:
    """Judge, offline and with evidence, whether what an AI wrote is true.

    Without a command the window opens; instead of a command, files can be given to import there, such as kelp.rater.

    Exit status: 0 done, 1 done with remarks, 2 refused, 130 interrupted.
    """
    context.obj = store if store is not None else default_store()
    return open_window(context.obj, another=new_window) if context.invoked_subcommand is None else None


commands.params += verbosity_options()


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit status."""
    args = list(sys.argv[1:] if arguments is None else arguments)
    if instruction := os.environ.get(COMPLETE_VARIABLE):
        return complete(commands, instruction)
    return guarded(partial(_run, args))


def _run(args: list[str]) -> int:
    try:
        with terminating_signals_as_interrupt(), commands.make_context("desktop-rater", args) as context:
            status = commands.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    return status if isinstance(status, int) else EXIT_OK


def report_error(error: BaseException) -> int:
    """Report an error of a command or of the window, and return the exit status."""
    if isinstance(error, ImportError | SystemError | OSError) and _NO_MEMORY.search(str(error)):
        error = MemoryError()  # of C code, the dynamic linker and the system, which do not say so by type
    if isinstance(error, ImportError):
        from desktop_rater.operations.missing_library import library_error  # noqa: PLC0415 - rarely needed

        error = library_error(error) or error
    match error:
        case BrokenPipeError():
            # The reader of the output is gone; nothing can be printed, not even at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return EXIT_OK
        case click.Abort() | KeyboardInterrupt() | Cancelled():
            _release(error)
            click.echo("\nInterrupted.", err=True)
            return EXIT_INTERRUPTED
        case click.ClickException():
            error.show()
        case RaterError():
            print_error(error)
        case OSError():  # errors of files are raised as RaterError below, so this is about the output
            print_message(f"The output can't be written: {error.strerror or error}.")
        case MemoryError():
            print_message("There is not enough memory for this.")
            print_message("  Nothing was stored. Close other programs, then try again.")
        case _:
            _report_bug(error)
    return EXIT_REFUSED


@contextmanager
def terminating_signals_as_interrupt() -> Generator[None]:
    """Handle termination signals like Ctrl-C, so that an unfinished command is rolled back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]
    old_handlers = {name: signal.signal(name, _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in old_handlers.items():
            signal.signal(name, handler)


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _release(interrupt: BaseException | None) -> None:
    """Release what was being done. An object that was only half made, such as a ZipFile, complains of it to nobody."""
    complain, sys.unraisablehook = sys.unraisablehook, lambda _complaint: None
    try:
        while interrupt is not None:
            traceback.clear_frames(interrupt.__traceback__)
            interrupt = interrupt.__context__
    finally:
        sys.unraisablehook = complain


def _report_bug(error: BaseException) -> None:
    """Report a bug of the program, without its message, which may contain rated texts."""
    if os.environ.get(_SHOW_TRACEBACKS):
        raise error
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "desktop_rater" in frame.filename]
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    print_message(
        f"This is a bug in Desktop Rater {__version__}, not a problem of your files: {type(error).__name__}{place}."
    )
    print_message(f"  Run it again with {_SHOW_TRACEBACKS}=1 to see details.")
