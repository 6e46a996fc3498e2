"""Files of others: mended where they can be, counted, and every message with its line."""

import json

import pytest

from desktop_rater.format.errors import BundleError
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.plugins.convert.source import SourceRecords


@pytest.fixture
def write(tmp_path):
    def write(data, name="source.jsonl"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def read(*paths):
    records = SourceRecords(paths, LIMITS)
    return list(records), records


def refused(path, words):
    with pytest.raises(BundleError) as caught:
        read(path)
    assert path.name in caught.value.title
    assert words in caught.value.message


def test_lines_with_bom_and_crlf(write):
    found, _ = read(write(b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\r\n\r\n'))
    assert found == [(1, {"a": 1}), (2, {"a": 2})]


def test_json_lines_in_a_file_named_json(write):
    found, _ = read(write(b'{"a": 1}\n{"a": 2}\n', "source.json"))
    assert found == [(1, {"a": 1}), (2, {"a": 2})]


def test_a_list_over_many_lines_names_the_line_of_each_record(write):
    data = b'\xef\xbb\xbf\r\n [\r\n  {"a": 1,\n   "b": 2},\n\n {"a": "]"}, {"a": 3}\n ]\n'
    found, _ = read(write(data, "source.json"))
    assert found == [(3, {"a": 1, "b": 2}), (6, {"a": "]"}), (6, {"a": 3})]


def test_an_empty_list_has_no_records(write):
    assert read(write(b"[]"))[0] == []


def test_raw_line_separators_inside_a_string_end_no_line(write):
    text = "a\u0085b\u2028c\u2029d"
    assert read(write(json.dumps({"a": text}, ensure_ascii=False).encode() + b"\n"))[0] == [(1, {"a": text})]


def test_nan_and_numbers_beyond_json_become_null_and_are_counted(write):
    found, records = read(write(b'{"a": NaN, "b": [-Infinity, 1e999, 2], "c": 123456789012345678901, "d": 1.5}\n'))
    assert found == [(1, {"a": None, "b": [None, None, 2], "c": None, "d": 1.5})]
    assert records.numbers == 4


def test_nul_and_halves_of_surrogate_pairs_are_replaced_and_counted(write):
    found, records = read(write(b'{"a\\u0000": ["\\ud800x", "\\ud83d\\ude00", "\\udfff\\ud800"]}\n'))
    assert found == [(1, {"a\ufffd": ["\ufffdx", "😀", "\ufffd\ufffd"]})]
    assert records.characters == 4


def test_several_files_are_read_one_after_the_other(write):
    found, _ = read(write(b'{"a": 1}'), write(b'[{"a": 2}]', "two.json"))
    assert found == [(1, {"a": 1}), (1, {"a": 2})]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "It is empty"),
        (b" \n", "It is empty"),
        (b'{"a": 1}\n{"a": "x\ny"}\n', "line 2: a string begins at column 7 and does not end (a raw line break"),
        (b'{"a": 1}\n{"a": 1} {"a": 2}\n', "line 2: more than one JSON value"),
        (b'{"a": 1}\n[1]\n', "line 2: not an object"),
        (b'{"a": 1}\n\n{"a": 2}', "line 2: it is empty"),
        (b'{"a": 1}\n{"a": "\xff"}', "line 2: not UTF-8 at byte 8"),
        (b'[{"a": 1},\n{"a": "\xff"}]', "line 2: not UTF-8 at byte 8"),
        (b'[{"a": 1},\n{"a": "x\ny"}]', "line 2: a raw line break or control character inside a string at column 9"),
        (b'[{"a": 1}\n{"a": 2}]', "line 2: neither a comma nor the end"),
        (b'[{"a": 1},\n7]', "line 2: not an object"),
        (b'[{"a": 1}]\nmore', "unexpected data after the list"),
        (b'[{"a": 1},', "not JSON"),
        (b'{"a": ' + b"[" * 100_000, "line 1: nested too deeply"),
        (b'{"a": ' + b"[" * 900 + b'"\\u0000"' + b"]" * 900 + b"}", "line 1: nested too deeply"),
        (b"PK\3\4", "It is a zip"),
        (b'[{"a": 1},]', "line 1: trailing comma at the end of the list"),
        (b'{"a": 1}\n{"a": {"b": 1, "b": 2}}\n', "line 2: `b` occurs twice"),
        (b'{"a": 1}\n{"a": ' + b"[" * 400 + b"]" * 400 + b"}", "line 2: nested too deeply"),
        ('{"a": 1}\n'.encode("utf-16-le"), "It is UTF-16"),
    ],
)
def test_what_cant_be_mended_is_refused_with_its_line(write, data, words):
    refused(write(data), words)


def test_a_missing_file_is_named(tmp_path):
    refused(tmp_path / "none.jsonl", "No such file")
