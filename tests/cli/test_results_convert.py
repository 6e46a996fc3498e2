"""A QA lead takes results into the tools of others."""

import csv
import json
from xml.etree import ElementTree as ET

import pytest

from desktop_rater.operations.results_tables import format_names
from tests.operations.bundles import rating, task, write
from tests.operations.rated import results_of
from tests.operations.rated_tasks import (
    EACH_RUBRIC,
    FORMULA,
    TEXT,
    pair,
    pair_rating,
    spans,
    spans_rating,
)


@pytest.fixture
def two(tmp_path):
    """Results of two raters of one bundle: one of them rated one task of two, and skipped the other."""
    skipped = {"task": "t-2", "status": "skipped", "skipped": {"reason": "wrong_language", "comment": "Norse"}}
    given = {"=r-1": [spans_rating(), rating("t-2")], "r-2": [spans_rating(accuracy="inaccurate"), skipped]}
    return results_of(tmp_path / "made", [spans(), task("t-2")], given)


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_every_answer_is_a_row_of_one_table_for_all_raters(run, tmp_path, two):
    out = tmp_path / "out.csv"
    answer = run("results", "convert", "--to", "csv", "--out", out, "--json", *two, status=0)
    assert answer.json["ratings"] == 4
    assert answer.json["raters"] == ["=r-1", "r-2"]
    rows = rows_of(out)
    assert len(rows) == answer.json["rows"]
    labels = {
        (row["rater"], row["task"], row["target"], row["claim"]): (row["value"], row["answered"], row["by"])
        for row in rows
        if row["question"] == "accuracy"
    }
    assert labels == {
        ("'=r-1", "t-1", "s1", ""): ("accurate", "true", "supported"),
        ("'=r-1", "t-1", "s2", ""): ("accurate", "false", "claims"),
        ("'=r-1", "t-1", "s2", "c1"): ("accurate", "true", "common-knowledge-right"),
        ("'=r-1", "t-2", "s1", ""): ("accurate", "true", "common-knowledge-right"),
        ("r-2", "t-1", "s1", ""): ("accurate", "true", "supported"),
        ("r-2", "t-1", "s2", ""): ("inaccurate", "false", "claims"),
        ("r-2", "t-1", "s2", "c1"): ("inaccurate", "true", "common-knowledge-wrong"),
    }
    (skipped,) = (row for row in rows if row["kind"] == "skipped")
    assert (skipped["rater"], skipped["value"], skipped["note"]) == ("r-2", "wrong_language", "Norse")


def test_no_cell_is_a_formula(run, tmp_path, two):
    for more in ([], ["--wide"]):
        out = tmp_path / "out.csv"
        assert run("results", "convert", "--to", "csv", "--out", out, *more, *two).status == 0
        cells = {cell for row in rows_of(out) for cell in row.values()}
        assert not {cell for cell in cells if cell[:1] in {"=", "+", "@", "\t", "\r"}}
        assert f"'{FORMULA} is no plant." in cells
        assert "'+49 30 1234" in cells


def test_numbers_of_a_scale_stay_numbers(run, tmp_path):
    results = results_of(tmp_path / "made", [pair()], {"r": [pair_rating()]}, rubric="side-by-side")
    out = tmp_path / "out.csv"
    assert run("results", "convert", "--to", "csv", "--out", out, *results).status == 0
    (row,) = (row for row in rows_of(out) if row["question"] == "preference")
    assert (row["value"], row["number"], row["label"]) == ("-2", "-2", "A better")
    assert ",-2," in out.read_text("utf-8"), "not in quotes, which would make it a text"


def test_a_spreadsheet_can_be_told_the_encoding(run, tmp_path, two):
    for more, start in (([], b'"bundle"'), (["--bom"], b'\xef\xbb\xbf"bundle"')):
        out = tmp_path / "out.csv"
        assert run("results", "convert", "--to", "csv", "--out", out, *more, *two).status == 0
        assert out.read_bytes().startswith(start)


def test_the_wide_table_has_a_row_for_each_thing_and_a_column_for_each_question(run, tmp_path, two):
    out = tmp_path / "out.jsonl"
    assert run("results", "convert", "--to", "jsonl", "--wide", "--out", out, two[0]).status == 0
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(row["task"], row["unit"], row["target"], row["claim"]) for row in rows] == [
        ("t-1", "task", None, None),
        ("t-1", "target", "s1", None),
        ("t-1", "target", "s2", None),
        ("t-1", "claim", "s2", "c1"),
        ("t-2", "task", None, None),
        ("t-2", "target", "s1", None),
    ]
    first = rows[1]
    assert (first["answer.accuracy"], first["supporting"], first["active_seconds"]) == ("accurate", 1, 120)
    assert TEXT[rows[2]["start"] : rows[2]["end"]] == rows[2]["text"]


