"""No answer is lost: not when the window is closed at once, not when the store can't be written."""

import json
import signal
import subprocess
import sys
from contextlib import closing
from threading import Event

import pytest
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.format.change import NO_CHANGE
from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.store.connection import NAME, connect_immutable
from desktop_rater.ui.rating import rating_saver
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window import jobs
from desktop_rater.ui.window.window_requests import QuitRequests
from tests.operations.bundles import make, take_in, task, writer
from tests.readers import reader_of
from tests.ui.rooms import Text, part, press, press_until


def hold_the_lane(room, gate):
    """Keep the store's queue busy with something that never reports, until the gate opens."""

    def wait(_store):
        gate.wait(10)
        return NO_CHANGE

    room.perform.perform(wait)


def refuse_writes(room, on):
    room.writer.db.execute(f"PRAGMA query_only = {'ON' if on else 'OFF'}")


def test_typed_and_closed_at_once(room, rooms):
    press("Y", "W", Text("Not one key lost"))
    rooms.shut(room)
    assert rooms.stored("t1").answers.targets["s1"]["comment"] == "Not one key lost"
    again = rooms.at_task()
    assert again.session.rating.answers.targets["s1"]["comment"] == "Not one key lost"
    assert part(again, "text_comment").text() == "Not one key lost"


def test_text_is_saved_when_the_rater_pauses(room, rooms):
    press("Y", "W", Text("abc"))
    rooms.qtbot.waitUntil(lambda: rooms.stored("t1").answers.targets.get("s1", {}).get("comment") == "abc")
    assert part(room, "text_comment").hasFocus()


def test_text_is_saved_while_it_is_typed_without_a_pause(room, rooms):
    press("Y", "W")

    def is_stored_while_typing():
        QTest.keyClicks(part(room, "text_comment"), "x")
        return "comment" in rooms.stored("t1").answers.targets.get("s1", {})

    rooms.qtbot.waitUntil(is_stored_while_typing)
    assert part(room, "text_comment").hasFocus()


def test_a_call_is_not_postponed_beyond_its_limit(qapp, qtbot):
    calls = []
    delayed = DelayedCall(qapp, 100, lambda: calls.append("late"), limit=200)

    def started_again():
        delayed.start()
        return bool(calls)

    qtbot.waitUntil(started_again)
    assert calls == ["late"]


def test_a_failed_save_says_so_once_and_is_made_good(room, rooms):
    rooms.wait_until_saved(room)
    banners = room.window.form_pane.banners
    shown = []
    room.saver.not_saved.connect(shown.append)
    refuse_writes(room, on=True)
    press_until(rooms.qtbot, lambda: banners.text("saving") is not None, "Y")
    press_until(rooms.qtbot, lambda: not room.saver.is_saving, "1", "A")
    said = banners.text("saving")
    assert said.startswith("The store is not writable. Your answers in t1 are not saved. They are kept in memory")
    assert "readonly" in banners.banner("saving").label.toolTip(), "what SQLite says of it, for whoever helps"
    assert len(shown) == 1, "one message per streak"
    assert room.session.rating.answers.targets["s1"]["accuracy"] == "accurate"
    assert part(room, "choice_accuracy_accurate").isChecked()
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    press_until(rooms.qtbot, lambda: "in t1, t2 are not saved." in banners.text("saving"), "N")
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    assert room.session.rating.answers.targets["s1"]["accuracy"] == "accurate", "it is kept in memory meanwhile"
    banners.banner("saving").buttons[0].click()
    rooms.qtbot.waitUntil(lambda: banners.text("saving") is not None)  # tried in vain, and said so
    refuse_writes(room, on=False)
    banners.banner("saving").buttons[0].click()
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    assert banners.text("saving") is None
    assert rooms.stored("t1").answers.targets["s1"]["accuracy"] == "accurate"


def test_a_failed_save_is_tried_again_by_itself(room, rooms):
    room.saver._retry.setInterval(10)
    rooms.wait_until_saved(room)
    refuse_writes(room, on=True)
    press_until(rooms.qtbot, lambda: room.saver.failing, "Y")
    refuse_writes(room, on=False)
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    assert rooms.stored("t1").answers.targets["s1"]["factual"] == "yes"


def test_closing_with_unsaved_answers_tries_again_and_says_so(room, rooms):
    rooms.wait_until_saved(room)
    refuse_writes(room, on=True)
    press("N")
    room.window.close()
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("closing") is not None)
    assert room.window.isVisible()
    assert "t1" in room.window.banners.text("closing")
    refuse_writes(room, on=False)
    rooms.shut(room)
    assert rooms.stored("t1").answers.targets["s1"]["factual"] == "no"


def test_saves_do_not_overtake_each_other(room, rooms):
    rooms.wait_until_saved(room)
    gate = Event()
    hold_the_lane(room, gate)
    saves = []
    room.saver.saved.connect(saves.append)
    press("Y", "1", "A", "J", "N", "K", "Backspace")
    gate.set()
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    assert len(saves) == 2, "the first, and the latest in the place of all between"
    stored = rooms.stored("t1")
    assert stored.answers == room.session.rating.answers
    assert stored.revision == 2


def test_what_others_stored_counts_over_what_was_here(room, rooms):
    rooms.press_and_save(room, "N")
    assert room.saver.newest("bundle", "t1") is not None
    newer = make(rooms.folder / "bundle.zip", [task("t1", "A new sentence."), task("t2")], revision=2)
    room.transfer.import_bundle(newer)
    rooms.qtbot.waitUntil(lambda: room.session.task is not None and len(room.session.task.targets) == 1)
    assert room.session.rating.answers.targets["s1"]["factual"] == "no", "the old answers stay in place"
    assert room.session.rating.status == "incomplete"


