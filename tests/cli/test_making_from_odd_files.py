"""Bundles are made of odd files or quotes: refused by name, or settled for every rater, when the bundle is made."""

import codecs
import gzip
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.operations.bundles import rating, task, write, write_lines
from tests.system_texts import ODD_NAME

LINE = json.dumps(task("t-1")).encode()
OPEN = LINE[:-1]
MOST = 16_777_216
ODD = {
    "UTF-16": (codecs.BOM_UTF16_LE + LINE.decode().encode("utf-16-le"), "It is UTF-16"),
    "Latin-1": (LINE.replace(b"Paris", b"Par\xeds"), "line 1: not UTF-8 at byte"),
    "Windows-1252 in the second line": (LINE + b"\n\x80\n", "line 2: not UTF-8 at byte 1"),
    "gzip": (gzip.compress(LINE), "It is gzip"),
    "a zip": (b"PK\3\4", "It is a zip"),
    "cut": (LINE + b"\n" + LINE[:-20], "line 2: a string begins at column"),
    "two on one line": (LINE + b"\r" + LINE, "line 1: more than one JSON value"),
    "a list": (b"[" + LINE + b"]", "line 1: it holds a list where an object was expected"),
    "empty": (b"", "None of its tasks can be used: it contains none"),
    "blank lines": (b"\n\n", "None of its tasks can be used: it contains none"),
    "NaN": (OPEN + b',"meta":{"n":NaN}}', "line 1: NaN is not a JSON number"),
    "a number beyond JSON": (OPEN + b',"meta":{"n":1e999}}', "line 1: the number 1e999 is too large"),
    "a long number": (OPEN + b',"meta":{"n":' + b"9" * 5000 + b"}}", "is beyond 2^53"),
    "U+0000": (OPEN + b',"meta":{"n":"\\u0000"}}', "line 1: a text holds U+0000"),
    "half a pair": (OPEN + b',"meta":{"n":"\\ud800"}}', "half a surrogate pair, U+D800"),
    "a key twice": (OPEN + b',"id":"t-2"}', "line 1: the key 'id' occurs twice"),
    "deep": (OPEN + b',"meta":' + b'{"a":' * 80 + b"1" + b"}" * 81, "line 1: nested more than 64 levels"),
}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_file_is_refused_with_its_name_and_the_place(run, tmp_path, kind):
    data, why = ODD[kind]
    (tmp_path / "odd.jsonl").write_bytes(data)
    answer = run("bundle", "make", "--out", tmp_path / "b.zip", tmp_path / "odd.jsonl")
    assert (answer.status, answer.out) == (2, "")
    assert why in answer.err
    assert "odd.jsonl" in answer.err
    assert not (tmp_path / "b.zip").exists()


def test_a_line_of_a_hundred_megabytes_is_refused_before_it_is_read(run, tmp_path):
    odd = write(tmp_path / "odd.jsonl", OPEN)
    os.truncate(odd, 100 * 2**20)  # a hole, which takes no space
    answer = run("bundle", "make", "--out", tmp_path / "b.zip", odd, status=2)
    assert f"odd.jsonl, line 1: it is longer than {MOST:,} bytes" in answer.err


def test_offsets_of_any_size_are_only_a_target_that_is_left_out(run, tmp_path):
    odd = {"id": "s2", "response": "a", "start": 2**53 - 1, "end": 2**53}
    before = {"id": "s3", "response": "a", "start": -5, "end": 3}
    plain = task("t-1")
    tasks = write_lines(tmp_path / "t.jsonl", [{**plain, "targets": [*plain["targets"], odd, before]}])
    answer = run("bundle", "make", "--accept-close", "--out", tmp_path / "b.zip", tasks, "--json")
    assert (answer.status, answer.json["targets"]) == (1, 1)
    assert [one["reason"] for one in answer.json["left_out"]] == ["outside", "outside"]


def test_names_with_control_characters_are_shown_escaped(run, tmp_path):
    odd = write(tmp_path / f"{ODD_NAME}.jsonl", b"{")
    named = write_lines(tmp_path / "t.jsonl", [task("t\x1b[31m\n1")] * 2)
    for path in (odd, named):
        answer = run("bundle", "make", "--out", tmp_path / "b.zip", path, status=2)
        assert "\x1b" not in answer.err
        assert "[31m" in answer.err


@pytest.mark.parametrize("kind", ["UTF-16", "gzip", "cut", "a list", "NaN", "deep"])
def test_odd_gold_is_refused_in_the_same_way(run, tmp_path, kind):
    gold = write(tmp_path / "gold.jsonl", ODD[kind][0])
    tasks = write_lines(tmp_path / "t.jsonl", [task("t-1")])
    assert "gold.jsonl" in run("bundle", "make", "--gold", gold, "--out", tmp_path / "b.zip", tasks, status=2).err
    assert not (tmp_path / "b.zip").exists()


