"""Bundles that are called `.rater` go wherever a `.zip` goes."""

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from desktop_rater.format.change import Progress
from tests.operations.bundles import make, rating, task, write_lines
from tools.simulate import SimulationOptions, simulate_results


def test_a_bundle_called_rater_is_made_assigned_split_imported_and_audited(run, tmp_path):
    tasks = write_lines(tmp_path / "tasks.jsonl", [task("t1"), task("t2")])
    kelp = tmp_path / "Kelp.RATER"
    assert run("bundle", "make", "--rubric", "span-factuality", "--out", kelp, tasks).status == 0
    assert zipfile.is_zipfile(kelp)
    (tmp_path / "raters.txt").write_text("ada\nben\n")
    out = tmp_path / "out"
    assert run("bundle", "assign", "--raters", tmp_path / "raters.txt", "--out-dir", out, kelp).status == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "Kelp-ada.RATER",
        "Kelp-assignment.csv",
        "Kelp-ben.RATER",
    ]
    parts = run("bundle", "split", "2", kelp, "--out-dir", tmp_path / "parts", "--json").json["parts"]
    assert [Path(part["out"]).name for part in parts] == ["Kelp-part-1.RATER", "Kelp-part-2.RATER"]
    assert run("import", kelp, *out.glob("*.RATER")).status == 0
    results = tmp_path / "results"
    simulate_results(kelp, None, results, SimulationOptions(raters=2, seed=1), Progress())
    for path in list(results.glob("*.zip")):
        shutil.move(path, path.with_suffix(".rater"))
    shutil.copy(kelp, results)
    imported = run("audit", "open", kelp, results, "--json")
    assert imported.status == 0, imported.err
    assert len(imported.json["results"]) == 2


@pytest.mark.posix("names of files that are no text")
def test_bundles_and_results_may_have_names_that_are_no_text(run, tmp_path):
    source = make(tmp_path / "kelp.rater", [task("t-1")]).rename(tmp_path / os.fsdecode(b"bl\xe4tter.rater"))
    assert run("import", source).status == 0
    assert run("rate", "kelp", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r").status == 0
    results = tmp_path / os.fsdecode(b"bl\xe4tter.zip")
    assert run("export", "kelp", "--rater", "r", "--out", results).status == 0
    assert run("check", results).status == 0