def test_an_import_does_not_delay_an_answer(room, rooms):
    many = make(rooms.folder / "many.zip", (task(f"m{n}", *(f"Sentence {i}." for i in range(5))) for n in range(2_000)))
    rooms.wait_until_saved(room)
    progress = []
    model = room.window.task_list.model
    room.transfer.import_bundle(many)
    room.transfer.import_ended.connect(lambda: progress.append("imported"))
    room.saver.saved.connect(lambda _when: progress.append("saved"))
    press("N")
    rooms.qtbot.waitUntil(lambda: "imported" in progress, timeout=60_000)
    assert progress == ["saved", "imported"]
    assert rooms.stored("t1").answers.targets["s1"]["factual"] == "no"
    rooms.wait_for_task(room, "m0")
    rooms.qtbot.waitUntil(lambda: model.bundle == "many" and model.rowCount() > 0)


def test_an_export_waits_for_the_last_answer(room, rooms):
    rooms.wait_until_saved(room)
    gate = Event()
    hold_the_lane(room, gate)
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    press_until(rooms.qtbot, lambda: room.window.banners.text("all_done") is not None, "N", "Return")
    rooms.files.to_write = rooms.folder / "results.zip"
    press("Ctrl+Shift+E")
    gate.set()
    with rooms.qtbot.waitSignal(room.transfer.export_ended):
        pass
    assert room.window.banners.text("transfer") == f"Exported 2 ratings to results.zip in {rooms.folder}."


def test_nothing_is_exported_while_answers_are_not_saved(room, rooms):
    rooms.wait_until_saved(room)
    refuse_writes(room, on=True)
    press("N")
    rooms.files.to_write = rooms.folder / "results.zip"
    with rooms.qtbot.waitSignal(room.transfer.export_ended):
        press("Ctrl+Shift+E")
    assert (
        room.window.banners.text("transfer")
        == "Not exported: the latest answers are not saved yet. Try again once they are saved."
    )
    refuse_writes(room, on=False)


def test_an_answer_is_at_its_commit_before_anything_is_shown(room, rooms, monkeypatch):
    """The window waits for the statements, and not for the disk; behind another write it does not wait at all."""
    monkeypatch.setattr(jobs, "HEAD_START_SECONDS", 60)
    order = []
    room.session.rating_changed.connect(lambda: order.append("shown"))
    rooms.press_and_save(room, "Y")
    rooms.qtbot.waitUntil(lambda: room.jobs.is_idle("store"))
    order.clear()
    room.writer.db.set_trace_callback(lambda statement: order.append(" ".join(statement.split()[:4])))
    press("N")
    room.writer.db.set_trace_callback(None)
    # A trigger tells its statement again; what the journal is to hold is read at the commit, while the window goes on.
    at_commit = (
        "COMMIT",
        "SELECT coalesce((SELECT max(key) FROM",
        "SELECT ratings.bundle, ratings.task, ratings.rater,",
    )
    done = [step for step in dict.fromkeys(order) if step not in at_commit]
    assert done[: done.index("shown") + 1] == [
        "BEGIN IMMEDIATE",
        "SELECT current.id, current.key, current.tasks,",
        "INSERT INTO ratings (bundle,",
        "INSERT INTO work_done (rating,",
        "INSERT OR REPLACE INTO",
        "shown",
    ], "all but the commit, and no statement more"
    rooms.wait_until_saved(room)
    gate = Event()
    hold_the_lane(room, gate)
    press("Y")
    assert room.saver.is_saving, "it is queued, and the window went on"
    gate.set()
    rooms.wait_until_saved(room)


def test_answers_are_merged_into_the_store_while_the_rater_pauses(room, rooms, monkeypatch):
    monkeypatch.setattr(rating_saver, "SAVES_BEFORE_MERGING", 1)
    room.window.findChild(rating_saver.SavedMerger)._pause.setInterval(0)
    rooms.press_and_save(room, "N")

    def merged():
        with closing(connect_immutable(rooms.folder / "store" / NAME)) as alone:
            return alone.execute("SELECT task FROM ratings").fetchall()

    rooms.qtbot.waitUntil(lambda: merged() == [("t1",)])


@pytest.mark.posix("Windows has no signals to send to a process")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_saves_what_is_being_typed_and_ends_the_window(tmp_path, name):
    folder = tmp_path / "store"
    with writer(folder) as store:
        take_in(store, sample_bundle_path())
    words = [sys.executable, "-m", "tests.ui.type_until_killed", str(folder), "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout is not None
        lines = [window.stdout.readline() for _ in range(25)]
        assert all(lines), "the window ended by itself"
        window.send_signal(signal.Signals[name])
        lines += window.stdout.readlines()
    assert window.returncode == 0
    _typed, field, text, _moment = json.loads(lines[-1])
    assert (field, typed_texts(folder)[field]) == ("text_comment", text)


def typed_texts(folder):
    """The comments of the sample's first task by their field: what a window that was ended has saved."""
    with reader_of(folder) as store:
        heads = list(store.db.execute("SELECT body FROM ratings ORDER BY revision"))
    answers = json.loads(heads[-1][0])["answers"]["targets"]
    return {f"text_{name}": text for given in answers.values() for name, text in given.items()}


@pytest.mark.posix("Windows has no signals to handle")
def test_a_log_out_saves_a_comment_and_what_is_being_composed_in_it(room, rooms, qapp):
    press("Y", "W", Text("Half a "))
    QApplication.sendEvent(part(room, "text_comment"), QInputMethodEvent("sentence", []))
    requests = QuitRequests(qapp, room.window.save)
    try:
        requests.save_in_time()  # as `commitDataRequest` has it called
    finally:
        requests.close()
    assert rooms.stored("t1").answers.targets["s1"]["comment"] == "Half a sentence"
