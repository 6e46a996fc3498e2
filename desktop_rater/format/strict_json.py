"""Strict and canonical JSON of the formats, and structs that keep unknown keys.

UTF-8, no NaN, no duplicate keys, lone surrogates or U+0000, bounded. msgspec alone keeps the last of two equal keys
and accepts U+0000, so the text is read by the standard library with hooks. As a fast path msgspec is used if it writes
the decoded value back byte for byte, which rules these faults out.
"""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")

_LOCK = Lock()
_RESOLVED: set[Any] = set()


def prepared_type(shape: type[T]) -> type[T]:
    """Return the same type, resolved. Every decoding into a struct has to get its type from here."""
    if shape not in _RESOLVED:
        with _LOCK:
            msgspec.json.Decoder(shape)
            _RESOLVED.add(shape)
    return shape


def field_of(line: bytes | str, name: str, shape: Any, default: Any = None) -> Any:
    """Return one field of a JSON object, without the rest; `default` without it. Raises `msgspec.MsgspecError`."""
    field = msgspec.json.decode(line, type=prepared_type(dict[str, msgspec.Raw])).get(name)
    return default if field is None else msgspec.json.decode(field, type=prepared_type(shape))


_Mover = Callable[[Any], None]
_UNKNOWN = "unknown"  # a file's own key of this name counts as unknown too


class OpenStruct(msgspec.Struct, frozen=True, kw_only=True):
    """Base of a part of a file. A field that is `None` is unknown and is not written."""

    unknown: dict[str, Any] = {}


def from_plain(raw: Any, shape: "type[K]") -> "K":
    """Convert decoded JSON `raw`, consumed, to a struct. Raises `msgspec.ValidationError` with the field's path."""
    _move_in_struct(shape, raw)
    return msgspec.convert(raw, prepared_type(shape))


_LEAVES = frozenset({str, int, float, bool, type(None)})


def to_plain(value: Any) -> Any:
    """Return dicts, lists, strings and numbers, ready for JSON, with the unknown keys in their places."""
    # Most of a rating is text and numbers, and a call for each would cost more than everything else.
    if isinstance(value, OpenStruct):
        plain = {}
        for name, key in _fields(type(value)):
            part = getattr(value, name)
            if part is not None:
                plain[key] = part if type(part) in _LEAVES else to_plain(part)
        plain.update(value.unknown)
        return plain
    if isinstance(value, dict):
        return {key: part if type(part) in _LEAVES else to_plain(part) for key, part in value.items()} if value else {}
    if isinstance(value, (tuple, list)):
        return [part if type(part) in _LEAVES else to_plain(part) for part in value] if value else []
    return value


@cache
def _fields(shape: type[OpenStruct]) -> tuple[tuple[str, str], ...]:
    fields = msgspec.structs.fields(shape)
    return tuple((field.name, field.encode_name) for field in fields if field.encode_name != _UNKNOWN)


@cache
def _known_keys(shape: type[OpenStruct]) -> tuple[frozenset[str], tuple[tuple[str, _Mover], ...]]:
    """Return the keys of a struct, and those of its parts that hold structs, each with what is to be done there."""
    info = inspect.type_info(shape)
    if not isinstance(info, inspect.StructType):
        raise TypeError(shape)
    fields = [field for field in info.fields if field.encode_name != _UNKNOWN]
    movers = ((field.encode_name, _mover_of(field.type)) for field in fields)
    nested = tuple((name, mover) for name, mover in movers if mover is not None)
    return frozenset(field.encode_name for field in fields), nested


def _mover_of(info: inspect.Type) -> _Mover | None:
    """Return the function that moves the unknown keys of all structs in a part; none if it can't hold any."""
    match info:
        case inspect.StructType(cls=shape) if issubclass(shape, OpenStruct):
            return partial(_move_in_struct, shape)
        case inspect.VarTupleType(item_type=item) | inspect.DictType(value_type=item):
            inner = _mover_of(item)
            return None if inner is None else partial(_move_in_each, inner)
        case inspect.UnionType(types=types):
            movers = [mover for part in types if (mover := _mover_of(part)) is not None]
            return partial(_move_by_each, movers) if movers else None
    return None


def _move_in_struct(shape: type[OpenStruct], raw: Any) -> None:
    if isinstance(raw, dict):
        keys, nested = _known_keys(shape)
        if not raw.keys() <= keys:
            raw[_UNKNOWN] = {key: raw.pop(key) for key in [key for key in raw if key not in keys]}
        for key, mover in nested:
            if raw.get(key):  # an empty part has no keys
                mover(raw[key])


def _move_in_each(mover: _Mover, raw: Any) -> None:
    if isinstance(raw, list | dict):
        for part in raw if isinstance(raw, list) else raw.values():
            mover(part)


def _move_by_each(movers: list[_Mover], raw: Any) -> None:
    for mover in movers:
        mover(raw)


MAX_DEPTH = 64
MAX_WHOLE = 2**53
BOM = b"\xef\xbb\xbf"

_MOST_WHITE = 1_000  # a gigabyte of line ends must not take long
# "++" and "*+" never backtrack: a text of 16 MB would take a gigabyte otherwise.
_BRACKET_OR_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_DIGITS_ALIKE = bytes(b"0"[0] if sign in b"0123456789" else sign for sign in range(256))
_LETTERS = bytes(sign for sign in range(256) if chr(sign).isalpha() or sign >= 0x80)
_LARGE = b"0" * len(str(MAX_WHOLE))
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ESCAPE = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")

K = TypeVar("K", bound=OpenStruct)


class StrictJsonError(ValueError):
    """A text that breaks a rule of the formats. The message tells which, and where in the text."""


