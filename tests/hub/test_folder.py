"""A hub in a folder: what is there is whole, nothing is replaced, and nothing leads out of it."""

import hashlib
import os
import subprocess
import threading

import pytest

from desktop_rater.files import is_partial_name
from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import MARKER, bundle_name
from tests.hub.folders import WORDS, files_in, got, hub_in, kind_of, named, put


def test_what_is_put_is_listed_and_comes_back_the_same(hub, root):
    large = os.urandom(700_001)
    assert put(hub, WORDS) == "put"
    assert put(hub, large, bundle_name("kelp", 2, hashlib.sha256(large).hexdigest())) == "put"
    assert [(one.name, one.size) for one in hub.list("results", Progress())] == [(named(WORDS), len(WORDS))]
    assert [one.size for one in hub.list("", Progress())] == [len(large), len(WORDS)]
    assert got(hub, named(WORDS)) == WORDS
    assert got(hub, bundle_name("kelp", 2, hashlib.sha256(large).hexdigest())) == large
    assert hub.exists(named(WORDS), Progress())
    assert not hub.exists(named(b"other"), Progress())
    assert hub.list("returned", Progress()) == ()
    assert not [name for name in files_in(root) if is_partial_name(name)]


def test_a_file_that_is_still_on_its_way_is_not_taken_for_whole(hub, root):
    there = root / named(WORDS)
    there.parent.mkdir(parents=True)
    there.write_bytes(WORDS[:10])
    assert kind_of(lambda: got(hub, named(WORDS))) == "torn"


