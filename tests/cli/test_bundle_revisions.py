"""No bundle puts work out of sight unasked, and every step that shows or hides work can be undone."""

from pathlib import Path

import pytest

from tests.operations.bundles import RATER, make, rating, task, write_lines

LARGEST = 2**53  # the highest revision of the format
NAMES = ("t-1", "t-2", "t-3")


@pytest.fixture
def rated(run, tmp_path):
    """A store with revision 2 of a bundle: two of its three tasks are finished, one is begun."""
    for revision in (1, 2):
        run("import", make(tmp_path / f"b{revision}.zip", map(task, NAMES), id="b", revision=revision))
    begun = rating("t-3", {"factual": "yes"})
    lines = write_lines(tmp_path / "ratings.jsonl", [rating("t-1"), rating("t-2"), begun])
    assert run("rate", "b", "--from", lines, "--rater", RATER).status == 1
    return run


def status(run, *options: str):
    return {row["id"]: row for row in run("status", *options, "--json").json["bundles"]}


def hijack(folder: Path, revision: int = LARGEST) -> Path:
    return make(folder / "hijack.zip", [task("t-9")], id="b", revision=revision)


def test_a_bundle_that_would_hide_work_is_refused_with_the_numbers(rated, tmp_path):
    before = status(rated)
    answer = rated("import", hijack(tmp_path, 3))
    assert answer.status == 2
    assert "2 finished and 1 begun" in answer.err
    assert "--replace" in answer.err
    assert status(rated) == before
    (refused,) = rated("import", hijack(tmp_path, 3), "--json").json
    assert (refused["outcome"], refused["finished"], refused["begun"]) == ("refused", 2, 1)
    assert rated("import", make(tmp_path / "b3.zip", map(task, NAMES), id="b", revision=3)).status == 0


def test_a_leap_of_the_revision_is_refused_although_nothing_would_be_hidden(rated, tmp_path):
    leap = make(tmp_path / "b4.zip", map(task, NAMES), id="b", revision=4)
    answer = rated("import", leap)
    assert answer.status == 2
    assert "revision 4" in answer.err
    assert "the store has revision 2" in answer.err
    assert rated("import", leap, "--replace").status == 0
    assert status(rated)["b"]["revision"] == 4


@pytest.mark.parametrize("revision", [20261122, 202611, LARGEST])
def test_a_first_revision_that_is_rather_a_date_is_refused(run, tmp_path, revision):
    path = make(tmp_path / "b.zip", [task("t-1")], revision=revision)
    assert f"revision {revision} of b, which is unusually high" in run("import", path, status=2).err
    assert run("import", path, "--replace").status == 0


def test_who_makes_a_bundle_with_a_date_as_its_revision_is_told(run, tmp_path):
    lines = write_lines(tmp_path / "tasks.jsonl", [task("t-1")])
    for revision, told in (("20261122", True), ("3", False)):
        made = run("bundle", "make", "--revision", revision, "--out", tmp_path / "b.zip", lines)
        assert (made.status, "unusually high" in made.err) == (0, told)


def test_after_a_hijack_one_goes_back_and_the_next_revision_is_imported(rated, tmp_path):
    before = status(rated)["b"]
    assert rated("import", hijack(tmp_path), "--replace").status == 0
    assert status(rated)["b"]["complete"] == 0
    back = rated("bundle", "revision", "b", "2", "--reason", "a stranger's file", "--json")
    assert (back.status, back.json["outcome"]) == (0, "changed")
    assert status(rated)["b"] == before
    # The very file again, as a hub would deliver it, changes nothing.
    assert rated("import", hijack(tmp_path)).status == 0
    assert status(rated)["b"] == before
    assert rated("import", make(tmp_path / "b3.zip", map(task, NAMES), id="b", revision=3)).status == 0
    assert (status(rated)["b"]["revision"], status(rated)["b"]["complete"]) == (3, 2)
    assert rated("doctor").status == 0


def test_the_real_next_revision_is_imported_although_a_made_up_one_came_first(rated, tmp_path):
    rated("import", make(tmp_path / "b40.zip", map(task, NAMES), id="b", revision=40), "--replace")
    real = make(tmp_path / "b3.zip", map(task, (*NAMES, "t-4")), id="b", revision=3)
    answer = rated("import", real)
    assert (answer.status, "--replace" in answer.out) == (0, True)
    assert status(rated)["b"]["revision"] == 40
    assert rated("import", real, "--replace").status == 0
    assert (status(rated)["b"]["revision"], status(rated)["b"]["complete"]) == (3, 2)
    assert rated("import", make(tmp_path / "b4.zip", map(task, NAMES), id="b", revision=4)).status == 0
    assert status(rated)["b"]["revision"] == 4


