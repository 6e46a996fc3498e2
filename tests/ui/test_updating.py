"""A store of an older version: the window says what is done with it, and it can be left for later."""

import sqlite3
from contextlib import closing
from functools import partial
from threading import Event

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater import app
from desktop_rater.store import backups
from desktop_rater.store.errors import StoreError
from desktop_rater.store.open_store import needs_migration, open_writer
from desktop_rater.ui.store.connections import WINDOW_COMMAND, UpdateDeclined
from desktop_rater.ui.store.update_page import UpdatePage, run_update_page, update_store
from desktop_rater.ui.store.window_loop import run_window
from desktop_rater.ui.window.startup import paint_first
from tests.operations.bundles import RATER, noon
from tests.store.listed import count_tasks
from tests.store.older import lay
from tests.ui.window_parts import WindowParts


@pytest.fixture
def old(tmp_path):
    """A store as version 4 left it."""
    file = tmp_path / "store" / "store.sqlite3"
    folder = lay(file, 4)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:  # of a rubric that there still is
        connection.execute("UPDATE bundles SET rubric = ?", ("span-factuality@3",))
    return folder


@pytest.fixture
def gate():
    """Holds the work up until a test lets it go on."""
    gate = Event()
    yield gate
    gate.set()


@pytest.fixture
def first(tmp_path, qtbot):
    first = paint_first(tmp_path / "store", now=noon)
    yield first
    first.window.hide()
    first.window.deleteLater()


def held_up(folder, gate):
    def work(updating):
        updating("copy")
        gate.wait(30)
        return open_writer(folder, command=WINDOW_COMMAND, now=noon(), updating=updating)

    return work


def when(page, words, do):
    """Do something as soon as the page says that."""
    timer = QTimer(page)

    def look():
        if words in page.status.text():
            timer.stop()
            do()

    timer.timeout.connect(look)
    timer.start(5)


def test_it_is_brought_up_to_date_in_the_frame_that_becomes_the_window(old, first, rooms, qtbot):
    done = update_store(old, first.window, noon)
    assert not done.left
    assert not needs_migration(old)
    room = app.build_application(old, rater=RATER, now=noon, window=first.window, updated=done.updated)
    rooms.open_now.append(room)
    assert room.stores.writer is done.updated.writer
    assert not room.read_only.why
    qtbot.waitUntil(WindowParts(room).panes_page.isVisible)
    assert [one.version for one in backups.list_backups(old, check_cancelled=lambda: None)] == [4]


def test_a_store_of_today_needs_none_of_it(old, first):
    open_writer(old, command="test").close()
    assert update_store(old, first.window, noon).updated.writer is None
    assert first.window.centralWidget() is None


def test_the_window_lives_and_says_what_is_done(old, first, gate, qtbot):
    page = UpdatePage(held_up(old, gate))
    seen = []

    def look():
        seen.append((first.window.centralWidget() is page, page.isVisible(), page.cancel is QApplication.focusWidget()))
        gate.set()

    when(page, "Backing it up …", look)
    outcome = run_update_page(page, first.window)
    assert seen == [(True, True, True)]
    assert outcome.updated.writer is not None
    outcome.updated.writer.close()


def test_not_now_leaves_it_as_it_was_and_the_window_looks_only(old, first, gate, rooms, qtbot):
    before = (old / "store.sqlite3").read_bytes()
    page = UpdatePage(held_up(old, gate))

    def not_now():
        QTest.keyClick(page.cancel, Qt.Key.Key_Escape)
        assert page.status.text() == "Stopping …"
        gate.set()

    when(page, "Backing it up …", not_now)
    outcome = run_update_page(page, first.window)
    assert isinstance(outcome.updated.refused, UpdateDeclined)
    room = app.build_application(old, rater=RATER, now=noon, window=first.window, updated=outcome.updated)
    rooms.open_now.append(room)
    assert room.stores.writer is None
    banner = room.window.banners.banner("read_only")
    assert banner is not None
    assert banner.label.text() == "Read-only: this store was made by an older version and has not been updated."
    assert count_tasks(room.reader, "kelp", RATER) == 2
    qtbot.waitUntil(lambda: room.session.task is not None)
    assert (old / "store.sqlite3").read_bytes() == before
    assert backups.list_backups(old) == ()


def test_closing_the_window_meanwhile_ends_it_once_the_store_is_let_go(old, first, gate):
    page = UpdatePage(held_up(old, gate))

    def close():
        first.window.close()
        assert first.window.isVisible()
        gate.set()

    when(page, "Backing it up …", close)
    outcome = run_update_page(page, first.window)
    assert outcome.left
    assert needs_migration(old)
    open_writer(old, command="test").close()


def test_what_goes_wrong_is_why_the_window_looks_only(old, first, rooms, qtbot):
    (old / "backups").write_text("in the way")
    outcome = update_store(old, first.window, noon)
    assert isinstance(outcome.updated.refused, StoreError)
    room = app.build_application(old, rater=RATER, now=noon, window=first.window, updated=outcome.updated)
    rooms.open_now.append(room)
    assert room.read_only.why.startswith("Read-only: nothing can be written to")


def test_a_fault_of_the_program_is_not_swallowed(first):
    def work(_updating):
        raise ZeroDivisionError

    assert isinstance(run_update_page(UpdatePage(work), first.window).error, ZeroDivisionError)


def test_the_whole_start(old, qtbot):
    opened = []

    def build(kept, updated, window):
        opened.append(app.build_application(old, rater=RATER, now=noon, settings=kept, updated=updated, window=window))
        QTimer.singleShot(0, opened[-1].window, opened[-1].window.close)
        return opened[-1]

    assert run_window(old, partial(build), now=noon) == 0
    assert opened[0].read_only.why == ""
    assert not needs_migration(old)
    opened[0].window.deleteLater()
