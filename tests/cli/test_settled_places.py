"""Targets whose quotes are not in the response as written: their places are settled when the bundle is made."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.operations.bundles import task, write_lines

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
