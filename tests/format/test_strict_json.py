"""A file of a format is read strictly: what is odd in it is named, never guessed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.strict_json import (
    StrictJsonError,
    _read_fast,
    _read_strictly,
    canonical_json,
    numbered_lines,
    read_json_file,
    read_json_object,
    read_json_value,
    read_struct,
)
from desktop_rater.format.task import Task

UNSOUND = {
    "two equal keys": (b'{"a": 1, "a": 2}', "'a' occurs twice"),
    "two equal keys, one escaped": (b'{"a": 1, "\\u0061": 2}', "'a' occurs twice"),
    "equal keys far inside": (b'{"a": [{"b": {"c": 1, "c": 1}}]}', "'c' occurs twice"),
    "NaN": (b'{"a": NaN}', "NaN"),
    "Infinity": (b'{"a": -Infinity}', "Infinity"),
    "a number beyond a float": (b'{"a": 1e999}', "too large"),
    "2^53 + 1": (b'{"a": 9007199254740993}', "2^53"),
    "-2^53 - 1": (b'{"a": -9007199254740993}', "2^53"),
    "5,000 digits": (b'{"a": ' + b"9" * 5_000 + b"}", "2^53"),
    "half a surrogate pair": (b'{"a": "\\ud83d"}', "U+D83D"),
    "half a pair in a key": (b'{"\\udc00": 1}', "U+DC00"),
    "U+0000": (b'{"a": "\\u0000"}', "U+0000"),
    "65 levels": (b'{"a": ' * 65 + b"1" + b"}" * 65, "64 levels"),
    "100,000 levels": (b"[" * 100_000, "64 levels"),
    "not UTF-8": (b'{"a": "\xff"}', "byte 8"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
    "a BOM inside a file": (b"\xef\xbb\xbf{}", "not JSON"),
    "a raw line break in a string": (b'{"a": "x\ny"}', "raw line break"),
    "two values": (b"{} {}", "more than one"),
    "nothing": (b"", "not JSON"),
    "a list": (b"[1]", "a list"),
    "a text": (b'"x"', "a text"),
    "a cut object": (b'{"a": 1', "not JSON"),
}


@pytest.mark.parametrize(("data", "said"), UNSOUND.values(), ids=UNSOUND.keys())
def test_what_breaks_a_limit_is_refused_by_name(data, said):
    with pytest.raises(StrictJsonError) as refused:
        read_json_object(data)
    assert said in str(refused.value)


SOUND = {
    "64 levels": (b'{"a": ' * 64 + b"1" + b"}" * 64, None),
    "many flat lists": (b'{"a": [' + b"[]," * 99 + b"[]]}", {"a": [[]] * 100}),
    "brackets in strings": (b'{"a": "' + b"[" * 99 + b'"}', {"a": "[" * 99}),
    "2^53": (b'{"a": 9007199254740992}', {"a": 2**53}),
    "an escaped pair": (b'{"a": "\\ud83d\\ude00"}', {"a": "\N{GRINNING FACE}"}),
    "an escaped backslash before u0000": (b'{"a": "\\\\u0000"}', {"a": "\\u0000"}),
    "U+0085 and U+2028": ('{"a": "x\x85y\u2028z"}'.encode(), {"a": "x\x85y\u2028z"}),
}


@pytest.mark.parametrize(("data", "value"), SOUND.values(), ids=SOUND.keys())
def test_what_is_merely_odd_is_read(data, value):
    read = read_json_object(data)
    assert value is None or read == value


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON, st.booleans())
def test_any_sound_value_is_read_as_it_stands(value, ascii_only):
    assert read_json_value(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=60))
def test_no_bytes_whatever_raise_anything_but_not_sound(data):
    try:
        read_json_value(data)
    except StrictJsonError:
        return


def test_a_message_names_the_field():
    with pytest.raises(StrictJsonError, match=r"field `prompt.text`"):
        read_struct({"id": "t", "prompt": {"text": 3}, "responses": [{"id": "a", "text": "x"}]}, Task)
    with pytest.raises(StrictJsonError, match=r"`prompt` is missing"):
        read_struct({"id": "t", "responses": [{"id": "a", "text": "x"}]}, Task)
    with pytest.raises(StrictJsonError, match=r"field `responses\[0\].tools\[0\]`.*2024-02-30"):
        tools = [{"name": "n", "at": "2024-02-30T10:00:00Z"}]
        read_struct({"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "x", "tools": tools}]}, Task)


def lines(*chunks: bytes) -> list[tuple[int, bytes]]:
    return list(numbered_lines(chunks, longest=100))


def test_lines_end_at_line_feeds_only_however_the_bytes_come():
    text = 'a\x85b\u2028c\r\n"d"\n\n'.encode()
    whole = lines(text)
    assert whole == [(1, "a\x85b\u2028c\r".encode()), (2, b'"d"')]
    assert lines(*(bytes([byte]) for byte in text)) == whole


def test_an_empty_line_is_passed_over_only_at_the_end():
    with pytest.raises(StrictJsonError, match="line 2: it is empty"):
        lines(b"{}\n\n{}\n")


def test_a_line_without_end_is_stopped_at_its_limit():
    def endless() -> Any:
        while True:
            yield b"x" * 30

    with pytest.raises(StrictJsonError, match="longer than 100 bytes"):
        list(numbered_lines(endless(), longest=100))


def test_one_bom_at_the_start_of_a_file_is_passed_over_and_no_other():
    bom = b"\xef\xbb\xbf"
    assert read_json_file(bom + b'{"a": 1}') == {"a": 1}
    assert lines(bom + b"{}\n" + bom + b"{}") == [(1, b"{}"), (2, bom + b"{}")]
    for twice in (bom * 2 + b"{}", bom + b" " + bom + b"{}"):
        with pytest.raises(StrictJsonError, match="not JSON"):
            read_json_file(twice)


WITHOUT_ESCAPES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | WITHOUT_ESCAPES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WITHOUT_ESCAPES, inner, max_size=4),
    max_leaves=30,
)


@given(VALUES, st.booleans())
def test_the_quick_way_finds_what_the_strict_way_finds(value, spaced):
    separators = (", ", ": ") if spaced else (",", ":")
    data = json.dumps(value, ensure_ascii=False, separators=separators).encode()
    quick = _read_fast(data)
    if quick is not None:
        strict = _read_strictly(data)
        assert (quick, repr(quick)) == (strict, repr(strict))


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":1}', "9007199254740993", '"a\\u0000"', "NaN", "1e999", "[" * 99 + "]" * 99]
)
def test_nothing_that_is_not_allowed_goes_the_quick_way(text):
    assert _read_fast(text.encode()) is None
    with pytest.raises(StrictJsonError):
        read_json_value(text.encode())


def test_a_canonical_line_and_one_with_blanks_do_go_the_quick_way():
    plain = {"answers": {"s1": [1, 2.5, "é"]}, "deep": [[[{}]]] * 40}
    assert _read_fast(canonical_json(plain)) == _read_fast(json.dumps(plain, ensure_ascii=False).encode()) == plain
