"""A team takes the labels of a public data set as gold or as suggestions, and invents nothing."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from desktop_rater.plugins.convert.maps import RecordMap, write_map
from desktop_rater.plugins.convert.maps.record_map import LabelMap

RESPONSE = "The siege ended in 1669. It was long. It was a siege."


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def lines_of(path: Path, name: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(path) as opened:
        return [json.loads(line) for line in opened.read(name).splitlines()]


def sentence(text: str, label: bool | str | None, **more: Any) -> dict[str, Any]:
    return {"text": text, "sentence_factuality_label": label, **more}


@pytest.fixture
def factcheck(tmp_path: Path) -> Path:
    """Labels of one sentence, of the claims of another, and of nothing; a label with a page against it."""
    first, second, third = (f"{part}." for part in RESPONSE.rstrip(".").split(". "))
    claims = {"claims": ["It was long.", "It was."], "claims_factuality_label": [True, False]}
    page = {"auto_evidence": [["It is so."]], "auto_evidence_url": [["https://a.example/"]]}
    against = {**page, "stance_claim_autoEvid": [["refute"]], "claims": [third], "claims_factuality_label": [True]}
    labelled = {"1": sentence(first, True), "2": sentence(second, False, **claims), "3": sentence(third, None)}
    records = [
        {"prompt": "How long?", "response": RESPONSE, "sentences": labelled},
        {"prompt": "Never?", "response": RESPONSE, "sentences": {"1": sentence(first, None)}},
        {"prompt": "And so?", "response": RESPONSE, "sentences": {"3": sentence(third, True, **against)}},
    ]
    return write(tmp_path / "factcheck.jsonl", records)


def test_labels_become_partial_gold(run, factcheck, tmp_path):
    out = tmp_path / "gold.zip"
    answer = run(
        "bundle", "convert", "--from", "factcheck-bench", "--labels", "gold", "--out", out, factcheck, "--json"
    )
    said = answer.json
    assert (answer.status, said["tasks"], said["gold"], said["partial_gold"]) == (0, 3, 2, 2)
    assert (said["unlabelled"], "gold_without_evidence" in said) == (1, False)
    first, last = lines_of(out, "gold.jsonl")
    assert first["answers"]["targets"] == {"s1": {"factual": "yes", "accuracy": "accurate"}, "s2": {"factual": "yes"}}
    assert first["decided"] == {"targets/s2": {"accuracy": {"is": "inaccurate", "by": "claims"}}}
    (page,) = last["evidence"]
    assert page["stance"] == "contradicting"  # against the label, which the consensus may bear out: it decides nothing
    inspected = run("bundle", "inspect", out)
    assert (inspected.status, inspected.err) == (0, "")
    assert all("suggestions" not in task for task in lines_of(out, "tasks.jsonl"))


def test_labels_become_suggestions_that_a_rater_confirms(run, factcheck, tmp_path):
    out = tmp_path / "b.zip"
    answer = run("bundle", "convert", "--from", "factcheck-bench", "--labels", "suggestion", "--out", out, factcheck)
    assert answer.status == 0
    assert "3 times: a claim is suggested without its label" in answer.err
    first, second, _ = lines_of(out, "tasks.jsonl")
    suggested = first["suggestions"]
    assert suggested["targets"]["s1"] == {"factual": "yes", "accuracy": "accurate"}
    assert [claim["text"] for claim in suggested["claims"]["s2"]] == ["It was long.", "It was."]
    assert "suggestions" not in second
    assert run("bundle", "inspect", out, "--json").json["ignored"] == []
    with zipfile.ZipFile(out) as opened:
        assert "gold.jsonl" not in opened.namelist()


def test_without_a_choice_labels_leave_the_bundle_alone(run, factcheck, tmp_path):
    ratings = tmp_path / "ratings.jsonl"
    plain, labelled = tmp_path / "one" / "b.zip", tmp_path / "two" / "b.zip"
    for path in (plain, labelled):
        path.parent.mkdir()
    convert = ["bundle", "convert", "--from", "factcheck-bench"]
    assert run(*convert, "--out", plain, factcheck).status == 0
    refused = run(*convert, "--labels", "rating", "--out", labelled, factcheck)
    assert (refused.status, "--ratings FILE" in refused.err) == (2, True)
    assert run(*convert, "--labels", "rating", "--ratings", ratings, "--out", labelled, factcheck).status == 0
    assert plain.read_bytes() == labelled.read_bytes()
    assert len(ratings.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("labels", ["gold", "suggestion"])
def test_labels_of_another_rubric_are_refused(run, factcheck, tmp_path, labels):
    out = tmp_path / "b.zip"
    wanted = ["--rubric", "side-by-side", "--labels", labels, "--out", out, factcheck]
    answer = run("bundle", "convert", "--from", "factcheck-bench", *wanted)
    assert answer.status == 2
    assert "use the rubric span-factuality@3" in answer.err
    assert not out.exists()


def test_a_map_says_what_its_labels_are_and_the_command_may_say_otherwise(run, tmp_path):
    fields = {"prompt": "q", "response": "a", "targets": "parts[].text"}
    label = LabelMap(path="parts[].label", question="accuracy", answers={"TRUE": "accurate", "FALSE": "inaccurate"})
    named = tmp_path / "x.map.toml"
    named.write_text(write_map(RecordMap(fields=fields, labels=(label,), take="gold")), encoding="utf-8")
    parts = [{"text": "The siege ended in 1669.", "label": "TRUE"}, {"text": "It was long.", "label": "?"}]
    source = write(tmp_path / "x.jsonl", [{"q": "When?", "a": RESPONSE, "parts": parts}])
    out = tmp_path / "b.zip"
    assert run("bundle", "convert", "--map", named, "--out", out, source, "--json").json["partial_gold"] == 1
    (gold,) = lines_of(out, "gold.jsonl")
    assert gold["answers"]["targets"] == {"s1": {"accuracy": "accurate"}}
    run("bundle", "convert", "--map", named, "--labels", "suggestion", "--out", out, source)
    (task,) = lines_of(out, "tasks.jsonl")
    assert task["suggestions"] == {"targets": {"s1": {"accuracy": "accurate"}}}


def test_of_many_losses_a_few_are_named_and_a_report_holds_all(run, tmp_path):
    records = [{"prompt": "?", "response": "", "sentences": {}} for _ in range(30)]
    kept = {"prompt": "?", "response": RESPONSE, "sentences": {}}
    source, report, out = write(tmp_path / "x.jsonl", [kept, *records]), tmp_path / "r.jsonl", tmp_path / "b.zip"
    convert = ["bundle", "convert", "--from", "factcheck-bench", "--out", out, source]
    answer = run(*convert, "--report", report)
    assert answer.status == 1
    assert answer.err.count("Left out: ") == 20
    assert "and 10 more (--verbose names each" in answer.err
    rows = [json.loads(line) for line in report.read_bytes().splitlines()]
    assert (len(rows), rows[0]["reason"]) == (30, "record")
    assert run(*convert, "--verbose").err.count("Left out: ") == 30
