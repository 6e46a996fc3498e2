"""A real Label Studio takes what we export, gives it back, and we read that again.

It is no part of the project: the tests skip where neither PATH nor DESKTOP_RATER_LABEL_STUDIO has it. Starting it with
a new database takes half a minute.
"""

import json
import threading

import pytest

from desktop_rater.cli.root import main
from desktop_rater.format.signing import SigningKey
from tests.audit.results import GOOD, WRONG, Desk
from tests.operations.bundles import make, task
from tests.operations.rated import results_of
from tests.operations.rated_tasks import (
    EACH_RUBRIC,
    TEXT,
    WIDE,
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


@pytest.mark.parametrize(("rubric", "made", "given"), EACH_RUBRIC)
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


def test_imported_results_become_zips_of_which_a_dataset_has_the_figures_of_the_store(run, tmp_path):
    bundle = make(tmp_path / "facts.zip", [task("t1", "Kelp is green.", "It is an alga."), task("t2")])
    before, after = (tmp_path / name for name in ("one.csv", "two.csv"))
    for path, given, day in ((before, "no", "2026-03-01"), (after, "yes", "2026-03-02")):
        said = (("ada", "s1", given), ("bob", "s1", "yes"), ("b/ob", "s2", "no"))
        lines = [f"t1,{rater},{place},{value},{day}\n" for rater, place, value in said]
        path.write_text("".join(["task,rater,place,factual,time\n", *lines]), "utf-8")
    run("audit", "import", before, "--bundle", bundle, "--lead", "Quinn")
    run("audit", "import", after, "--bundle", bundle)
    written = run("audit", "export", "facts", "--out-dir", tmp_path / "zips", "--json")
    zips = written.json["results"]
    assert (written.status, len(zips), [row["sha256"] for row in zips]) == (0, 4, [row["received"] for row in zips])
    assert {"ada.zip", "bob.zip", "b-ob.zip"} < {path.name for path in (tmp_path / "zips").iterdir()}
    run("audit", "dataset", "build", bundle, tmp_path / "zips", "--out", tmp_path / "data")
    of_dataset = run("audit", "dataset", "report", tmp_path / "data", "--json").json
    of_store = run("audit", "report", "facts", "--json").json
    for name in ("raters", "agreement", "confusions", "pairs", "results", "tasks", "targets", "cautions"):
        assert of_dataset[name] == of_store[name]
    assert of_store["raters"][0]["changed"] == {"same": 0, "total": 1}
    assert run("audit", "export", "facts", "--out-dir", tmp_path / "store" / "x").status == 2


def test_zips_of_raters_leave_with_their_pages_and_in_their_order_and_signed_ones_stay(run, tmp_path):
    desk = Desk(tmp_path)
    first = desk.sent("ann", "first", t1=GOOD, t2=GOOD, t3=GOOD)
    desk.store = tmp_path / "store"
    desk.opened(
        desk.with_page("bo"), first, desk.sent("ann", "second", t1=WRONG, t2=GOOD, t3=GOOD),
        desk.sent("cy", key=SigningKey(bytes(32)), t1=GOOD, t2=GOOD, t3=GOOD),
    )  # fmt: skip
    written = run("audit", "export", "kelp", "--out-dir", tmp_path / "zips")
    assert (written.status, "Left out: results of cy, which are signed." in written.out + written.err) == (1, True)
    people = ["--rater", "ann", "--rater", "bo", "--json"]
    before = run("audit", "report", "kelp", *people).json["raters"]
    again = ["--store", tmp_path / "again", "audit"]
    assert run(*again, "open", tmp_path / "zips", "--json").json["refused"] == []
    assert run(*again, "report", "kelp", *people).json["raters"] == before
    assert before[0]["changed"] == {"same": 5, "total": 6}
    assert before[1]["unkept"] == 0
