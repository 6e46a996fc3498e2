"""What was rated of any revision of a bundle can be exported, also when another one is current."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.operations.bundles import RATER, make, rating, task, write_lines


@pytest.fixture
def finished(run, tmp_path):
    """A store with revision 1 of a bundle, whose two tasks are finished; its results are in `1.zip`."""
    run("import", make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    rate(run, tmp_path, rating("t-1"), rating("t-2"))
    assert export(run, tmp_path / "1.zip").status == 0
    return run


def rate(run, folder: Path, *ratings) -> None:
    assert run("rate", "b", "--from", write_lines(folder / "r.jsonl", ratings), "--rater", RATER).status in {0, 1}


def export(run, out: Path, *options: str):
    return run("export", "b", "--rater", RATER, "--out", out, *options)


def changed(folder: Path) -> Path:
    return make(folder / "b2.zip", [task("t-1"), task("t-2", "Lyon is it.")], id="b", revision=2)


def comments(path: Path) -> dict[str, str]:
    lines = zipfile.ZipFile(path).read("ratings.jsonl").decode().splitlines()
    return {one["task"]: one["answers"]["targets"]["s1"]["comment"] for one in map(json.loads, lines)}


def test_an_earlier_revision_is_exported_to_the_byte_whatever_came_later(finished, tmp_path):
    first = (tmp_path / "1.zip").read_bytes()
    assert finished("import", changed(tmp_path)).status == 0
    assert export(finished, tmp_path / "early.zip", "--revision", "1").status == 0
    assert (tmp_path / "early.zip").read_bytes() == first
    rate(finished, tmp_path, rating("t-2"))
    assert export(finished, tmp_path / "2.zip").status == 0
    assert export(finished, tmp_path / "late.zip", "--revision", "1").status == 0
    assert (tmp_path / "late.zip").read_bytes() == first
    for options in ((), ("--revision", "2")):
        assert export(finished, tmp_path / "again.zip", *options).status == 0
        assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()


def test_a_task_rated_again_on_another_text_leaves_each_revision_with_its_own_answers(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    said = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
    rate(run, tmp_path, *(rating(name, {**said, "comment": "on Paris"}) for name in ("t-1", "t-2")))
    run("import", changed(tmp_path))
    rate(run, tmp_path, rating("t-2", {**said, "comment": "on Lyon"}))
    for revision, told in (("1", "on Paris"), ("2", "on Lyon")):
        out = tmp_path / f"{revision}.zip"
        assert export(run, out, "--revision", revision).status == 0
        assert comments(out) == {"t-1": "on Paris", "t-2": told}
        assert run("check", out).status == 0


def test_work_that_another_bundle_hides_can_still_be_exported(finished, tmp_path):
    hijack = make(tmp_path / "hijack.zip", [task("t-9")], id="b", revision=2**53)
    assert finished("import", hijack, "--replace").status == 0
    assert export(finished, tmp_path / "none.zip", "--partial").status == 1
    assert export(finished, tmp_path / "saved.zip", "--revision", "1").status == 0
    assert (tmp_path / "saved.zip").read_bytes() == (tmp_path / "1.zip").read_bytes()


def test_a_task_that_is_not_finished_on_that_text_stays_and_is_named(finished, tmp_path):
    finished("import", changed(tmp_path))
    answer = export(finished, tmp_path / "2.zip", "--revision", "2")
    assert (answer.status, "t-2: the task has changed since" in answer.err) == (1, True)
    missing = export(finished, tmp_path / "3.zip", "--revision", "3")
    assert (missing.status, "Revisions in the store: 1, 2." in missing.err) == (2, True)


@pytest.mark.posix("a folder is mounted read-only")
def test_finished_work_is_taken_from_a_read_only_disk_which_records_nothing(finished, tmp_path):
    disk = tmp_path / "store"
    if subprocess.run(["mount", "--bind", disk, disk], capture_output=True, check=False).returncode:
        pytest.skip("mounting a folder needs the rights of an administrator")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
        answer = export(finished, tmp_path / "stick.zip")
    finally:
        subprocess.run(["umount", disk], check=True)
    assert answer.status == 0
    assert (tmp_path / "stick.zip").read_bytes() == (tmp_path / "1.zip").read_bytes()
    assert "the export is not recorded" in answer.err