def test_the_same_results_give_the_same_bytes(run, tmp_path, two):
    for to in format_names():
        one, other = tmp_path / f"one.{to}", tmp_path / f"other.{to}"
        assert run("results", "convert", "--to", to, "--out", one, *two).status == 0
        assert run("results", "convert", "--to", to, "--out", other, *two).status == 0
        assert one.read_bytes() == other.read_bytes()


def test_a_task_of_several_raters_is_one_task_of_label_studio(run, tmp_path, two):
    out = tmp_path / "out.json"
    assert run("results", "convert", "--to", "label-studio", "--out", out, *two).status == 0
    first, second = json.loads(out.read_text("utf-8"))
    assert [one["was_cancelled"] for one in first["annotations"]] == [False, False]
    assert [one["was_cancelled"] for one in second["annotations"]] == [False, True]
    assert [result["from_name"] for result in first["predictions"][0]["result"]] == ["spans_1", "1.factual"]
    assert second["predictions"] == []
    assert set(first["data"]) == set(second["data"])
    for annotation in first["annotations"]:
        for result in annotation["result"]:
            if result["type"] == "labels":
                value = result["value"]
                assert TEXT[value["start"] : value["end"]] == value["text"]


@pytest.mark.parametrize(("rubric", "made", "given"), EACH_RUBRIC)
def test_every_result_names_a_control_of_the_configuration(run, tmp_path, rubric, made, given):
    results = results_of(tmp_path / "made", [made()], {"r": [given()]}, rubric=rubric)
    out = tmp_path / "out.json"
    assert run("results", "convert", "--to", "label-studio", "--out", out, *results).status == 0
    config = ET.fromstring((tmp_path / "out.config.xml").read_bytes())
    names = [one.get("name") for one in config.iter() if one.get("name")]
    assert len(names) == len(set(names))
    controls = {one.get("name"): one for one in config.iter() if one.get("toName")}
    shown = {one.get("value") for one in config.iter("Text")}
    for one in json.loads(out.read_text("utf-8")):
        assert {f"${name}" for name in one["data"] if name != "task"} == shown
        for result in one["annotations"][0]["result"]:
            control = controls[result["from_name"]]
            assert control.get("toName") == result["to_name"]
            assert control.tag.lower() == result["type"]
            aliases = {choice.get("alias") for choice in control.iter("Choice")}
            assert set(result["value"].get("choices", ())) <= aliases


def test_what_is_no_results_is_named_and_nothing_is_written(run, tmp_path, two):
    bad = write(tmp_path / "bad.zip", two[1].read_bytes()[:-9])
    out = tmp_path / "out.csv"
    answer = run("results", "convert", "--to", "csv", "--out", out, two[0], bad)
    assert (answer.status, answer.out) == (2, "")
    assert "bad.zip" in answer.err
    assert not out.exists()
    assert list(tmp_path.glob(".*.part")) == []


def test_nobody_is_counted_twice(run, tmp_path, two):
    answer = run("results", "convert", "--to", "csv", "--out", tmp_path / "out.csv", two[0], two[1], two[0], status=2)
    assert "holds ratings of b by =r-1 already" in answer.err


def test_results_are_not_written_over(run, two):
    before = two[0].read_bytes()
    for to in ("csv", "label-studio"):
        assert run("results", "convert", "--to", to, "--out", two[0], two[0]).status == 2
    assert run("results", "convert", "--to", "label-studio", "--out", "o", "--config", two[0], two[0]).status == 2
    assert two[0].read_bytes() == before


def test_two_rubrics_fit_one_table_and_no_label_studio_project(run, tmp_path, two):
    others = results_of(tmp_path / "made", [pair()], {"r": [pair_rating()]}, called="p", rubric="side-by-side")
    out = tmp_path / "out"
    assert run("results", "convert", "--to", "csv", "--wide", "--out", out, *two, *others).status == 0
    assert {row["rubric"] for row in rows_of(out)} == {"span-factuality@3", "side-by-side@2"}
    answer = run("results", "convert", "--to", "label-studio", "--out", out, *two, *others, status=2)
    assert "one configuration" in answer.err


def test_a_configuration_belongs_to_label_studio_alone(run, tmp_path, two):
    out = tmp_path / "out.csv"
    run("results", "convert", "--to", "csv", "--out", out, "--config", tmp_path / "c.xml", *two, status=2)
    assert not out.exists()


def test_without_pyarrow_the_way_to_it_is_said(run, tmp_path, two, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    out = tmp_path / "out.parquet"
    answer = run("results", "convert", "--to", "parquet", "--out", out, *two, status=2)
    assert "pip install 'desktop-rater[parquet]'" in answer.err
    assert not out.exists()
