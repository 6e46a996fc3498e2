"""The rater drags a pane to a width, and finds it so again: at the next task, after a fold, after a restart."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop_rater import app
from desktop_rater.operations.rating.settings_file import read_settings
from desktop_rater.settings import Settings, parse_settings
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import ChoiceButton
from tests.operations.bundles import RATER, make, noon, task
from tests.ui.pairs import LAPTOP, LOW, WIDE, focused, resize, two_pairs
from tests.ui.rooms import SENTENCES, press, press_and_settle, settle, two_responses
from tests.ui.window_parts import WindowParts

NARROWER = (1100, 800)
PAGE = "https://example.org/history"


@pytest.fixture
def opened(rooms):
    """Opens windows that keep their settings, on the same store one after the other."""
    file = rooms.folder / "settings.json"

    def open_it():
        room = app.build_application(
            rooms.folder / "store", rater=RATER, now=noon, settings=read_settings(file, now=noon())
        )
        rooms.open_now.append(room)
        room.window.show()
        room.window.activateWindow()
        resize(room, WIDE)
        rooms.qtbot.waitUntil(room.window.isActiveWindow)
        return room

    return open_it


def with_tasks(room, rooms, *tasks, rubric="span-factuality", **more):
    path = make(rooms.folder / f"{rubric}.zip", tasks or (task("t1", *SENTENCES), task("t2")), rubric=rubric, **more)
    room.transfer.import_bundle(path)
    rooms.wait_for_task(room)
    room.window.banners.drop("transfer")
    settle()
    return room


def drag(split, handle, by):
    """Drag a handle with the pointer."""
    grip = split.handle(handle)
    way = QPoint(by, 0) if split.orientation() == Qt.Orientation.Horizontal else QPoint(0, by)
    start = grip.rect().center()
    QTest.mousePress(grip, Qt.MouseButton.LeftButton, pos=start)
    end = grip.mapToGlobal(start) + way
    QTest.mouseMove(grip, grip.mapFromGlobal(end))
    QTest.mouseRelease(grip, Qt.MouseButton.LeftButton, pos=grip.mapFromGlobal(end))
    settle()


def widths(room):
    return room.window.task_list.width(), room.window.form_pane.width()


def test_widths_hold_over_tasks_folds_and_restarts(opened, rooms):
    room = with_tasks(opened(), rooms)
    panes = WindowParts(room).panes_page
    assert widths(room) == (248, 528)
    drag(panes.split, 3, -72)
    drag(panes.split, 1, 40)
    dragged = widths(room)
    assert dragged[0] > 280
    assert dragged[1] > 595
    room.desk.move(1)
    rooms.wait_for_task(room, "t2")
    assert widths(room) == dragged
    resize(room, (900, 800))
    resize(room, NARROWER)
    assert room.window.form_pane.width() == 440, "another layout has widths of its own"
    resize(room, WIDE)
    assert widths(room) == dragged
    rooms.shut(room)
    again = opened()
    rooms.wait_for_task(again)
    settle()
    assert widths(again) == dragged


def test_they_grow_with_the_zoom_and_give_way_where_there_is_no_room(opened, rooms):
    room = with_tasks(opened(), rooms)
    drag(WindowParts(room).panes_page.split, 3, -150)
    form = room.window.form_pane.width()
    assert form > 670
    resize(room, (1000, 800))
    assert room.window.text_pane.width() >= 400
    resize(room, (1900, 1000))
    room.preferences.step("zoom", 1)
    rooms.qtbot.waitUntil(lambda: theme.look().zoom == 110)
    settle()
    assert abs(room.window.form_pane.width() - form * 1.1) <= 1
    room.preferences.step("zoom", 0)
    rooms.qtbot.waitUntil(lambda: theme.look().zoom == 100)


def test_an_action_gives_every_pane_its_usual_width(opened, rooms):
    room = with_tasks(opened(), rooms)
    drag(WindowParts(room).panes_page.split, 3, -72)
    assert room.preferences.now.panes == {"rate/form": room.window.form_pane.width()}
    room.commands.actions["usual_panes"].trigger()
    settle()
    assert widths(room) == (248, 528)
    assert room.preferences.now.panes == {}


def test_the_page_has_a_width_of_its_own(opened, rooms):
    room = with_tasks(opened(), rooms)
    window = room.window
    resize(room, (1800, 900))
    room.browsing.open(PAGE)
    rooms.qtbot.waitUntil(lambda: window.preview.is_open)
    settle()
    before = window.preview.width()
    drag(WindowParts(room).panes_page.split, 2, -60)
    dragged = window.preview.width()
    assert dragged > before + 50
    assert list(room.preferences.now.panes) == ["rate page/page"]
    press("Esc")
    assert not window.preview.is_open
    room.browsing.open(PAGE)
    rooms.qtbot.waitUntil(lambda: window.preview.is_open)
    settle()
    assert window.preview.width() == dragged


def test_the_halves_of_a_pair_stay_as_they_were_dragged(opened, rooms):
    room = with_tasks(opened(), rooms, two_responses(), two_responses("t2"), rubric="side-by-side")
    resize(room, WIDE)
    first, second = room.window.text_pane.panes
    assert abs(first.width() - second.width()) <= 1
    drag(room.window.text_pane._split, 1, 120)
    wide = first.width()
    assert wide > second.width() + 200
    room.desk.move(1)
    rooms.wait_for_task(room, "t2")
    settle()
    assert abs(room.window.text_pane.panes[0].width() - wide) <= 1
    resize(room, (900, 800))
    resize(room, WIDE)
    assert abs(room.window.text_pane.panes[0].width() - wide) <= 1
    room.window.sizes.reset()
    settle()
    first, second = room.window.text_pane.panes
    assert abs(first.width() - second.width()) <= 1


def test_so_does_the_context(opened, rooms):
    documents = [{"id": "c1", "text": "Paris is a town."}, {"id": "c2", "text": "So is Lyon."}]
    one = two_responses() | {"context": documents}
    room = with_tasks(opened(), rooms, one | {"responses": one["responses"][:1]}, rubric="response-quality")
    place = room.window.text_pane.citing.documents
    high = room.window.text_pane.citing.context.height()
    drag(place, 1, -50)
    dragged = room.window.text_pane.citing.context.height()
    assert dragged > high + 40
    place.toggle()
    settle()
    assert room.window.text_pane.citing.context.height() < 60
    place.toggle()
    settle()
    assert abs(room.window.text_pane.citing.context.height() - dragged) <= 1


def test_so_do_the_tool_calls_of_a_response(opened, rooms):
    one = two_responses()
    both = [one | {"id": name, "responses": [one["responses"][1] | {"id": "a"}]} for name in ("t1", "t2")]
    room = with_tasks(opened(), rooms, *both, rubric="side-by-side")
    pane = room.window.text_pane.panes[0]
    high = pane.tools.height()
    drag(pane._split, 1, -90)
    dragged = pane.tools.height()
    assert dragged > high + 80
    room.desk.move(1)
    rooms.wait_for_task(room, "t2")
    settle()
    assert abs(room.window.text_pane.panes[0].tools.height() - dragged) <= 1


def test_sizes_that_nobody_can_mean_are_not_taken():
    for wrong in ({"rate/form": -5}, {"rate/form": True}, {"rate/form": "wide"}, [1], {"rate/form": 10**9}):
        assert parse_settings({"panes": wrong}) == (Settings(), ("panes",))
    assert parse_settings({"panes": {"rate/form": 600}})[0].panes == {"rate/form": 600}


def where_all_stand(room):
    """The top left corner of all that can be pressed or typed in, by name."""
    window = room.window
    widgets = [one for one in window.findChildren(QWidget) if one.isVisible() and one.objectName()]
    held = [one for one in widgets if isinstance(one, ChoiceButton) or one.objectName().startswith("text_")]
    spare = ("first_half_way", "second_half_way")  # shown only where nothing else needs the room
    inside = [one for one in held if not window.form_pane.banners.isAncestorOf(one) and one.objectName() not in spare]
    return {one.objectName(): one.mapTo(window, QPoint(0, 0)).toTuple() for one in inside}


@pytest.mark.parametrize("size", [LAPTOP, LOW])
def test_a_word_of_what_is_left_moves_no_line_of_the_form(room, size):
    resize(room, size)
    before = where_all_stand(room)
    assert "choice_factual_yes" in before
    banners = room.window.form_pane.banners
    banners.show_banner("left", "info", "12 tasks left, about 20 min left")
    settle()
    assert banners.isVisible()
    assert where_all_stand(room) == before
    assert banners.mapTo(room.window, QPoint(0, 0)).y() > before["choice_factual_yes"][1]
    banners.drop("left")
    settle()
    assert where_all_stand(room) == before


@pytest.mark.parametrize("size", [WIDE, LAPTOP])
def test_nor_does_it_move_the_halves_of_a_pair(rooms, size):
    room = two_pairs(rooms)
    resize(room, size)
    before = where_all_stand(room)
    halves = [half.geometry().topLeft() for half in room.window.form_pane.form.blocks]
    banners = room.window.form_pane.banners
    banner = banners.show_banner("removed", "info", "Evidence removed", [("Undo", lambda: None)])
    settle()
    assert banner.isVisible()
    assert banner.height() > 20
    assert where_all_stand(room) == before
    assert [half.geometry().topLeft() for half in room.window.form_pane.form.blocks] == halves
    press("F6")
    for _ in range(200):
        press("Tab")
        if focused() is banner.buttons[0]:
            break
    assert focused() is banner.buttons[0], "Tab comes to it"
    press_and_settle("Space")
    assert banners.text("removed") is None


def test_after_a_pair_it_stands_in_the_form_again(rooms):
    room = two_pairs(rooms)
    resize(room, (940, 800))
    banners = room.window.form_pane.banners
    banners.show_banner("left", "info", "1 task left")
    settle()
    assert banners.parentWidget() is room.window.form_pane
    assert banners.banner("left").height() > 20
