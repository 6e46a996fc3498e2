"""Output and input of commands: results, messages, files, and one of four exit statuses."""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO, TypeVar

import click
import msgspec
from click.shell_completion import CompletionItem

from desktop_rater.files import STANDARD_OUTPUT, DestinationError, descriptor, temporary_folder
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.hooks import hook, installed_plugins, resolve
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


_STANDARD_INPUT = "standard input"
_STDIN_WAS_READ = "desktop_rater.stdin"  # key of the context
_MOST = 4 * 2**30  # bytes
_PIECE = 2**20
_STDOUT, _STDERR = 1, 2


class InputPath(click.Path):
    """Parameter type of a file to read. Standard input and pipes are copied to a file, since many are read twice."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is None or ctx.resilient_parsing:  # completion reads nothing
            return path
        name = _STANDARD_INPUT if value == "-" else path.name
        try:
            if value == "-":
                source = standard_input().buffer
                if ctx.meta.get(_STDIN_WAS_READ):
                    raise click.UsageError("Standard input can be read only once.")
                ctx.meta[_STDIN_WAS_READ] = True
                return _spool(source, name, ctx)
            if path.is_fifo():
                _say_pipe(name, "writes to")
                with path.open("rb") as pipe:
                    return _spool(pipe, name, ctx)
        except OSError as error:
            raise RaterError(f"{name} can't be read.", f"{error.strerror or error}.") from error
        return path


def _spool(source: BinaryIO, name: str, ctx: click.Context) -> Path:
    """Copy a stream to a temporary file called `name`, which is removed when the command ends."""
    folder = temporary_folder()
    path = Path(ctx.find_root().with_resource(folder)) / name
    size = 0
    with path.open("xb") as file:
        while piece := source.read(_PIECE):
            size += len(piece)
            if size > _MOST:
                raise RaterError(f"{name} can't be read.", f"It is longer than {_MOST:,} bytes.")
            file.write(piece)
    with suppress(OSError):  # of a stream without a file, or without a number
        source_stat = os.fstat(source.fileno())
        if stat.S_ISREG(source_stat.st_mode):  # `< FILE`: its time becomes that of a bundle
            os.utime(path, ns=(source_stat.st_atime_ns, source_stat.st_mtime_ns))
    return path


def _say_pipe(name: str, does: str) -> None:
    print_message(f"{name} is a pipe: the command waits until another program {does} it.")


class OutputPath(click.Path):
    """Parameter type of a file to write. With standard output, everything else is printed to standard error."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, readable=False)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = STANDARD_OUTPUT if value == "-" else Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is None or ctx.resilient_parsing:
            return path
        with suppress(OSError, DestinationError):  # the command refuses it
            if path.is_fifo():
                _say_pipe(path.name, "reads from")
            number = descriptor(path)
            if number is not None:
                _refuse_closed(path, number)
            if number == _STDOUT:
                if is_output_to_stdout():
                    raise click.UsageError("Only one file can be written to standard output.")
                reserve_stdout(ctx)
        return path


def _refuse_closed(path: Path, number: int) -> None:
    """Raise if no stream is open by now. A file of the program, such as the store, could get its number later."""
    try:
        os.fstat(number)
        # Not `sys.stderr`: a program without a console has another there.
        is_open = {_STDOUT: sys.stdout, _STDERR: sys.__stderr__}.get(number, path) is not None
    except OSError:
        is_open = False
    if not is_open:
        raise RaterError(f"{path} is not open.", "Nothing was written.", "Name a file.")


INPUT = InputPath()
OUTPUT = OutputPath()


class ExtensibleGroup(click.Group):
    """A group of commands to which plug-ins add others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        own, others = super().list_commands(ctx), list(_plugin_commands(ctx))
        return sorted({*own, *others}) if own else others  # a plug-in's own group keeps the order of its table

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if command is None and cmd_name in (places := _plugin_commands(ctx)):
            command = resolve(places[cmd_name])
            accept_verbosity(command)
        return command


class LazyGroup(ExtensibleGroup):
    """A group of the commands of a table, in sections: name → `module:function` in this package."""

    def __init__(self, *args: Any, table: Mapping[str, Mapping[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sections = table
        self._table = {name: place for section in table.values() for name, place in section.items()}

    def sections(self, ctx: click.Context) -> dict[str, list[str]]:
        """Return the names of the commands by section; those of plug-ins are in the last one."""
        names = {title: list(section) for title, section in self._sections.items()}
        names[next(reversed(names))] += _plugin_commands(ctx)
        return names

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in self.sections(ctx).values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._table:
            return super().get_command(ctx, cmd_name)
        command: click.Command = resolve(f"desktop_rater.cli.{self._table[cmd_name]}")
        accept_verbosity(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete names, without the help of each command, which would load all of them."""
        names = [CompletionItem(name) for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of commands for each section."""
        sections = self.sections(ctx)
        longest = max(len(name) for section in sections.values() for name in section)
        for title, section in sections.items():
            commands = [(name, self.get_command(ctx, name)) for name in section]
            with formatter.section(title):
                limit = formatter.width - formatter.current_indent - longest - 4
                formatter.write_dl(
                    [(name.ljust(longest), command.get_short_help_str(limit)) for name, command in commands if command]
                )


def accept_verbosity(command: click.Command) -> None:
    """Add the options of the program that are accepted after each command too."""
    if isinstance(command, LazyGroup):
        return
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            accept_verbosity(subcommand)
        return
    options = {name for param in command.params for name in param.opts}
    command.params += [option for option in verbosity_options(hidden=True) if options.isdisjoint(option.opts)]


def _plugin_commands(ctx: click.Context) -> dict[str, str]:
    """Return the commands that plug-ins add to the group of a context: name → place."""
    words: list[str] = []
    while ctx.parent is not None:
        words.insert(0, ctx.info_name or "")
        ctx = ctx.parent
    print_message(*installed_plugins().faults)
    rows = {tuple(name.split(" ")): place for name, place in hook("commands").items()}
    return {name[-1]: place for name, place in rows.items() if name[:-1] == tuple(words)}
