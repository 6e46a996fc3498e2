"""What folds away in a small window, and that nothing is lost or cut off by it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.window_place import pane_layout
from tests.operations.bundles import make
from tests.operations.bundles import task as sentence_task
from tests.ui.rooms import part, press, two_responses
from tests.ui.test_window import cut_off, fill
from tests.ui.window_parts import WindowParts

WIDE, FOLDED, SMALL = (1440, 900), (1280, 720), (720, 450)


def resize(room, size):
    room.window.resize(*size)
    for _ in range(8):
        QApplication.processEvents()
    assert (room.window.width(), room.window.height()) == size


@pytest.mark.parametrize(
    ("size", "rail", "one_pane", "form", "low", "strip"),
    [
        ((1440, 900), False, False, 528, False, True),
        ((1360, 800), False, False, 528, False, True),
        ((1359, 799), True, False, 528, True, True),
        ((1180, 640), True, False, 528, True, True),
        ((1179, 639), True, False, 440, True, False),
        ((960, 900), True, False, 440, False, True),
        ((959, 900), False, True, 440, False, True),
        ((720, 450), False, True, 440, True, False),
    ],
)
def test_what_folds_at_which_size(size, rail, one_pane, form, low, strip):
    fold = pane_layout(*size)
    assert (fold.rail, fold.one_pane, fold.form, fold.low, fold.strip) == (rail, one_pane, form, low, strip)


def test_the_panes_have_the_widths_of_the_design(room):
    resize(room, WIDE)
    window = room.window
    assert [pane.width() for pane in (window.task_list, window.form_pane)] == [248, 528]
    assert window.text_pane.width() == 1440 - 248 - 528 - 2
    resize(room, FOLDED)
    assert part(room, "rail").isVisible()
    assert not window.task_list.isVisible()
    assert [part(room, "rail").width(), window.form_pane.width()] == [44, 528]
    resize(room, (1100, 700))
    assert window.form_pane.width() == 440
    resize(room, WIDE)
    assert window.task_list.isVisible(), "what folded by itself unfolds when the room is back"
    assert [pane.width() for pane in (window.task_list, window.form_pane)] == [248, 528]


def test_what_was_folded_by_hand_stays_folded(room):
    resize(room, WIDE)
    press("Ctrl+B")
    assert part(room, "rail").isVisible()
    resize(room, (1000, 900))
    resize(room, WIDE)
    assert part(room, "rail").isVisible()
    press("Ctrl+B")
    assert room.window.task_list.isVisible()
    assert not part(room, "rail").isVisible()


def test_the_folded_list_opens_over_the_text(room, rooms):
    resize(room, FOLDED)
    before = room.window.text_pane.geometry()
    press("Ctrl+B")
    tasks = room.window.task_list
    assert tasks.isVisible()
    assert tasks.list.hasFocus()
    assert room.window.text_pane.geometry() == before, "the text stays where it is"
    rooms.press_for_task(room, "t2", "Down")
    assert tasks.isVisible(), "the list stays while the rater goes through it"
    press("Return")
    assert not tasks.isVisible()
    assert room.window.form_pane.form.hasFocus()
    assert room.session.task.id == "t2"
    press("Ctrl+B", "Esc")
    assert not tasks.isVisible()
    press("/")
    assert part(room, "filter").hasFocus(), "the filter is at hand although it is folded away"
    room.window.text_pane.panes[0].view.setFocus()
    assert not tasks.isVisible(), "it goes when the focus goes"


def test_the_rail_chooses_tasks_too(room, rooms):
    resize(room, FOLDED)
    rail = part(room, "task_rail")
    index = rail.model().index(1)
    QTest.mouseClick(rail.viewport(), Qt.MouseButton.LeftButton, pos=rail.visualRect(index).center())
    rooms.wait_for_task(room, "t2")
    assert room.window.task_list.list.currentIndex() == index


def test_one_pane_at_a_time(room):
    resize(room, SMALL)
    window = room.window
    switch = part(room, "pane_switch")
    assert switch.isVisible()

    def shown():
        panes = {"tasks": window.task_list, "text": window.text_pane, "form": window.form_pane}
        inside = {}
        for name, pane in panes.items():
            corner = pane.mapTo(window, QPoint(pane.width() // 2, 40))
            inside[name] = pane.width() > 500 and window.rect().contains(corner)
        return [name for name, there in inside.items() if there]

    window.text_pane.panes[0].view.setFocus()
    assert shown() == ["text"]
    press("F6")
    assert shown() == ["form"]
    press("F6")
    assert shown() == ["tasks"]
    press("Shift+F6", "Y", "W")
    assert shown() == ["form"], "what is typed into is shown"
    assert "Typing" in part(room, "status_keys").text()
    press("Esc")
    QTest.mouseClick(part(room, "pane_switch_text"), Qt.MouseButton.LeftButton)
    assert shown() == ["text"]
    resize(room, WIDE)
    assert not switch.isVisible()
    assert window.task_list.isVisible()
    assert [pane.width() for pane in (window.task_list, window.form_pane)] == [248, 528]


def test_a_low_window_saves_lines(room):
    resize(room, FOLDED)
    line, text = part(room, "prompt_line"), part(room, "prompt_text")
    assert line.isVisible()
    assert not text.isVisible()
    line.setFocus()
    assert text.isVisible(), "the focus opens the whole prompt"
    assert text.hasFocus()
    room.window.form_pane.form.setFocus()
    assert line.isVisible()
    assert part(room, "footer_word").text() == "1 question open"
    assert not room.window.form_pane.problems.isVisible()
    strip = room.window.text_pane.strip
    assert strip.isVisible()
    resize(room, (1280, 620))
    assert not strip.isVisible()
    resize(room, WIDE)
    assert not line.isVisible()
    assert strip.isVisible()
    assert room.window.form_pane.problems.isVisible()


@pytest.mark.parametrize(("size", "zoom"), [(SMALL, 100), (WIDE, 200)])
def test_nothing_is_cut_off_in_a_small_window_or_a_large_type(room, qapp, size, zoom):
    theme.apply(qapp, theme.Look(zoom=zoom))
    resize(room, size)
    try:
        for step in (lambda: None, lambda: press("Y"), lambda: fill(room), lambda: press("Esc", "J")):
            step()
            for pane in room.window.panes():
                if pane.isVisible():
                    pane.setFocus()
                for _ in range(8):
                    QApplication.processEvents()
                assert cut_off(room.window) == []
                assert (room.window.width(), room.window.height()) == size
    finally:
        theme.apply(qapp, theme.Look())


@pytest.mark.parametrize("size", [SMALL, FOLDED])
def test_the_first_run_fits(rooms, size):
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    resize(room, size)
    rooms.qtbot.waitUntil(lambda: cut_off(room.window) == [])
    assert WindowParts(room).empty_page.import_button.hasFocus()
    assert WindowParts(room).empty_page.horizontalScrollBar().maximum() == 0


def choose_bundle_by_mouse(rooms, room, title):
    """Open the folded list by its icon, and choose a bundle in the box; the list stays while the box is open."""
    QTest.mouseClick(part(room, "open_tasks"), Qt.MouseButton.LeftButton)
    tasks, box = room.window.task_list, part(room, "bundles")
    whole = tasks.geometry()
    assert (tasks.isVisible(), whole.width(), whole.height()) == (True, 248, WindowParts(room).panes_page.height())
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    rooms.qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    rooms.qtbot.waitUntil(box.view().hasFocus)
    assert (tasks.isVisible(), tasks.geometry()) == (True, whole), "the popup has the focus, and the list stays"
    rows = [box.itemText(row) for row in range(box.count())]
    place = box.view().visualRect(box.model().index(rows.index(title), 0)).center()
    QTest.mouseMove(box.view().viewport(), place)
    QTest.mouseClick(box.view().viewport(), Qt.MouseButton.LeftButton, pos=place)
    rooms.qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)
    over = WindowParts(room).panes_page
    rooms.qtbot.waitUntil(lambda: room.session.task is not None and tasks.parentWidget() is not over)


@pytest.fixture
def two_bundles(rooms):
    """A window with a bundle of sentences, open, and one of pairs."""
    room = rooms.with_bundle(
        make(rooms.folder / "pairs.zip", [two_responses("p1")], rubric="side-by-side", title="Pairs")
    )
    sentences = make(rooms.folder / "one.zip", [sentence_task("t1", "One.", "Two.")], title="Sentences", id="one")
    room.transfer.import_bundle(sentences)
    rooms.wait_for_task(room, "t1")
    room.window.banners.drop("transfer")
    return room


def test_a_bundle_is_chosen_by_mouse_wherever_the_list_is_folded(rooms, two_bundles):
    room = two_bundles
    resize(room, FOLDED)
    choose_bundle_by_mouse(rooms, room, "Pairs")
    rooms.wait_for_task(room, "p1")
    choose_bundle_by_mouse(rooms, room, "Sentences")
    rooms.wait_for_task(room, "t1")
    room.browsing.open("https://example.org/a")
    rooms.qtbot.waitUntil(lambda: room.window.preview.is_open)
    choose_bundle_by_mouse(rooms, room, "Sentences")
    resize(room, WIDE)
    room.browsing.close()
    for _ in range(8):
        QApplication.processEvents()
    panes = WindowParts(room).panes_page
    assert room.window.task_list.isVisible()
    assert room.window.task_list.height() == panes.split.height(), "nothing of the list is left half high"
    assert not panes.rail.isVisible()


def test_side_by_side_the_list_opens_over_the_text_in_a_wide_window_too(rooms, two_bundles):
    room = two_bundles
    resize(room, WIDE)
    room.desk.open_bundle("pairs")
    rooms.wait_for_task(room, "p1")
    tasks = room.window.task_list
    for open_it in (lambda: press("Ctrl+B"), lambda: part(room, "action_toggle_tasks").trigger()):
        assert not tasks.isVisible()
        open_it()
        assert tasks.isVisible()
        assert tasks.list.hasFocus()
        press("Ctrl+B")
    choose_bundle_by_mouse(rooms, room, "Sentences")
    rooms.wait_for_task(room, "t1")
    assert tasks.isVisible(), "there is room for the list beside a single response"
