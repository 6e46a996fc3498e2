"""Sending work back by commands alone: out, in at the rater's, rated again, and received in the place of the first."""

import json
import zipfile
from pathlib import Path

import pytest

from desktop_rater.cli.root import main
from tests.operations.bundles import RATER, make, rating, task, write_lines

WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}


@pytest.fixture
def at(tmp_path, capsys):
    """Run a command on somebody's store: its status, its JSON, and what it said."""

    def at(whose: str, *arguments: str | Path) -> tuple[int, dict, str]:
        capsys.readouterr()
        status = main(["--store", str(tmp_path / whose), *map(str, arguments), "--json"])
        said = capsys.readouterr()
        return status, json.loads(said.out) if said.out else {}, said.err

    return at


def test_a_round_trip_by_commands(at, tmp_path):
    bundle = make(tmp_path / "b.zip", [task("t-1"), task("t-2")])
    ratings = write_lines(tmp_path / "first.jsonl", [rating("t-1"), rating("t-2")])
    at("rater", "import", bundle)
    at("rater", "rate", "b", "--from", ratings, "--rater", RATER)
    _, first, _ = at("rater", "export", "b", "--rater", RATER, "--out", tmp_path / "first.zip")
    assert at("lead", "audit", "open", bundle, tmp_path / "first.zip")[0] == 0

    status, nothing, said = at("lead", "audit", "return", "b", "--rater", RATER, "--out", tmp_path / "back.zip")
    assert (status, nothing["written"]) == (1, False)
    assert not (tmp_path / "back.zip").exists()

    verdict = {"task": "t-2", "where": "targets/s1", "rater": RATER, "kind": "returned", "reason": "search-too-thin"}
    verdicts = write_lines(tmp_path / "verdicts.jsonl", [{**verdict, "comment": "Search\x07 the archive."}])
    status, _, said = at("lead", "audit", "verdicts", "b", "--from", verdicts, "--lead", "Lena")
    assert status == 0, said
    status, back, said = at("lead", "audit", "return", "b", "--rater", RATER, "--out", tmp_path / "back.zip")
    assert status == 0, said
    assert (back["id"], back["round"], back["tasks"], back["comments"]) == (f"b-return-{RATER}-1", 1, ["t-2"], 1)
    with zipfile.ZipFile(tmp_path / "back.zip") as opened:
        assert json.loads(opened.read("manifest.json"))["derived"]["results"] == first["sha256"]

    assert at("rater", "import", tmp_path / "back.zip")[0] == 0
    _, bundles, _ = at("rater", "status")
    assert {one["id"]: one.get("round") for one in bundles["bundles"]} == {"b": None, back["id"]: 1}
    again = write_lines(tmp_path / "again.jsonl", [rating("t-2", WRONG)])
    assert at("rater", "rate", back["id"], "--from", again, "--rater", RATER)[0] == 0
    at("rater", "export", back["id"], "--rater", RATER, "--out", tmp_path / "second.zip")
    assert at("rater", "check", tmp_path / "second.zip")[0] == 0
    assert at("lead", "audit", "open", tmp_path / "second.zip")[0] == 0
    status, _, said = at("lead", "audit", "return", "b", "--rater", RATER, "--out", tmp_path / "none.zip")
    assert status == 1
    assert "t-2, targets/s1: another rating has replaced it" in said


def test_what_can_t_go_back_is_refused_by_name(at, tmp_path):
    status, _, said = at("lead", "audit", "return", "b", "--rater", RATER, "--out", tmp_path / "back.zip")
    assert status == 2
    assert "no results of the bundle 'b'" in said
    bundle = make(tmp_path / "b.zip", [task("t-1")])
    at("rater", "import", bundle)
    at("rater", "rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", RATER)
    at("rater", "export", "b", "--rater", RATER, "--out", tmp_path / "first.zip")
    at("lead", "audit", "open", tmp_path / "first.zip")
    status, _, said = at("lead", "audit", "return", "b", "--rater", "r-99", "--out", tmp_path / "back.zip")
    assert status == 2
    assert "no results of 'r-99'" in said
