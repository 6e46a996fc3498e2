"""Several files take their places together or not at all, and what a killed run left goes with a later one."""

import os
import subprocess
import sys
import time

import pytest

from desktop_rater.files import DestinationError, replaced_file, replaced_files
from tests.format.zips import names_in

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


def write(folder, **files):
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


def test_all_of_them_take_their_places_and_older_ones_give_way(tmp_path):
    write(tmp_path, a="old")
    with replaced_files(tmp_path, ["a", "b"]) as beside:
        write(beside, a="new", b="new", scratch="only on the way")
        assert (tmp_path / "a").read_text("utf-8") == "old"
    assert names_in(tmp_path) == ["a", "b"]
    assert (tmp_path / "a").read_text("utf-8") == (tmp_path / "b").read_text("utf-8") == "new"


def test_what_goes_wrong_on_the_way_leaves_what_was_there(tmp_path):
    write(tmp_path, a="old")
    with pytest.raises(ZeroDivisionError), replaced_files(tmp_path, ["a", "b"]) as beside:
        write(beside, a="new", b="new")
        raise ZeroDivisionError
    assert names_in(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text("utf-8") == "old"


def test_one_that_was_not_written_keeps_all_from_their_places(tmp_path):
    write(tmp_path, a="old", c="old")
    with pytest.raises(FileNotFoundError), replaced_files(tmp_path, ["a", "b", "c"]) as beside:
        write(beside, a="new", c="new")
    assert {name: (tmp_path / name).read_text("utf-8") for name in names_in(tmp_path)} == {"a": "old", "c": "old"}


def test_a_place_that_can_not_be_taken_is_told_before_anything_is_done(tmp_path):
    (tmp_path / "b").mkdir()
    with pytest.raises(DestinationError, match="It is a folder"), replaced_files(tmp_path, ["a", "b"]):
        pytest.fail("nothing should be written")
    assert names_in(tmp_path) == ["b"]


@pytest.mark.posix("links need a special right on Windows")
def test_of_several_files_none_goes_through_a_link_out_of_the_folder(tmp_path):
    folder, victim = tmp_path / "out", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("mine", encoding="utf-8")
    (folder / "b").symlink_to(victim)
    with pytest.raises(DestinationError, match="b: A link"), replaced_files(folder, ["a", "b"]):
        pass
    assert (victim.read_text(encoding="utf-8"), [one.name for one in folder.iterdir()]) == ("mine", ["b"])


@pytest.mark.posix("links need a special right on Windows")
def test_the_only_file_that_a_command_puts_into_a_folder_goes_through_no_link_either(tmp_path):
    folder, victim = tmp_path / "out", tmp_path / "victim"
    folder.mkdir()
    victim.write_text("mine", encoding="utf-8")
    link = folder / "rater-01.zip"
    link.symlink_to(victim)
    with pytest.raises(DestinationError, match="A link"), replaced_files(folder, [link.name], filled=True):
        pass
    assert (victim.read_text(encoding="utf-8"), link.is_symlink()) == ("mine", True)
    with replaced_files(folder, [link.name]) as partial:  # a file that the user has named
        (partial / link.name).write_text("new", encoding="utf-8")
    assert (victim.read_text(encoding="utf-8"), link.is_symlink()) == ("new", True)