def test_null_in_gold_is_no_answer(run, tmp_path):
    """As tables write it for an answer that is missing."""
    tasks = write_lines(tmp_path / "t.jsonl", [task("t-1")])
    gold = write_lines(tmp_path / "gold.jsonl", [rating("t-1", {"factual": None, "accuracy": "accurate"})])
    make = ["bundle", "make", "--gold", gold, "--out", tmp_path / "b.zip", tasks, "--json"]
    assert run(*make).json["partial_gold"] == 1
    write_lines(gold, [rating("t-1", {"factual": None})])
    assert "it answers no question" in run(*make).err


SENTENCE = "The siege of Candia ran from May 1648 to September 1669."
CLOSE = "The siege of Candia ran from May 1648 to Septembre 1669."


def odd_task(name: str, **more: Any) -> dict[str, Any]:
    """A task with a target at its offsets, one that is nearly a quote, and one that is nowhere."""
    plain = task(name, SENTENCE, "Venice held the city.")
    _, second = plain["targets"]
    close = {"id": "s1", "response": "a", "quote": CLOSE, "note": 1.5}
    nowhere = {"id": "s3", "response": "a", "quote": "Nobody ever wrote this."}
    return {**plain, "targets": [close, second, nowhere], **more}


def lines_of(path: Path) -> list[bytes]:
    with zipfile.ZipFile(path) as opened:
        return opened.read("tasks.jsonl").splitlines()


@pytest.fixture
def tasks(tmp_path):
    return write_lines(tmp_path / "tasks.jsonl", [odd_task(f"t-{n}") for n in range(3)] + [task("t-3")])


def test_without_the_option_each_line_stays_as_it_is_and_the_sum_comes_first(run, tasks, tmp_path):
    answer = run("bundle", "make", "--out", tmp_path / "b.zip", tasks, "--json", status=1)
    assert lines_of(tmp_path / "b.zip") == tasks.read_bytes().splitlines()
    assert (answer.json["tasks"], answer.json["targets"], answer.json["aligned"]) == (4, 4, 0)
    assert [one["reason"] for one in answer.json["left_out"]] == ["close", "nowhere"] * 3
    first, second = answer.err.splitlines()
    assert first.startswith("6 targets left out: 3 only close to a passage")
    assert "3 nowhere in the response" in first
    assert "--verbose" in second


def test_verbose_names_each_and_a_report_holds_them(run, tasks, tmp_path):
    report = tmp_path / "left.jsonl"
    answer = run("bundle", "make", "--verbose", "--report", report, "--out", tmp_path / "b.zip", tasks)
    assert answer.err.count("Left out: ") == 6
    rows = [json.loads(line) for line in report.read_bytes().splitlines()]
    assert [(row["task"], row["target"]) for row in rows[:2]] == [("t-0", "s1"), ("t-0", "s3")]
    for command in (["bundle", "inspect"], ["import"]):
        report.unlink()
        assert run(*command, tmp_path / "b.zip", "--report", report).status == 1
        assert len(report.read_bytes().splitlines()) == 6


def test_every_rater_gets_the_places_that_were_accepted_when_the_bundle_was_made(run, tasks, tmp_path):
    path = tmp_path / "b.zip"
    answer = run("bundle", "make", "--accept-close", "--out", path, tasks, "--json")
    assert (answer.json["tasks"], answer.json["targets"], answer.json["aligned"]) == (4, 7, 3)
    given, made = tasks.read_bytes().splitlines(), lines_of(path)
    assert made[3] == given[3]
    before, after = json.loads(given[0]), json.loads(made[0])
    placed = {"id": "s1", "response": "a", "start": 0, "end": len(SENTENCE), "quote": SENTENCE, "note": 1.5}
    assert after == {**before, "targets": [placed, *before["targets"][1:]]}
    counts = {
        tuple(run("bundle", "inspect", path, *options, "--json").json[key] for key in ("tasks", "targets", "aligned"))
        for options in ([], ["--accept-close"])
    }
    assert counts == {(4, 7, 0)}


def test_the_tasks_that_are_counted_are_those_of_a_rater(run, tmp_path):
    lost = {**task("t-1"), "targets": [{"id": "s1", "response": "a", "quote": "Not there."}]}
    tasks = write_lines(tmp_path / "tasks.jsonl", [task("t-0"), lost])
    answer = run("bundle", "make", "--out", tmp_path / "b.zip", tasks, "--json")
    assert (answer.json["tasks"], answer.json["lines"]) == (1, 2)
    assert [one["reason"] for one in answer.json["left_out"]] == ["nowhere", "no-targets"]
    assert "Left out: " in answer.err  # few are named


def test_a_report_never_replaces_a_file_of_the_command(run, tasks, tmp_path):
    out = tmp_path / "b.zip"
    before = tasks.read_bytes()
    assert run("bundle", "make", "--report", tasks, "--out", out, tasks).status == 2
    assert run("bundle", "make", "--report", out, "--out", out, tasks).status == 2
    assert run("bundle", "make", "--report", tmp_path / "no" / "r.jsonl", "--out", out, tasks).status == 2
    assert tasks.read_bytes() == before
    assert not out.exists()
