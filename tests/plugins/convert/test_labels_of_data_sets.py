"""A team takes the labels of a public data set as gold or as suggestions, and invents nothing."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.maps import RecordMap, write_map
from desktop_rater.plugins.convert.maps.record_map import LabelMap
from desktop_rater.plugins.convert.run import FORMATS, convert_files
from tests.ui.rooms import press
from tests.ui.test_context_pane import context_of, passage
from tools.simulate import SimulationOptions, simulate_results

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
def factcheck(tmp_path):
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
    answer = run(
        "bundle", "convert", "--from", "factcheck-bench", "--labels", "suggestion", "--out", out, factcheck, status=0
    )
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
    answer = run("bundle", "convert", "--from", "factcheck-bench", *wanted, status=2)
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
    answer = run(*convert, "--report", report, status=1)
    assert answer.err.count("Left out: ") == 20
    assert "and 10 more (--verbose names each" in answer.err
    rows = [json.loads(line) for line in report.read_bytes().splitlines()]
    assert (len(rows), rows[0]["reason"]) == (30, "record")
    assert run(*convert, "--verbose").err.count("Left out: ") == 30


COUNTS = ("records", "tasks", "placed", "aligned", "unplaced", "left_out", "cut", "evidence")


@pytest.mark.parametrize(
    ("name", "rubric", "files", "counts"),
    [
        ("azure-qa", "response-quality", "azure/promptflow_data.jsonl", (2, 2, 0, 0, 0, 0, 0, 0)),
        ("azure-qa", "response-quality", "azure/promptflow_monitoring_bom.jsonl", (5, 5, 0, 0, 0, 0, 0, 0)),
        ("azure-qa", "response-quality", "azure/rag_eval_results.jsonl", (200, 200, 0, 0, 0, 0, 0, 0)),
        ("azure-qa", "response-quality", "azure/*.jsonl", (408, 207, 0, 0, 0, 201, 0, 0)),
        ("expertqa", "span-factuality", "expertqa/*.jsonl", (217, 217, 1175, 62, 0, 0, 0, 1212)),
        ("factcheck-bench", "span-factuality", "factcheck-bench/*.jsonl", (94, 94, 281, 29, 1, 0, 0, 1061)),
        ("haluquestqa", "side-by-side", "haluquestqa/*.csv", (698, 698, 1226, 603, 5, 0, 0, 139)),
        ("toolbench", "side-by-side", "toolbench/G*.json", (2, 2, 0, 0, 0, 0, 1, 0)),
        ("toolbench", "side-by-side", "toolbench/*.json", (102, 66, 0, 0, 0, 36, 171, 0)),
    ],
)
def test_what_a_data_set_becomes(shared, tmp_path, name, rubric, files, counts):
    paths = tuple(sorted((shared / "data").glob(files)))
    ratings = tmp_path / "r.jsonl"
    done = convert_files(name, paths, tmp_path / "b.zip", BundleOptions(rubric=rubric), ratings, Progress())
    assert dict.fromkeys(COUNTS, 0) | {key: done.counts.get(key, 0) for key in COUNTS} == dict(
        zip(COUNTS, counts, strict=True)
    )
    assert len(done.left_out) == counts[5]
    assert len(done.unplaced) == counts[4]
    with open_bundle(tmp_path / "b.zip", LIMITS) as bundle:
        tasks = {line.task.id: line.task for line in bundle.tasks() if line.task}
    assert len(tasks) == counts[1]
    for line in ratings.read_text("utf-8").split("\n")[:-1]:
        rating = json.loads(line)
        assert rating["task"] in tasks
        for response in rating["answers"]["responses"]:
            assert tasks[rating["task"]].response(response)


def test_a_conversion_gives_the_same_bytes_every_time(shared, tmp_path):
    paths = tuple(sorted((shared / "data" / "toolbench").glob("*.json")))
    wanted = BundleOptions(rubric="side-by-side", id="tb", created="2026-11-20T08:00:00Z")
    for name in ("one.zip", "two.zip"):
        convert_files("toolbench", paths, tmp_path / name, wanted, None, Progress())
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@pytest.mark.parametrize("name", ["rag_eval_results.jsonl", "promptflow_monitoring_bom.jsonl"])
def test_public_test_sets_show_their_context(rooms, shared, name):
    path = rooms.folder / "azure.zip"
    wanted = BundleOptions(rubric="response-quality", created="2026-11-20T08:00:00Z")
    convert_files("azure-qa", (shared / "data" / "azure" / name,), path, wanted, None, Progress())
    room = rooms.with_bundle(path)
    assert context_of(room).view.isVisible()
    press("Shift+D")
    assert passage(room), "a citation of the first task leads to a passage"


def test_raters_made_from_real_labels_hold_too(tmp_path, shared):
    """Sentences whose evidence contradicts their label, claims without labels: all of it is mended."""
    for name, file in (("factcheck-bench", "factcheck-GPT-benchmark.jsonl"), ("expertqa", "rand_val.jsonl")):
        assert name in FORMATS
        bundle, ratings = tmp_path / f"{name}.zip", tmp_path / f"{name}.jsonl"
        convert_files(
            name, (shared / "data" / name / file,), bundle, BundleOptions(rubric="span-factuality"), ratings, Progress()
        )
        done = simulate_results(bundle, ratings, tmp_path / name, SimulationOptions(raters=2, seed=1), Progress())
        for one in done.written:
            assert check_results(one.out, Progress()).broken == ()
            assert one.skipped == 0
