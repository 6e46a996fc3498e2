"""The start page: where the rater left off, what is due and came back, the week, and bundles that are put away."""

from dataclasses import dataclass
from datetime import timedelta
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from desktop_rater import app
from desktop_rater.operations.rating import open_task
from desktop_rater.operations.rating.overview import read_overview
from desktop_rater.operations.rating.rater_state import RaterDay, save_day
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.settings import Settings
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.start import screen
from tests.operations.bundles import RATER, make, noon, take_in, task
from tests.ui.rooms import SENTENCES, Rooms, banner, part, press, press_and_settle, press_until, resize, settle


@dataclass(frozen=True)
class Begin:
    """Opens the window on the test's store as the program does, at the start page."""

    rooms: Rooms

    def __call__(self, *bundles, **more):
        with open_writer(self.rooms.folder / "store", command="the window") as store:
            for path in bundles:
                take_in(store, path)
        return self.again(**more)

    def again(self, *, rater=RATER, **more):
        room = app.build_application(
            self.rooms.folder / "store",
            rater=rater,
            now=noon,
            clock=self.rooms.clock,
            files=self.rooms.files,
            settings=SettingsFile(settings=Settings(rater=rater, **more)),
            start_page=True,
        )
        self.rooms.open_now.append(room)
        room.window.resize(1366, 768)
        room.window.show()
        room.window.activateWindow()
        self.rooms.qtbot.waitUntil(room.window.isActiveWindow)
        return room


@pytest.fixture
def begin(rooms):
    return Begin(rooms)


@pytest.fixture
def bundles(tmp_path):
    later = make(tmp_path / "later.zip", [task("t-9")], title="Later", due="2026-12-04")
    due = make(tmp_path / "due.zip", [task("t-1", *SENTENCES), task("t-2")], title="Due first", due="2026-11-25")
    return later, due


def screen_of(room):
    return room.screens.current


def wait_for_figures(rooms, room, text):
    rooms.qtbot.waitUntil(lambda: room.screens.name == "start" and text in shown_text(room))
    rooms.wait_for_task(room)


def shown_text(room):
    return part(room, "start_go").label


def wait_for_part(rooms, room, name):
    rooms.qtbot.waitUntil(lambda: room.window.findChild(QWidget, name) is not None)


def names(room):
    rows = screen_of(room).page.bundles.rows
    return [row.spoken for row in rows.rows]


def test_one_enter_brings_the_rater_back_to_the_exact_place(begin, rooms, bundles):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    assert names(room) == [
        "Due first, Sentence by sentence · not started, 0 of 4 targets, Wed 25 Nov, in 5 days",
        "Later, Sentence by sentence · not started, 0 of 1 target, Fri 4 Dec, in 14 days",
    ]
    assert part(room, "start_bundles").hasFocus()
    rooms.press_for_task(room, "t-1", "Return")
    assert room.screens.name == "rate"
    press("Y", "1", "A", "J")
    place = room.session.place
    rooms.wait_until_saved(room)
    room.companions.remembering.remember()
    rooms.shut(room)
    room = begin.again()
    wait_for_figures(rooms, room, "Continue: t-1, target 2 of 3")
    assert part(room, "start_card_text").text() == f"Target 2 of 3: {SENTENCES[1]}"
    assert part(room, "start_strip").accessibleDescription().startswith("1 of 3 done")
    assert room.session.active_time.total == 0
    press("Return")
    assert (room.screens.name, room.session.task.id, room.session.place) == ("rate", "t-1", place)
    assert room.window.form_pane.isAncestorOf(QApplication.focusWidget())
    press("Alt+Home")
    assert room.screens.name == "start"


def test_enter_on_the_start_page_never_confirms_a_name_that_nobody_was_shown(begin, rooms, bundles):
    room = begin(*bundles, rater="")
    rooms.qtbot.waitUntil(lambda: room.screens.name == "start" and "Open Due first" in shown_text(room))
    rooms.qtbot.waitUntil(lambda: room.window.findChild(QWidget, "rater_name") is not None)
    assert part(room, "start_bundles").hasFocus()
    press("Return")
    assert (room.screens.name, room.preferences.now.rater) == ("rate", "")
    assert part(room, "rater_name").hasFocus()


def test_another_bundle_is_chosen_by_arrow_and_a_task_by_slash(begin, rooms, bundles):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    press("Down")
    wait_for_figures(rooms, room, "Open Later")
    rooms.qtbot.waitUntil(lambda: part(room, "start_card_prompt").text() == "What about t-9?")
    rooms.press_for_task(room, "t-9", "/")
    assert room.screens.name == "rate"
    rooms.qtbot.waitUntil(room.window.task_list.filter.hasFocus)


def test_the_setting_and_an_empty_store_lead_past_the_page(begin, rooms, bundles):
    room = begin()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    assert room.screens.name == "rate"
    room.transfer.import_bundle(bundles[1])
    rooms.wait_for_task(room, "t-1")
    rooms.shut(room)
    room = begin.again(open_with="place")
    rooms.wait_for_task(room, "t-1")
    assert room.screens.name == "rate"


