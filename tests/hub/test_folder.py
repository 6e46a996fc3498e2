"""A hub in a folder: what is there is whole, nothing is replaced, and nothing leads out of it."""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop_rater.hub.address import FolderAddress
from desktop_rater.hub.folder import make_root
from desktop_rater.hub.open_hub import Means, open_hub
from desktop_rater.hub.trouble import HubTrouble
from desktop_rater.model.hub_names import bundle_name, results_name
from desktop_rater.model.progress import Cancelled, Progress
from desktop_rater.model.unfinished import is_ours

CLIENT = "laptop01"
WORDS = b"Kelp grows half a metre a day.\n"
DAY = 24 * 60 * 60
ROOT_ON_LINUX = sys.platform == "linux" and os.geteuid() == 0


def hub_in(folder, client=CLIENT):
    numbers = itertools.count(10_000_000)
    return open_hub(
        FolderAddress(str(folder)),
        Means(time.monotonic, lambda: datetime.now(UTC), lambda: str(next(numbers)), client),
    )


def named(content, revision=1):
    return results_name("r-17", "kelp", revision, hashlib.sha256(content).hexdigest())


def put(hub, content, name="", progress=None):
    sha256 = hashlib.sha256(content).hexdigest()
    with tempfile.TemporaryDirectory() as own:
        source = Path(own, "to-send")
        source.write_bytes(content)
        return hub.put_new(name or named(content), source, sha256, progress or Progress())


def got(hub, name, most=10_000_000):
    pieces = []
    assert hub.get(name, pieces.append, Progress(), most=most) == sum(map(len, pieces))
    return b"".join(pieces)


def kind_of(step):
    with pytest.raises(HubTrouble) as trouble:
        step()
    return trouble.value.kind