def test_going_back_says_which_work_is_only_in_the_later_revision(rated, tmp_path):
    later = make(tmp_path / "b3.zip", map(task, (*NAMES, "t-4")), id="b", revision=3)
    assert rated("import", later).status == 0
    lines = write_lines(tmp_path / "more.jsonl", [rating("t-4")])
    rated("rate", "b", "--from", lines, "--rater", RATER)
    answer = rated("bundle", "revision", "b", "2")
    assert "1 finished and 0 begun tasks are only in revision 3" in answer.out
    assert status(rated)["b"]["complete"] == 2
    rated("bundle", "revision", "b", "3")
    assert status(rated)["b"]["complete"] == 3
    assert rated("bundle", "revision", "b", "3", "--json").json["outcome"] == "unchanged"
    listed = rated("bundle", "revision", "b", "--json").json["revisions"]
    assert [(row["revision"], row["rated"], row["current"]) for row in listed] == [
        (3, 4, True),
        (2, 3, False),
        (1, 3, False),
    ]


def test_a_revision_or_bundle_that_the_store_lacks_is_named(rated):
    missing = rated("bundle", "revision", "b", "7")
    assert missing.status == 2
    assert "Revisions in the store: 1, 2." in missing.err
    for command in (("revision", "x"), ("revision", "x", "1"), ("put-away", "x"), ("bring-back", "x")):
        assert (rated("bundle", *command).status, "'x'" in rated("bundle", *command).err) == (2, True)


def test_a_changed_text_and_another_rubric_are_counted_and_keep_their_answers(rated, tmp_path):
    changed = [task("t-1"), task("t-2", "Lyon is it."), task("t-3")]
    answer = rated("import", make(tmp_path / "b3.zip", changed, id="b", revision=3))
    assert answer.status == 0
    assert "1 finished tasks changed and have to be finished again" in answer.out
    assert status(rated)["b"]["complete"] == 1
    assert "1 finished" not in rated("bundle", "revision", "b", "2").out
    assert status(rated)["b"]["complete"] == 2


def test_a_bundle_put_away_is_out_of_the_list_with_its_work_intact(rated):
    before = status(rated)
    assert rated("bundle", "put-away", "b", "--reason", "done").status == 0
    assert status(rated) == {}
    assert "1 is put away" in rated("status").out
    everything = status(rated, "--all")["b"]
    assert everything.pop("put_away") is True
    assert everything == before["b"]
    assert rated("bundle", "put-away", "b", "--json").json["outcome"] == "unchanged"
    assert rated("bundle", "bring-back", "b").status == 0
    assert status(rated) == before


def test_an_import_into_a_bundle_put_away_says_how_to_bring_it_back(rated, tmp_path):
    rated("bundle", "put-away", "b")
    answer = rated("import", make(tmp_path / "b3.zip", map(task, NAMES), id="b", revision=3))
    assert (answer.status, "bundle bring-back b" in answer.out) == (0, True)
    assert status(rated) == {}


def test_a_bundle_is_removed_once_its_ratings_have_left(rated, tmp_path):
    held = rated("bundle", "remove", "b")
    assert held.status == 1
    assert "Neither exported nor sent: t-1 by r-17, t-2 by r-17, t-3 by r-17." in held.out
    assert rated("bundle", "remove", "b", "--yes").status == 2
    rated("rate", "b", "--from", write_lines(tmp_path / "rest.jsonl", [rating("t-3")]), "--rater", RATER)
    assert rated("export", "b", "--rater", RATER, "--out", tmp_path / "r.zip").status == 0
    looked = rated("bundle", "remove", "b", "--json").json
    assert (looked["removed"], looked["tasks"], looked["ratings"], looked["on_hold"]) == (False, 3, 3, [])
    assert rated("bundle", "remove", "b", "--yes", "--json").json["removed"] is True
    assert status(rated, "--all") == {}
    assert rated("doctor").status == 0


def test_a_due_date_is_written_shown_and_kept_by_what_is_made_of_the_bundle(run, tmp_path):
    lines, out = write_lines(tmp_path / "t.jsonl", map(task, NAMES)), tmp_path / "b.zip"
    made = ("bundle", "make", "--rubric", "span-factuality", "--out", out, lines)
    assert run(*made, "--due", "2026-11-31").status == 2
    assert run(*made, "--due", "2026-11-27").status == 0
    assert ", due 2026-11-27" in run("bundle", "inspect", out).out
    run("bundle", "split", "2", out)
    assert run("bundle", "inspect", tmp_path / "b-part-1.zip", "--json").json["due"] == "2026-11-27"