def test_an_import_from_the_page_opens_the_bundle(begin, rooms, bundles):
    rooms.files.to_import = bundles[1]
    room = begin(bundles[0])
    wait_for_figures(rooms, room, "Open Later")
    rooms.press_for_task(room, "t-1", "Ctrl+O")
    assert room.screens.name == "rate"


def choose(room, rooms, entry):
    """Choose an entry of the menu of the selected bundle."""
    press("M")
    menu = screen_of(room).page.findChild(QMenu, "start_bundle_menu")
    action = next(one for one in menu.actions() if one.objectName() == f"start_menu_{entry}")
    menu.close()
    room.window.activateWindow()
    rooms.qtbot.waitUntil(room.window.isActiveWindow)
    action.trigger()


def test_a_bundle_is_hidden_shown_again_and_removed_by_its_menu(begin, rooms, bundles):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    choose(room, rooms, "hide")
    rooms.qtbot.waitUntil(lambda: [name.split(",")[0] for name in names(room)] == ["Later"])
    assert part(room, "start_hidden").text() == "1 bundle is hidden"
    part(room, "start_show_hidden").click()
    assert [name.split(",")[0] for name in names(room)] == ["Due first", "Later"]
    part(room, "start_bundles").setFocus()
    press("Up")
    choose(room, rooms, "bring_back")
    rooms.qtbot.waitUntil(lambda: part(room, "start_hidden").isHidden() or not part(room, "start_hidden").isVisible())
    choose(room, rooms, "remove")
    wait_for_part(rooms, room, "remove_bundle_go")
    assert "2 tasks, 0 ratings, 0 stored pages" in part(room, "remove_bundle_holdings").text()
    press_until(rooms.qtbot, lambda: [name.split(",")[0] for name in names(room)] == ["Later"], "R")


def test_a_bundle_with_work_that_is_nowhere_else_is_not_removed(begin, rooms, bundles):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    rooms.press_for_task(room, "t-1", "Return")
    rooms.press_and_save(room, "Y")
    press("Alt+Home")
    wait_for_figures(rooms, room, "Continue")
    choose(room, rooms, "remove")
    wait_for_part(rooms, room, "remove_bundle_hide")
    rooms.qtbot.waitUntil(part(room, "remove_bundle_keep").hasFocus)
    assert "neither exported nor sent are the ratings of t-1" in part(room, "remove_bundle_reason").text()
    press("Return")
    assert len(names(room)) == 2


def test_the_week_has_a_goal_and_a_table_and_is_of_the_rater_alone(begin, rooms, bundles):
    with open_writer(rooms.folder / "store", command="the window") as store:
        for days, count in ((2, 4), (0, 3)):
            targets = tuple(f"b/t/targets/s{number}" for number in range(count))
            day = (noon() - timedelta(days=days)).date().isoformat()
            save_day(store, RATER, RaterDay(day=day, seconds=600, targets=targets))
            save_day(store, "r-99", RaterDay(day=day, seconds=9_000, targets=(*targets, "b/t/targets/x")))
    room = begin(*bundles, goal=5)
    wait_for_figures(rooms, room, "Open Due first")
    assert [part(room, f"start_done_{at}").text() for at in (0, 1)] == ["3 targets", "7 targets"]
    assert part(room, "start_goal").text() == "2 to go to your goal of 5 a day"
    assert part(room, "start_bars").accessibleName().split("; ")[2:] == [
        "Wed: 4 targets, 10 min",
        "Thu: 0 targets, 0 min",
        "Fri: 3 targets, 10 min",
    ]
    part(room, "start_as_table").click()
    assert part(room, "start_week_table").isVisible()
    part(room, "start_change_goal").click()
    rooms.qtbot.waitUntil(part(room, "goal_number").hasFocus)
    part(room, "goal_number").setValue(3)
    press("Return")
    assert room.preferences.now.goal == 3
    assert part(room, "start_goal").text() == "Your goal of 3 a day is reached."


def test_the_keys_of_the_page_sort_and_lead_from_part_to_part(begin, rooms, bundles):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    orders = []
    for _ in range(3):
        press("S")
        orders.append((room.preferences.now.bundle_order, names(room)[0].split(",")[0]))
    assert orders == [("recent", "Due first"), ("name", "Due first"), ("due", "Due first")]
    seen = []
    for _ in range(3):
        press("F6")
        focused = QApplication.focusWidget()
        assert focused is not None
        seen.append(focused.objectName())
    assert seen == ["start_as_table", "start_files", "start_sync"]
    assert all(pane.accessibleName() for pane in screen_of(room).panes())


