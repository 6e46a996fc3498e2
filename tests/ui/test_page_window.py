"""The page in a window of its own, such as on a second monitor, and context menus."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.operations.bundles import task
from tests.ui.rooms import part, press, settle
from tests.ui.test_preview import WIDE, read, resize


def own_window(room):
    """The window of the page, in which the keys go to the page."""
    window = next(one for one in QApplication.topLevelWidgets() if one.objectName() == "page_window")
    assert window.parent() is room.window
    return window


def hit(window, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.windowHandle(), key, modifier)
    settle()


def test_the_page_goes_to_a_window_of_its_own_works_there_by_keys_and_comes_back(room, rooms, qtbot, server):
    resize(room, WIDE)
    session, preview = room.session, room.window.preview
    press("Y")
    read(room, qtbot, server.url("/page"))
    text_width = room.window.text_pane.width()
    press("Ctrl+Shift+N")
    settle()
    window = own_window(room)
    assert window.isVisible()
    assert preview.window() is window
    assert preview.isVisible()
    assert room.window.text_pane.width() > text_width, "the text has the space"
    qtbot.waitUntil(window.isActiveWindow, timeout=5_000)
    hit(window, Qt.Key.Key_Down)
    hit(window, Qt.Key.Key_S)
    (piece,) = session.rating.evidence
    assert (piece.stance, bool(piece.quote)) == ("supporting", True)
    hit(window, Qt.Key.Key_J)
    assert session.place.target == "s2"
    hit(window, Qt.Key.Key_N)
    assert session.rating.answers.targets["s2"]["factual"] == "no", "the rubric's keys answer from there too"
    window.resize(640, 500)
    settle()
    hit(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert not window.isVisible()
    assert preview.window() is room.window
    assert preview.isVisible()
    assert room.window.text_pane.width() == text_width
    press("Ctrl+Shift+N")
    settle()
    assert (window.width(), window.height()) == (640, 500), "its size is kept"
    window.close()
    assert room.preferences.now.page_window_place, "for the next start too"


def test_the_window_of_the_page_stays_for_the_next_page_and_goes_with_the_program(room, rooms, qtbot, server):
    press("Ctrl+Shift+N")
    settle()
    window = own_window(room)
    empty = part(room, "page_window_empty")
    assert empty.isVisible()
    read(room, qtbot, server.url("/page"))
    assert not empty.isVisible()
    assert room.window.preview.window() is window
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    settle()
    assert (window.isVisible(), empty.isVisible()) == (True, True), "it waits for the next page"
    window.close()
    settle()
    assert room.window.preview.window() is room.window
    assert not room.window.preview.isVisible()


# -- context menus


def menu_at(room, widget, point=None):
    """Open the menu of a place as a right click does; return its texts."""
    if point is None:
        point = widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.RightButton, pos=point)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, widget.mapToGlobal(point))
    QApplication.sendEvent(widget, event)
    menu = room.window.findChild(QMenu, "context_menu")
    assert menu is not None
    return menu


def texts(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def place_in(view, words):
    cursor = QTextCursor(view.document())
    cursor.setPosition(view.document().toPlainText().index(words) + 2)
    return view.cursorRect(cursor).center()


@pytest.fixture
def linked(rooms, server):
    """A task with a link in its response, which is a target."""
    text = f"Paris is in France, see {server.url('/page')} for it. Another sentence."
    return rooms.with_tasks(task("t1", text), task("t2", "Another one."))


def test_a_click_opens_a_link_of_the_response_and_alt_click_selects_its_target(linked, qtbot, server):
    view = linked.window.text_pane.panes[0].view
    clicked = []
    view.target_clicked.connect(clicked.append)
    place = place_in(view, "127.0.0.1")
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, place)
    assert len(clicked) == 1, "it is the target that is wanted"
    assert linked.browsing.page is None
    assert view.link_under(place) == server.url("/page")
    assert "Alt+click selects the target" in view._tip(place)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: linked.browsing.page is not None)
    assert linked.browsing.page.url == server.url("/page")
    assert len(clicked) == 1
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_in(view, "Paris"))
    assert len(clicked) == 2, "beside the link a click selects as before"
    linked.window.preview.links.list.setFocus()
    assert part(linked, "status_keys").text() == "Keys navigate", "the arrows move in the list of links now"
    beside = QPoint(view.viewport().width() - 2, place.y())
    assert view.link_under(beside) is None


def test_a_right_click_offers_what_concerns_the_place(linked, qtbot, server):
    resize(linked, WIDE)
    view = linked.window.text_pane.panes[0].view
    menu = menu_at(linked, view.viewport(), place_in(view, "127.0.0.1"))
    offered = texts(menu)
    assert offered[:3] == ["Open the link", "Copy the address", "Copy the target"]
    assert "Search the web for this claim" in offered
    keys = {action.text(): action.shortcut().toString() for action in menu.actions()}
    assert keys["Search the web for this claim"] == "Alt+S", "the action of the table, with its key"
    next(action for action in menu.actions() if action.text() == "Copy the address").trigger()
    assert QApplication.clipboard().text() == server.url("/page")
    menu.close()
    linked.window.activateWindow()
    settle()
    press("Y", "E")
    read(linked, qtbot, server.url("/page"))
    evidence = linked.window.form_pane.form.evidence.list
    menu = menu_at(linked, evidence.viewport(), evidence.visualRect(evidence.model().index(0, 0)).center())
    assert {"Open the page", "Mark as supporting", "Copy the address", "Remove"} <= set(texts(menu))
    menu.close()
    settle()
    links = linked.window.preview.links.list
    menu = menu_at(linked, links.viewport(), links.visualRect(links.model().index(0, 0)).center())
    assert {"Open the page", "Copy the address", "Open the next unopened link"} <= set(texts(menu))
    menu.close()
    settle()
    linked.session.add_claim(0, 5)
    claims = linked.window.form_pane.form.claims.list
    menu = menu_at(linked, claims.viewport(), claims.visualRect(claims.model().index(0, 0)).center())
    assert {"Edit the claim’s words", "Search the web for this claim", "Remove"} <= set(texts(menu))
    menu.close()
    settle()
    reader = linked.window.preview.reader
    menu = menu_at(linked, reader.viewport())
    assert {"Mark as supporting", "Page in its own window", "Find in the text"} <= set(texts(menu))
    menu.close()


def test_a_right_click_on_a_task_does_not_open_it(room, rooms):
    resize(room, WIDE)
    tasks = room.window.task_list.list
    second = tasks.visualRect(tasks.model().index(1, 0)).center()
    menu = menu_at(room, tasks.viewport(), second)
    settle()
    assert room.session.task.id == "t1"
    next(action for action in menu.actions() if action.text() == "Open the task").trigger()
    rooms.wait_for_task(room, "t2")
    menu.close()
