"""A lead takes results in by command, and reads off whether complete."""

import os
import zipfile

import pytest

from tests.audit.results import GOOD, WRONG


def test_all_is_in_and_everything_is_here(desk, run):
    paths = [desk.bundle, *(desk.sent(rater, t1=GOOD, t2=GOOD, t3=GOOD) for rater in ("ann", "bo"))]
    answer = run("audit", "open", *paths, "--json")
    assert (answer.status, answer.err) == (0, "")
    assert [(one["file"], one["rater"], one["known"]) for one in answer.json["results"]] == [
        ("ann.zip", "ann", False),
        ("bo.zip", "bo", False),
    ]
    assert answer.json["bundles"]["kelp"]["whole"]
    assert run("audit", "status", "kelp", status=0).out.splitlines()[0] == "kelp: 6 ratings of 3 tasks, complete"
    again = run("audit", "open", *paths[1:])
    assert (again.status, again.out) == (0, "Already in the store: 2\n")


def test_what_is_refused_is_named_with_why_and_the_rest_is_in(desk, run):
    bad = desk.folder / "bad.zip"
    bad.write_bytes(b"PK")
    gone = desk.folder / "gone.zip"
    empty = desk.folder / "empty"
    empty.mkdir()
    run("audit", "open", desk.bundle)
    answer = run("audit", "open", bad, gone, empty, desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), status=1)
    assert answer.out.splitlines() == ["kelp: 1 results of 1 raters, 3 ratings", "Refused: 3"]
    told = answer.err.splitlines()
    assert [line.partition(":")[0] for line in told] == ["empty", "bad.zip", "gone.zip"]
    assert all(len(line) > len("gone.zip: ") for line in told)


def test_where_nothing_can_be_used_it_is_refused_and_changes_nothing(desk, run):
    bad = desk.folder / "bad.zip"
    bad.write_bytes(b"not a zip")
    assert run("audit", "open", bad).status == 2
    assert run("audit", "status", "--json").json == {"bundles": []}


def test_what_is_missing_is_said_by_name(desk, run):
    run(
        "audit",
        "open",
        desk.bundle,
        desk.sent("ann", partial=True, t1=GOOD),
        desk.sent("bo", t1=WRONG, t2=GOOD, t3=GOOD),
    )
    status = run("audit", "status", "--all", status=1)
    assert "  ann: 1 complete of 3, 2 missing (t-2, t-3), partial" in status.out.splitlines()
    assert "  bo: 3 complete of 3" in status.out.splitlines()


def test_a_bundle_that_has_no_results_is_told_with_those_that_have(desk, run):
    assert run("audit", "status", "moss").status == 2
    run("audit", "open", desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD))
    assert "kelp" in run("audit", "status", "moss", status=2).err


def test_an_assignment_is_of_one_bundle_and_has_its_columns(desk, run):
    table = desk.folder / "table.csv"
    table.write_text("who,what\nann,t-1\n")
    assert run("audit", "status", "--assigned", table).status == 2
    run("audit", "open", desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD))
    assert "columns" in run("audit", "status", "kelp", "--assigned", table, status=2).err
    table.write_text('task,rater\nt-1,"ann\n')
    assert run("audit", "status", "kelp", "--assigned", table).status == 2


@pytest.mark.parametrize("name", ["=cmd()|'x'!A1", "\u202eeve", "a" * 5_000, "-rf", "<script>alert(1)</script>"])
def test_a_rater_may_be_called_anything_and_it_does_nothing(desk, run, name):
    assert run("audit", "open", desk.renamed_to(name)).status == 1, "the bundle is asked for"
    assert run("audit", "status", "--json").json["bundles"][0]["raters"][0]["rater"] == name.removeprefix("\u202e")
    assert "\u202e" not in run("audit", "status").out


@pytest.mark.posix("all names are text on Windows")
def test_a_name_that_is_no_text_stands_in_the_json_all_the_same(desk, run):
    bad = desk.folder / os.fsdecode(b"caf\xe9.zip")
    bad.write_bytes(b"not a zip")
    answer = run("audit", "open", bad, desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD), "--json", status=1)
    assert [one["file"] for one in answer.json["refused"]] == ["caf\\udce9.zip"]
    checked = run("check", bad, "--json")
    assert (checked.status, "fault" in checked.err) == (2, False)


def test_status_says_nothing_of_when_or_under_which_name_results_came(desk, run):
    run("audit", "open", desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD))
    (received,) = run("audit", "status", "--json").json["bundles"][0]["received"]
    assert {"file", "arrived"} & received.keys() == set()
    assert received["rater"] == "ann"


def test_nothing_in_a_folder_is_passed_over_in_silence(desk, run, tmp_path):
    folder = tmp_path / "mail"
    (folder / "unpacked").mkdir(parents=True)
    desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD).rename(folder / "November 2.1")
    bo = desk.sent("bo", t1=GOOD, t2=GOOD, t3=GOOD)
    with zipfile.ZipFile(bo) as results:
        results.extractall(folder / "unpacked")
    with zipfile.ZipFile(folder / "all of them", "w") as outer:
        outer.write(bo, "bo.zip")
    with zipfile.ZipFile(folder / "letter.docx", "w") as document:
        document.writestr("word/document.xml", b"<w/>")
    for name in ("notes.txt", ".DS_Store", "Thumbs.db", ".half.zip"):
        (folder / name).touch()
    answer = run("audit", "open", folder, "--json")

    assert answer.status == 1
    assert [one["file"] for one in answer.json["results"]] == ["November 2.1"]
    assert [(one["file"], one["message"]) for one in answer.json["refused"]] == [
        ("unpacked", "It is a folder into which a zip was unpacked."),
        ("all of them", "It holds other zips: bo.zip."),
    ]
    assert answer.json["passed_over"] == [".half.zip", "letter.docx", "notes.txt"]
    assert "Neither results nor a bundle, so not opened: notes.txt" in answer.err
    assert "Use the zip as it was exported" in answer.err


@pytest.mark.posix("Windows has no named pipes, and links need a privilege")
def test_a_pipe_and_a_linked_folder_are_named_and_not_entered(desk, run, tmp_path):
    folder = desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD).parent
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(tmp_path)
    assert {"pipe", "link"} <= set(run("audit", "open", folder, "--json").json["passed_over"])
