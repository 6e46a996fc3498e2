"""A claim in words of the rater's own, made in several spans, through every door; older files with one span."""

import csv
import json
import zipfile

import pytest

from tests.operations.rated import results_of

TEXT = "He took to computing and to search."
SPANS = [{"start": 0, "end": 7, "quote": "He took"}, {"start": 25, "end": 34, "quote": "to search"}]


def a_rating(**claim):
    claims = [{"id": "c1", "text": "Broder took to search", "answers": {"accuracy": "accurate"}, **claim}]
    page = {"id": "e1", "target": "s1", "claims": ["c1"], "stance": "supporting", "url": "https://broder.example/a"}
    return {
        "task": "t-1",
        "answers": {"targets": {"s1": {"factual": "yes"}}},
        "claims": {"s1": claims},
        "evidence": [page],
    }


def results(tmp_path, **claim):
    target = {"id": "s1", "response": "a", "start": 0, "end": len(TEXT), "quote": TEXT}
    task = {"id": "t-1", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": TEXT}], "targets": [target]}
    return results_of(tmp_path / "made", [task], {"r-1": [a_rating(**claim)]})


def converted(run, tmp_path, form, **claim):
    out = tmp_path / "out"
    run("results", "convert", "--to", form, "--out", out, *results(tmp_path, **claim), status=0)
    return out


def test_the_spans_leave_with_the_results(run, tmp_path):
    (path,) = results(tmp_path, spans=SPANS)
    assert run("check", path).status == 0
    with zipfile.ZipFile(path) as archive:
        (claim,) = json.loads(archive.read("ratings.jsonl"))["claims"]["s1"]
    assert (claim["text"], claim["spans"]) == ("Broder took to search", SPANS)


def test_each_span_is_a_place_of_the_web_annotation(run, tmp_path):
    text = converted(run, tmp_path, "web-annotation", spans=SPANS).read_text("utf-8")
    items = json.loads(text)["first"]["items"]
    claim = next(item for item in items if any(body.get("dcterms:subject") == "claim" for body in item["body"]))
    page = next(item for item in items if item["motivation"] == "linking")
    assert [place["selector"][0]["exact"] for place in claim["target"]] == ["He took", "to search"]
    assert page["target"] == claim["target"]


def test_each_span_is_a_region_in_label_studio(run, tmp_path):
    (task,) = json.loads(converted(run, tmp_path, "label-studio", spans=SPANS).read_text("utf-8"))
    regions = [part for part in task["annotations"][0]["result"] if part["value"].get("labels") == ["claim"]]
    assert [part["value"]["text"] for part in regions] == ["He took", "to search"]
    assert {part["meta"]["text"][0] for part in regions} == {"Broder took to search"}
    assert len({part["id"] for part in regions}) == 2


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ({"spans": SPANS}, ("0", "34")),
        ({"start": 8, "end": 20}, ("8", "20")),  # an older file
        ({}, ("", "")),
        ({"spans": [{"start": 5, "end": 900}]}, ("", "")),  # beyond the text
    ],
)
def test_a_table_says_from_where_to_where_a_claim_reaches(run, tmp_path, claim, place):
    with converted(run, tmp_path, "csv", **claim).open(encoding="utf-8", newline="") as lines:
        (row,) = (row for row in csv.DictReader(lines) if row["kind"] == "claim")
    assert (row["text"], (row["start"], row["end"])) == ("Broder took to search", place)