class NotAnObjectError(StrictJsonError):
    """Valid JSON, but not an object."""


def read_json_object(data: bytes) -> dict[str, Any]:
    """Read data that is one JSON object. Raises `StrictJsonError`."""
    value = read_json_value(data)
    if not isinstance(value, dict):
        raise NotAnObjectError(f"it holds {json_type(value)} where an object was expected")
    return value


def read_json_file(data: bytes) -> dict[str, Any]:
    """Read a whole file that is one JSON object; one BOM at its start is ignored. Raises `StrictJsonError`."""
    return read_json_object(data.removeprefix(BOM))


def read_json_value(data: bytes) -> Any:
    """Read data that is one JSON value. Raises `StrictJsonError`."""
    value = _read_fast(data)
    return _read_strictly(data) if value is None else value


def _read_fast(data: bytes) -> Any:
    """Return the value if `data` is what msgspec writes for it, but for blanks, else `None` without a verdict.

    Such data has no duplicate keys and no number beyond the range of JSON. Data that may hold what is still possible, a
    whole number beyond 2^53, U+0000 or too many levels, is left to the strict reader.
    """
    signs = data.translate(_DIGITS_ALIKE, _LETTERS)  # a quarter of the data, to be searched
    if (b"\\" in signs and b"\\u" in data) or _LARGE in signs or not _is_shallow(data, signs):
        return None
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    written = msgspec.json.encode(value)
    return value if written == data or written == msgspec.json.format(data, indent=-1) else None


def _is_shallow(data: bytes, signs: bytes) -> bool:
    """Return whether data is surely not nested too deep. Each round removes the innermost lists and objects."""
    if signs.count(b"[") + signs.count(b"{") <= MAX_DEPTH:
        return True
    brackets = _STRING.sub(b"", data).translate(None, _ALL_BUT_BRACKETS)
    for _ in range(MAX_DEPTH // 2):
        if not brackets:
            return True
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return False


def _read_strictly(data: bytes) -> Any:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise StrictJsonError(f"not UTF-8 at byte {error.start + 1}") from None
    _check_depth(data)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise StrictJsonError(explain_json_error(error)) from None
    if _ESCAPE.search(data):
        _check_texts(value)
    return value


def read_struct(raw: dict[str, Any], shape: type[K]) -> K:
    """Convert a decoded object to a struct; `raw` is consumed. Raises `StrictJsonError` naming the field."""
    try:
        return from_plain(raw, shape)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        field = path.strip("`").removeprefix("$.").removeprefix("$")
        raise StrictJsonError(
            f"field `{field}`: {_plain_message(message)}" if field else _plain_message(message)
        ) from None


def numbered_lines(chunks: Iterable[bytes], longest: int) -> Iterator[tuple[int, bytes]]:
    r"""Yield lines with their numbers, from 1.

    They end at `\ ` only; blank lines at the end of the file are dropped. Raises `StrictJsonError` for a line over
    `longest`
    bytes and for a blank line before other lines.
    """
    first_blank = 0
    for number, line in enumerate(_split(chunks, longest), 1):
        if not line.strip(b" \t\r\n"):
            first_blank = first_blank or number
            if number - first_blank == _MOST_WHITE:
                raise StrictJsonError(f"line {first_blank}: it is empty, and so are {_MOST_WHITE:,} more")
            continue
        if first_blank:
            raise StrictJsonError(f"line {first_blank}: it is empty")
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
        raise StrictJsonError(f"line {number}: it is longer than {longest:,} bytes")


def _check_depth(data: bytes) -> None:
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for match in _BRACKET_OR_STRING.finditer(data):
        first = match[0][:1]
        if first in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise StrictJsonError(f"nested more than {MAX_DEPTH} levels deep at byte {match.start() + 1}")
        elif first in b"]}":
            depth -= 1


def _check_texts(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise StrictJsonError("a text holds U+0000")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise StrictJsonError(f"a text holds half a surrogate pair, U+{ord(value[error.start]):04X}") from None
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
                raise StrictJsonError(f"the key {key!r} occurs twice in one object")
            seen.add(key)
    return built


def _whole(digits: str) -> int:
    # int() of thousands of digits is slow, and refused from 4,300 on.
    if len(digits) > len(str(-MAX_WHOLE)) or abs(int(digits)) > MAX_WHOLE:
        shortened = digits if len(digits) <= 30 else f"{digits[:27]}..."
        raise StrictJsonError(f"the integer {shortened} is beyond 2^53")
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise StrictJsonError(f"the number {digits[:30]} is too large")
    return number


def _constant(name: str) -> Any:
    raise StrictJsonError(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct, parse_int=_whole, parse_float=_fraction, parse_constant=_constant
)


def explain_json_error(error: json.JSONDecodeError) -> str:
    """Return what is wrong with a JSON text and where: the column, and the line if there are several."""
    where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
    if error.msg.startswith("Unterminated string"):
        return f"a string begins at {where} and does not end (a raw line break inside a string?)"
    if error.msg.startswith("Invalid control character"):
        return f"a raw line break or control character inside a string at {where}"
    if error.msg.startswith("Extra data"):
        return f"more than one JSON value: the second begins at {where}"
    return f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} at {where}"


def _plain_message(message: str) -> str:
    missing = re.fullmatch(r"Object missing required field `(.+)`", message)
    if missing:
        return f"`{missing[1]}` is missing"
    return message[:1].lower() + message[1:]


def json_type(value: Any) -> str:
    """Return the JSON type of a value as text."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "an object"
    return "a number"


def canonical_json(plain: Any) -> bytes:
    """Return canonical JSON: keys sorted, no spaces, UTF-8."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256(data: bytes) -> str:
    """Return the SHA-256 as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