def test_changes_of_a_guideline_are_read_once(begin, rooms, tmp_path):
    guide, paths = tmp_path / "guide.md", []
    for revision in (1, 2):
        guide.write_text(f"# Rules\n\nRule {revision}.\n", "utf-8")
        more = {"id": "b", "revision": revision, "guidelines": guide, "title": "Rules"}
        paths.append(make(tmp_path / f"b{revision}.zip", [task("t-1")], **more))
    room = begin(*paths)
    wait_for_figures(rooms, room, "Open Rules")
    press_until(rooms.qtbot, lambda: part(room, "guideline_changes_text").hasFocus(), "V")
    assert part(room, "guideline_changes_text").toPlainText() == "Before: Rule 1.\n\nNow: Rule 2."
    press_until(rooms.qtbot, lambda: not part(room, "start_read").isVisible(), "Return")
    assert read_overview(room.reader, RATER, now=noon()).guidelines == ()


def test_the_dots_of_a_row_open_its_menu_by_mouse(begin, rooms, bundles):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    listed = screen_of(room).page.bundles
    index = listed.rows.index(1, 0)
    place = listed.row_delegate.menu_rect(listed.visualRect(index)).center()
    QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    menu = screen_of(room).page.findChild(QMenu, "start_bundle_menu")
    assert menu.isVisible()
    menu.close()
    assert listed.selected == "later"


def test_the_box_of_bundles_shows_progress_and_what_is_due_first(begin, rooms, bundles):
    room = begin(*bundles, open_with="place")
    rooms.wait_for_task(room, "t-1")
    box = room.window.task_list.bundles

    def spoken():
        return [box.itemData(row, Qt.ItemDataRole.AccessibleTextRole) for row in range(box.count())]

    rows = ["Due first, 0 of 4 targets, Wed 25 Nov", "Later, 0 of 1 target, Fri 4 Dec"]
    rooms.qtbot.waitUntil(lambda: spoken() == rows)
    press("Alt+B")
    assert box.view().isVisible()
    box.hidePopup()
    assert box.currentText() == "Due first"


class Painted(QObject):
    """Labels with which a button is painted."""

    def __init__(self, button):
        super().__init__(button)
        self.labels = set()
        button.installEventFilter(self)

    def eventFilter(self, watched, event):  # noqa: N802 - the name of Qt
        if event.type() == QEvent.Type.Paint:
            self.labels.add(watched.label)
        return False


def test_the_page_is_painted_once_it_has_its_figures_and_does_not_scroll_by_itself(begin, rooms, bundles, monkeypatch):
    gate = Event()

    def late(*given, **named):
        gate.wait(60)
        return read_overview(*given, **named)

    monkeypatch.setattr(screen, "read_overview", late)
    room = begin(*bundles)
    page = screen_of(room).page
    painted = Painted(page.card.go)
    page.card.go.update()
    settle()
    assert painted.labels == set()
    gate.set()
    wait_for_figures(rooms, room, "Open Due first")
    rooms.qtbot.waitUntil(lambda: painted.labels == {"Open Due first"})
    resize(room, 1366, 450)
    assert page.verticalScrollBar().maximum() > 0
    assert page.verticalScrollBar().value() == 0
    room.window.resize(1366, 600)
    press("Return")
    assert room.screens.name == "rate"
    settle()
    press_and_settle("Alt+Home")
    assert page.verticalScrollBar().maximum() > 0
    assert page.verticalScrollBar().value() == 0


def test_the_name_of_a_bundle_and_its_tasks_change_together(begin, rooms, bundles, monkeypatch):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    rooms.press_for_task(room, "t-1", "Return")
    pane, gate, page_of = room.window.task_list, Event(), open_task.task_list_page

    def shown():
        return pane.bundles.currentText(), [pane.model.task_at(row) for row in range(pane.model.rowCount())]

    def late(*given, **named):
        gate.wait(60)
        return page_of(*given, **named)

    monkeypatch.setattr(open_task, "task_list_page", late)
    seen = {str(shown())}
    pane.model.modelReset.connect(lambda: QTimer.singleShot(0, lambda: seen.add(str(shown()))))
    later = pane.bundles.findText("Later")
    pane.bundles.setCurrentIndex(later)
    pane.bundles.activated.emit(later)
    rooms.qtbot.waitUntil(lambda: room.desk.bundle == "later")
    settle()
    seen.add(str(shown()))
    gate.set()
    rooms.wait_for_task(room, "t-9")
    seen.add(str(shown()))
    assert seen == {str(("Due first", ["t-1", "t-2"])), str(("Later", ["t-9"]))}


def test_the_guided_first_task_is_offered_until_it_has_ended_and_does_not_stay_over_work(begin, rooms, bundles):
    room = begin(*bundles)
    wait_for_figures(rooms, room, "Open Due first")
    assert part(room, "start_guide").isVisible()
    press_until(rooms.qtbot, lambda: (banner(room, "guide") or "").startswith("Step 1 of 5"), "G")
    assert (room.screens.name, room.session.bundle) == ("rate", "sample-factuality")
    room.desk.open_bundle("due")
    rooms.wait_for_task(room, "t-1")
    assert banner(room, "guide") is None
    press_until(rooms.qtbot, lambda: not part(room, "start_guide").isVisible(), "Alt+Home")
