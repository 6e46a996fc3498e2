"""The disk is full, fails, or its file is held by another program: what is not saved is said, kept and saved later."""

import os
import subprocess
import sys

import pytest

from desktop_rater.store.doctor import examine_store
from tests.operations.bundles import make, task
from tests.ui.rooms import press, press_until

if sys.platform != "win32":
    import resource

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


def said(room):
    return room.window.form_pane.banners.text("saving")


def test_a_full_disk_keeps_the_answers_in_memory_until_there_is_room(small_disk, rooms):
    rooms.folder = small_disk
    room = rooms.with_tasks()
    rooms.wait_until_saved(room)
    ballast = small_disk / "ballast"
    fill(ballast)
    for _ in range(30):  # until the last page that the store already had is full too
        press_until(rooms.qtbot, lambda: not room.saver.is_saving, "N", "Y")
        if room.saver.failing:
            break
    rooms.qtbot.waitUntil(lambda: said(room) is not None)
    assert said(room).startswith("The disk is full. Your answers in t1 are not saved.")
    assert said(room).endswith("Free some disk space, then try again.")
    press("N", "J", "N")
    given = room.session.rating.answers
    rooms.qtbot.waitUntil(lambda: not room.saver.is_saving)
    ballast.unlink()
    room.window.form_pane.banners.banner("saving").buttons[0].click()
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    assert said(room) is None
    assert rooms.stored("t1").answers == given
    rooms.shut(room)
    assert examine_store(small_disk / "store").sound


def test_a_bundle_that_did_not_fit_comes_in_once_there_is_room(small_disk, rooms, tmp_path):
    tasks = (task(f"m{n}", "A sentence of some length. " * 20) for n in range(100))  # with their log, half the disk
    large = make(tmp_path / "large.zip", tasks)
    rooms.folder = small_disk
    room = rooms.with_tasks()
    rooms.wait_until_saved(room)
    ballast = small_disk / "ballast"
    fill(ballast, leave=150_000)
    with rooms.qtbot.waitSignal(room.transfer.import_ended):
        room.transfer.import_bundle(large)
    assert "The disk is full. The bundle is not imported." in room.window.banners.text("trouble")
    ballast.unlink()
    with rooms.qtbot.waitSignal(room.transfer.import_ended):
        room.transfer.import_bundle(large)
    rooms.wait_for_task(room, "m0")


@pytest.mark.posix("Windows has no resource limits")
def test_after_the_disk_failed_the_store_is_opened_again_and_the_answers_are_saved(room, rooms):
    rooms.wait_until_saved(room)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8_192, limits[1]))
    try:
        press_until(rooms.qtbot, lambda: said(room) is not None, "N")
        assert said(room).startswith("The disk failed. Your answers in t1 are not saved.")
        press_until(rooms.qtbot, lambda: not room.saver.is_saving, "J", "N")
        assert room.saver.failing, "it stays so while the disk does"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    given = room.session.rating.answers
    room.saver.try_now()
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    assert rooms.stored("t1").answers == given
    assert said(room) is None
    assert room.window.form_pane.banners.text("disk").startswith("The disk failed temporarily. All answers are saved")
    rooms.press_and_save(room, "K", "Y")
    assert examine_store(rooms.folder / "store").faults == ()


def test_a_program_that_holds_the_file_delays_the_answers_and_no_key(room, rooms):
    rooms.wait_until_saved(room)
    room.writer.db.execute("PRAGMA busy_timeout = 100")
    holding = [sys.executable, "-c", HOLD, str(rooms.folder / "store" / "store.sqlite3")]
    with subprocess.Popen(holding, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"held"
        press_until(rooms.qtbot, lambda: said(room) is not None, "N")
        assert said(room).startswith("The store is busy. Your answers in t1 are not saved.")
        assert "Close that program" in said(room)
        rooms.press_for_task(room, "t2", "J", "N", "J", "N", "Return")
        press_until(rooms.qtbot, lambda: "in t1, t2 are not saved." in said(room), "N")
        other.kill()
    room.saver.try_now()
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    assert rooms.stored("t1").status == "complete"
    assert rooms.stored("t2").answers.targets["s1"]["factual"] == "no"


@pytest.fixture
def small_disk(tmp_path):
    """A disk of two megabytes of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
    if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(mount, check=False).returncode != 0:
        pytest.skip("a small disk can be mounted by root alone")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(path, leave=0):
    """Take all the room there is on a disk, but for so many bytes."""
    room = os.statvfs(path.parent)
    with path.open("wb") as file:
        file.write(b"\0" * max(room.f_bavail * room.f_frsize - leave, 0))
