"""A hub in a folder when something goes wrong: full disks, kills, sticks that know less, and who may do what."""

import errno
import hashlib
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop_rater.files import is_partial_name
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.hub.errors import HubError
from desktop_rater.hub.folder import translate_file_errors
from tests.hub.folders import WORDS, files_in, got, kind_of, named, put

DAY = 24 * 60 * 60
ROOT_ON_LINUX = sys.platform == "linux" and os.geteuid() == 0


@contextmanager
def mounted(*words, at):
    """A file system of its own, where this computer lets us."""
    if not ROOT_ON_LINUX or subprocess.run(["mount", *words, str(at)], check=False).returncode != 0:
        pytest.skip("a file system can be mounted by root alone")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


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


def test_one_raters_closed_folder_is_told_and_the_others_are_listed(hub, root, monkeypatch):
    put(hub, WORDS)
    (root / "results" / "closed").mkdir()
    scandir = os.scandir

    def looked(path):  # root may look into all
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", looked)
    closed = []
    found = hub.list("results", Progress(), lambda *one: closed.append(one))
    assert [one.name for one in found] == [named(WORDS)]
    assert [(name, trouble.kind) for name, trouble in closed] == [("results/closed", "rights")]
    assert str(root / "results" / "closed") in closed[0][1].message
    assert kind_of(lambda: hub.list("results", Progress())) == "rights"


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


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        *((errno.EIO, "away"), (errno.ESTALE, "away"), (errno.ETIMEDOUT, "away"), (errno.ENOTCONN, "away")),
        *((errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EFBIG, "too_large"), (errno.EBUSY, "busy")),
        *((errno.EACCES, "rights"), (errno.EROFS, "rights"), (errno.ENAMETOOLONG, "place"), (errno.ENOENT, "place")),
    ],
)
def test_what_a_file_system_says_is_sorted_by_what_is_to_be_done(tmp_path, number, kind):
    with pytest.raises(HubError) as trouble, translate_file_errors(tmp_path / "out"):
        raise OSError(number, os.strerror(number))
    assert trouble.value.kind == kind
    assert trouble.value.hint


def test_cancel_is_heard_at_each_piece_and_leaves_nothing(hub, root):
    class Impatient(Progress):
        steps, last = 0, 0

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
from desktop_rater.hub.address import FolderAddress, open_hub
from desktop_rater.hub.interface import HubEnvironment
from desktop_rater.format.change import Progress

_, _, root, name, content, sha256, last = sys.argv
class Killed(Progress):
    steps = 0
    def __call__(self, done, total):
        Killed.steps += 1
        if Killed.steps == int(last):
            os.kill(os.getpid(), signal.SIGKILL)

hub = open_hub(FolderAddress(root), HubEnvironment(lambda: 0.0, None, lambda: "1234567" + last, "laptop01"))
hub.put_new(name, Path(content), sha256, Killed())
"""


@pytest.mark.posix("Windows has no signals to send to a process")
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
    left = [path for path in root.rglob("*") if is_partial_name(path.name)]
    assert len(left) == 3
    for path in left:
        os.utime(path, (0, 0))
    put(hub, b"more")
    assert not [path for path in root.rglob("*") if is_partial_name(path.name)]


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


def test_trouble_of_this_computers_own_disk_is_not_called_the_hubs(hub):
    put(hub, WORDS)

    def sink(_piece):
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        hub.get(named(WORDS), sink, Progress(), most=1_000)
