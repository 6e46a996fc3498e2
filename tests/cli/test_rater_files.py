"""Bundles that are called `.rater` go wherever a `.zip` goes."""

import shutil
import zipfile
from pathlib import Path

from tests.work.bundles import task, write_lines


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
    assert run("audit", "rehearse", kelp, "--out-dir", results, "--raters", "2").status == 0
    for path in list(results.glob("*.zip")):
        shutil.move(path, path.with_suffix(".rater"))
    shutil.copy(kelp, results)
    imported = run("audit", "open", results, "--json")
    assert imported.status == 0, imported.err
    assert len(imported.json["results"]) == 2
