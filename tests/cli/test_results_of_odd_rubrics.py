"""Results of a rubric whose names and figures are not nice go into other formats whole."""

import json
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from tests.operations.rated import results_of

RUBRIC = """
id = "odd"
title = "Odd"

[evidence]
per = "target"

[claims]

[[questions]]
id = "response_1"
per = "task"
ask = "Which?"
kind = "choices"
choices = [ { id = "x", label = "same" }, { id = "y", label = "same" }, { id = "z\\u0001", label = "x" } ]

[[questions]]
id = "spans_1\\u0001<&\\""
per = "task"
ask = "How many?"
kind = "number"
min = -1000000.5
max = 123456789

[[questions]]
id = "words"
per = "claim"
ask = "Why?"
kind = "text"
"""
NUMBER = 1234567.25


@pytest.fixture
def odd(tmp_path):
    """Two tasks, one of them skipped without a word; a claim of which nothing is said, and two pieces of evidence."""
    rubric = tmp_path / "odd.toml"
    rubric.write_text(RUBRIC, "utf-8")
    text = "Kelp grows."
    targets = [{"id": "s1", "response": "a", "start": 0, "end": 4}]
    tasks = [
        {"id": name, "prompt": {"text": "Q"}, "responses": [{"id": "a", "text": text}], "targets": targets}
        for name in ("t-1", "t-2")
    ]
    answers = {"task": {"response_1": ["x", "z\u0001"], 'spans_1\u0001<&"': NUMBER}}
    pieces = [{"id": name, "target": "s1", "url": f"https://kelp.example/100%#{name}#"} for name in ("e1", "e2")]
    first = {
        "task": "t-1",
        "answers": answers,
        "claims": {"s1": [{"id": "c1", "text": "Kelp is there."}]},
        "evidence": [{**pieces[0], "opened": "2026-11-20T09:05:00Z"}, pieces[1]],
    }
    skipped = {"task": "t-2", "status": "skipped"}
    return results_of(tmp_path / "made", tasks, {"r": [first, skipped]}, rubric=str(rubric))


def rows_of(run, tmp_path, results, *more):
    out = tmp_path / "out.jsonl"
    assert run("results", "convert", "--to", "jsonl", *more, "--out", out, *results).status == 0
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def test_a_claim_of_which_nothing_is_said_is_a_row_all_the_same(run, tmp_path, odd):
    (claim,) = (row for row in rows_of(run, tmp_path, odd) if row["kind"] == "claim")
    assert (claim["target"], claim["claim"], claim["text"]) == ("s1", "c1", "Kelp is there.")


def test_two_pieces_of_evidence_can_be_told_apart(run, tmp_path, odd):
    pieces = [row for row in rows_of(run, tmp_path, odd) if row["kind"] == "evidence"]
    assert [(row["evidence"], row["opened"]) for row in pieces] == [("e1", "2026-11-20T09:05:00Z"), ("e2", None)]


def test_a_problem_of_evidence_says_of_which(run, tmp_path):
    text = "Kelp grows."
    task = {"id": "t", "prompt": {"text": "Q"}, "responses": [{"id": "a", "text": text}]}
    task["targets"] = [{"id": "s1", "response": "a", "start": 0, "end": len(text)}]
    pieces = [
        {"id": name, "target": "s1", "stance": "supporting", "url": f"https://{name}.example/"} for name in ("e1", "e2")
    ]
    answers = {"targets": {"s1": {"factual": "yes", "accuracy": "accurate"}}}
    results = results_of(tmp_path / "made", [task], {"r": [{"task": "t", "answers": answers, "evidence": pieces}]})
    problems = [row for row in rows_of(run, tmp_path, results) if row["kind"] == "problem"]
    never = [row["evidence"] for row in problems if row["question"] == "evidence-never-opened"]
    assert never == ["e1", "e2"]


