"""A lead has the report of a dataset by command: the same JSON as `audit report`, and what it leaves out is named."""

import csv
import shutil

import pytest

from tests.audit.results import GOOD, OPINION, WRONG, Desk
from tests.operations.bundles import make, rating, task, write_lines
from tests.plugins.dataset.test_figures import differences

pytest.importorskip("ibis")


def test_the_report_of_a_dataset_is_that_of_the_store(run, tmp_path):
    (tmp_path / "desk").mkdir()
    given = [task(f"t-{n}", f"Kelp {n} is green.", "It is an alga.") for n in range(1, 4)]
    desk = Desk(tmp_path / "desk", given)
    gold = write_lines(tmp_path / "gold.jsonl", [rating("t-1", WRONG, GOOD)])
    bundle = make(tmp_path / "desk" / "kelp.zip", given, gold=gold)
    before = desk.sent("ann", "ann-before", t1=GOOD, t2=GOOD, t3=GOOD)
    files = [
        bundle,
        before,
        desk.sent("ann", t1=WRONG),
        desk.sent("bo", partial=True, t1=OPINION),
        desk.with_page("cy"),
    ]
    data = tmp_path / "data"
    assert run("audit", "open", *files).status in {0, 1}
    assert run("audit", "dataset", "build", *files, "--out", data).status == 0
    store = run("audit", "report", "kelp", "--json").json
    dataset = run("audit", "dataset", "report", data, "--json", "--csv", tmp_path / "csv").json
    assert dataset.pop("engine") == "duckdb"
    label = dataset.pop("final_labels")[0]
    assert (label["question"], label["places"], label["open"]) == ("label", 5, 1)
    assert dataset.pop("left_out") == []
    systems = [run("audit", *words, "--json").json for words in (("systems", "kelp"), ("dataset", "systems", data))]
    for report in (store, dataset, *systems):
        report.pop("computed")
    assert differences(store, dataset) == differences(*systems) == []
    assert [group["name"] for group in systems[1]["groups"]] == ["all responses"]
    assert next(rater for rater in dataset["raters"] if rater["rater"] == "ann")["changed"]["total"] > 0
    assert dataset["differing"][0]["quote"].startswith("Kelp 1")
    with (tmp_path / "csv" / "raters.csv").open(encoding="utf-8-sig") as file:
        assert [row["rater"] for row in csv.DictReader(file)] == ["ann", "bo", "cy"]

    unknown = [
        run("audit", *words, "--rater", "zoe").err for words in (("report", "kelp"), ("dataset", "report", data))
    ]
    assert unknown[0] == unknown[1] != ""
    assert run("audit", "dataset", "report", data, "--bundle", "reef").status == 2
    assert run("audit", "dataset", "report", data, "--master", "local[2]").status == 2


@pytest.mark.parametrize(
    "folder",
    [pytest.param("bundle=reef/da*ta", marks=pytest.mark.posix("Windows has no such names")), "bundle=reef/data"],
)
def test_bundles_that_share_tasks_have_figures_of_their_own_in_a_folder_of_any_name(run, tmp_path, folder):
    (tmp_path / "desk").mkdir()
    desk = Desk(tmp_path / "desk")
    sand = make(tmp_path / "desk" / "sand.zip", desk.tasks)
    files = [desk.bundle, sand, desk.sent("ann", t1=WRONG, t2=GOOD, t3=GOOD), desk.of_part(sand, "sand", "bo")]
    data = tmp_path / folder
    data.parent.mkdir(exist_ok=True)
    assert run("audit", "open", *files).status == 0
    assert run("audit", "dataset", "build", *files, "--out", data).status == 0
    shutil.copytree(data, data.with_name("da-ta"))  # which a pattern would take in
    for bundle in ("kelp", "sand"):
        store = run("audit", "systems", bundle, "--json").json
        dataset = run("audit", "dataset", "systems", data, "--bundle", bundle, "--json").json
        other = ("--store", tmp_path / bundle)
        assert run(*other, "audit", "dataset", "open", data, "--bundle", bundle).status == 0
        opened = run(*other, "audit", "systems", bundle, "--json").json
        for report in (store, dataset, opened):
            report.pop("computed")
        assert differences(store, dataset) == differences(store, opened) == []
        assert store["groups"][0]["base"]["targets"] == 6


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:-9])])
def test_a_dataset_with_a_damaged_file_has_no_figures_and_the_message_says_how_to_check_it(run, tmp_path, damage):
    (tmp_path / "desk").mkdir()
    desk = Desk(tmp_path / "desk")
    data, results = tmp_path / "data", desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD)
    assert run("audit", "dataset", "build", results, "--out", data).status == 0
    for table in ("raters", "labels", "results"):
        (path,) = (data / table).iterdir()
        damage(path)
    for words in (
        ("report", data),
        ("systems", data),
        ("info", data),
        ("open", data),
        ("build", results, "--out", data),
    ):
        refused = run("audit", "dataset", *words, status=2)
        assert "audit dataset check" in refused.err
    assert run("audit", "dataset", "check", data).status == 1