VERBS = {
    "probe": lambda hub, name: hub.probe(Progress()),
    "list": lambda hub, name: hub.list(name, Progress()),
    "get": got,
    "put_new": lambda hub, name: put(hub, WORDS, name),
    "exists": lambda hub, name: hub.exists(name, Progress()),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_stick_that_is_out_is_said_to_be_out_and_its_folder_is_not_made(verb, tmp_path):
    assert kind_of(lambda: VERBS[verb](hub_in(tmp_path / "stick" / "hub"), named(WORDS))) == "place"
    assert not (tmp_path / "stick").exists()


def test_a_new_hub_makes_its_own_folder_and_none_above(tmp_path):
    assert put(hub_in(tmp_path / "hub"), WORDS, MARKER) == "put"
    assert put(hub_in(tmp_path / "hub"), WORDS, MARKER) == "there"
    assert kind_of(lambda: put(hub_in(tmp_path / "hub"), b"another project", MARKER)) == "other"
    assert got(hub_in(tmp_path / "hub"), MARKER) == WORDS
    assert kind_of(lambda: put(hub_in(tmp_path / "stick" / "hub"), WORDS, MARKER)) == "place"
    assert not (tmp_path / "stick").exists()


def test_progress_goes_forwards_only(hub):
    told = []
    put(hub, os.urandom(600_000), progress=Progress(lambda done, total: told.append((done, total))))
    assert told == sorted(told)
    assert told[-1] == (600_000, 600_000)


@pytest.mark.parametrize(
    "name",
    [
        *("../secret", "results/../../secret", "/etc/hostname", "results//a", "", ".hidden", "results/.ssh/a"),
        *("a\\..\\b", "results/a\0b", "results/a.", "C:/a", "~root/../a", "results/ä", "x" * 300),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(hub, root, name):
    (root.parent / "secret").write_bytes(b"secret")
    for verb in ("get", "exists", "put_new") if name else ("get", "exists"):
        assert kind_of(lambda verb=verb: VERBS[verb](hub, name)) == "not_a_hub"
    assert not files_in(root)


@pytest.mark.posix("Windows makes no folders relative to an open one")
def test_folders_in_folders_without_end_are_not_gone_into(hub, root):
    put(hub, WORDS)
    below = os.open(root / "results", os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("a", dir_fd=below)
        outer, below = below, os.open("a", os.O_RDONLY, dir_fd=below)
        os.close(outer)
    os.close(below)
    found = hub.list("results", Progress())
    subprocess.run(["rm", "-r", str(root / "results" / "a")], check=True)  # deeper than Python's own can go
    assert [one.name for one in found] == [named(WORDS)]


@pytest.mark.posix("links need a special right on Windows")
def test_a_link_to_another_folder_is_not_followed(hub, root, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kelp").mkdir()
    (elsewhere / "kelp" / named(WORDS).rpartition("/")[2]).write_bytes(WORDS)
    (root / "results").mkdir()
    (root / "results" / "r-17").symlink_to(elsewhere)
    for verb in ("get", "exists", "put_new", "list"):
        assert kind_of(lambda verb=verb: VERBS[verb](hub, named(WORDS))) == "not_a_hub"
    assert hub.list("results", Progress()) == ()
    assert files_in(elsewhere) == [named(WORDS).rpartition("/")[2]]


@pytest.mark.posix("links need a special right on Windows")
@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_what_is_no_plain_file_is_neither_read_nor_waited_for(hub, root, tmp_path, what):
    there = root / named(WORDS)
    there.parent.mkdir(parents=True)
    (tmp_path / "whole").write_bytes(WORDS)
    {"link": lambda: there.symlink_to(tmp_path / "whole"), "pipe": lambda: os.mkfifo(there), "folder": there.mkdir}[
        what
    ]()
    assert hub.list("results", Progress()) == ()
    assert kind_of(lambda: got(hub, named(WORDS))) == "other"
    assert kind_of(lambda: put(hub, WORDS)) == "other"


@pytest.mark.parametrize(
    "name",
    [
        "1-{} (conflict 2026-11-20).zip",
        "1-{}.sync-conflict-20261120-080000-ABCDEFG.zip",
        "1-{}-DESKTOP-7.zip",
        "~syncthing~1-{}.zip.tmp",
        ".syncthing.1-{}.zip.tmp",
        ".desktop-rater-laptop0112345678.part",
        "1-{}.zip.part",
        "Thumbs.db",
        ".stversions/1-{}.zip",
        "r-18 (conflict)/1-{}.zip",
    ],
)
def test_what_programs_that_keep_folders_equal_leave_behind_is_not_listed(hub, root, name):
    put(hub, WORDS)
    strange = root / "results" / name.format(hashlib.sha256(WORDS).hexdigest())
    strange.parent.mkdir(exist_ok=True)
    strange.write_bytes(WORDS)
    assert [one.name for one in hub.list("results", Progress())] == [named(WORDS)]


@pytest.mark.posix("Windows has access control lists, not modes")
@pytest.mark.parametrize(("mode", "of_files"), [(0o2770, 0o640), (0o700, 0o600), (0o755, 0o644)])
def test_what_is_new_has_the_rights_of_the_folder_it_lies_in(hub, root, mode, of_files):
    root.chmod(mode)
    put(hub, WORDS)
    folders = [path for path in root.rglob("*") if path.is_dir()]
    assert len(folders) == 3
    assert {path.stat().st_mode & 0o7777 for path in folders} == {mode}
    assert (root / named(WORDS)).stat().st_mode & 0o7777 == of_files


def test_twelve_laptops_at_once_leave_one_whole_file_of_each_content(root):
    contents = [b"first " * 5_000, b"second " * 5_000]
    ends = []

    def send(number, round_):
        hub = hub_in(root, f"laptop{number:02}")
        ends.append(put(hub, contents[number % 2], named(contents[number % 2], revision=round_)))

    for round_ in range(1, 6):
        threads = [threading.Thread(target=send, args=(number, round_)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(ends) == 60
    assert ends.count("put") == 10
    hub = hub_in(root)
    for one in hub.list("results", Progress()):
        assert got(hub, one.name) in contents
    assert len(files_in(root)) == 10


def test_a_file_that_came_too_late_or_altered_to_be_sent_is_told(hub, root, tmp_path):
    sha256 = hashlib.sha256(WORDS).hexdigest()
    assert kind_of(lambda: hub.put_new(named(WORDS), tmp_path / "gone", sha256, Progress())) == "other"
    (tmp_path / "altered").write_bytes(b"altered")
    assert kind_of(lambda: hub.put_new(named(WORDS), tmp_path / "altered", sha256, Progress())) == "other"
    assert files_in(root) == []


def test_probing_twice_says_the_same_and_leaves_two_tiny_files(hub, root):
    first = hub.probe(Progress())
    assert first.usable
    assert all(one.passed for one in first.findings)
    assert first.skew == 0
    assert hub.probe(Progress()).findings[:-1] == first.findings[:-1]
    assert len(files_in(root)) == 2
    assert {got(hub, one.name)[:31] for one in hub.list("probe", Progress())} == {b'{"format":"desktop-rater/probe"'}
