"""Backups in the window: by themselves, at once, and back again, by keyboard alone."""

import sqlite3

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from desktop_rater import app
from desktop_rater.format.change import Progress
from desktop_rater.operations.store.backup import export_backup
from desktop_rater.store import backups, state
from desktop_rater.store.restore import unfinished_backups
from desktop_rater.ui.store.window_loop import run_window
from tests.operations.bundles import RATER, make, noon, task
from tests.readers import reader_of
from tests.ui.rooms import Text, loopback_web, part, press, press_until


def back_up(room, rooms):
    with rooms.qtbot.waitSignal(room.window.parts["restoring"].backing_up.ended, timeout=20_000) as waited:
        room.commands.actions["back_up"].trigger()
    return waited.args[0]


def catch_up(room, rooms):
    with rooms.qtbot.waitSignal(room.window.parts["restoring"].backing_up.ended, timeout=20_000) as waited:
        room.window.parts["restoring"].backing_up.catch_up()
    return waited.args[0]


def ask(room, rooms):
    """The dialog, once every backup in it has been read."""
    dialog = room.window.parts["restoring"].dialog
    room.commands.actions["restore"].trigger()
    rooms.qtbot.waitUntil(lambda: dialog.isActiveWindow() and QApplication.focusWidget() is not None)
    rooms.qtbot.waitUntil(lambda: all(one.good is not None for one in dialog._backups))
    return dialog


def shown(dialog):
    """Revisions and state of each row."""
    return [(line.end, line.detail_end) for line in dialog.model.rows]


def folder_of(rooms):
    return rooms.folder / "store"


def test_a_moment_after_the_start_what_is_new_is_backed_up_without_a_word(room, rooms):
    assert room.window.parts["restoring"].backing_up._timer.isActive()
    made = catch_up(room, rooms)
    assert backups.list_backups(folder_of(rooms), check_cancelled=lambda: None) == (made,)
    assert room.window.banners.text("backup") is None
    assert catch_up(room, rooms) is None
    rooms.press_and_save(room, "N")
    assert catch_up(room, rooms).ratings == 1


def test_back_up_now_says_what_came_of_it(room, rooms):
    rooms.press_and_save(room, "N")
    made = back_up(room, rooms)
    words = room.window.banners.text("backup")
    assert made.good
    assert words.startswith("Backed up: 1 revision, ")


def test_an_answer_does_not_wait_for_a_backup(room, rooms):
    state.put_state(room.writer, "large", "x" * 20_000_000)
    heard = []
    room.window.parts["restoring"].backing_up.ended.connect(lambda _made: heard.append("backed up"))
    room.saver.saved.connect(lambda _when: heard.append("saved"))
    room.commands.actions["back_up"].trigger()
    press("N")
    rooms.qtbot.waitUntil(lambda: "backed up" in heard, timeout=20_000)
    assert heard == ["saved", "backed up"]


def test_a_window_that_closes_gives_a_backup_up_and_leaves_nothing_half(room, rooms):
    state.put_state(room.writer, "large", "x" * 20_000_000)
    room.window.parts["restoring"].backing_up.catch_up()
    room.commands.actions["back_up"].trigger()
    rooms.shut(room)
    assert all(one.good for one in backups.list_backups(folder_of(rooms), check_cancelled=lambda: None))
    again = rooms.empty()
    assert unfinished_backups(folder_of(rooms)) == []
    rooms.wait_for_task(again)


def test_a_damaged_store_is_said_to_be_so_and_no_backup_counts(room, rooms):
    rooms.press_and_save(room, "N")
    other = sqlite3.connect(folder_of(rooms) / "store.sqlite3")
    other.execute("DROP TRIGGER ratings_never_change")
    other.execute("UPDATE ratings SET body = replace(body, 'no', 'on')")
    other.commit()
    other.close()
    assert catch_up(room, rooms) is None
    banner = room.window.banners.banner("backup")
    assert banner.kind == "warn"
    assert banner.label.text().startswith("The backup failed: The backup is damaged.")
    assert backups.list_backups(folder_of(rooms)) == ()


def test_the_list_says_how_each_one_is(room, rooms):
    rooms.press_and_save(room, "N")
    first = back_up(room, rooms)
    rooms.press_and_save(room, "J", "N")
    back_up(room, rooms)
    data = bytearray(first.path.read_bytes())
    data[data.index(b"capital of France")] ^= 1  # in a text: what counts the revisions is whole
    first.path.write_bytes(data)
    dialog = ask(room, rooms)
    assert shown(dialog) == [("2 revisions", "good"), ("1 revision", "damaged")]
    assert part(room, "restore_go").isEnabled()
    press("Down")
    assert not part(room, "restore_go").isEnabled()
    press("Return")
    assert dialog.list.isVisible(), "a damaged one is not asked about"
    press("Escape")
    assert not dialog.isVisible()


def test_esc_goes_back_a_step_at_a_time_and_the_focus_too(room, rooms):
    back_up(room, rooms)
    before = QApplication.focusWidget()
    dialog = ask(room, rooms)
    press("Return")
    assert not dialog.list.isVisible()
    assert str(folder_of(rooms) / "replaced") in part(room, "restore_words").text()
    press("Escape")
    assert dialog.list.hasFocus()
    press("Escape")
    assert not dialog.isVisible()
    rooms.qtbot.waitUntil(lambda: QApplication.focusWidget() is before)
    assert room.session.task.id == "t1"


