"""JSON and JSON lines that lie in plain files beside the zips: tasks to bundle, ratings to store or check."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from desktop_rater.bundle.limits import LIMITS
from desktop_rater.bundle.lines import TaskLine, read_line, read_lines, read_task
from desktop_rater.bundle.put import put_in_place
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.model.kept import Kept
from desktop_rater.model.strict_json import BOM, NotSound, read_file, read_struct

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

K = TypeVar("K", bound=Kept)

_CHUNK = 2**20
_HINT = "Nothing was changed."


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a `.jsonl` file. Raises `BundleError`."""
    with named(path, "read", _HINT), path.open("rb") as file:
        yield from read_lines(iter(lambda: file.read(_CHUNK), b""), path.name, LIMITS)


def task_lines(path: Path) -> Iterator[TaskLine]:
    """The tasks of a `.jsonl` file, good or not. Raises `BundleError` where a line is not one sound object."""
    seen: dict[str, int] = {}
    with named(path, "read", _HINT):
        for number, line in raw_lines(path):
            yield read_task(number, line, path.name, seen)


def structs(path: Path, shape: type[K]) -> Iterator[tuple[str, K]]:
    """(where it stands, struct): of each line of a `.jsonl` file, or of the one object of any other.

    Raises `BundleError` naming file, line, task and field.
    """
    with named(path, "read", _HINT):
        if path.suffix == ".jsonl":
            yield from structs_of_lines(path, shape)
        else:
            yield path.name, struct_of(path, shape)


def struct_of(path: Path, shape: type[K]) -> K:
    """The one object of a JSON file. Raises `BundleError` naming file and field."""
    with named(path, "read", _HINT):
        data = _bytes_of(path, LIMITS.line_bytes)
        try:
            return read_struct(read_file(data), shape)
        except NotSound as error:
            raise NotSound(f"{path.name}: {error}") from None


def structs_of_lines(path: Path, shape: type[K]) -> Iterator[tuple[str, K]]:
    """(where it stands, struct) of each line, whatever the file is called. Raises `BundleError` as `structs` does."""
    with named(path, "read", _HINT):
        for number, line in raw_lines(path):
            yield f"{path.name}, line {number}", read_line(number, line, path.name, shape)


def text_of(path: Path, most: int = LIMITS.rubric_bytes) -> str:
    """A small file as text, without its BOM. Raises `BundleError`."""
    with named(path, "read", _HINT):
        data = _bytes_of(path, most)
        try:
            return data.removeprefix(BOM).decode()
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise Fault(f"line {line}: not UTF-8 (save the file as UTF-8)") from None


def _bytes_of(path: Path, most: int) -> bytes:
    """The whole of it. Its size is no promise: a pipe says 0, and a device may never end."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise Fault(f"It is larger than {most:,} bytes")
    return data


@contextmanager
def write_lines(path: Path) -> Generator[Callable[[bytes], None]]:
    """Gives a function that takes lines without their end; the file is put in place, whole, when the block ends well.

    Raises `BundleError`, and then what was there is as it was.
    """
    with named(path, "written", _HINT), put_in_place(path) as beside, beside.open("xb") as file:
        yield lambda line: _write_line(file, line)
        file.flush()
        os.fsync(file.fileno())


def _write_line(file: BinaryIO, line: bytes) -> None:
    file.write(line + b"\n")
