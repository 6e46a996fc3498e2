"""Two windows on one store: the second one says who has it, lets nothing be lost, and writes when it may."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_rater import app
from desktop_rater.store.connection import NAME, create_database
from desktop_rater.store.store import StoreLock
from desktop_rater.ui.store import connections
from desktop_rater.ui.store.connections import open_stores
from desktop_rater.ui.window.screens import RATE
from tests.conftest import ROOT
from tests.operations.bundles import RATER, make, noon, take_in, task, writer
from tests.readers import reader_of
from tests.store.test_store_lock import HOLD
from tests.ui.rooms import SENTENCES, part, press


@pytest.fixture
def folder(tmp_path):
    """A store with two tasks, as `rooms` opens it."""
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "kelp.zip", [task("t1", *SENTENCES), task("t2")]))
    return tmp_path / "store"


@pytest.fixture
def other(folder):
    """Another process that writes to the store."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def second(rooms, folder, other):
    """A window on the store that another process has."""
    return rooms.at_task()


def revisions(folder):
    with reader_of(folder) as reader:
        return reader.db.execute("SELECT count(*) FROM ratings").fetchone()[0]


def test_it_says_who_has_the_store(second, other):
    words = second.window.banners.text("read_only")
    assert f"Read-only: desktop-rater import writes to it (process {other.pid} on " in words
    assert part(second, "standing").isVisible()
    assert str(other.pid) in part(second, "standing").toolTip()


def test_the_tasks_can_be_read_and_nothing_can_be_answered(second, rooms, folder):
    assert second.session.task.id == "t1"
    assert not second.window.form_pane.form.body.isEnabled()
    for key in ("Y", "N", "1", "Ctrl+Z", "X", "L", "E", "Ctrl+Shift+Return"):
        press(key)
    second.session.answer("factual", "yes")
    rooms.press_for_task(second, "t2", "Ctrl+PgDown")
    assert second.session.read_only.startswith("Read-only: ")
    assert not second.saver.unsaved
    assert revisions(folder) == 0


def test_what_would_write_is_off_in_the_menus(second):
    actions = second.commands.actions
    for name in ("import", "sample", "export", "back_up", "restore", "undo", "fetch_task_links"):
        assert not actions[name].isEnabled(), name
    assert actions["next_task"].isEnabled()
    assert actions["check_store"].isEnabled()


def test_a_bundle_that_is_dropped_on_it_is_refused_with_the_reason(second, rooms, tmp_path):
    second.transfer.import_bundle(tmp_path / "kelp.zip")
    rooms.qtbot.waitUntil(lambda: second.window.banners.text("trouble") is not None)
    assert second.window.banners.text("trouble").startswith("Read-only: desktop-rater import writes to it")


def test_an_hour_of_looking_says_nothing_more(second, rooms, folder):
    """The clock, the place to come back to, the day and the backup: none of them tries to write."""
    rooms.let_pass(second, 3_600)
    second.companions.remembering.remember()
    second.companions.time_keeping.save()
    second.companions.day.count()
    second.companions.day.keep()
    assert not second.window.parts["restoring"].backing_up._timer.isActive()
    second.perform.ask(lambda _store: None, done=(answered := []).append)
    rooms.qtbot.waitUntil(lambda: bool(answered))
    assert second.window.banners.text("trouble") is None


def test_it_offers_to_write_when_the_other_is_gone_and_then_does(rooms, folder, other, monkeypatch, qapp):
    """`open_window` as a user starts it: the event loop is the test's."""
    built = []
    build = app.build_application

    def remembered(*args, **named):
        named["rater"] = RATER
        built.append(build(*args, **named))
        return built[-1]

    def exec_(_app=None):
        room = built[-1]
        room.window.activateWindow()
        rooms.wait_for_task(room)
        if len(built) == 1:
            room.read_only.check_lock()
            assert room.window.banners.text("read_only").startswith("Read-only")
            other.kill()
            other.wait()
            room.read_only.check_lock()
            banner = room.window.banners.banner("read_only")
            assert banner.label.text() == "The other program has closed the store. This window can write now."
            QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
            rooms.qtbot.waitUntil(lambda: not room.window.isVisible())
        else:
            assert room.window.banners.text("read_only") is None
            room.screens.go(RATE)
            rooms.press_and_save(room, "N")
            room.window.close()
        return 0

    monkeypatch.setattr(app, "build_application", remembered)
    monkeypatch.setattr(type(qapp), "exec", exec_)
    assert app.open_window(folder, now=noon) == 0
    assert len(built) == 2
    assert revisions(folder) == 1


