"""A real Label Studio takes what we export, gives it back, and we read that again.

It is no part of the project: the tests skip where neither PATH nor DESKTOP_RATER_LABEL_STUDIO has it. Starting it with
a new database takes half a minute.
"""

import json
import threading

import pytest

from desktop_rater.cli.root import main
from tests.operations.rated import results_of
from tests.operations.rated_tasks import (
    TEXT,
    WIDE,
    lists,
    lists_rating,
    pair,
    pair_rating,
    scales,
    scales_rating,
    spans,
    spans_rating,
)
from tests.plugins.convert.label_studio import LabelStudio, executable

_PATIENCE = 240

pytestmark = pytest.mark.skipif(executable() is None, reason="Label Studio is not installed")


@pytest.fixture(scope="module")
def label_studio(tmp_path_factory):
    """One for all tests."""
    waiting = threading.Event()
    with LabelStudio(executable() or "", tmp_path_factory.mktemp("label-studio")) as running:
        for _ in range(_PATIENCE):
            if running.answers():
                break
            waiting.wait(1)
        yield running


def taken_in(label_studio, out, tasks):
    """What comes out of a project into which the tasks went, in their order."""
    config = out.with_name(f"{out.stem}.config.xml").read_text("utf-8")
    project = label_studio.ask("POST", "/api/projects/", {"title": "Rated", "label_config": config})["id"]
    done = label_studio.ask("POST", f"/api/projects/{project}/import", tasks)
    assert done["task_count"] == len(tasks)
    assert done["annotation_count"] == sum(len(one["annotations"]) for one in tasks)
    assert done["prediction_count"] == sum(len(one["predictions"]) for one in tasks)
    back = label_studio.ask("GET", f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true")
    return sorted(back, key=lambda one: one["id"])


def in_any_order(annotations):
    return sorted(json.dumps([one["result"], one["was_cancelled"]], sort_keys=True) for one in annotations)


@pytest.mark.parametrize(
    ("rubric", "made", "given"),
    [
        ("span-factuality", spans, spans_rating),
        ("side-by-side", pair, pair_rating),
        ("response-quality", scales, scales_rating),
        ("groundedness", lists, lists_rating),
    ],
)
def test_it_takes_what_we_export_and_gives_the_same_back(label_studio, tmp_path, rubric, made, given):
    task = made()
    skipped = {"task": task["id"], "status": "skipped", "skipped": {"reason": "harmful"}}
    ratings = {"r-1": [given()], "r-2": [skipped]}
    results = results_of(tmp_path / "made", [task], ratings, rubric=rubric)
    out = tmp_path / "out.json"
    assert main(["results", "convert", "--to", "label-studio", "--out", str(out), *map(str, results)]) == 0
    tasks = json.loads(out.read_text("utf-8"))
    (back,) = taken_in(label_studio, out, tasks)
    assert back["data"] == tasks[0]["data"]
    assert in_any_order(back["annotations"]) == in_any_order(tasks[0]["annotations"])


def test_what_it_exports_becomes_the_same_targets_and_answers(label_studio, tmp_path):
    results = results_of(tmp_path / "made", [spans()], {"r-1": [spans_rating()]})
    out, bundle, ratings = tmp_path / "out.json", tmp_path / "again.zip", tmp_path / "again.jsonl"
    assert main(["results", "convert", "--to", "label-studio", "--out", str(out), *map(str, results)]) == 0
    exported = tmp_path / "exported.json"
    exported.write_text(json.dumps(taken_in(label_studio, out, json.loads(out.read_text("utf-8")))), "utf-8")
    words = ["bundle", "convert", "--from", "label-studio", "--out", str(bundle), "--ratings", str(ratings)]
    assert main([*words, str(exported)]) == 0
    assert main(["bundle", "inspect", str(bundle)]) == 0
    (line,) = ratings.read_text("utf-8").splitlines()
    answers = json.loads(line)["answers"]["targets"]
    assert answers["s1"] == {"factual": "yes", "accuracy": "accurate", "comment": "+49 30 1234"}
    assert answers["s2"]["accuracy"] == "accurate", "as its claim decided it"
    assert TEXT.startswith(WIDE)
