"""Open sources that are compressed or binary: gzip, Parquet and spreadsheets. Other binary files are named."""

from __future__ import annotations

import codecs
import importlib
import io
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from desktop_rater.bundle.errors import BundleError, BundleFault
from desktop_rater.bundle.safe_zip import Limits, SafeZip
from desktop_rater.model.change import CancelCheck

PARQUET, XLSX = "Parquet", "a spreadsheet"
_GZIP, _ZIP = "gzip", "a zip"
_KINDS = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a WebP picture, a sound or a video"),
    (b"%PDF-", "a PDF"),
    (b"SQLite format 3\0", "a SQLite database"),
    (b"PK\3\4", _ZIP),
    (b"PK\5\6", "an empty zip"),
    (b"PAR1", PARQUET),
    (b"\x1f\x8b", _GZIP),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\0", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"ARROW1\0", "an Arrow file"),
    (b"\xff\xff\xff\xff", "an Arrow stream"),
    (b"\xd0\xcf\x11\xe0", "a document of an old Office version"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"Obj\1", "an Avro file"),
    (b"\x7fELF", "a program"),
    (b"\x80\2", "a Python pickle"),
    (b"\x80\3", "a Python pickle"),
    (b"\x80\4\x95", "a Python pickle"),
    (b"\x80\5\x95", "a Python pickle"),
)
_TAR, _TAR_AT = b"ustar", 257
_START = 512
_PIECE = 256 * 1024
_IN_MEMORY = 16 * 1024 * 1024
_ROWS = 32  # decoded at once: few, so that repeated long texts are counted
_VALUES = 10_000  # made at once, also within one cell, so that a cancel is heard between them
_HINT = "Give JSON lines, a JSON list, CSV, Parquet or a spreadsheet, also with gzip. Nothing was written."
_HINT_XLSX = "Save the sheet as CSV, then try again. Nothing was written."


def container_of(path: Path) -> str:
    """Return `PARQUET`, `XLSX`, or "" for a text, also a compressed one. Raises `OSError`."""
    with path.open("rb") as file:
        kind = _kind(file.read(_START)) if file.seekable() else ""
    if kind == _ZIP and path.suffix.lower() in (".xlsx", ".xlsm"):
        return XLSX
    return kind if kind == PARQUET else ""


def refuse_binary_lines(path: Path) -> None:
    """Raise `BundleFault` for a file that is no UTF-8 text, naming what it is."""
    with path.open("rb") as file:
        start = file.read(_START) if file.seekable() else b""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BundleFault("It is UTF-16", "Save it as UTF-8, then try again. Nothing was written.")
    _refuse_binary(start, "It is ", "Give a .jsonl file; `bundle convert` reads other ones. Nothing was written.")


def _kind(start: bytes) -> str:
    if start[_TAR_AT:].startswith(_TAR):
        return "a tar archive"
    return next((kind for begin, kind in _KINDS if start.startswith(begin)), "")


@contextmanager
def open_text(path: Path, limits: Limits) -> Generator[BinaryIO]:
    """Open a text file, inflating gzip within the limits. Raises `BundleFault`, naming what another binary file is."""
    with path.open("rb") as file:
        if not file.seekable():
            raise BundleFault("It is a pipe, which cannot be read twice", "Save it to a file first.")
        start = file.read(_START)
        file.seek(0)
        if start.startswith(b"\x1f\x8b"):
            with tempfile.SpooledTemporaryFile(_IN_MEMORY) as text:
                _inflate(file, text, limits)
                text.seek(0)
                _refuse_binary(text.read(_START), "In it is ")
                text.seek(0)
                yield text  # ty: ignore[invalid-yield] - it has every method of a binary file
        else:
            _refuse_binary(start, "It is ")
            yield file


def _refuse_binary(start: bytes, words: str, hint: str = _HINT) -> None:
    kind = _kind(start)
    if kind:
        raise BundleFault(f"{words}{kind}", hint)


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
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise BundleFault(f"It can't be read as Parquet ({str(error).splitlines()[0][:200]})", _HINT) from error


def _made_values(array: Any, types: Any, clean: Callable[[Any], Any], check_cancelled: CancelCheck) -> Iterator[Any]:
    """Yield the values of an Arrow array as JSON has them; a large array is halved, a large value taken apart."""
    whole = len(array) == 1 and (not array[0].is_valid or types.is_map(array.type))
    if whole or _value_count(array, types) <= _VALUES:
        check_cancelled()
        yield from (clean(_plain(value)) for value in array.to_pylist())
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


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; times as ISO 8601, bytes as text with escapes."""
    match value:
        case dict():
            return {str(key): _plain(part) for key, part in value.items()}
        case list() | tuple():
            return [_plain(part) for part in value]
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return value.decode(errors="backslashreplace")
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


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
    return None if value is None else value if isinstance(value, str) else str(_plain(value))
