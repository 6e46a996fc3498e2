"""The rooms of the window: a rater has one, a QA lead four, and in each the keys do what they do there."""

import json
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.key_dialogs import KeySheet
from tests.operations.bundles import noon
from tests.ui.leads import lead_window, results_of, take_in
from tests.ui.rooms import Text, part, press, press_until, type_text
from tests.ui.test_start_page import Begin
from tests.ui.window_parts import WindowParts

ROOMS = ("rate", "review", "report", "systems")


@pytest.fixture
def lead(rooms):
    """The window of a QA lead who has a bundle to rate, too."""
    room = rooms.with_tasks()
    room.preferences.set("role", "lead")
    return room


def tabs(room):
    bar = WindowParts(room).header.screen_tabs
    return [bar.tabText(at) for at in range(bar.count())]


def test_a_rater_sees_no_room_of_a_lead_and_no_key_leads_there(room):
    assert tabs(room) == ["Start", "Rate"]
    press("Ctrl+2", "Ctrl+3", "Ctrl+4")
    assert room.screens.name == "rate"
    press("Ctrl+K")
    assert not [line for line in room.window.parts["palette"].model.rows if "review" in line.title]


def test_a_lead_goes_from_room_to_room_by_keys_and_by_the_header(lead):
    assert tabs(lead) == ["Start", "Rate", "Review", "Report", "Systems", "Rubric"]
    seen = []
    for key in ("Ctrl+2", "Ctrl+3", "Ctrl+4", "Alt+Home", "Ctrl+1"):
        press(key)
        assert WindowParts(lead).pages.currentWidget() is lead.screens.current.widget
        assert lead.screens.current.widget.isAncestorOf(QApplication.focusWidget())
        seen.append(lead.screens.name)
    assert seen == ["review", "report", "systems", "start", "rate"]
    WindowParts(lead).header.screen_tabs.setCurrentIndex(3)
    assert lead.screens.name == "report"
    assert WindowParts(lead).header.screen_tabs.currentIndex() == 3


def test_coming_back_the_focus_is_where_it_was(lead):
    press("Y", "W")
    comment = part(lead, "text_comment")
    assert comment.hasFocus()
    type_text("half a com", "Ctrl+2", "Ctrl+1")
    assert QApplication.focusWidget() is comment
    type_text("ment")
    assert comment.toPlainText() == "half a comment"


def test_what_is_being_typed_is_saved_as_the_room_is_left(lead, rooms):
    press_until(rooms.qtbot, lambda: not lead.saver.unsaved, "Y", "W", Text("before the review"), "Ctrl+2")
    assert "before the review" in str(rooms.stored("t1").answers)


def test_in_the_review_no_key_answers_a_question_of_the_task_that_waits(lead):
    before = lead.session.rating
    press("Ctrl+2", "Y", "A", "L", "X", "Backspace", "Ctrl+Shift+Return")
    assert lead.session.rating == before
    press("Ctrl+1", "Y")
    assert lead.session.rating != before


def test_time_counts_for_a_task_only_where_it_is_rated(lead, rooms):
    rooms.let_pass(lead, 30)
    here = lead.session.seconds_here()
    assert here >= 30
    press("Ctrl+2")
    rooms.let_pass(lead, 60)
    assert lead.session.seconds_here() == here
    press("Ctrl+1")
    rooms.let_pass(lead, 20)
    assert lead.session.seconds_here() == here + 20


def test_menus_palette_and_sheet_show_what_is_good_in_the_room(lead):
    def in_menus():
        menus = [one for one in lead.window.menuBar().actions() if one.isVisible()]
        shown = [one for menu in menus for one in menu.menu().actions() if one.isVisible() and one.objectName()]
        return {one.objectName().removeprefix("action_") for one in shown}

    found = {}
    for at, name in enumerate(ROOMS, 1):
        press(f"Ctrl+{at}")
        found[name] = in_menus()
        press("Ctrl+K")
        assert {line.id for line in lead.window.parts["palette"].model.rows} == found[name]
        press("Esc", "F1")
        sheet = lead.window.findChild(KeySheet)
        assert sheet is not None
        sheet.close()
        sheet.setParent(None)
    assert {"border", "skip", "room_review"} <= found["rate"]
    assert found["review"].isdisjoint({"border", "skip"})
    assert found["report"].isdisjoint({"border", "skip", "undo"})
    assert {"settings", "quit", "room_rate"} <= found["review"] & found["report"]


