"""Two bundles are compared by what raters get."""

import json

from desktop_rater.format.archive import GOLD, GUIDELINES
from tests.format import zips


def test_two_bundles_are_compared_by_what_raters_get(run, tmp_path):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"), zips.task("t-2"), zips.task("t-3"))
    two = zips.bundle(
        tmp_path / "two.zip", zips.task("t-3"), zips.task("t-2", text="Otherwise."), zips.task("t-4"), revision=2
    )
    answer = run("bundle", "diff", one, two, "--json", status=1)
    assert answer.json == {
        "same": False,
        "manifest": [{"field": "revision", "a": 1, "b": 2}],
        "only_in_a": ["t-1"],
        "only_in_b": ["t-4"],
        "changed": [{"task": "t-2", "fields": ["responses.a.text"]}],
        "order": True,
        "files": [],
        "gold": [],
    }
    words = run("bundle", "diff", one, two).out
    assert "changed: t-2: responses.a.text" in words
    assert "revision: 1 became 2" in words


def test_a_bundle_is_the_same_as_itself_and_as_one_with_other_gold(run, tmp_path):
    one = zips.bundle(tmp_path / "one.zip", zips.task("t-1"))
    lead = zips.pack(tmp_path / "lead.zip", {**zips.bundle_files(zips.task("t-1")), GOLD: b'{"task": "t-1"}\n'})
    assert run("bundle", "diff", one, one, "--json").json["same"]
    answer = run("bundle", "diff", one, lead)
    assert (answer.status, answer.out) == (0, "The bundles are identical.\n")


def test_a_task_that_is_only_spelt_otherwise_is_a_changed_one(run, tmp_path):
    plain = zips.task("t-1")
    one = zips.with_lines(tmp_path / "one.zip", json.dumps(plain).encode() + b"\n", 1)
    two = zips.with_lines(
        tmp_path / "two.zip", json.dumps(plain, indent=None, separators=(",", ":")).encode() + b"\n", 1
    )
    assert "changed: t-1: only the formatting" in run("bundle", "diff", one, two, status=1).out


def test_other_files_of_raters_are_compared_too(run, tmp_path):
    one = zips.with_files(tmp_path / "one.zip", {GUIDELINES: b"# A\n"}, zips.task("t-1"))
    two = zips.with_files(tmp_path / "two.zip", {GUIDELINES: b"# B\n", zips.PAGE_NAME: zips.PAGE}, zips.task("t-1"))
    assert run("bundle", "diff", one, two, "--json").json["files"] == [GUIDELINES, zips.PAGE_NAME]
