"""Lenient reader of files, also gzip, Parquet and spreadsheets: values that strict JSON refuses are repaired."""

import importlib
import io
import json
import math
import re
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from desktop_rater.format.change import CancelCheck
from desktop_rater.format.errors import BundleError, BundleFault, bundle_errors
from desktop_rater.format.jsonl import read_lines
from desktop_rater.format.opened_files import PARQUET, START_BYTES, ZIP, file_kind, refuse_binary
from desktop_rater.format.rows import plain_value
from desktop_rater.format.safe_zip import Limits, SafeZip
from desktop_rater.format.strict_json import BOM, explain_json_error
from desktop_rater.plugins.convert.conversion import nesting_depth, rows_by_column

XLSX = "a spreadsheet"
_PIECE = 256 * 1024
_IN_MEMORY = 16 * 1024 * 1024
_ROWS = 32  # decoded at once: few, so that repeated long texts are counted
_VALUES = 10_000  # made at once, also within one cell, so that a cancel is heard between them
_HINT_FORMATS = "Give JSON lines, a JSON list, CSV, Parquet or a spreadsheet, also with gzip. Nothing was written."
_HINT_XLSX = "Save the sheet as CSV, then try again. Nothing was written."


def container_of(path: Path) -> str:
    """Return `PARQUET`, `XLSX`, or "" for a text, also a compressed one. Raises `OSError`."""
    with path.open("rb") as file:
        kind = file_kind(file.read(START_BYTES)) if file.seekable() else ""
    if kind == ZIP and path.suffix.lower() in (".xlsx", ".xlsm"):
        return XLSX
    return kind if kind == PARQUET else ""


def line_count(path: Path) -> int:
    """Return the number of lines of a text, so that its share that was read is known; 0 for any other file."""
    with suppress(OSError), path.open("rb") as file:
        if file.seekable() and not file_kind(file.read(START_BYTES)):
            file.seek(0)
            return sum(piece.count(b"\n") for piece in iter(lambda: file.read(_PIECE), b""))
    return 0


@contextmanager
def open_text(path: Path, limits: Limits) -> Generator[BinaryIO]:
    """Open a text file, inflating gzip within the limits. Raises `BundleFault`, naming what another binary file is."""
    with path.open("rb") as file:
        if not file.seekable():
            raise BundleFault("It is a pipe, which cannot be read twice", "Save it to a file first.")
        start = file.read(START_BYTES)
        file.seek(0)
        if start.startswith(b"\x1f\x8b"):
            with tempfile.SpooledTemporaryFile(_IN_MEMORY) as text:
                _inflate(file, text, limits)
                text.seek(0)
                refuse_binary(text.read(START_BYTES), "In it is ", _HINT_FORMATS)
                text.seek(0)
                yield text  # ty: ignore[invalid-yield] - it has every method of a binary file
        else:
            refuse_binary(start, "It is ", _HINT_FORMATS)
            yield file


def _inflate(file: BinaryIO, text: Any, limits: Limits) -> None:
    """Write what the members of a gzip file hold. Raises `BundleFault`."""
    packed_size = file.seek(0, io.SEEK_END)
    file.seek(0)
    size = 0
    inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
    packed = b""
    try:
        while packed or (packed := file.read(_PIECE)):
            if inflater.eof:
                if not packed.strip(b"\0"):
                    packed = b""
                    continue
                inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
            piece = inflater.decompress(packed, _PIECE)
            packed = inflater.unconsumed_tail or inflater.unused_data
            size += len(piece)
            if size > limits.lines_bytes:
                raise BundleFault(f"It inflates to more than {limits.lines_bytes:,} bytes")
            _refuse_bomb(size, packed_size, limits)
            text.write(piece)
    except zlib.error as error:
        raise BundleFault(f"It is a damaged gzip file ({error})") from error
    if not inflater.eof:
        raise BundleFault("It is a gzip file whose end is missing")


def _refuse_bomb(size: int, packed_size: int, limits: Limits) -> None:
    if size > limits.ratio_from and size > limits.ratio * packed_size:
        raise BundleFault(f"It inflates more than {limits.ratio} times (a bomb?)")


