"""A rater is one rater however the name was typed, and what is printed of names can do nothing to a terminal."""

import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.hub_names import results_name
from desktop_rater.format.results import open_results
from desktop_rater.hub.errors import HubError
from desktop_rater.operations.hub.collect import check_results_owner
from desktop_rater.operations.hub.receive import read_raters
from tests.audit.results import GOOD, renamed
from tests.operations.bundles import make, rating, task, write, write_lines
from tools.simulate import SimulationOptions, simulate_results

ALL = {"t1": GOOD, "t2": GOOD, "t3": GOOD}
SPELLINGS = ("r-17 ", "r-17\u200b", "\ufeffr-17", "r-\u20601\u034f7", "r-17\u3164", "\u00a0r-17")
DECOMPOSED, COMPOSED = "Jose\u0301", "Jos\u00e9"


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_results_under_another_spelling_of_a_name_are_of_the_same_rater(desk, run, spelling):
    honest = desk.sent("r-17", **ALL)
    again = renamed(honest, desk.folder / "again.zip", spelling)
    run("audit", "open", "--lead", "lead", desk.bundle, honest, again)
    bundles = run("audit", "status", "--json").json["bundles"]
    assert [one["rater"] for one in bundles[0]["raters"]] == ["r-17"]
    assert run("check", again, "--json").json["rater"] == "r-17"


def test_results_of_a_rater_without_a_name_that_can_be_seen_are_refused(desk, run):
    nameless = renamed(desk.sent("r-17", **ALL), desk.folder / "nameless.zip", "\u200b\u3164")
    assert "the rater has no name that can be seen" in run("check", nameless, status=2).err


def test_a_name_is_typed_with_an_invisible_character_or_in_two_spellings_and_the_work_is_there(desk, run):
    lines = desk.folder / "lines.jsonl"
    desk.rated("ann", **ALL)
    lines.write_bytes(max(desk.folder.glob("ratings-*.jsonl")).read_bytes())
    run("import", desk.bundle)
    assert run("rate", "kelp", "--from", lines, "--rater", f" {DECOMPOSED}\u200b").status == 0
    out = desk.folder / "out.zip"
    assert run("export", "kelp", "--rater", COMPOSED, "--out", out).status == 0
    with open_results(out) as results:
        assert results.written_rater == COMPOSED
    refused = run("export", "kelp", "--rater", "ann\x1b[2J", "--out", out, status=2)
    assert "control characters" in refused.err
    assert "\x1b" not in refused.err


def test_one_rater_in_two_spellings_is_named_once_in_a_list_of_raters(tmp_path):
    raters = write(tmp_path / "raters.txt", f"{DECOMPOSED}\nr-17\u00ad\nben  \u3000b\n")
    assert read_raters(raters) == [COMPOSED, "r-17", "ben b"]
    raters.write_text("r-17\nr-17\u200b\n", "utf-8")
    with pytest.raises(BundleError, match="already in line 1"):
        read_raters(raters)


def test_results_in_the_folder_of_either_spelling_of_their_rater_are_taken(desk):
    written = renamed(desk.sent("r-17", **ALL), desk.folder / "written.zip", DECOMPOSED)
    for rater in (DECOMPOSED, COMPOSED):
        check_results_owner(results_name(rater, "kelp", 1, "0" * 64), written)
    with pytest.raises(HubError, match="folder of another rater"):
        check_results_owner(results_name("Jose", "kelp", 1, "0" * 64), written)


def test_json_says_what_there_is_in_characters_that_a_terminal_obeys_not(run, tmp_path):
    title = "\x9b31m red \u202eturned\u202c \U000e0041 👩\u200d🚀 \u200bend\x7f"
    run("import", make(tmp_path / "b.zip", [task("t1", "A text.", "Another.")], title=title))
    said = run("status", "--json")
    assert json.loads(said.out)["bundles"][0]["title"] == title
    assert not set(said.out) & set("\x7f\x9b\u202e\u202c\u200b\U000e0041")
    assert "\\u009b31m red \\u202eturned\\u202c \\udb40\\udc41 👩\u200d🚀 \\u200bend\\u007f" in said.out
    plain = run("status").out
    assert not set(plain) & set("\x7f\x9b\u202e\u202c\u200b\U000e0041")


def test_a_bundle_called_rater_is_made_assigned_split_imported_and_audited(run, tmp_path):
    tasks = write_lines(tmp_path / "tasks.jsonl", [task("t1"), task("t2")])
    kelp = tmp_path / "Kelp.RATER"
    assert run("bundle", "make", "--rubric", "span-factuality", "--out", kelp, tasks).status == 0
    assert zipfile.is_zipfile(kelp)
    (tmp_path / "raters.txt").write_text("ada\nben\n")
    out = tmp_path / "out"
    assert run("bundle", "assign", "--raters", tmp_path / "raters.txt", "--out-dir", out, kelp).status == 0
    assert sorted(path.name for path in out.iterdir()) == ["Kelp-ada.RATER", "Kelp-assignment.csv", "Kelp-ben.RATER"]
    parts = run("bundle", "split", "2", kelp, "--out-dir", tmp_path / "parts", "--json").json["parts"]
    assert [Path(part["out"]).name for part in parts] == ["Kelp-part-1.RATER", "Kelp-part-2.RATER"]
    assert run("import", kelp, *out.glob("*.RATER")).status == 0
    results = tmp_path / "results"
    simulate_results(kelp, None, results, SimulationOptions(raters=2, seed=1), Progress())
    for path in list(results.glob("*.zip")):
        shutil.move(path, path.with_suffix(".rater"))
    shutil.copy(kelp, results)
    assert len(run("audit", "open", kelp, results, "--json", status=0).json["results"]) == 2


@pytest.mark.posix("names of files that are no text")
def test_bundles_and_results_may_have_names_that_are_no_text(run, tmp_path):
    source = make(tmp_path / "kelp.rater", [task("t-1")]).rename(tmp_path / os.fsdecode(b"bl\xe4tter.rater"))
    assert run("import", source).status == 0
    assert run("rate", "kelp", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r").status == 0
    results = tmp_path / os.fsdecode(b"bl\xe4tter.zip")
    assert run("export", "kelp", "--rater", "r", "--out", results).status == 0
    assert run("check", results).status == 0
