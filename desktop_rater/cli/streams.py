"""Parameter types of files that a command reads or writes, where `-` is standard input or output."""

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import click

from desktop_rater.cli.output import is_output_to_stdout, print_message, reserve_stdout, standard_input
from desktop_rater.files import STANDARD_OUTPUT, DestinationError, descriptor, temporary_folder
from desktop_rater.model.errors import RaterError

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
