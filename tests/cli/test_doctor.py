"""The doctor by command: a page to read, JSON for a script, and what can be saved of a store that is no more."""

import random
import sqlite3
from contextlib import closing

import pytest

from tests.operations.bundles import RATER, make, rating, task, write, write_lines

GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}


@pytest.fixture
def rated(run, tmp_path):
    """A store with a rated bundle, in its folder."""
    assert run("import", make(tmp_path / "kelp.zip", [task(f"t-{number}") for number in range(9)])).status == 0
    lines = write_lines(tmp_path / "ratings.jsonl", [rating(f"t-{number}", GOOD) for number in range(9)])
    assert run("rate", "kelp", "--from", lines, "--rater", RATER).status == 0
    assert run("backup").status == 0
    lines = write_lines(tmp_path / "ratings.jsonl", [rating("t-3", GOOD, note="later")])
    assert run("rate", "kelp", "--from", lines, "--rater", RATER).status == 0
    return tmp_path / "store"


def spoil(folder):
    file = folder / "store.sqlite3"
    content = bytearray(file.read_bytes())
    content[:4096] = random.Random(1).randbytes(4096)
    file.write_bytes(content)


def test_a_sound_store_is_a_page_of_notes(run, rated):
    said = run("doctor", status=0)
    lines = said.out.splitlines()
    assert lines[0] == "Notes"
    assert [line.split()[0] for line in lines[1:-2]] == ["sqlite", "backups", "journal", "versions", "keyring"]
    assert lines[-1] == f"{rated}: sound"


def test_a_damaged_store_is_a_fault_with_the_ways_out(run, rated):
    spoil(rated)
    said = run("doctor", status=1)
    lines = said.out.splitlines()
    assert lines[0] == "Faults"
    assert lines[1].startswith("  store  The store's file is not a database.")
    assert lines[-2] == f"{rated}: not sound"
    assert "`doctor --salvage FOLDER`" in lines[-1]


def test_a_store_of_another_version_is_not_examined_and_not_called_unsound(run, rated):
    with closing(sqlite3.connect(rated / "store.sqlite3")) as connection:
        connection.execute("PRAGMA user_version = 99")
    said = run("doctor", status=1)
    lines = said.out.splitlines()
    assert lines[1].startswith("  opening  The store is from a newer version of this program.")
    assert lines[-1] == f"{rated}: not examined", "a backup or a rescue is no way out"


def test_the_backup_and_the_later_answers_are_recovered_elsewhere(run, rated, tmp_path):
    spoil(rated)
    said = run("doctor", "--salvage", tmp_path / "saved", "--json", status=0)
    assert said.json == {
        "store": str(tmp_path / "saved"),
        "report": str(tmp_path / "saved" / "salvage.txt"),
        "aside": None,
        "backup": next((rated / "backups").iterdir()).name,
        "bundles": 1,
        "tasks": 9,
        "revisions": 10,
        "joined": 1,
        "reviews": 0,
        "snapshots": 0,
        "lost": [],
    }
    assert run("doctor").status == 1, "the damaged one stays as it is"
    assert run("--store", tmp_path / "saved", "doctor").status == 0
    assert (
        run("--store", tmp_path / "saved", "export", "kelp", "--rater", RATER, "--out", tmp_path / "r.zip").status == 0
    )
    assert run("check", tmp_path / "r.zip").status == 0


def test_what_is_lost_is_named_and_the_status_says_so(run, rated, tmp_path):
    spoil(rated)
    journal = rated / "journal.jsonl"
    write(journal, journal.read_bytes().replace(b'"later"', b'"lAter"'))
    said = run("doctor", "--salvage", tmp_path / "saved", status=1)
    lost = f"Line 11 of journal.jsonl does not verify: kelp, t-3, {RATER}, 2."
    assert f"Lost: {lost}" in said.out
    assert (tmp_path / "saved" / "salvage.txt").read_text("utf-8").splitlines()[-1] == lost


def test_the_new_store_can_take_the_place_of_the_damaged_one(run, rated):
    spoil(rated)
    before = (rated / "store.sqlite3").read_bytes()
    said = run("doctor", "--salvage", rated, "--json", status=0)
    (aside,) = (rated / "set-aside").iterdir()
    assert said.json["aside"] == str(aside)
    assert (aside / "store.sqlite3").read_bytes() == before
    assert run("doctor").status == 0
    assert run("status", "--json").json["bundles"][0]["complete"] == 9


def test_a_folder_with_something_in_it_is_refused(run, rated, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine", encoding="utf-8")
    assert "is not empty" in run("doctor", "--salvage", tmp_path / "mine", status=2).err


def test_a_store_that_is_not_there_has_nothing_to_save(run, tmp_path):
    run("doctor", "--salvage", tmp_path / "saved", status=2)
    assert not (tmp_path / "saved").exists()
