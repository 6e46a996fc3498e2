"""Backing up and going back by command, as a script or somebody whose window does not open any more does it."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from tests.operations.bundles import make, task

from .conftest import Answer

SAMPLE = "sample-factuality"


@pytest.fixture
def rated(run, tmp_path):
    run("import", sample_bundle_path())
    run("rate", SAMPLE, "--from", sample_ratings_path(), "--rater", "r-17")
    return tmp_path / "store"


def complete(run: Callable[..., Answer]) -> int:
    return run("status", "--json").json["bundles"][0]["complete"]


def test_there_and_back(run, tmp_path):
    run("import", sample_bundle_path())
    empty = run("backup", "--json", status=0)
    assert (empty.json["good"], empty.json["ratings"]) == (True, 0)
    run("rate", SAMPLE, "--from", sample_ratings_path(), "--rater", "r-17")
    assert complete(run) == 11
    back = run("restore", empty.json["name"], "--json", status=0)
    assert complete(run) == 0
    assert "12 revisions" in run("restore", back.json["backed_up"], status=0).out
    assert complete(run) == 11
    assert run("doctor").status == 0
    assert len(list((tmp_path / "store" / "replaced").iterdir())) == 2


def test_a_store_that_opens_no_more_is_restored_from_its_newest_good_backup(run, rated):
    run("backup")
    (rated / "store.sqlite3").write_bytes(b"the disk ate it" * 1000)
    assert run("status").status == 2
    assert run("doctor").status == 1
    assert "could not be backed up first" in run("restore", status=0).err
    assert complete(run) == 11
    assert run("doctor").status == 0


def test_the_list_names_what_is_not_good(run, rated):
    assert run("backup", "--list").out == "There is no backup.\n"
    run("backup")
    run("backup")
    assert run("backup", "--list").status == 0
    newest = run("backup", "--list", "--json").json[0]
    (rated / "backups" / newest["name"]).write_bytes(b"")
    answer = run("backup", "--list", status=1)
    assert [line.rpartition(", ")[2] for line in answer.out.splitlines()] == ["NOT GOOD", "good"]


def test_one_file_moves_everything_to_another_computer(run, rated, tmp_path):
    out = tmp_path / "usb" / "all.zip"
    assert run("backup", "--out", out).status == 2, "there is no such folder yet"
    out.parent.mkdir()
    assert run("backup", "--out", out, "--json").json["ratings"] == 12
    assert run("backup", "--out", rated / "all.zip").status == 2
    run("--store", tmp_path / "other", "restore", out, status=0)
    assert run("--store", tmp_path / "other", "doctor").status == 0
    assert run("--store", tmp_path / "other", "status", "--json").json["bundles"][0]["complete"] == 11


def test_with_nothing_there_nothing_is_made(run, tmp_path):
    for words in (["backup"], ["backup", "--out", tmp_path / "b.zip"], ["restore"], ["restore", "monday"]):
        answer = run(*words, status=2)
        assert answer.err
    assert list(tmp_path.iterdir()) == []


def test_a_window_is_no_hindrance_to_a_backup_and_one_to_a_restore(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    script = (
        "import sys; from pathlib import Path; from desktop_rater.store.open_store import open_writer\n"
        "store = open_writer(Path(sys.argv[1]), command='the window'); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "store")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as window:
        assert window.stdout is not None
        window.stdout.readline()
        assert run("backup").status == 0
        answer = run("restore", status=2)
        assert "the window" in answer.err
        window.kill()
    assert run("restore").status == 0
