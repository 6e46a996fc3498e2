"""Output of commands: results to standard output, messages to standard error, one of four exit statuses."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click
import msgspec

from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.text.untrusted import BIDI_CONTROLS, CONTROLS, has_unseen, hidden_characters, normalised_name
from desktop_rater.translation import phrase_text

EXIT_OK, EXIT_ATTENTION, EXIT_REFUSED, EXIT_INTERRUPTED = 0, 1, 2, 130
MAX_LISTED = 20  # lines of one kind, or names in one line

F = TypeVar("F", bound="Callable[..., Any]")
FILE = click.Path(path_type=Path)
_STDOUT_IS_RESERVED, _VERBOSITY = "desktop_rater.stdout", "desktop_rater.verbosity"  # keys of the context
_JSON = "as_json"


def _from_context(key: str, default: int) -> int:
    context = click.get_current_context(silent=True)
    return default if context is None else context.meta.get(key, default)


def is_output_to_stdout() -> bool:
    """Return whether standard output is a file that the command writes, so that nothing else may be printed there."""
    return bool(_from_context(_STDOUT_IS_RESERVED, default=0))


def reserve_stdout(ctx: click.Context) -> None:
    """Keep standard output for a file. Raises `UsageError` if JSON is to be printed there."""
    ctx.meta[_STDOUT_IS_RESERVED] = 1
    _refuse_mixed_output(ctx, None, as_json=ctx.params.get(_JSON, False))


def _refuse_mixed_output(ctx: click.Context, _: click.Parameter | None, as_json: bool) -> bool:
    if as_json and ctx.meta.get(_STDOUT_IS_RESERVED):
        raise click.UsageError("--json prints to standard output, where a file is written already.")
    return as_json


def is_quiet() -> bool:
    """Return whether only errors are to be printed, and the JSON that was asked for."""
    return _from_context(_VERBOSITY, default=0) < 0


def is_verbose() -> bool:
    """Return whether lists are to be printed in full."""
    return _from_context(_VERBOSITY, default=0) > 0


def _set_verbosity(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        wanted = -1 if param.name == "quiet" else 1
        if ctx.meta.setdefault(_VERBOSITY, wanted) != wanted:
            raise click.UsageError("--quiet can't be combined with --verbose.")


def verbosity_options(*, hidden: bool = False) -> Sequence[click.Option]:
    """Return `--quiet` and `--verbose`."""
    return tuple(
        click.Option(
            names, is_flag=True, expose_value=False, callback=_set_verbosity, hidden=hidden, help=f"{text} {_ANYWHERE}"
        )
        for names, text in (
            (("-q", "--quiet"), "Print only errors, and what --json asks for."),
            (("-v", "--verbose"), "Print lists in full."),
        )
    )


_ANYWHERE = "Also after the command."
json_option = click.option(
    "--json", _JSON, is_flag=True, callback=_refuse_mixed_output, help="Print the result as JSON."
)
seed_option = click.option(
    "--seed", type=click.IntRange(-(2**53), 2**53), default=0, show_default=True, help="Seed of the random choice."
)


def add_options(command: F, options: Sequence[Callable[[F], F]]) -> F:
    """Add options to a command, in their order."""
    for option in reversed(options):
        command = option(command)
    return command


def standard_input() -> TextIO:
    """Return standard input. Raises `RaterError` if the program was started without one."""
    if sys.stdin is None:
        raise RaterError("Standard input is closed.")
    return sys.stdin


def read_secret(prompt: str, longest: int, *, confirm: bool = False) -> str:
    """Read a secret: typed invisibly, or from a pipe. Never from the command line, which others can read."""
    if standard_input().isatty():
        return str(click.prompt(prompt, hide_input=True, confirmation_prompt=confirm, err=True))
    return (
        standard_input().read(longest + 1).rstrip("\r\n")
    )  # one character more, so that a longer one is refused, not cut


_CONTROL = re.compile(f"[\t\n\r{CONTROLS}{BIDI_CONTROLS}]")
_TAB_OR_LINE_END = re.compile("[\t\n\r]")


class IdParameter(click.ParamType):
    """Parameter type of an existing id: any UTF-8 text."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail("it is not UTF-8.", param, ctx)
        return value


class TextParameter(IdParameter):
    """Parameter type of a name or a title: non-empty text on one line."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value.strip():
            self.fail("it is empty.", param, ctx)
        if escape_control_characters(value) != value:
            self.fail("it contains control characters.", param, ctx)
        return super().convert(value, param, ctx)


class RaterParameter(TextParameter):
    """Parameter type of a rater's name, which has one spelling; `optional` if "" stands for all raters."""

    def __init__(self, *, optional: bool = False) -> None:
        self._optional = optional

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if _CONTROL.search(value):
            self.fail("the name contains control characters.", param, ctx)
        name = normalised_name(value)
        return name if self._optional and not value else super().convert(name, param, ctx)


