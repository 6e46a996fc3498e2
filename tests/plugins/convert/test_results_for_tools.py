"""An engineer takes results to evaluation logs and annotation tools, which read them as their formats are published."""

import csv
import json
import re
from pathlib import Path
from uuid import UUID

import jsonschema
import pytest

from tests.operations.bundles import rating, task
from tests.operations.rated import results_of
from tests.operations.rated_tasks import (
    EACH_RUBRIC,
    TEXT,
    WIDE,
    spans,
    spans_rating,
)

PUBLISHED = Path(__file__).parent / "published"
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
META = {"model": "kelp-7b", "trace": TRACE, "span_id": SPAN, "response_id": "resp-1", "epoch": 2}


@pytest.fixture
def two(tmp_path):
    """Results of two raters of one bundle; the second skipped a task."""
    skipped = {"task": "t-2", "status": "skipped", "skipped": {"reason": "wrong_language", "comment": "Norse"}}
    given = {"ada": [spans_rating(), rating("t-2")], "ben": [spans_rating(accuracy="inaccurate"), skipped]}
    return results_of(tmp_path / "made", [spans() | {"meta": META}, task("t-2", meta={"epoch": "x"})], given)


def converted(run, tmp_path, to, results):
    out = tmp_path / f"out.{to}"
    run("results", "convert", "--to", to, "--out", out, *results, status=0)
    return out


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


