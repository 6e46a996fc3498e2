"""The files of others, read with patience: what strict JSON refuses is mended where it can be, and counted."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from desktop_rater.bundle.convert.shape import depth_of
from desktop_rater.bundle.lines import read_lines
from desktop_rater.bundle.trouble import Fault, named
from desktop_rater.model.strict_json import BOM, explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from desktop_rater.bundle.limits import Limits

MOST_OF_A_LIST = 256 * 1024 * 1024

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_PIECE = 256 * 1024
_HINT = "Correct the file, then try again. Nothing was written."
_SUSPECT = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_UNFIT = re.compile("[\0\ud800-\udfff]")
_WHITE = re.compile(r"[ \t\r\n]*")
_LONGEST = 60
_DEEPEST = 350  # far beyond what anybody writes, and not too deep to walk through
_DIGITS_OF_A_WHOLE = 15  # whatever has so few is within 2^53


class Records:
    r"""The objects in some files, each with the number of the line where it begins.

    A file holds JSON lines, whatever its name, or one JSON list. Lines end at "\n" only. `numbers` counts the NaN,
    Infinity and numbers beyond JSON that became null, `characters` the U+0000 and halves of surrogate pairs that
    became U+FFFD. Iterating raises `BundleError`, naming file and line.
    """

    def __init__(self, paths: Iterable[str | Path], limits: Limits) -> None:
        self.numbers = 0
        self.characters = 0
        self._paths = [Path(path) for path in paths]
        self._limits = limits
        self._path = Path()
        self._end = 0
        self._decoder = json.JSONDecoder(
            parse_constant=self._mended,
            parse_float=self._fraction,
            parse_int=self._whole,
            object_pairs_hook=_without_repeats,
        )

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for path in self._paths:
            self._path = path
            with self.trouble():
                yield from self._of(path)

    @property
    def path(self) -> Path:
        """The file that is being read."""
        return self._path

    @property
    def several(self) -> bool:
        """Whether there is more than one file, so that a line's number does not say enough."""
        return len(self._paths) > 1

    def pieces(self) -> Iterator[Iterator[bytes]]:
        """The bytes of each file, piece by piece. A file has to be used up before the next one."""
        for path in self._paths:
            self._path = path
            with self.trouble(), path.open("rb") as file:
                self._start(file)
                yield iter(lambda file=file: file.read(_PIECE), b"")

    def members(self) -> Iterator[Iterator[tuple[int, str | None, Any]]]:
        """For each file what it holds: the members of its one object, or the objects of its list or lines.

        Each comes with its line, and a member with its key. A file has to be used up before the next one.
        """
        for path in self._paths:
            self._path = path
            yield self._members_of(path)

    def trouble(self) -> AbstractContextManager[None]:
        """Around what reads a record: turns what goes wrong into a `BundleError` that names its file."""
        return named(self._path, "read", _HINT)

    def _of(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        with path.open("rb") as file:
            if self._start(file).startswith(b"["):
                yield from self._items(_whole(file, path))
            else:
                pieces = iter(lambda: file.read(_PIECE), b"")
                for number, line in read_lines(pieces, path.name, self._limits):
                    yield number, self._line(_text(line, number), number)

    def _start(self, file: BinaryIO) -> bytes:
        if not file.seekable():
            raise Fault("It is a pipe, and its beginning has to be read twice", "Write it into a file first.")
        start = file.read(_PIECE)
        if start.startswith(_UTF_16) or start[1:2] == b"\0" or start[:1] == b"\0":
            raise Fault("It is UTF-16", "Save it as UTF-8, then try again. Nothing was written.")
        start = start.removeprefix(BOM).lstrip(b" \t\r\n")
        if not start:
            raise Fault("It is empty")
        file.seek(0)
        return start

    def _members_of(self, path: Path) -> Iterator[tuple[int, str | None, Any]]:
        with self.trouble():
            with path.open("rb") as file:
                if self._start(file).startswith(b"{") and not self._holds_lines(file):
                    yield from self._pairs(_whole(file, path))
                    return
            for line, value in self._of(path):
                yield line, None, value

    def _holds_lines(self, file: BinaryIO) -> bool:
        """Whether a first line stands by itself and others follow; else the file is one object."""
        first = file.readline(self._limits.line_bytes)
        while first and not first.removeprefix(BOM).strip():
            first = file.readline(self._limits.line_bytes)
        more = any(piece.strip() for piece in iter(lambda: file.read(_PIECE), b""))
        file.seek(0)
        if not more:
            return False
        try:
            json.loads(first.removeprefix(BOM))
        except (ValueError, RecursionError):
            return False
        return True

    def _pairs(self, text: str) -> Iterator[tuple[int, str, Any]]:
        for at, line in self._parts(text, "{", "}"):
            key, end = self._value(text, at, None)
            colon = _past_white(text, end)
            if not isinstance(key, str) or not text.startswith(":", colon):
                raise Fault(f"line {line}: neither a key nor the end of the object")
            value, end = self._value(text, _past_white(text, colon + 1), None)
            self._end = end
            yield line, key, value

    def _line(self, text: str, number: int) -> dict[str, Any]:
        value, end = self._value(text, _past_white(text, 0), number)
        if _past_white(text, end) < len(text):
            raise Fault(f"line {number}: more than one JSON value: the second begins at column {end + 1}")
        return _object(value, number)

    def _items(self, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
        for at, line in self._parts(text, "[", "]"):
            value, self._end = self._value(text, at, None)
            yield line, _object(value, line)

    def _parts(self, text: str, opens: str, closes: str) -> Iterator[tuple[int, int]]:
        """Where each part of a list or an object begins, and its line. Who reads a part sets `_end` behind it."""
        at = text.index(opens) + 1
        line = text.count("\n", 0, at) + 1
        behind = at
        what = "list" if opens == "[" else "object"
        while True:
            at = _past_white(text, at)
            line += text.count("\n", behind, at)
            behind = at
            if text.startswith(closes, at):
                break
            yield at, line
            at = _past_white(text, self._end)
            if text.startswith(",", at):
                at = _past_white(text, at + 1)
                if text.startswith(closes, at):
                    raise Fault(f"line {text.count(chr(10), 0, at) + 1}: a comma stands before the end of the {what}")
            elif not text.startswith(closes, at):
                raise Fault(f"line {text.count(chr(10), 0, at) + 1}: neither a comma nor the end of the {what}")
        if _past_white(text, at + 1) < len(text):
            raise Fault(f"line {line}: something stands behind the {what}")

    def _value(self, text: str, at: int, number: int | None) -> tuple[Any, int]:
        try:
            value, end = self._decoder.raw_decode(text, at)
            if end - at > _DEEPEST and depth_of(value) > _DEEPEST:
                raise RecursionError
            return (self.cleaned(value) if _SUSPECT.search(text, at, end) else value), end
        except json.JSONDecodeError as error:
            within = json.JSONDecodeError(error.msg, "", error.colno - 1)  # its line stands in front
            raise Fault(f"line {number or error.lineno}: {explain(within)}") from error
        except (RecursionError, _Repeated) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise Fault(f"line {number or text.count(chr(10), 0, at) + 1}: {why}") from error

    def cleaned(self, value: Any) -> Any:
        """The value without U+0000 and halves of surrogate pairs, which are counted."""
        if isinstance(value, str):
            clean, count = _UNFIT.subn("\ufffd", value)
            self.characters += count
            return clean
        if isinstance(value, list):
            return [self.cleaned(part) for part in value]
        if isinstance(value, dict):
            return {self.cleaned(key): self.cleaned(part) for key, part in value.items()}
        return value

    def _mended(self, _: str) -> None:
        self.numbers += 1

    def _fraction(self, digits: str) -> float | None:
        number = float(digits)
        return number if math.isfinite(number) else self._mended(digits)

    def _whole(self, digits: str) -> int | None:
        return int(digits) if len(digits) <= _DIGITS_OF_A_WHOLE else self._mended(digits)


class _Repeated(Exception):
    """A key stands twice in one object, and which of the two values is meant nobody knows."""


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        twice = next((key for key, value in pairs if plain[key] != value), None)
        if twice is not None:
            raise _Repeated(f"`{twice[:_LONGEST]}` stands there twice, with different values")
    return plain


def _whole(file: BinaryIO, path: Path) -> str:
    if path.stat().st_size > MOST_OF_A_LIST:
        raise Fault(f"One JSON value may take {MOST_OF_A_LIST:,} bytes; JSON lines may take more")
    return _text(file.read().removeprefix(BOM), 1)


def _text(data: bytes, line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        byte = error.start - data.rfind(b"\n", 0, error.start)
        raise Fault(f"line {line}: not UTF-8 at byte {byte}") from error


def _object(value: Any, line: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Fault(f"line {line}: not an object")
    return value


def _past_white(text: str, at: int) -> int:
    match = _WHITE.match(text, at)
    return match.end() if match else at
