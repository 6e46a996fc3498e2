"""JSON that other programs let through, and that would do harm later, is refused where it stands."""

import json

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.bundle_errors import BundleError
from tests.format.zips import jsonl, task, with_lines


def line_with(value):
    """A good task but for `value`, raw JSON, in its meta."""
    return jsonl(task("t-2", meta={"it": "HERE"})).replace(b'"HERE"', value)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "b.zip"


def message(path, line):
    """What is said about `line`, the second of two."""
    with_lines(path, jsonl(task()) + line, 2)
    with pytest.raises(BundleError) as caught, open_bundle(path) as opened:
        list(opened.tasks())
    assert caught.value.message.startswith("tasks.jsonl, line 2: ")
    return caught.value.message.removeprefix("tasks.jsonl, line 2: ")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"NaN", "NaN is not a JSON number"),
        (b"-Infinity", "-Infinity is not a JSON number"),
        (b"1e999", "the number 1e999 is too large"),
        (b"9" * 5000, "is beyond 2^53"),
        (b"9223372036854775808", "the integer 9223372036854775808 is beyond 2^53"),
        (b"9007199254740993", "is beyond 2^53"),
        (b'{"a": 1, "a": 2}', "the key 'a' occurs twice in one object"),
        (b'"\\ud800"', "half a surrogate pair, U+D800"),
        (b'"\\udc00x"', "half a surrogate pair, U+DC00"),
        (b'{"\\ud83d": 1}', "half a surrogate pair, U+D83D"),
        (b'"\\u0000"', "a text holds U+0000"),
        (b'"a\0b"', "a raw line break or control character inside a string"),
        (b"[" * 100_000, "nested more than 64 levels deep"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "nested more than 64 levels deep"),
        (b"'x'", "not JSON"),
        (b"1,", "not JSON"),
        (b'"\xff"', "not UTF-8 at byte "),
        (b'"\xed\xa0\x80"', "not UTF-8 at byte "),
    ],
)
def test_a_line_that_breaks_a_limit_says_which(path, value, said):
    assert said in message(path, line_with(value))


def test_a_raw_line_break_inside_a_string_is_said_to_be_one(path):
    said = message(path, b'{"id": "t-2", "prompt": {"text": "Tell me\nabout kelp."}}\n')
    assert "a string begins at column 34 and does not end (a raw line break inside a string?)" in said


def test_two_objects_on_a_line_are_refused(path):
    assert "more than one JSON value: the second begins at column 5" in message(path, b"{}  {}\n")


def test_utf16_is_refused_with_the_byte(path):
    assert "not UTF-8 at byte 1" in message(path, json.dumps(task()).encode("utf-16"))


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (b"9007199254740992", 2**53),
        (b"-9007199254740992", -(2**53)),
        (b'"\\ud83d\\ude00"', "😀"),
        ('"\u2028\u0085\u00a0\ufeff\u202e"'.encode(), "\u2028\u0085\u00a0\ufeff\u202e"),
        (b"[" * 62 + b"]" * 62, None),
        (b'"[[[[' + b"[" * 100 + b'"', "[[[[" + "[" * 100),
        (b"1e-999", 0.0),
    ],
)
def test_what_is_within_the_limits_comes_through(path, value, read):
    with_lines(path, line_with(value), 1)
    with open_bundle(path) as opened:
        (line,) = opened.tasks()
    assert line.error == ""
    if read is not None:
        assert line.task
        assert line.task.meta["it"] == read