TEXT = TextParameter()
ID = IdParameter()
RATER = RaterParameter()
RATER_OR_ALL = RaterParameter(optional=True)


def escape_control_characters(text: str) -> str:
    """Escape characters that a terminal obeys or can't show, or that reorder the others."""
    return _TAB_OR_LINE_END.sub(lambda match: f"\\u{ord(match[0]):04x}", _escape_hidden(text))


def _escape_hidden(text: str) -> str:
    """Replace each hidden character by its escape in JSON; the escapes are valid in JSON strings."""
    if not has_unseen(text):
        return text
    characters = list(text)
    for offset, _name in hidden_characters(text):
        units = text[offset].encode("utf-16-be").hex()
        characters[offset] = "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
    return "".join(characters)


def pick(value: object, *names: str) -> dict[str, Any]:
    """Return some attributes of a value, for JSON."""
    return {name: getattr(value, name) for name in names}


def as_plain(value: Any) -> Any:
    """Return a value as plain JSON types."""
    return msgspec.to_builtins(value, enc_hook=phrase_text)


def print_json(value: Any) -> None:
    """Print one JSON value on one line of standard output."""
    try:
        line = msgspec.json.encode(value, enc_hook=phrase_text)
    except UnicodeEncodeError:
        line = msgspec.json.encode(_without_surrogates(as_plain(value)))
    click.echo(_escape_hidden(line.decode()))


def _without_surrogates(value: Any) -> Any:
    """Escape lone surrogates, which stand for undecodable bytes in file names."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
        case list() | tuple():
            return [_without_surrogates(item) for item in value]
    return value


def print_result(result: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print the result: as JSON, or as text, which is left out if quiet."""
    if as_json:
        print_json(result)
    elif not is_quiet():
        _print_lines(lines, err=is_output_to_stdout())


def _print_lines(lines: Iterable[str], *, err: bool) -> None:
    for line in lines:
        click.echo(escape_control_characters(line), err=err)


def limited_lines(lines: Sequence[str], what: str = "") -> Iterator[str]:
    """Yield the first of many lines, and the number of the remaining ones, or all if verbose. `what` names them."""
    most = max_listed(len(lines))
    yield from lines[:most]
    if len(lines) > most:
        yield f"… and {len(lines) - most:,} more{what and ' '}{what}"


def max_listed(count: int) -> int:
    """Return how many of `count` things of one kind are printed."""
    return count if is_verbose() else MAX_LISTED


def join_names(names: Sequence[str]) -> str:
    """Join the first of many names on one line, and the number of the remaining ones; all names if verbose."""
    most = max_listed(len(names))
    remainder = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + remainder


def print_message(*lines: str) -> None:
    """Print messages that are no result, unless quiet."""
    if not is_quiet():
        _print_lines(lines, err=True)


def print_always(*lines: str) -> None:
    """Print messages even if quiet: what a question is about, and errors of parts of a command."""
    _print_lines(lines, err=True)


def print_error(error: RaterError) -> None:
    """Print an error's title, cause and hint."""
    title = error.title if error.title.endswith((".", "?")) or not error.message else f"{error.title}."
    _print_lines((title, *(f"  {part}" for part in (error.message, error.hint) if part)), err=True)


_UPDATING = {"copy": "Backing up the older store:", "check": "Checking its backups", "update": "Updating the store"}
_LINE = 60  # characters: earlier texts in the line are never longer


def migration_progress(stage: str) -> Progress:
    """Return the terminal progress of a stage of migrating an older store."""
    if stage != "update":
        return terminal_progress(_UPDATING[stage])
    if sys.stderr.isatty() and not is_quiet():
        click.echo(f"\r{_UPDATING[stage]} …".ljust(_LINE), err=True)  # the last stage, and a short one
    return Progress()


def terminal_progress(label: str) -> Progress:
    """Return a progress that is shown on a terminal, and nowhere else."""
    if not sys.stderr.isatty() or is_quiet():
        return Progress()

    last_shown: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        if last_shown[-1:] == [(done, total)]:
            return
        last_shown[:] = [(done, total)]
        share = f" of {total:,} {done / total:4.0%}" if total else ""
        if not done and not total:
            click.echo(f"\r{label} …".ljust(_LINE), err=True, nl=False)
            return
        end = "\n" if total and done >= total else ""
        click.echo(f"\r{label} {done:,}{share}{end}", err=True, nl=False)

    return Progress(tell)