def test_a_key_of_ones_own_is_refused_only_where_it_would_meet_another(lead):
    assert keys.key_conflict("Shift+F12", "review_results", {"history": "Shift+F12"}) == ""
    assert keys.key_conflict("Shift+F12", "note", {"history": "Shift+F12"}) != ""
    assert keys.key_conflict("Ctrl+K", "review_page", {}) == "Ctrl K is already the key for “Find an action”."
    lead.preferences.set("keys", {"review_results": "Shift+F12", "history": "Shift+F12"})
    assert keys.usable_keys(lead.preferences.now.keys) == {"review_results": "Shift+F12", "history": "Shift+F12"}


def test_who_is_a_rater_again_stands_where_tasks_are_rated(lead):
    press("Ctrl+2")
    lead.preferences.set("role", "rater")
    assert lead.screens.name == "rate"
    assert tabs(lead) == ["Start", "Rate"]
    press("Y")
    assert lead.session.rating.answers.targets


def test_the_frame_says_which_bundle_and_which_room(rooms, tmp_path):
    room = lead_window(rooms)
    given = results_of(tmp_path / "in", raters=2)
    press("Ctrl+2")
    take_in(rooms, room, [given.bundle, given.folder])
    rooms.qtbot.waitUntil(lambda: "Facts, November" in room.window.windowTitle())
    assert "review" in room.window.windowTitle()
    press("Ctrl+1")
    assert room.window.windowTitle() == "Desktop Rater"


def test_a_rater_s_window_loads_nothing_of_a_lead_s_and_no_converter(tmp_path):
    script = (
        "import os, sys, json; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from pathlib import Path; from desktop_rater import app; from desktop_rater.format.values import utc_now\n"
        "app.application()\n"
        f"room = app.build_application(Path({str(tmp_path)!r}) / 'store', rater='r-1', now=utc_now)\n"
        "room.window.show()\n"
        "print(json.dumps(sorted(sys.modules))); room.close()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout.splitlines()[-1])
    rooms = (
        "desktop_rater.ui.review",
        "desktop_rater.ui.report",
        "desktop_rater.ui.review.results_import",
        "desktop_rater.oracle",
        "desktop_rater.plugins.convert.formats",
        "desktop_rater.plugins.convert.maps",
    )
    assert [name for name in loaded if name.startswith(rooms)] == []


@pytest.fixture
def audited(rooms, tmp_path):
    """A store with an audit of three raters, and nothing to rate."""
    given = results_of(tmp_path / "in")
    with open_writer(rooms.folder / "store", command="audit open") as store:
        import_results(store, [given.bundle, given.folder], lead="lee", now=noon(), progress=Progress())
    return given


@pytest.fixture
def begin(rooms):
    return Begin(rooms)


def answer(room, rooms, number):
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("role") is not None)
    buttons = room.window.banners.banner("role").findChildren(QPushButton)
    buttons[number].click()
    assert room.window.banners.text("role") is None


def test_a_store_with_audits_asks_for_the_role_once_and_opens_on_them(begin, rooms, audited):
    room = begin()
    answer(room, rooms, 0)
    rooms.qtbot.waitUntil(lambda: room.screens.name == "review")
    rooms.close()
    again = begin.again(role="lead")
    rooms.qtbot.waitUntil(lambda: again.screens.name == "review")


def test_a_rater_who_said_so_is_not_asked_again(begin, rooms, audited):
    room = begin()
    answer(room, rooms, 1)
    rooms.close()
    again = begin.again()
    answers = []
    again.lead_screens.begin()
    again.perform.ask(lambda _store: True, done=answers.append)  # after the question for the audits
    rooms.qtbot.waitUntil(lambda: bool(answers) and again.window.is_empty)
    assert (again.window.banners.text("role"), again.screens.name) == (None, "rate")
