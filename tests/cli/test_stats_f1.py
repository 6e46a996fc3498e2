"""Token F1 of a file: a number a line, all of them or none."""

import json

import pytest

from tests.stats.test_token_f1 import TOKYO

CAPITAL = {"response": "The capital of Japan is Tokyo.", "reference": TOKYO}


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_each_line_gives_a_number(run, tmp_path, words):
    path = tmp_path / "pairs.txt"
    lines = [CAPITAL, {"response": "the", "reference": "a", "id": 7}, {"response": "kelp", "reference": "Kelp!"}]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(map(json.dumps, lines)).encode())
    answer = run("stats", "f1", *words, path, status=0)
    assert [json.loads(line) for line in answer.out.splitlines()] == [8 / 19, 0.0, 1.0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"response": "a"}', "`reference` is missing"),
        (b'{"response": null, "reference": "a"}', "field `response`"),
        (b'{"response": ["a"], "reference": "a"}', "field `response`"),
        (b'{"response": "a", "reference": "b"', "not JSON"),
        (b"[]", "a list"),
        (b'{"response": "\xff", "reference": "b"}', "not UTF-8"),
        (b'{"response": "a", "response": "b", "reference": "c"}', "occurs twice"),
    ],
)
def test_one_bad_line_refuses_the_file_and_is_named(run, tmp_path, line, why):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(json.dumps(CAPITAL).encode() + b"\n" + line + b"\n")
    answer = run("stats", "f1", path)
    assert (answer.status, answer.out) == (2, "")
    assert "line 2" in answer.err
    assert why in answer.err


def test_a_file_that_is_not_there_is_told_of(run, tmp_path):
    assert "nowhere.jsonl can't be read" in run("stats", "f1", tmp_path / "nowhere.jsonl", status=2).err