def container_rows(
    path: Path, kind: str, limits: Limits, clean: Callable[[Any], Any], check_cancelled: CancelCheck
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a Parquet file or of the first sheet of a spreadsheet, numbered, each value through `clean`.

    Raises `BundleFault`, and what `check_cancelled` raises, also inside a row.
    """
    rows = _parquet_rows(path, limits, clean, check_cancelled) if kind == PARQUET else _sheet_rows(path, limits, clean)
    for number, row in rows:
        if number > limits.lines:
            raise BundleFault(f"It has more than {limits.lines:,} rows")
        yield number, row


def _library(name: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        library = name.partition(".")[0]
        hint = f"Install it with: pip install 'desktop-rater[{extra}]'. Nothing was written."
        raise BundleFault(f"{library} is needed to read it and is not installed", hint) from None


def _parquet_rows(
    path: Path, limits: Limits, clean: Callable[[Any], Any], check_cancelled: CancelCheck
) -> Iterator[tuple[int, dict[str, Any]]]:
    parquet = _library("pyarrow.parquet", "parquet")
    arrow = importlib.import_module("pyarrow")
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            if len(set(names)) < len(names):
                repeated = next(name for name in names if names.count(name) > 1)
                raise BundleFault(f'Two columns are named "{repeated[:60]}"')
            groups = [file.metadata.row_group(group) for group in range(file.metadata.num_row_groups)]
            values = sum(group.column(column).num_values for group in groups for column in range(group.num_columns))
            packed_size = path.stat().st_size
            # Of a column with few different values, only these have a size: a value takes a byte at least.
            _refuse_bomb(max(values, sum(group.total_byte_size for group in groups)), packed_size, limits)
            number = size = 0
            for batch in file.iter_batches(batch_size=_ROWS):
                size += batch.nbytes
                if size > limits.inflated_bytes:
                    raise BundleFault(f"It inflates to more than {limits.inflated_bytes:,} bytes")
                _refuse_bomb(size, packed_size, limits)
                for row in _made_values(batch.to_struct_array(), arrow.types, clean, check_cancelled):
                    number += 1
                    yield number, row
    except (arrow.ArrowException, OSError, TypeError, ValueError) as error:
        raise BundleFault(f"It can't be read as Parquet ({str(error).splitlines()[0][:200]})", _HINT_FORMATS) from error


def _made_values(array: Any, types: Any, clean: Callable[[Any], Any], check_cancelled: CancelCheck) -> Iterator[Any]:
    """Yield the values of an Arrow array as JSON has them; a large array is halved, a large value taken apart."""
    whole = len(array) == 1 and (not array[0].is_valid or types.is_map(array.type))
    if whole or _value_count(array, types) <= _VALUES:
        check_cancelled()
        yield from (clean(plain_value(value)) for value in array.to_pylist())
    elif len(array) > 1:
        for half in (array[: len(array) // 2], array[len(array) // 2 :]):
            yield from _made_values(half, types, clean, check_cancelled)
    elif types.is_struct(array.type):
        parts = zip(array.type, array.flatten(), strict=True)
        yield {clean(field.name): next(_made_values(part, types, clean, check_cancelled)) for field, part in parts}
    else:
        yield list(_made_values(array.flatten(), types, clean, check_cancelled))


def _value_count(array: Any, types: Any) -> int:
    """Return the number of values in an Arrow array, those within lists and structs included; of maps, their bytes."""
    if types.is_map(array.type):
        return int(array.nbytes)
    if types.is_struct(array.type):
        return sum(_value_count(part, types) for part in array.flatten())
    return len(array) + (_value_count(array.flatten(), types) if types.is_nested(array.type) else 0)


def _sheet_rows(path: Path, limits: Limits, clean: Callable[[Any], Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a sheet; its first row names the columns, and cells are texts as in a table of text."""
    with SafeZip(path, (r"[^\0]*",), hint=_HINT_XLSX, limits=limits) as book:
        if "xl/workbook.xml" not in book:
            raise BundleFault("It is a zip, but not a spreadsheet", _HINT_XLSX)
    openpyxl = _library("openpyxl", "xlsx")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()
            rows = enumerate(sheet.iter_rows(values_only=True), 1)
            names = [_cell(cell) or "" for _, cells in islice(rows, 1) for cell in cells]
            repeated = next((name for index, name in enumerate(names) if name and name in names[:index]), None)
            if repeated is not None:
                raise BundleFault(f'row 1: two columns are named "{repeated[:60]}"')
            if not any(names):
                raise BundleFault("row 1: it names no columns")
            for number, cells in rows:
                row = {
                    name or f"column {column}": text
                    for column, (name, cell) in enumerate(zip(names, cells, strict=False), 1)
                    if (text := _cell(cell)) is not None or name
                }
                if any(row.values()):
                    yield number, clean(row)
        finally:
            book.close()
    except (BundleError, BundleFault):
        raise
    except Exception as error:
        raise BundleFault(f"It can't be read as a spreadsheet ({type(error).__name__})", _HINT_XLSX) from error


def _cell(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else value if isinstance(value, str) else str(plain_value(value))


MOST_OF_A_LIST = 256 * 1024 * 1024

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HINT = "Correct the file, then try again. Nothing was written."
_SUSPECT = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_UNFIT = re.compile("[\0\ud800-\udfff]")
_WHITE = re.compile(r"[ \t\r\n]*")
_LONGEST = 60
_DEEPEST = 350  # far deeper than real files, and still safe to traverse
_LARGEST_WHOLE = 2**53
_DIGITS_OF_A_WHOLE = 15  # integers of this length are below 2^53


class SourceRecords:
    r"""Objects in some files, each with the number of the line where it begins.

    A file contains JSON lines, whatever its name, or one JSON list, also compressed with gzip; or it is a Parquet file
    or a spreadsheet, whose rows are the objects. Lines end at "\n" only. `numbers` counts the NaN,
    Infinity and numbers beyond JSON that became null, `characters` the U+0000 and lone surrogates that became U+FFFD.
    `on_fault` gets the line and the reason of each record that can't be read or converted. `check_cancelled` is called
    now and then. Iterating raises `BundleError`, naming file and line.
    """

    def __init__(self, paths: Iterable[str | Path], limits: Limits) -> None:
        self.numbers = 0
        self.characters = 0
        self.on_fault: Callable[[int, str], None] | None = None
        self.check_cancelled: CancelCheck = lambda: None
        self._paths = [Path(path) for path in paths]
        self._limits = limits
        self.path = Path()
        self._end = 0
        self._decoder = json.JSONDecoder(
            parse_constant=self._to_null,
            parse_float=self._fraction,
            parse_int=self._whole,
            object_pairs_hook=_without_repeats,
        )

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for path in self.files():
            with self.translate_errors():
                yield from self._of(path)

    def files(self) -> Iterator[Path]:
        """Yield each file; until the next one it is the `path` of errors."""
        for path in self._paths:
            self.path = path
            yield path

    @property
    def several(self) -> bool:
        return len(self._paths) > 1

    def pieces(self) -> Iterator[Iterator[bytes]]:
        """Yield the bytes of each file, piece by piece. Each file has to be consumed before the next one."""
        for path in self.files():
            with self.translate_errors(), open_text(path, self._limits) as file:
                self._start(file)
                yield iter(lambda file=file: file.read(_PIECE), b"")

    def members(self) -> Iterator[Iterator[tuple[int, str | None, Any]]]:
        """Yield each file's objects, or its only one's members, with line and key; consume a file before the next."""
        for path in self.files():
            yield self.members_of(path)

    def begins_as_json(self, path: Path) -> bool:
        """Return whether a text file begins like JSON lines, a list or an object."""
        self.path = path
        with self.translate_errors(), open_text(path, self._limits) as file:
            return self._start(file).startswith((b"{", b"["))

    def table_of(
        self, path: Path, delimiter: str | None, wanted: Iterable[str]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows of a table of text; those that can't be read go to `on_fault` if it is set."""
        with self.translate_errors(), open_text(path, self._limits) as file:
            self._start(file)
            pieces = iter(lambda: file.read(_PIECE), b"")
            for line, row in rows_by_column(pieces, delimiter, wanted, self._limits, on_fault=self.on_fault):
                yield line, self.cleaned(row)

    def parse_object(self, data: bytes) -> dict[str, Any]:
        """Return the object in the bytes of one file of a zip. Raises `BundleFault`."""
        return self._line(_text(data, 1), 1)

    def translate_errors(self) -> AbstractContextManager[None]:
        """Return a context that converts errors while reading a record to a `BundleError` naming the file."""
        return bundle_errors(self.path, "read", _HINT)

    @contextmanager
    def record(self, line: int) -> Generator[None]:
        """Return a context in which errors are those of one record, which `on_fault` leaves out and names, if set."""
        with self.translate_errors():
            try:
                yield
            except BundleFault as error:
                if self.on_fault is None:
                    raise
                self.on_fault(line, str(error).removeprefix(f"line {line}").removeprefix(": "))

    def _of(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        kind = container_of(path)
        if kind:
            yield from container_rows(path, kind, self._limits, self.cleaned, self.check_cancelled)
            return
        with open_text(path, self._limits) as file:
            if self._start(file).startswith(b"["):
                yield from self._items(_whole(file))
                return
            pieces = iter(lambda: file.read(_PIECE), b"")
            for number, line in read_lines(pieces, path.name, self._limits):
                with self.record(number):
                    yield number, self._line(_text(line, number), number)

    def _start(self, file: BinaryIO) -> bytes:
        start = file.read(_PIECE)
        if start.startswith(_UTF_16) or start[1:2] == b"\0" or start[:1] == b"\0":
            raise BundleFault("It is UTF-16", "Save it as UTF-8, then try again. Nothing was written.")
        start = start.removeprefix(BOM).lstrip(b" \t\r\n")
        if not start:
            raise BundleFault("It is empty")
        file.seek(0)
        return start

    def members_of(self, path: Path) -> Iterator[tuple[int, str | None, Any]]:
        """Yield the objects of a file with their lines, or of a file that is one object its members with their keys."""
        self.path = path
        with self.translate_errors():
            if not container_of(path):
                with open_text(path, self._limits) as file:
                    if self._start(file).startswith(b"{") and not self._holds_lines(file):
                        yield from self._pairs(_whole(file))
                        return
            for line, value in self._of(path):
                yield line, None, value

    def _holds_lines(self, file: BinaryIO) -> bool:
        """Return whether the first line is a complete value and others follow; otherwise the file is one object."""
        first = file.readline(self._limits.line_bytes)
        while first and not first.removeprefix(BOM).strip():
            first = file.readline(self._limits.line_bytes)
        cut = end = first
        while end and not end.endswith(b"\n"):  # a line beyond the limit
            cut, end = b"", file.readline(_PIECE)
        more = any(piece.strip() for piece in iter(lambda: file.read(_PIECE), b""))
        file.seek(0)
        if not more or not cut:
            return more
        try:
            json.loads(first.removeprefix(BOM), parse_int=str)  # of any length
        except (ValueError, RecursionError):
            return False
        return True

    def _pairs(self, text: str) -> Iterator[tuple[int, str, Any]]:
        for position, line in self._parts(text, "{", "}"):
            key, end = self._value(text, position, None)
            colon = _skip_whitespace(text, end)
            if not isinstance(key, str) or not text.startswith(":", colon):
                raise BundleFault(f"line {line}: neither a key nor the end of the object")
            value, end = self._value(text, _skip_whitespace(text, colon + 1), None)
            self._end = end
            yield line, key, value

    def _line(self, text: str, number: int) -> dict[str, Any]:
        value, end = self._value(text, _skip_whitespace(text, 0), number)
        if _skip_whitespace(text, end) < len(text):
            raise BundleFault(f"line {number}: more than one JSON value: the second begins at column {end + 1}")
        return _object(value, number)

    def _items(self, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
        for position, line in self._parts(text, "[", "]"):
            value, self._end = self._value(text, position, None)
            with self.record(line):
                yield line, _object(value, line)

    def _parts(self, text: str, opens: str, closes: str) -> Iterator[tuple[int, int]]:
        """Yield the position and line of each part of a list or an object; its reader sets `_end` to its end."""
        position = text.index(opens) + 1
        line = text.count("\n", 0, position) + 1
        behind = position
        container = "list" if opens == "[" else "object"
        while True:
            position = _skip_whitespace(text, position)
            line += text.count("\n", behind, position)
            behind = position
            if text.startswith(closes, position):
                break
            yield position, line
            position = _skip_whitespace(text, self._end)
            if text.startswith(",", position):
                position = _skip_whitespace(text, position + 1)
                if text.startswith(closes, position):
                    raise BundleFault(
                        f"line {text.count(chr(10), 0, position) + 1}: trailing comma at the end of the {container}"
                    )
            elif not text.startswith(closes, position):
                raise BundleFault(
                    f"line {text.count(chr(10), 0, position) + 1}: neither a comma nor the end of the {container}"
                )
        if _skip_whitespace(text, position + 1) < len(text):
            raise BundleFault(f"line {line}: unexpected data after the {container}")

    def _value(self, text: str, position: int, number: int | None) -> tuple[Any, int]:
        try:
            value, end = self._decoder.raw_decode(text, position)
            if end - position > _DEEPEST and nesting_depth(value) > _DEEPEST:
                raise RecursionError
            return (self.cleaned(value) if _SUSPECT.search(text, position, end) else value), end
        except json.JSONDecodeError as error:
            within = json.JSONDecodeError(error.msg, "", error.colno - 1)  # the line number is put in front
            raise BundleFault(f"line {number or error.lineno}: {explain_json_error(within)}") from error
        except (RecursionError, _DuplicateKeyError) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise BundleFault(f"line {number or text.count(chr(10), 0, position) + 1}: {why}") from error

    def cleaned(self, value: Any) -> Any:
        """Replace U+0000 and lone surrogates in the value, and count them."""
        if isinstance(value, str):
            clean, count = _UNFIT.subn("\ufffd", value)
            self.characters += count
            return clean
        if isinstance(value, int):
            return value if abs(value) <= _LARGEST_WHOLE else self._to_null("")
        if isinstance(value, float):
            return value if math.isfinite(value) else self._to_null("")
        if isinstance(value, list):
            return [self.cleaned(part) for part in value]
        if isinstance(value, dict):
            return {self.cleaned(key): self.cleaned(part) for key, part in value.items()}
        return value

    def _to_null(self, _: str) -> None:
        self.numbers += 1

    def _fraction(self, digits: str) -> float | None:
        number = float(digits)
        return number if math.isfinite(number) else self._to_null(digits)

    def _whole(self, digits: str) -> int | None:
        return int(digits) if len(digits) <= _DIGITS_OF_A_WHOLE else self._to_null(digits)


class _DuplicateKeyError(Exception):
    """Key that occurs twice in one object with different values."""


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        twice = next((key for key, value in pairs if plain[key] != value), None)
        if twice is not None:
            raise _DuplicateKeyError(f"`{twice[:_LONGEST]}` occurs twice, with different values")
    return plain


def _whole(file: BinaryIO) -> str:
    data = file.read(MOST_OF_A_LIST + 1)
    if len(data) > MOST_OF_A_LIST:
        raise BundleFault(f"One JSON value may take {MOST_OF_A_LIST:,} bytes; JSON lines may take more")
    return _text(data.removeprefix(BOM), 1)


def _text(data: bytes, line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        byte = error.start - data.rfind(b"\n", 0, error.start)
        raise BundleFault(f"line {line}: not UTF-8 at byte {byte}") from error


def _object(value: Any, line: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BundleFault(f"line {line}: not an object")
    return value


def _skip_whitespace(text: str, position: int) -> int:
    match = _WHITE.match(text, position)
    return match.end() if match else position
