"""Read and write JSON, JSON lines and CSV cells, in zips and in plain files."""

import csv
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from desktop_rater.files import replaced_file
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.rating import Rating
from desktop_rater.format.safe_zip import LIMITS, Limits, quoted_name
from desktop_rater.format.strict_json import (
    BOM,
    OpenStruct,
    StrictJsonError,
    numbered_lines,
    read_json_file,
    read_json_object,
    read_struct,
)
from desktop_rater.format.task import Task


class TaskLine(msgspec.Struct, frozen=True, kw_only=True):
    r"""Line of tasks.jsonl.

    `raw` is the exact line, including a "\r", without its "\n" and the file's BOM. `task` is `None` for an object that
    is not a valid task; `error` is then the reason, naming line, id and field, and `id` is set if one can be read.
    """

    number: int
    raw: bytes
    task: Task | None = None
    id: str | None = None
    error: str = ""


class RatingLine(msgspec.Struct, frozen=True, kw_only=True):
    r"""Line of ratings.jsonl; `raw` is the exact line, without its "\n"."""

    number: int
    raw: bytes
    rating: Rating


def read_lines(chunks: Iterable[bytes], name: str, limits: Limits) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines of the file `name`. Raises `BundleFault`."""
    try:
        for number, raw in numbered_lines(chunks, limits.line_bytes):
            if number > limits.lines:
                raise BundleFault(f"{name} has more than {limits.lines:,} lines")
            check_parts(number, raw, name, limits)
            yield number, raw
    except StrictJsonError as error:
        raise BundleFault(f"{name}, {error}") from error


def check_parts(number: int, raw: bytes, name: str, limits: Limits) -> None:
    """Raise `BundleFault` if the line would take many times its size in memory."""
    if len(raw) <= min(limits.line_parts, limits.line_quotes, limits.line_commas):
        return
    for signs, most, what in (
        ((b"[", b"{"), limits.line_parts, "lists and objects"),
        ((b'"',), limits.line_quotes, "quotation marks"),
        ((b",",), limits.line_commas, "commas"),
    ):
        if len(raw) > most and sum(map(raw.count, signs)) > most:
            raise BundleFault(f"{name}, line {number}: it has more than {most:,} {what}")


class SeenIds:
    """Ids of lines: a temporary database, of which SQLite holds a few MB in memory and the rest on disk."""

    def __init__(self) -> None:
        import sqlite3  # noqa: PLC0415 - the window is painted before it is needed

        self._failed: type[Exception] = sqlite3.OperationalError
        self._db = sqlite3.connect("", check_same_thread=False)
        self._db.executescript("""
            PRAGMA journal_mode = OFF;
            CREATE TABLE seen (id TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID;
            BEGIN
        """)

    def add(self, id_: str, line: int) -> int | None:
        """Add an id; return the line that had it before, if there was one. Raises `BundleFault` if the disk is full."""
        try:
            if self._db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (id_, line)).rowcount:
                return None
        except self._failed as error:
            raise BundleFault(f"Temporary files can't be written: {error}", "Free space, then try again.") from error
        return self._db.execute("SELECT line FROM seen WHERE id = ?", (id_,)).fetchone()[0]

    def close(self) -> None:
        self._db.close()


def read_task(number: int, raw: bytes, name: str, seen: SeenIds) -> TaskLine:
    """Read the task in a line of the file `name`.

    `seen` has the ids of valid tasks, and this one is added: of two tasks with one id the second is invalid. Raises
    `BundleFault` if the line is not a valid JSON object.
    """
    plain = _read_object(number, raw, name)
    raw_id = plain.get("id")
    id_ = raw_id if isinstance(raw_id, str) and raw_id else None
    try:
        task = read_struct(plain, Task)
        if before := seen.add(task.id, number):
            raise StrictJsonError(f"line {before} holds a task with this id already")
    except StrictJsonError as error:
        return TaskLine(number=number, raw=raw, id=id_, error=f"{_location(name, number, 'task', id_)}: {error}")
    return TaskLine(number=number, raw=raw, task=task, id=task.id)


def read_line(number: int, raw: bytes, name: str, shape: "type[K]") -> "K":
    """Read the struct in a line of the file `name`. Raises `BundleFault` naming line, task and field."""
    plain = _read_object(number, raw, name)
    task = plain.get("task")
    try:
        return read_struct(plain, shape)
    except StrictJsonError as error:
        raise BundleFault(f"{_location(name, number, 'task', task)}: {error}") from error


def _read_object(number: int, raw: bytes, name: str) -> dict[str, Any]:
    try:
        return read_json_object(raw)
    except StrictJsonError as error:
        raise BundleFault(f"{name}, line {number}: {error}") from error


def _location(name: str, number: int, kind: str, id_: object) -> str:
    return f'{name}, line {number}, {kind} "{quoted_name(id_)}"' if isinstance(id_, str) else f"{name}, line {number}"


K = TypeVar("K", bound=OpenStruct)

_CHUNK = 2**20
_HINT = "Nothing was changed."


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines of a `.jsonl` file. Raises `BundleError`."""
    with bundle_errors(path, "read", _HINT), path.open("rb") as file:
        yield from read_lines(iter(lambda: file.read(_CHUNK), b""), path.name, LIMITS)


def task_lines(path: Path) -> Generator[TaskLine]:
    """Yield the tasks of a `.jsonl` file, valid or not. Raises `BundleError` for a line that is not a valid object."""
    with bundle_errors(path, "read", _HINT), closing(SeenIds()) as seen:
        for number, line in raw_lines(path):
            yield read_task(number, line, path.name, seen)


def structs(path: Path, shape: type[K]) -> Iterator[tuple[str, K]]:
    """Yield (location, struct) of each line, or of the object in a file such as `.json`. Raises `BundleError`.

    Streams have no extension, and lines.
    """
    with bundle_errors(path, "read", _HINT):
        if path.suffix in (".jsonl", ""):
            yield from structs_of_lines(path, shape)
        else:
            yield path.name, struct_of(path, shape)


def struct_of(path: Path, shape: type[K]) -> K:
    """Return the only object of a JSON file. Raises `BundleError` naming file and field."""
    with bundle_errors(path, "read", _HINT):
        data = _bytes_of(path, LIMITS.line_bytes)
        try:
            return read_struct(read_json_file(data), shape)
        except StrictJsonError as error:
            raise StrictJsonError(f"{path.name}: {error}") from None


def structs_of_lines(path: Path, shape: type[K]) -> Iterator[tuple[str, K]]:
    """Yield (location, struct) of each line, whatever the name of the file. Raises `BundleError` as `structs` does."""
    with bundle_errors(path, "read", _HINT):
        for number, line in raw_lines(path):
            yield f"{path.name}, line {number}", read_line(number, line, path.name, shape)


def read_small_text(path: Path, most: int = LIMITS.rubric_bytes) -> str:
    """Return a small file as text, without its BOM. Raises `BundleError`."""
    with bundle_errors(path, "read", _HINT):
        data = _bytes_of(path, most)
        try:
            return data.removeprefix(BOM).decode()
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise BundleFault(f"line {line}: not UTF-8 (save the file as UTF-8)") from None


def _bytes_of(path: Path, most: int) -> bytes:
    """Read the whole file. Its reported size cannot be trusted: a pipe reports 0, and a device may never end."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise BundleFault(f"It is larger than {most:,} bytes")
    return data


@contextmanager
def write_lines(path: Path) -> Generator[Callable[[bytes], None]]:
    """Return a context with a function that writes lines; replaces the file on success only. Raises `BundleError`."""
    with bundle_errors(path, "written", _HINT), replaced_file(path) as temporary, temporary.open("xb") as file:
        yield lambda line: file.writelines((line, b"\n"))


def cells_of(pieces: Iterable[bytes], delimiter: str, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows as lists of cells, each with its line number; empty lines are skipped. Raises `BundleFault`."""
    lines = _Lines(pieces, limits)
    csv.field_size_limit(limits.line_bytes)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BundleFault(f"line {lines.first}: {_explained(error)}") from error
        if cells:
            yield lines.first, cells


class _Lines:
    """Lines of a file as text; keeps the line where the current row began."""

    def __init__(self, pieces: Iterable[bytes], limits: Limits) -> None:
        self.first = 1
        self._number = 0
        self._size = 0
        self._most = limits.line_bytes
        self._lines = _split(pieces, self._most)

    def begin(self) -> None:
        self.first = self._number + 1
        self._size = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        self._size += len(line)
        if self._size > self._most:
            raise BundleFault(
                f"line {self.first}: its row has more than {self._most:,} bytes (a quotation mark that is not closed?)"
            )
        try:
            return (line.removeprefix(BOM) if self._number == 1 else line).decode()
        except UnicodeDecodeError as error:
            raise BundleFault(f"line {self._number}: not UTF-8 at byte {error.start + 1}") from error


def _split(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line + b"\n"
        if len(rest) > most:
            break
    if rest:
        yield rest


def _explained(error: csv.Error) -> str:
    words = str(error)
    if "unexpected end" in words:
        return "a quotation mark is not closed"
    if "expected after" in words:
        return "there is text after the closing quotation mark of a cell"
    if "new-line character" in words:
        return "unexpected carriage return within a line; lines end with a line feed"
    return f"not a row: {words}"
