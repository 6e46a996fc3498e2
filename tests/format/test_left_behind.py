"""What a killed run left in a user's folder goes with a later one; what is not ours, or may be in use, stays."""

import os
import subprocess
import sys
import time

import pytest

from desktop_rater.files import replaced_file, replaced_files

TWO_DAYS = 2 * 86_400
OURS = ".desktop-rater-0123456789abcdef.part"


def age(path, seconds=TWO_DAYS):
    before = time.time() - seconds
    os.utime(path, (before, before), follow_symlinks=not path.is_symlink())


def write_one(folder):
    with replaced_file(folder / "results.zip") as beside:
        beside.write_bytes(b"new")


def write_two(folder):
    with replaced_files(folder, ["a", "b"]) as beside:
        (beside / "a").write_text("a")
        (beside / "b").write_text("b")


def there(folder):
    return {path.name for path in folder.iterdir()} - {"results.zip", "a", "b"}


@pytest.mark.parametrize("write", [write_one, write_two])
def test_what_killed_runs_left_goes_when_it_is_old(tmp_path, write):
    for name in (OURS, ".desktop-rater-abc_1234.part", ".desktop-rater-abc_1234.part-journal"):
        (tmp_path / name).write_bytes(b"half")
        age(tmp_path / name)
    folder = tmp_path / ".desktop-rater-folder01.part"
    folder.mkdir()
    (folder / "part-1.zip").write_bytes(b"half")
    age(folder)
    write(tmp_path)
    assert there(tmp_path) == set()


def test_what_may_still_be_written_stays(tmp_path):
    (tmp_path / OURS).write_bytes(b"another run")
    age(tmp_path / OURS, 3_600)
    write_one(tmp_path)
    assert there(tmp_path) == {OURS}


@pytest.mark.parametrize(
    "name",
    [".film.part", ".0123456789abcdef.part", "desktop-rater-01234567.part", ".desktop-rater-notes.part.txt", "x.part"],
)
def test_what_is_not_ours_stays_however_old(tmp_path, name):
    (tmp_path / name).write_bytes(b"somebody's")
    age(tmp_path / name)
    write_one(tmp_path)
    assert there(tmp_path) == {name}


def test_files_that_were_about_to_be_replaced_are_not_lost(tmp_path):
    folder = tmp_path / ".desktop-rater-folder01.part"
    (folder / ".replaced").mkdir(parents=True)
    (folder / ".replaced" / "part-1.zip").write_bytes(b"the user's")
    age(folder)
    write_two(tmp_path)
    assert (folder / ".replaced" / "part-1.zip").read_bytes() == b"the user's"


@pytest.mark.posix("links need a special right on Windows")
def test_a_link_with_such_a_name_and_what_it_leads_to_stay(tmp_path):
    aim = tmp_path / "aim"
    aim.mkdir()
    (aim / "file").write_text("the user's")
    (tmp_path / OURS).symlink_to(aim)
    age(tmp_path / OURS)
    write_one(tmp_path)
    assert there(tmp_path) == {"aim", OURS}
    assert (aim / "file").exists()


@pytest.mark.posix("Windows has no signals to send to a process")
def test_a_run_that_is_killed_leaves_a_file_that_is_known_for_ours(tmp_path):
    script = (
        "import os, signal, sys; from pathlib import Path; from desktop_rater.files import replaced_file\n"
        "with replaced_file(Path(sys.argv[1]) / 'results.zip') as beside:\n"
        "    beside.write_bytes(b'half'); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, tmp_path], check=False)
    (left,) = tmp_path.iterdir()
    age(left)
    write_one(tmp_path)
    assert there(tmp_path) == set()
