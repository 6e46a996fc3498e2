"""JSON as the formats want it: strict UTF-8, no NaN, no equal keys, no lone surrogates, no U+0000, bounded.

msgspec alone keeps the last of two equal keys and takes U+0000, so the text is read by the standard library with hooks;
but where msgspec writes a text again just as it stands, to the byte, nothing of that can be in it, and it is quick.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from desktop_rater.model.kept import Kept, from_plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_DEPTH = 64
MAX_WHOLE = 2**53
BOM = b"\xef\xbb\xbf"

_MOST_WHITE = 1_000  # a gigabyte of line ends must not keep anybody waiting
# "++" and "*+" never look back: a text of 16 MB would else take a gigabyte.
_BRACKET_OR_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_DIGITS_ALIKE = bytes(b"0"[0] if sign in b"0123456789" else sign for sign in range(256))
_LARGE = b"0" * len(str(MAX_WHOLE))
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ESCAPE = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")

K = TypeVar("K", bound=Kept)


class NotSound(ValueError):
    """The text breaks a limit of the formats. The message says which, and where in the text."""


class NotAnObject(NotSound):
    """Sound JSON, but not an object."""


def read_object(data: bytes) -> dict[str, Any]:
    """The one JSON object that `data` is. Raises `NotSound`."""
    value = read_value(data)
    if not isinstance(value, dict):
        raise NotAnObject(f"it holds {_kind(value)} where an object was expected")
    return value


def read_file(data: bytes) -> dict[str, Any]:
    """The one JSON object that a whole file is; one BOM at its start is passed over. Raises `NotSound`."""
    return read_object(data.removeprefix(BOM))


def read_value(data: bytes) -> Any:
    """The one JSON value that `data` is. Raises `NotSound`."""
    quick = _as_msgspec_writes_it(data)
    return _strictly(data) if quick is None else quick


def _as_msgspec_writes_it(data: bytes) -> Any:
    """The value, where `data` is what msgspec makes of it; else `None`, and nobody knows yet what is wrong with it.

    Then no key stands twice, and no number is beyond what JSON has. What such a text can still hold and must not, a
    whole number beyond 2^53, U+0000 or more levels than are allowed, goes the long way.
    """
    if b"\\u" in data or _LARGE in data.translate(_DIGITS_ALIKE) or not _is_shallow(data):
        return None
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return value if msgspec.json.encode(value) == data else None


def _is_shallow(data: bytes) -> bool:
    """Whether it is surely not nested too deep. Each round takes away the innermost lists and objects, at most two."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return True
    brackets = _STRING.sub(b"", data).translate(None, _ALL_BUT_BRACKETS)
    for _ in range(MAX_DEPTH // 2):
        if not brackets:
            return True
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return False


def _strictly(data: bytes) -> Any:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise NotSound(f"not UTF-8 at byte {error.start + 1}") from None
    _check_depth(data)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotSound(explain(error)) from None
    if _ESCAPE.search(data):
        _check_texts(value)
    return value


def read_struct(raw: dict[str, Any], shape: type[K]) -> K:
    """The struct that a decoded object is; `raw` is used up. Raises `NotSound` naming the field."""
    try:
        return from_plain(raw, shape)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        field = path.strip("`").removeprefix("$.").removeprefix("$")
        raise NotSound(f"field `{field}`: {_plainly(message)}" if field else _plainly(message)) from None


def numbered_lines(chunks: Iterable[bytes], longest: int) -> Iterator[tuple[int, bytes]]:
    r"""Lines with their numbers, from 1. They end at `\n` only; white lines at the end of the file are left out.

    Raises `NotSound` for a line over `longest` bytes and for a white line that others follow.
    """
    white = 0
    for number, line in enumerate(_split(chunks, longest), 1):
        if not line.strip(b" \t\r\n"):
            white = white or number
            if number - white == _MOST_WHITE:
                raise NotSound(f"line {white}: it is empty, and so are {_MOST_WHITE:,} more")
            continue
        if white:
            raise NotSound(f"line {white}: it is empty")
        yield number, line.removeprefix(BOM) if number == 1 else line


def _split(chunks: Iterable[bytes], longest: int) -> Iterator[bytes]:
    parts: list[bytes] = []
    size = 0
    number = 1
    for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            _check_length(number, size + len(end), longest)
            yield b"".join((*parts, end))
            parts, size = [], 0
            number += 1
        parts.append(rest)
        size += len(rest)
        _check_length(number, size, longest)
    if size:
        yield b"".join(parts)


def _check_length(number: int, size: int, longest: int) -> None:
    if size > longest:
        raise NotSound(f"line {number}: it is longer than {longest:,} bytes")


def _check_depth(data: bytes) -> None:
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for match in _BRACKET_OR_STRING.finditer(data):
        first = match[0][:1]
        if first in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise NotSound(f"nested more than {MAX_DEPTH} levels deep at byte {match.start() + 1}")
        elif first in b"]}":
            depth -= 1


def _check_texts(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise NotSound("a text holds U+0000")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise NotSound(f"a text holds half a surrogate pair, U+{ord(value[error.start]):04X}") from None
    elif isinstance(value, dict):
        for key, part in value.items():
            _check_texts(key)
            _check_texts(part)
    elif isinstance(value, list):
        for part in value:
            _check_texts(part)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotSound(f"the key {key!r} stands twice in one object")
            seen.add(key)
    return built


def _whole(digits: str) -> int:
    # int() of thousands of digits is slow, and refused from 4,300 on.
    if len(digits) > len(str(-MAX_WHOLE)) or abs(int(digits)) > MAX_WHOLE:
        shown = digits if len(digits) <= 30 else f"{digits[:27]}..."
        raise NotSound(f"the whole number {shown} is beyond 2^53")
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotSound(f"the number {digits[:30]} is too large")
    return number


def _constant(name: str) -> Any:
    raise NotSound(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct, parse_int=_whole, parse_float=_fraction, parse_constant=_constant
)


def explain(error: json.JSONDecodeError) -> str:
    """What is wrong with a JSON text and where: the column, and the line where there are several."""
    where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
    if error.msg.startswith("Unterminated string"):
        return f"a string begins at {where} and does not end (a raw line break inside a string?)"
    if error.msg.startswith("Invalid control character"):
        return f"a raw line break or control character inside a string at {where}"
    if error.msg.startswith("Extra data"):
        return f"more than one JSON value: the second begins at {where}"
    return f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} at {where}"


def _plainly(message: str) -> str:
    missing = re.fullmatch(r"Object missing required field `(.+)`", message)
    if missing:
        return f"`{missing[1]}` is missing"
    return message[:1].lower() + message[1:]


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a text"
        case list():
            return "a list"
    return "a number"