def test_without_a_backup_it_says_when_there_will_be_one(room, rooms):
    dialog = ask(room, rooms)
    assert part(room, "restore_words").text().startswith("There is no backup yet.")
    assert not part(room, "restore_go").isEnabled()
    press("Return", "Escape")
    assert not dialog.isVisible()


def test_answers_that_are_not_saved_stop_a_restore(room, rooms):
    back_up(room, rooms)
    room.writer.db.execute("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(folder_of(rooms) / "store.sqlite3")
    other.execute("BEGIN IMMEDIATE")
    press_until(rooms.qtbot, lambda: room.saver.failing, "N")
    ask(room, rooms)
    press("Return", "Return")
    assert (
        room.window.banners.text("restore")
        == "Not restored: the latest answers could not be saved yet. Try again once they are saved."
    )
    other.close()
    room.saver.try_now()
    rooms.wait_until_saved(room)


def test_a_file_that_is_no_backup_is_refused_with_a_word(room, rooms):
    rooms.files.to_restore = rooms.folder / "holiday.zip"
    rooms.files.to_restore.write_bytes(b"pictures")
    ask(room, rooms)
    part(room, "restore_file").click()
    press("Return")
    rooms.qtbot.waitUntil(lambda: "holiday.zip can't be opened" in (room.window.banners.text("restore") or ""))
    assert room.session.task.id == "t1"


class Sitting:
    """A rater at the real loop: each step is done once the one before has come true."""

    def __init__(self, steps):
        self._steps = steps
        self._there = next(steps)
        self._timer = QTimer()
        self._timer.setInterval(10)
        self._timer.timeout.connect(self._go_on)
        self._timer.start()

    def _go_on(self):
        if not self._there():
            return
        try:
            self._there = next(self._steps)
        except StopIteration:
            self._timer.stop()


def go_back(opened, said, *, from_file):
    """What a rater does from the start of one window to the end of the next."""
    yield lambda: opened and opened[0].session.task is not None and opened[0].window.isActiveWindow()
    press("Ctrl+K", Text("restore"), "Return")
    dialog = opened[0].window.parts["restoring"].dialog
    yield lambda: dialog.isVisible() and all(one.good for one in dialog._backups)
    if from_file:
        part(opened[0], "restore_file").click()
    else:
        press("Return")
    press("Return")
    yield lambda: len(opened) == 2 and opened[1].session.task is not None
    said.append(opened[1].window.banners.text("restore"))
    said.append(opened[1].session.rating.answers.targets)
    yield opened[1].window.isActiveWindow
    press("J")
    said.append(opened[1].session.place.target)
    press("Y")
    yield lambda: not opened[1].saver.unsaved
    opened[1].window.close()


@pytest.fixture
def two_answers(room, rooms):
    """A closed store with two answers; a backup of it, and a zip, with the first alone."""
    rooms.press_and_save(room, "N")
    back_up(room, rooms)
    rooms.files.to_restore = rooms.folder / "all.zip"
    export_backup(room.writer, rooms.files.to_restore, now=noon, progress=Progress())
    rooms.press_and_save(room, "J", "N")
    rooms.shut(room)
    return folder_of(rooms)


@pytest.mark.parametrize("from_file", [False, True])
def test_back_to_a_backup_and_on_from_there_by_keyboard(two_answers, rooms, from_file):
    opened, said = [], []

    def build(kept, updated, window):
        like = {"files": rooms.files, "settings": kept, "web": loopback_web(), "updated": updated, "window": window}
        opened.append(app.build_application(two_answers, rater=RATER, now=noon, **like))
        return opened[-1]

    sitting = Sitting(go_back(opened, said, from_file=from_file))
    assert run_window(two_answers, build, now=noon) == 0
    del sitting
    words, answers, went_on_at = said
    assert words.startswith("The backup is restored, with 1 revision. The previous store has been moved to ")
    assert answers == {"s1": {"factual": "no"}}
    (place,) = (two_answers / "replaced").iterdir()
    assert str(place) in words
    assert rooms.stored("t1").answers.targets == {"s1": {"factual": "no"}, went_on_at: {"factual": "yes"}}
    with reader_of(place) as replaced:
        assert replaced.db.execute("SELECT count(*) FROM ratings").fetchone() == (2,)
    opened[1].window.deleteLater()


def test_an_imported_bundle_is_backed_up_a_moment_later(room, rooms, tmp_path):
    runner = room.window.parts["restoring"].backing_up
    runner._timer.stop()  # that of the start
    rooms.press_and_save(room, "N")
    assert not runner._timer.isActive(), "the journal has the answer"
    room.transfer.import_bundle(make(tmp_path / "kelp.zip", [task("t-1")]))
    rooms.qtbot.waitUntil(runner._timer.isActive)


def test_a_journal_that_cannot_be_written_is_reported_once_and_answers_are_saved(room, rooms):
    journal = folder_of(rooms) / "journal.jsonl"
    journal.unlink()
    journal.mkdir()
    rooms.press_and_save(room, "N")
    assert "the journal beside the store can't be written" in (room.window.banners.text("journal") or "")
    room.window.banners.drop("journal")
    rooms.press_and_save(room, "Y")
    assert room.window.banners.text("journal") is None
    journal.rmdir()
    rooms.press_and_save(room, "N")
    assert journal.read_bytes().count(b"\n") == 3
