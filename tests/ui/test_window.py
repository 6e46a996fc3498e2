"""The window as a whole: nothing cut off, everything named, each key bound once."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QTextEdit,
    QToolButton,
)

from desktop_rater.cli.root import main
from desktop_rater.ui.rating.form.question import ClaimNumber
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.labels import ElidedLabel, SourceBadge
from desktop_rater.ui.window import actions
from tests.operations.bundles import make, task
from tests.ui.rooms import part, press, two_responses

SIZES = [(1280, 720), (1440, 900)]


def is_shown(widget, window):
    """Whether it is neither hidden nor in a pane that is out of sight at the moment."""
    split = window.findChild(QSplitter, "panes")
    folded = [split.widget(at) for at, size in enumerate(split.sizes()) if size == 0]
    return widget.isVisible() and not any(pane.isAncestorOf(widget) for pane in folded)


def cut_off(window):
    """The visible words that have less room than they need."""
    found = []
    for label in window.findChildren(QLabel):
        if not is_shown(label, window) or isinstance(label, ElidedLabel) or not label.text():
            continue
        if isinstance(label, (SourceBadge, ClaimNumber)) and label.size().isEmpty():
            continue  # left out where its row has no room for it
        if label.wordWrap():
            short = label.height() < label.heightForWidth(label.width())
        else:
            short = label.width() + 1 < label.sizeHint().width() or label.height() + 1 < label.sizeHint().height()
        if short:
            found.append(label.text())
    for button in window.findChildren(ChoiceButton):
        if is_shown(button, window) and not button.size().width() >= button.sizeHint().width():
            found.append(button.label)
        inside = button.parentWidget().rect().contains(button.geometry())
        if is_shown(button, window) and not inside:
            found.append(f"{button.label} outside")
    return found


def fill(room):
    press("Y")
    room.session.add_evidence("https://example.org/a/page/with/a/long/address/that/goes/on/and/on")
    room.session.change_evidence("e1", stance="supporting")
    press("I")
    room.session.add_claim(0, 8)
    room.session.add_claim(9, 31)
    room.commands.answering.skip()


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off(room, rooms, size):
    room.window.resize(*size)
    rooms.qtbot.waitUntil(lambda: room.window.width() == size[0])
    for step in (lambda: None, lambda: press("Y"), lambda: fill(room), lambda: press("Esc", "J")):
        step()
        for _ in range(5):
            QApplication.processEvents()
        assert cut_off(room.window) == []
        assert (room.window.width(), room.window.height()) == size, "the window does not grow by what is in it"


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_side_by_side(rooms, size):
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [two_responses()], rubric="side-by-side"))
    room.window.resize(*size)
    for keys in ((), ("1", "3"), ("1", "J"), ("J",)):
        press(*keys)
        for _ in range(5):
            QApplication.processEvents()
        assert cut_off(room.window) == []


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_with_scales_and_many_tabs(rooms, size):
    plain = task("t1", context=[{"id": "c", "text": "x"}], reference="y", history=[{"role": "user", "text": "z"}])
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [plain], rubric="response-quality"))
    room.window.resize(*size)
    for _ in range(5):
        QApplication.processEvents()
    assert cut_off(room.window) == []
    windows = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
    assert windows == [room.window]


def test_the_first_run_says_what_to_do(rooms):
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    rooms.qtbot.waitUntil(lambda: cut_off(room.window) == [])
    press("Y", "Return", "J", "E", "X", "F8", "Backspace", "Ctrl+Z", "L", "O", "Ctrl+PgDown", "Ctrl+Shift+E", "F6", "T")
    press("Ctrl+Shift+O")
    rooms.wait_for_task(room)
    assert room.window.windowTitle() == "Sample: what is true here? – Desktop Rater"


def test_every_control_has_a_name(room):
    fill(room)
    kinds = (QAbstractButton, QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QAbstractItemView)
    unnamed = []
    for kind in kinds:
        for widget in room.window.findChildren(kind):
            own = not widget.objectName().startswith("qt_") and not isinstance(widget, QToolButton)
            words = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
            inside = isinstance(widget.parent(), QComboBox) or (
                widget.parent() and widget.parent().inherits("QComboBox")
            )
            if own and not inside and not words and widget.isVisible():
                unnamed.append((kind.__name__, widget.objectName()))
    assert unnamed == []


@pytest.mark.parametrize("name", ["rate", "review", "report", "systems"])
def test_each_key_is_bound_once_in_each_room(room, name):
    keys = [key for row in actions.actions_in(actions.ActionScope(name, lead=True)) for key in row.keys]
    keys += [one.key().toString() for one in room.window.findChildren(QShortcut)]
    shared = [key for key, count in Counter(QKeySequence(key).toString() for key in keys).items() if count > 1]
    assert shared == []


def test_every_action_of_the_table_does_something(room):
    assert set(room.commands.actions) == {row.id for row in actions.ROWS}
    assert len({row.id for row in actions.ROWS}) == len(actions.ROWS)


def test_single_keys_answer_from_the_list_and_the_text(room):
    room.window.text_pane.panes[0].view.setFocus()
    press("Y")
    room.window.task_list.list.setFocus()
    press("1")
    assert room.session.rating.answers.targets["s1"] == {"factual": "yes", "common_knowledge": "right"}
    assert room.session.task.id == "t1"


def test_events_leave_none_alone(room):
    """PySide6 6.12.0 on CPython below 3.12 loses a reference to `None` in most calls."""
    for _ in range(20):
        QApplication.processEvents()
    before = sys.getrefcount(None)
    for _ in range(200):
        QApplication.processEvents()
    assert abs(sys.getrefcount(None) - before) < 100


def test_active_time_stops_without_input_and_goes_into_the_rating(room, rooms):
    clock, session = rooms.clock, room.session
    clock.seconds += 30
    assert int(session.seconds_here()) == 30
    rooms.let_pass(room, 600)
    assert int(session.seconds_here()) == 120, "the window is idle two minutes after the last input"
    session.active_time.touch()
    clock.seconds += 5
    press("N")
    assert session.rating.time.targets == {"s1": 125}
    assert session.rating.time.idle_seconds == 510
    press("J")
    clock.seconds += 7
    press("N", "Ctrl+Z")
    assert session.rating.time.targets == {"s1": 125, "s2": 7}, "time is not undone"


def test_a_real_key_counts_as_input(room, rooms):
    rooms.let_pass(room, 150)
    rooms.qtbot.keyClick(room.window.windowHandle(), Qt.Key.Key_F6)
    rooms.clock.seconds += 10
    assert int(room.session.seconds_here()) == 130


def test_removed_evidence_comes_back_by_the_banner(room):
    press("Y")
    room.session.add_evidence("https://example.org/a")
    press("Delete")
    assert room.session.rating.evidence == ()
    banner = room.window.form_pane.banners.banner("undo")
    assert "https://example.org/a" in banner.label.text()
    banner.buttons[0].click()
    assert len(room.session.rating.evidence) == 1


def test_the_response_takes_the_selection_of_the_list(room, rooms):
    room.window.task_list.list.setFocus()
    rooms.press_for_task(room, "t2", "Down")
    assert room.window.task_list.list.hasFocus()
    assert part(room, "task_id").text() == "t2"


def test_bugs_are_counted_in_a_banner_without_the_texts_while_the_keyboard_answers(room, rooms):
    def broken(_store):
        raise ValueError("Paris is the capital of France.")

    banners = room.window.banners
    room.perform.perform(broken)
    rooms.qtbot.waitUntil(lambda: banners.text("crash") is not None)
    press("N")
    assert room.session.rating.answers.targets["s1"]["factual"] == "no"
    for _ in range(2):
        room.perform.perform(broken)
    rooms.qtbot.waitUntil(lambda: "since the start: 3" in banners.text("crash"))
    assert not room.window.parts["crash"].dialog.isVisible()
    banners.banner("crash").buttons[0].click()
    text = room.window.parts["crash"].dialog.findChild(QPlainTextEdit, "crash_details").toPlainText()
    assert "ValueError" in text
    assert "(3 times)" in text
    assert "PySide6" in text
    assert "Paris" not in text
    room.window.parts["crash"].dialog.reject()
    room.window.parts["crash"].show(KeyError("x"))
    rooms.qtbot.waitUntil(lambda: banners.text("crash") is not None)


def test_a_finished_task_that_is_broken_again_is_not_finished(room, rooms):
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    assert room.session.rating.status == "complete"
    press("Y")
    assert room.session.rating.status == "incomplete"
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").status == "incomplete"


MESSAGES = [
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": "Good day."},
    {"role": "user", "content": "What is kelp?"},
    {"role": "assistant", "content": "A brown alga."},
]


def test_the_turns_come_one_after_the_other_and_say_which_they_are(rooms, tmp_path):
    source, out = tmp_path / "c.jsonl", tmp_path / "bundle.zip"
    source.write_text(json.dumps({"messages": MESSAGES}), "utf-8")
    command = ["bundle", "convert", "--from", "azure-conversation", "--every-turn", "--out", str(out), str(source)]
    assert main(command) == 0
    room = rooms.with_bundle(out)
    assert part(room, "task_id").text() == "cv-0001#1, turn 1 of 2"
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "cv-0001#2")
    assert part(room, "task_id").text() == "cv-0001#2, turn 2 of 2"


@pytest.mark.parametrize("meta", [{}, {"turn": 1, "turns": 1}, {"turn": "2", "turns": 3}, {"turn": 4, "turns": 3}])
def test_another_task_shows_its_id_alone(rooms, tmp_path, meta):
    room = rooms.with_bundle(make(tmp_path / "bundle.zip", [task("t1", "One.", meta=meta)]))
    assert part(room, "task_id").text() == "t1"


PARSERS = {"bs4", "lxml", "nh3", "pypdf", "trafilatura"}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """Which libraries a window has loaded when it is built, when a task is rated, and when a page is read."""
    command = [sys.executable, "-m", "tests.ui.window_that_reads", str(tmp_path_factory.mktemp("window"))]
    done = subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[2], timeout=120)
    return json.loads(done.stdout)


def test_a_rater_who_reads_no_page_pays_for_none(loaded):
    assert loaded["built"] == loaded["rating"] == []


def test_the_libraries_that_take_pages_apart_are_never_in_the_window(loaded):
    assert PARSERS.isdisjoint(loaded["reading"])
    assert not [name for name in loaded["reading"] if "WebEngine" in name]