def files_in(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


@contextmanager
def mounted(*words, at):
    """A file system of its own, where this computer lets us."""
    if not ROOT_ON_LINUX or subprocess.run(["mount", *words, str(at)], check=False).returncode != 0:
        pytest.skip("a file system can be mounted by root alone")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "hub"
    folder.mkdir()
    return folder


@pytest.fixture
def hub(root):
    return hub_in(root)


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
    assert not [name for name in files_in(root) if is_ours(name)]


def test_what_is_there_already_is_said_to_be_there(hub, root):
    put(hub, WORDS)
    before = (root / named(WORDS)).stat()
    assert put(hub, WORDS) == "there"
    assert (root / named(WORDS)).stat().st_mtime_ns == before.st_mtime_ns


def test_another_file_under_the_name_is_never_replaced(hub, root):
    there = root / named(WORDS)
    there.parent.mkdir(parents=True)
    there.write_bytes(WORDS[:10])
    assert kind_of(lambda: put(hub, WORDS)) == "other"
    assert there.read_bytes() == WORDS[:10]
    assert files_in(root) == [there.name]


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
    hub = hub_in(tmp_path / "stick" / "hub")
    assert kind_of(lambda: VERBS[verb](hub, named(WORDS))) == "place"
    assert not (tmp_path / "stick").exists()


def test_a_new_hub_makes_its_own_folder_and_none_above(tmp_path):
    make_root(FolderAddress(str(tmp_path / "hub")))
    make_root(FolderAddress(str(tmp_path / "hub")))
    assert (tmp_path / "hub").is_dir()
    assert kind_of(lambda: make_root(FolderAddress(str(tmp_path / "stick" / "hub")))) == "place"


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


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
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


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
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


def test_a_full_disk_is_said_and_leaves_nothing_half(hub, root):
    with mounted("-t", "tmpfs", "-o", "size=256k", "none", at=root):
        put(hub, WORDS)
        large = os.urandom(1_000_000)
        assert kind_of(lambda: put(hub, large)) == "full"
        assert files_in(root) == [named(WORDS).rpartition("/")[2]]
        assert put(hub, WORDS, named(WORDS)) == "there"


def test_a_disk_that_may_only_be_read_is_said_and_can_be_read(hub, root):
    put(hub, WORDS)
    with mounted("--bind", "-o", "ro", str(root), at=root):
        assert kind_of(lambda: put(hub, b"more")) == "rights"
        assert got(hub, named(WORDS)) == WORDS
        assert put(hub, WORDS) == "there"
        probe = hub.probe(Progress())
        assert not probe.usable
        assert [one.id for one in probe.findings if not one.passed] == ["write"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may do all")
def test_a_folder_that_is_another_raters_is_said(hub, root):
    (root / "results").mkdir(mode=0)
    assert kind_of(lambda: put(hub, WORDS)) == "rights"
    assert kind_of(lambda: hub.list("results", Progress())) == "rights"


@pytest.mark.skipif(os.name != "posix", reason="rights of Unix")
@pytest.mark.parametrize(("mode", "of_files"), [(0o2770, 0o640), (0o700, 0o600), (0o755, 0o644)])
def test_what_is_new_has_the_rights_of_the_folder_it_lies_in(hub, root, mode, of_files):
    root.chmod(mode)
    put(hub, WORDS)
    folders = [path for path in root.rglob("*") if path.is_dir()]
    assert len(folders) == 3
    assert {path.stat().st_mode & 0o7777 for path in folders} == {mode}
    assert (root / named(WORDS)).stat().st_mode & 0o7777 == of_files


@pytest.fixture
def without_links(monkeypatch):
    """FAT and some shares: no kernel at hand brings one."""

    def refused(*_paths, **_more):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)


def test_a_stick_without_hard_links_takes_files_whole_and_replaces_none(without_links, hub, root):
    assert put(hub, WORDS) == "put"
    assert put(hub, WORDS) == "there"
    (root / named(WORDS)).write_bytes(b"half")
    assert kind_of(lambda: put(hub, WORDS)) == "other"
    assert files_in(root) == [named(WORDS).rpartition("/")[2]]
    probe = hub.probe(Progress())
    assert probe.usable
    assert [one.id for one in probe.findings if not one.passed] == ["exclusive"]


def test_cancel_is_heard_at_each_piece_and_leaves_nothing(hub, root):
    class Impatient(Progress):
        steps = 0

        def __call__(self, done, total):
            self.steps += 1
            if self.steps == self.last:
                self.stop()
            super().__call__(done, total)

    content = os.urandom(600_000)
    for last in range(1, 7):
        progress = Impatient()
        progress.last = last
        with pytest.raises(Cancelled):
            put(hub, content, progress=progress)
        assert files_in(root) == []
    put(hub, content)
    progress = Progress()
    progress.stop()
    for step in (
        lambda: hub.get(named(content), lambda piece: None, progress, most=10**6),
        lambda: hub.list("", progress),
        lambda: hub.exists(named(content), progress),
    ):
        with pytest.raises(Cancelled):
            step()


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from desktop_rater.hub.address import FolderAddress
from desktop_rater.hub.open_hub import Means, open_hub
from desktop_rater.model.progress import Progress

_, _, root, name, content, sha256, last = sys.argv
class Killed(Progress):
    steps = 0
    def __call__(self, done, total):
        Killed.steps += 1
        if Killed.steps == int(last):
            os.kill(os.getpid(), signal.SIGKILL)

hub = open_hub(FolderAddress(root), Means(lambda: 0.0, None, lambda: "1234567" + last, "laptop01"))
hub.put_new(name, Path(content), sha256, Killed())
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_kill_amid_sending_leaves_no_half_file_and_the_next_try_ends_well(hub, root, tmp_path):
    content = os.urandom(600_000)
    name, sha256 = named(content), hashlib.sha256(content).hexdigest()
    (tmp_path / "content").write_bytes(content)
    checkout = str(Path(__file__).parents[2])
    for last in (1, 3, 5, 7):  # while writing, while reading back, and under its name already
        arguments = [checkout, str(root), name, str(tmp_path / "content"), sha256, str(last)]
        ended = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
        assert ended.returncode == -9
        assert [one.name for one in hub.list("", Progress())] == ([name] if last == 7 else [])
    assert hub.put_new(name, tmp_path / "content", sha256, Progress()) == "there"
    assert got(hub, name) == content
    left = [path for path in root.rglob("*") if is_ours(path.name)]
    assert len(left) == 3
    for path in left:
        os.utime(path, (0, 0))
    put(hub, b"more")
    assert not [path for path in root.rglob("*") if is_ours(path.name)]


def test_only_own_files_that_were_left_a_day_ago_are_swept(hub, root):
    folder = (root / named(WORDS)).parent
    folder.mkdir(parents=True)
    old = time.time() - DAY - 60
    names = {
        ".desktop-rater-laptop01abcdefgh.part": old,
        ".desktop-rater-laptop01abcdefgi.part": time.time(),
        ".desktop-rater-laptop02abcdefgh.part": old,
        ".desktop-rater-laptop01.part": old,
        "laptop01.zip": old,
    }
    for name, moment in names.items():
        (folder / name).write_bytes(b"left")
        os.utime(folder / name, (moment, moment))
    put(hub, WORDS)
    assert set(files_in(root)) == {*names, named(WORDS).rpartition("/")[2]} - {".desktop-rater-laptop01abcdefgh.part"}


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


def test_a_file_larger_than_it_may_be_is_not_read_to_its_end(hub):
    content = b"x" * 2_000_000
    put(hub, content)
    came = []
    assert kind_of(lambda: hub.get(named(content), came.append, Progress(), most=1_000_000)) == "not_a_hub"
    assert sum(map(len, came)) <= 1_000_000
    assert kind_of(lambda: got(hub, named(b"nobody put this"))) == "gone"


def test_trouble_of_this_computers_own_disk_is_not_called_the_hubs(hub):
    put(hub, WORDS)

    def sink(_piece):
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        hub.get(named(WORDS), sink, Progress(), most=1_000)


def test_probing_twice_says_the_same_and_leaves_two_tiny_files(hub, root):
    first = hub.probe(Progress())
    assert first.usable
    assert all(one.passed for one in first.findings)
    assert first.skew == 0
    assert hub.probe(Progress()).findings[:-1] == first.findings[:-1]
    assert len(files_in(root)) == 2
    assert {got(hub, one.name)[:31] for one in hub.list("probe", Progress())} == {b'{"format":"desktop-rater/probe"'}
