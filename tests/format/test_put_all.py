"""Several files take their places together, or none does."""

import pytest

from desktop_rater.files import DestinationError, replaced_files
from tests.format.zips import names_in


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
