"""Evidence of several claims, evidence that does not decide and verdicts for links, through every door."""

import csv
import json
import zipfile

import pytest

from tests.operations.bundles import make, write_lines
from tests.operations.rated import results_of

LINK, TOOL_LINK = "https://kelp.example/a", "https://kelp.example/tool"
TEXT = f"Kelp is no plant, it is brown. See {LINK}."


def a_task():
    tool = {"name": "search", "status": "ok", "output": {"urls": [TOOL_LINK]}}
    target = {"id": "s1", "response": "a", "start": 0, "end": 30, "quote": TEXT[:30]}
    responses = [{"id": "a", "text": TEXT, "tools": [tool]}]
    return {"id": "t-1", "prompt": {"text": "?"}, "responses": responses, "targets": [target]}


def a_rating(**more):
    """Two claims that one page supports, and a page that is only a copy of it."""
    claims = [
        {
            "id": name,
            "text": name,
            "spans": [{"start": 0, "end": 4, "quote": "Kelp"}],
            "answers": {"accuracy": "accurate"},
        }
        for name in ("c1", "c2")
    ]
    both = {"id": "e1", "target": "s1", "claims": ["c1", "c2"], "stance": "supporting", "url": LINK, "quote": "So."}
    copy = {"id": "e2", "target": "s1", "claims": ["c1"], "stance": "neutral", "reason": "copy", "url": TOOL_LINK}
    return {
        "task": "t-1",
        "answers": {"targets": {"s1": {"factual": "yes"}}},
        "claims": {"s1": claims},
        "evidence": [both, copy],
        "links_opened": [LINK, TOOL_LINK],
        "links_counted": [TOOL_LINK],
        "link_verdicts": {LINK: "matches", TOOL_LINK: "dead"},
        **more,
    }


@pytest.fixture
def results(tmp_path):
    return results_of(tmp_path / "made", [a_task()], {"r-1": [a_rating()]})


def test_they_are_judged_and_leave_with_the_results(run, results):
    assert run("check", results[0]).status == 0
    with zipfile.ZipFile(results[0]) as archive:
        rating = json.loads(archive.read("ratings.jsonl"))
    assert rating["decided"]["targets/s1/claims/c2"]["accuracy"] == {"is": "accurate", "by": "supported"}
    assert rating["evidence"][0]["claims"] == ["c1", "c2"]
    assert (rating["evidence"][1]["stance"], rating["evidence"][1]["reason"]) == ("neutral", "copy")
    assert rating["link_verdicts"] == {LINK: "matches", TOOL_LINK: "dead"}
    assert rating["links_counted"] == [TOOL_LINK]


def test_a_verdict_that_is_altered_is_found(run, tmp_path, results):
    altered = tmp_path / "altered.zip"
    with zipfile.ZipFile(results[0]) as archive, zipfile.ZipFile(altered, "w") as out:
        for name in archive.namelist():
            data = archive.read(name)
            out.writestr(name, data.replace(b'"dead"', b'"matches"') if name == "ratings.jsonl" else data)
    assert run("check", altered).status == 2


def test_a_verdict_for_a_page_that_is_no_link_is_named_and_not_stored(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [a_task()]))
    verdicts = {"https://KELP.example/a/#top": "differs", "https://other.example/": "dead", "no url": "matches"}
    path = write_lines(tmp_path / "r.jsonl", [a_rating(link_verdicts=verdicts)])
    answer = run("rate", "b", "--from", path, "--rater", "r", "--json", status=1)
    assert answer.json["unknown"] == ["t-1/https://other.example/", "t-1/no url"]
    run("export", "b", "--rater", "r", "--out", tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert json.loads(archive.read("ratings.jsonl"))["link_verdicts"] == {LINK: "differs"}


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("link_verdicts", {LINK: "fine"}, "link_verdicts"),
        ("evidence", [{"id": "e1", "target": "s1", "stance": "against"}], "stance"),
        ("evidence", [{"id": "e1", "target": "s1", "stance": "neutral", "reason": "boring"}], "reason"),
    ],
)
def test_an_unknown_value_refuses_the_file_and_is_named(run, tmp_path, field, value, named):
    run("import", make(tmp_path / "b.zip", [a_task()]))
    path = write_lines(tmp_path / "r.jsonl", [a_rating(**{field: value})])
    answer = run("rate", "b", "--from", path, "--rater", "r", status=2)
    assert "line 1" in answer.err
    assert named in answer.err


def test_tables_name_each_claim_the_reason_and_the_links(run, tmp_path, results):
    for more in ([], ["--wide"]):
        out = tmp_path / f"out{len(more)}.csv"
        assert run("results", "convert", "--to", "csv", "--out", out, *more, *results).status == 0
    with (tmp_path / "out0.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    evidence = [
        (row["evidence"], row["claim"], row["value"], row["reason"]) for row in rows if row["kind"] == "evidence"
    ]
    assert evidence == [("e1", "c1", "supporting", ""), ("e1", "c2", "supporting", ""), ("e2", "c1", "neutral", "copy")]
    links = [(row["url"], row["question"], row["value"]) for row in rows if row["kind"] == "link"]
    assert links == [(LINK, "verdict", "matches"), (TOOL_LINK, "verdict", "dead"), (TOOL_LINK, "opened", "counted")]
    with (tmp_path / "out1.csv").open(encoding="utf-8", newline="") as file:
        wide = {row["claim"]: row for row in csv.DictReader(file) if row["unit"] in {"target", "claim"}}
    counts = {claim: (row["supporting"], row["contradicting"], row["neutral"]) for claim, row in wide.items()}
    assert counts == {"": ("0", "0", "0"), "c1": ("1", "0", "1"), "c2": ("1", "0", "0")}


def test_annotations_name_each_claim_the_reason_and_the_links(run, tmp_path, results):
    out = tmp_path / "out.json"
    assert run("results", "convert", "--to", "web-annotation", "--out", out, *results).status == 0
    items = json.loads(out.read_text("utf-8"))["first"]["items"]
    linking = [item for item in items if item["motivation"] == "linking"]
    assert len(linking[0]["target"]) == 2, "the page speaks of two claims"
    values = [body.get("value") for body in linking[1]["body"]]
    assert values[:2] == ["neutral", "copy"]
    verdicts = [
        (body["value"], item["body"][1]["source"]["id"])
        for item in items
        for body in item["body"]
        if body.get("dcterms:subject") in {"verdict", "opened"}
    ]
    assert verdicts == [("matches", LINK), ("dead", TOOL_LINK), ("counted, not opened", TOOL_LINK)]


def test_label_studio_shows_the_page_at_each_claim(run, tmp_path, results):
    out = tmp_path / "out.json"
    assert run("results", "convert", "--to", "label-studio", "--out", out, *results).status == 0
    found = [
        result["value"]["text"][0]
        for one in json.loads(out.read_text("utf-8"))
        for annotation in one["annotations"]
        for result in annotation["result"]
        if result["from_name"] == "evidence_1"
    ]
    assert [text.splitlines()[0] for text in found] == [
        f"supporting {LINK}",
        f"supporting {LINK}",
        f"neutral (copy) {TOOL_LINK}",
    ]