@pytest.mark.parametrize(("rubric", "made", "given"), EACH_RUBRIC)
def test_inspect_reads_a_log_of_each_rubric(run, tmp_path, rubric, made, given):
    schema = json.loads((PUBLISHED / "inspect-eval-log.schema.json").read_text("utf-8"))
    results = results_of(tmp_path / "made", [made()], {"r": [given()]}, rubric=rubric)
    log = json.loads(converted(run, tmp_path, "inspect", results).read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(log)
    assert list(log) == ["version", "status", "eval", "plan", "results", "stats", "samples"]
    assert log["samples"][0]["scores"]["r"]["value"]


def test_a_sample_of_inspect_has_a_score_by_each_rater(run, tmp_path, two):
    log = json.loads(converted(run, tmp_path, "inspect", two).read_text("utf-8"))
    assert (log["eval"]["task"], log["eval"]["dataset"]["sample_ids"]) == ("b", ["t-1", "t-2"])
    first, second = log["samples"]
    assert (first["epoch"], second["epoch"]) == (2, 1)
    assert (first["output"]["model"], first["output"]["completion"]) == ("kelp-7b", TEXT)
    labels = {rater: score["value"]["targets/s2/accuracy"] for rater, score in first["scores"].items()}
    assert labels == {"ada": "accurate", "ben": "inaccurate"}
    ada = first["scores"]["ada"]
    assert ada["explanation"] == "targets/s1: +49 30 1234\n-1 for style"
    assert ada["metadata"]["evidence"][0]["quote"] == "Half a metre a day."
    assert ada["metadata"]["places"]["targets/s1"] == {"text": WIDE, "start": 0, "end": len(WIDE)}
    assert second["scores"]["ben"]["value"] == {}
    assert second["scores"]["ben"]["metadata"]["skipped"]["reason"] == "wrong_language"


def test_the_samples_of_a_log_keep_their_ids_and_epochs(run, tmp_path):
    metas = [{"id": "s/1", "epoch": 1}, {"id": "s/1", "epoch": 2}, {"id": 7, "epoch": 1}]
    about = {"dialect": "inspect", "run_id": "r1", "task": "qa", "model": "openai/gpt"}
    tasks = [task(f"ch-{number}", meta={**about, **meta}) for number, meta in enumerate(metas)]
    results = results_of(tmp_path / "made", tasks, {"ada": [rating(item["id"]) for item in tasks]})
    log = json.loads(converted(run, tmp_path, "inspect", results).read_text("utf-8"))
    assert [(sample["id"], sample["epoch"]) for sample in log["samples"]] == [("s/1", 1), ("s/1", 2), (7, 1)]
    assert (log["eval"]["task"], log["eval"]["run_id"], log["eval"]["model"]) == ("qa", "r1", "openai/gpt")
    assert log["eval"]["dataset"]["sample_ids"] == ["s/1", 7]


def test_tasks_of_two_bundles_with_one_id_have_different_names(run, tmp_path):
    results = [results_of(tmp_path / name, [task("t-1")], {"ada": [rating("t-1")]}, called=name)[0] for name in "xy"]
    for to, ids in (("inspect", lambda plain: plain["samples"]), ("argilla", lambda plain: plain)):
        plain = json.loads(converted(run, tmp_path, to, results).read_text("utf-8"))
        assert [item["id"] for item in ids(plain)] == ["x@1/t-1", "y@1/t-1"]


def events_of(path):
    for line in lines_of(path):
        (resource,) = line["resourceLogs"]
        (scope,) = resource["scopeLogs"]
        for record in scope["logRecords"]:
            yield record, {item["key"]: item["value"] for item in record["attributes"]}


@pytest.mark.parametrize(("rubric", "made", "given"), EACH_RUBRIC)
def test_each_event_has_the_attributes_of_the_conventions(run, tmp_path, rubric, made, given):
    published = json.loads((PUBLISHED / "gen-ai-evaluation-result.json").read_text("utf-8"))
    results = results_of(tmp_path / "made", [made()], {"r": [given()]}, rubric=rubric)
    events = list(events_of(converted(run, tmp_path, "otel", results)))
    assert len(events) >= 3
    for record, attributes in events:
        assert record["eventName"] == published["event"]
        assert re.fullmatch("[0-9]{19}", record["timeUnixNano"])
        for name, value in attributes.items():
            if not name.startswith("desktop_rater."):
                assert list(value) == [f"{published['attributes'][name]['type']}Value"]
        assert attributes["gen_ai.evaluation.name"]["stringValue"]
        assert {"gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"} & attributes.keys()


def test_events_belong_to_the_span_that_was_rated(run, tmp_path, two):
    events = list(events_of(converted(run, tmp_path, "otel", two)))
    first = [(record, values) for record, values in events if values["desktop_rater.task"]["stringValue"] == "t-1"]
    assert {(record["traceId"], record["spanId"]) for record, _ in first} == {(TRACE, SPAN)}
    assert {values["gen_ai.response.id"]["stringValue"] for _, values in first} == {"resp-1"}
    labels = {
        (values["desktop_rater.rater"]["stringValue"], values["desktop_rater.place"]["stringValue"]): values[
            "gen_ai.evaluation.score.label"
        ]["stringValue"]
        for _, values in first
        if values["gen_ai.evaluation.name"]["stringValue"] == "accuracy"
    }
    assert labels["ben", "targets/s2"] == "inaccurate"
    assert labels["ada", "targets/s2/claims/c1"] == "accurate"
    (skipped,) = (values for _, values in events if "error.type" in values)
    assert skipped["error.type"] == {"stringValue": "wrong_language"}
    others = [record for record, values in events if values["desktop_rater.task"]["stringValue"] == "t-2"]
    assert all("traceId" not in record for record in others)


@pytest.mark.parametrize(("rubric", "made", "given"), EACH_RUBRIC)
def test_every_response_in_argilla_answers_a_question_of_the_settings(run, tmp_path, rubric, made, given):
    results = results_of(tmp_path / "made", [made()], {"r": [given()]}, rubric=rubric)
    (record,) = json.loads(converted(run, tmp_path, "argilla", results).read_text("utf-8"))
    settings = json.loads((tmp_path / "out.settings.json").read_text("utf-8"))
    fields = [field["name"] for field in settings["fields"]]
    questions = {question["name"]: question["settings"] for question in settings["questions"]}
    assert len(questions) == len(settings["questions"])
    assert list(record["fields"]) == fields
    assert record["responses"]
    for name in [*fields, *questions]:
        assert re.fullmatch(r"(?=.*[a-z0-9])[a-z0-9_-]+", name)
    for name, (response,) in record["responses"].items():
        options = {option["value"] for option in questions[name].get("options", ())}
        match questions[name]["type"]:
            case "span":
                assert {span["label"] for span in response["value"]} <= options
                assert questions[name]["field"] in fields
            case "text":
                assert isinstance(response["value"], str)
            case _:
                assert response["value"] in options
        assert UUID(response["user_id"])


def test_the_spans_of_argilla_are_those_of_each_rater(run, tmp_path, two):
    first, second = json.loads(converted(run, tmp_path, "argilla", two).read_text("utf-8"))
    assert first["metadata"]["raters"] == ["ada", "ben"]
    by_rater = dict(zip(first["metadata"]["user_ids"], first["metadata"]["raters"], strict=True))
    labels = {
        by_rater[response["user_id"]]: [
            (TEXT[span["start"] : span["end"]], span["label"]) for span in response["value"]
        ]
        for response in first["responses"]["accuracy_1"]
    }
    assert labels["ada"][0] == (WIDE, "accurate")
    assert ("no plant", "inaccurate") in labels["ben"]
    assert second["metadata"]["skipped"] == ["ben"]


def test_doccano_gets_a_text_with_spans_for_each_rater(run, tmp_path, two):
    lines = lines_of(converted(run, tmp_path, "doccano", two))
    assert [(line["id"], line["task"], line["rater"]) for line in lines] == [
        (1, "t-1", "ada"),
        (2, "t-2", "ada"),
        (3, "t-1", "ben"),
        (4, "t-2", "ben"),
    ]
    labels = {(lines[2]["text"][start:end], label) for start, end, label in lines[2]["label"]}
    assert {(WIDE, "accuracy: accurate"), ("no plant", "accuracy: inaccurate")} <= labels
    assert lines[0]["Comments"] == ["-1 for style", "targets/s1: +49 30 1234"]
    assert (lines[3]["label"], lines[3]["Comments"]) == ([], ["skipped: wrong_language: Norse"])


@pytest.mark.parametrize("to", ["inspect", "argilla"])
def test_one_task_with_two_texts_is_refused(run, tmp_path, two, to):
    other = results_of(tmp_path / "other", [spans() | {"prompt": {"text": "Another."}}], {"cy": [spans_rating()]})
    answer = run("results", "convert", "--to", to, "--out", tmp_path / "out", *two, *other, status=2)
    assert "different texts" in answer.err
    assert not (tmp_path / "out").exists()


def rows_of(path):
    return list(csv.reader(path.read_text("utf-8").splitlines()))


def test_a_validation_set_has_the_answers_on_which_all_raters_agree(run, tmp_path):
    """The columns are those that `validation_set` of inspect_scout reads: id, with target, target_… or label_…"""
    rubric = tmp_path / "policy.toml"
    question = '[[questions]]\nid = "{}"\nper = "{}"\nask = "?"\nkind = "{}"\n'
    choices = 'choices = [{ id = "yes", label = "Yes" }, { id = "no", label = "No" }]\n'
    refused = question.format("refused", "task", "choice") + choices
    quality = question.format("quality", "response", "scale") + "min = 1\nmax = 5\n"
    rubric.write_text(f'id = "policy"\ntitle = "P"\n{refused}', "utf-8")
    tasks = [task(f"t-{number}", meta={"uuid": f"u{number}"} if number < 2 else {}) for number in range(3)]

    def said(*values, **responses):
        answers = [{"task": {"refused": value}, "responses": responses} for value in values]
        return [{"task": f"t-{number}", "answers": given} for number, given in enumerate(answers)]

    given = {"ada": said("yes", "no", "no"), "ben": said("yes", "yes", "no")}
    results = results_of(tmp_path / "one", tasks, given, rubric=str(rubric))
    assert rows_of(converted(run, tmp_path, "inspect-scout", results)) == [
        ["id", "target"],
        ["u0", "true"],
        ["t-2", "false"],
    ]
    rubric.write_text(f'id = "policy"\ntitle = "P"\n{refused}{quality}', "utf-8")
    given = {"ada": said("yes", a={"quality": 4}), "ben": said("no", a={"quality": 4})}
    results = results_of(tmp_path / "two", tasks[:1], given, rubric=str(rubric), called="two")
    (tmp_path / "out.inspect-scout").unlink()
    rows = rows_of(converted(run, tmp_path, "inspect-scout", results))
    assert rows == [["id", "target_quality", "target_refused"], ["u0", "4", ""]]
    given = {"ada": said("yes"), "ben": said("no")}
    results = results_of(tmp_path / "three", tasks[:1], given, rubric=str(rubric), called="three")
    refusal = run("results", "convert", "--to", "inspect-scout", "--out", tmp_path / "none", *results)
    assert (refusal.status, (tmp_path / "none").exists()) == (2, False)
    assert "no answer on which all raters agree" in refusal.err


def test_choices_about_spans_are_the_labels_of_a_validation_set(run, tmp_path):
    results = results_of(tmp_path / "made", [spans()], {"ada": [spans_rating(accuracy="inaccurate")]})
    head, row = rows_of(converted(run, tmp_path, "inspect-scout", results))
    labels = dict(zip(head, row, strict=True))
    assert labels["id"] == "t-1"
    assert (labels["label_accuracy_inaccurate"], labels["label_accuracy_accurate"]) == ("true", "true")
    assert labels["label_accuracy_unsupported"] == labels["label_factual_no"] == "false"