@pytest.mark.parametrize("per", ["response", "target"])
def test_the_wide_table_counts_every_piece_of_evidence_once(run, tmp_path, per):
    rubric = tmp_path / "few.toml"
    question = '[[questions]]\nid = "words"\nper = "task"\nask = "Why?"\nkind = "text"\n'
    rubric.write_text(f'id = "few"\n[evidence]\nper = "{per}"\n[claims]\n{question}', "utf-8")
    task = {"id": "t", "prompt": {"text": "Q"}, "responses": [{"id": "a", "text": "Yes."}]}
    task["targets"] = [{"id": "s1", "response": "a", "start": 0, "end": 4}]
    holder = {"response": "a"} if per == "response" else {"target": "s1"}
    claims = [{}] if per == "response" else [{}, {"claim": "c1"}, {"claim": "gone"}]
    pieces = [
        {"id": f"e{number}", **holder, **claim, "stance": "supporting", "url": f"https://x.example/{number}"}
        for number, claim in enumerate(claims)
    ]
    given = {"task": "t", "answers": {"task": {"words": "x"}}, "evidence": pieces, "claims": {"s1": [{"id": "c1"}]}}
    results = results_of(tmp_path / "made", [task], {"r": [given]}, rubric=str(rubric))
    assert sum(row["supporting"] for row in rows_of(run, tmp_path, results, "--wide")) == len(pieces)


def test_label_studio_gets_names_that_differ_and_figures_that_are_whole(run, tmp_path, odd):
    out = tmp_path / "out.json"
    assert run("results", "convert", "--to", "label-studio", "--out", out, *odd).status == 0
    config = ET.fromstring((tmp_path / "out.config.xml").read_bytes())
    names = Counter(one.get("name") for one in config.iter() if one.get("name"))
    assert set(names.values()) == {1}
    controls = {one.get("name"): one for one in config.iter() if one.get("toName")}
    (choices,) = config.iter("Choices")
    shown = [choice.get("value") for choice in choices.iter("Choice")]
    assert len(set(shown)) == len(shown)
    (number,) = config.iter("Number")
    assert (number.get("min"), number.get("max")) == ("-1000000.5", "123456789")
    first, second = json.loads(out.read_text("utf-8"))
    for result in first["annotations"][0]["result"]:
        control = controls[result["from_name"]]
        assert set(result["value"].get("choices", ())) <= {one.get("alias") for one in control.iter("Choice")}
    assert second["annotations"][0]["was_cancelled"]


def test_web_annotations_lose_no_figure_no_skip_and_no_address(run, tmp_path, odd):
    out = tmp_path / "out.jsonld"
    assert run("results", "convert", "--to", "web-annotation", "--out", out, *odd).status == 0
    items = json.loads(out.read_text("utf-8"))["first"]["items"]
    values = [body.get("value") for item in items for body in item["body"]]
    assert str(NUMBER) in values
    assert "skipped" in values
    pages = [body["source"]["id"] for item in items for body in item["body"] if "source" in body]
    assert pages == ["https://kelp.example/100%25#e1%23", "https://kelp.example/100%25#e2%23"]


def test_two_collections_never_have_one_name(run, tmp_path, odd):
    names = set()
    others = results_of(
        tmp_path / "others",
        [{"id": "t", "prompt": {"text": "Q"}, "responses": [{"id": "a", "text": "Yes."}]}],
        {"r": [{"task": "t", "status": "skipped"}]},
        called="c",
    )
    for results in (odd, others):
        out = tmp_path / "out.jsonld"
        assert run("results", "convert", "--to", "web-annotation", "--out", out, *results).status == 0
        whole = json.loads(out.read_text("utf-8"))
        names |= {whole["id"], whole["first"]["id"]}
    assert len(names) == 4


@pytest.mark.parametrize("place", [".", "/"])
def test_a_folder_as_the_output_is_named(run, place, odd):
    assert "It is a folder" in run("results", "convert", "--to", "label-studio", "--out", place, *odd, status=2).err