@pytest.mark.posix("Windows does not let other programs replace, move or delete open files")
def test_a_window_that_only_reads_says_that_the_file_of_its_store_was_moved_replaced_or_removed(
    second, folder, monkeypatch
):
    def said():
        second.read_only.check_place()
        shown = second.window.banners.banner("place")
        return None if shown is None else (shown.kind, [button.text() for button in shown.buttons])

    file, aside = folder / "store.sqlite3", folder / "aside"
    assert second.read_only.place_timer.isActive()
    assert 0 < second.read_only.place_timer.interval() <= 5_000
    assert said() is None
    file.rename(aside)
    assert said() == ("block", [])
    assert str(file) in second.window.banners.text("place")
    aside.rename(file)
    assert said() is None
    shutil.copy(file, aside)
    aside.replace(file)
    assert said() == ("block", ["Open the store again"])
    file.unlink()
    assert said() == ("block", []), "there is nothing to open"
    monkeypatch.setattr(connections, "is_held", lambda _folder: False)
    second.read_only.check_lock()
    assert "can write now" not in second.window.banners.text("read_only"), "nor to write to"
    file.touch()
    second.read_only.check_lock()
    assert "can write now" in second.window.banners.text("read_only")


def test_the_first_window_notices_nothing_of_the_second(rooms, folder):
    first = rooms.at_task()
    second = rooms.at_task()
    assert "another window has it open" in second.window.banners.text("read_only")
    assert first.window.banners.text("read_only") is None
    first.session.answer("factual", "yes")
    rooms.wait_until_saved(first)
    rooms.shut(second)
    assert first.writer.writable
    assert revisions(folder) == 1


@pytest.fixture
def read_only_folder():
    """A store on a disk that may not be written, also where the tests run as root."""
    if sys.platform == "win32":
        pytest.skip("permissions of a folder are a matter of POSIX")
    base = Path(tempfile.mkdtemp())
    base.chmod(0o755)
    with writer(base / "store") as store:
        take_in(store, make(base / "kelp.zip", [task("t1", *SENTENCES)]))
    for path in (base / "store", *(base / "store").iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65534)
        if not os.access(ROOT, os.R_OK | os.X_OK, effective_ids=True):
            os.seteuid(0)
            shutil.rmtree(base)
            pytest.skip(f"only root may read {ROOT}, and root may write to any folder")
    yield base / "store"
    if was_root:
        os.seteuid(0)
    (base / "store").chmod(0o755)
    shutil.rmtree(base)


def test_a_store_on_a_read_only_disk_can_be_looked_at(rooms, read_only_folder):
    room = app.build_application(read_only_folder, rater=RATER, now=noon)
    rooms.open_now.append(room)
    rooms.wait_for_task(room)
    assert "Read-only: nothing can be written to " in (room.window.banners.text("read_only") or "")
    assert not room.read_only.timer.isActive(), "there is no other program to wait for"
    assert room.session.read_only


def test_a_store_that_is_open_can_be_checked_from_the_window(rooms, folder):
    room = rooms.at_task()
    room.commands.actions["check_store"].trigger()
    dialog = room.window.parts["store_check"].dialog
    assert dialog.isVisible()
    rooms.qtbot.waitUntil(lambda: "No faults" in part(room, "check_title").text())
    said = dialog.findings.toPlainText()
    assert "holder: In use by `the window`" in said
    assert "backups: There is no good backup yet." in said
    assert not part(room, "check_salvage").isVisible()
    press("Esc")
    assert not dialog.isVisible()


def test_a_second_start_waits_for_the_store_that_the_first_one_creates(tmp_path):
    """Two bundles are opened at once, or the icon is clicked twice, on a new computer."""
    folder, waits = tmp_path / "store", []
    folder.mkdir()

    def wait(seconds):
        waits.append(seconds)
        create_database(folder / NAME)

    lock = StoreLock(folder, command="the window", now=noon())
    try:
        stores = open_stores(folder, noon(), wait=wait)
    finally:
        lock.release()
    assert (stores.taken, stores.writer, len(waits)) == (True, None, 1)
    stores.close()
