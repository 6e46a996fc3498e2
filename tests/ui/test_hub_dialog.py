"""The hub's dialog under the eye and under the fingers: edges, focus, and keys that are pressed once too often."""

import threading

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from desktop_rater.ui.widgets.fields import GrowingTextEdit
from tests.operations.hubs import Around
from tests.ui.hubs import (
    assigned,
    banner,
    close_dialog,
    connect,
    dialog_of,
    failing,
    open_dialog,
    outgoing,
    rate_all,
    settled,
    status,
    sync,
    window_on,
)
from tests.ui.rooms import part, press, press_until, type_text


@pytest.fixture
def may(joined):
    """When the hub of `joined` may list anything; it may at the end."""
    event = threading.Event()
    means = joined.hub.exchange._means
    whole = means.open

    def held(url, user):
        hub = whole(url, user)
        return Around(hub, list=lambda *given: event.wait(15) and hub.list(*given))

    means.open = held
    yield event
    event.set()
    means.open = whole


def left(dialog, widget):
    return widget.mapTo(dialog, QPoint(0, 0)).x()


def right(dialog, widget):
    return left(dialog, widget) + widget.width()


def band(dialog, last):
    """How much is empty between the last thing of a page and its buttons."""
    foot = dialog.page._foot.itemAt(1).widget()
    return foot.mapTo(dialog, QPoint(0, 0)).y() - last.mapTo(dialog, QPoint(0, 0)).y() - last.height()


def test_all_begins_and_ends_at_one_edge_and_no_page_has_an_empty_band(rooms, team, tmp_path):
    assigned(team, tmp_path)
    room = window_on(rooms)
    dialog = open_dialog(rooms, room)
    page = dialog.connect_page
    assert left(dialog, page.title) == left(dialog, page.fields)
    assert right(dialog, page.fields.own) == right(dialog, part(room, "hub_go")) == right(dialog, page.fields.user)
    assert band(dialog, page.fields) < 24
    begins = left(dialog, page.fields.address)
    page.fields.address.setText("folder:/srv/hub")
    rooms.qtbot.waitUntil(lambda: band(dialog, page.fields) < 24)
    assert left(dialog, page.fields.address) == begins, "a field moves while somebody types in it"
    close_dialog(rooms, room)
    connect(rooms, room, team.url)
    rooms.qtbot.waitUntil(lambda: bool(room.hub.exchange.hub_state.to_import), timeout=15_000)
    rooms.qtbot.waitUntil(lambda: band(dialog, part(room, "hub_bundles")) < 24)
    press("Return")
    rooms.wait_for_task(room)
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is room.window)
    settled(rooms, room)
    open_dialog(rooms, room)
    shown = [dialog.state_page.title, part(room, "hub_arrivals"), part(room, "hub_other")]
    assert len({left(dialog, one) for one in shown}) == 1
    assert band(dialog, part(room, "hub_arrivals")) < 24


def test_enter_pressed_once_more_cancels_no_sync_and_the_focus_comes_back(rooms, joined, may):
    dialog = open_dialog(rooms, joined)
    part(joined, "hub_other").setFocus()
    high = dialog.height()
    press_until(rooms.qtbot, lambda: dialog.state_page.text_label.text() == "Asking the hub …", "F5")
    press("Return", "Return")
    assert joined.hub.exchange.is_running
    assert dialog.height() == high, "nothing moves"
    may.set()
    settled(rooms, joined)
    rooms.qtbot.waitUntil(lambda: part(joined, "hub_other").hasFocus())
    assert dialog.height() == high


def test_a_sync_that_is_cancelled_before_it_began_is_over(rooms, joined):
    may = threading.Event()
    for _ in range(20):  # more than the net's queue does at once
        joined.perform.fetch(lambda _progress: may.wait(15), done=lambda _done: None)
    exchange = joined.hub.exchange
    exchange.sync(at_once=True)
    assert exchange.is_running
    exchange.cancel()
    exchange.cancel()
    rooms.qtbot.waitUntil(lambda: not exchange.is_running)
    may.set()
    assert sync(rooms, joined) is not None, "the next one goes"


def test_who_connects_to_another_hub_does_not_wait_for_a_sync(rooms, joined, team, may):
    dialog = open_dialog(rooms, joined)
    part(joined, "hub_other").click()
    dialog.connect_page.fields.address.setText(team.url)
    joined.hub.exchange.sync(at_once=False)
    rooms.qtbot.waitUntil(lambda: joined.hub.exchange.is_running)
    press("Return")
    assert dialog.connect_page.is_trying
    may.set()
    rooms.qtbot.waitUntil(lambda: dialog.page is dialog.found_page, timeout=15_000)
    settled(rooms, joined)


def test_what_can_never_go_is_said_once_and_its_reason_can_be_read_whole(rooms, joined):
    rate_all(rooms, joined)
    failing(joined, "too_large", "put_new", "results/")
    sync(rooms, joined)
    joined.hub.banners.drop("hub")
    ended = []
    joined.hub.exchange.ended.connect(ended.append)
    joined.hub.exchange.sync(at_once=False)
    rooms.qtbot.waitUntil(lambda: bool(ended), timeout=15_000)
    settled(rooms, joined)
    assert outgoing(rooms) == [("kelp", "failed")]
    assert banner(joined, "hub") is None, "the same trouble is not said with every round"
    assert status(joined).startswith("1 stopped")
    open_dialog(rooms, joined)
    item = joined.hub.exchange.hub_state.stopped[0]
    assert part(joined, "hub_outgoing_why").text() == item.last_error
    assert "are waiting for the next sync" not in part(joined, "hub_state_words").text()


def test_a_window_that_may_only_look_says_so_when_it_is_to_sync(rooms, joined):
    second = window_on(rooms)
    press("F5")
    dialog = dialog_of(second)
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    assert "Read-only" in dialog.state_page.error_label.text()
    assert not part(second, "hub_sync").isEnabled()
    assert not part(second, "hub_disconnect").isEnabled()
    press("Return")
    assert not dialog.isVisible()


def test_what_is_typed_during_syncs_is_whole_and_the_focus_stays(rooms, joined, may):
    joined.window.resize(1440, 1080)  # a field above the banner has no need to move
    press("Y", "1", "I", "W")
    field = QApplication.focusWidget()
    assert isinstance(field, GrowingTextEdit)
    rooms.wait_until_saved(joined)
    before = field.mapTo(joined.window, QPoint(0, 0))
    press_until(rooms.qtbot, lambda: joined.hub.exchange.is_running, *["F5"] * 10)
    type_text("5 pages ")
    rooms.qtbot.waitUntil(lambda: banner(joined, "hub") == "Asking the hub …")
    assert field.mapTo(joined.window, QPoint(0, 0)) == before, "nothing moves under the hands"
    type_text("say 1 and 2")
    may.set()
    type_text(" so")
    settled(rooms, joined)
    assert QApplication.focusWidget() is field
    assert field.toPlainText() == "5 pages say 1 and 2 so"


def test_who_came_by_a_banner_that_is_gone_leaves_the_dialog_unharmed(rooms, joined):
    failing(joined, "sign_in", "get", "hub.json")
    sync(rooms, joined)
    (way,) = joined.hub.banners.banner("hub").buttons
    way.setFocus()
    press("Space")
    dialog = dialog_of(joined)
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    rooms.qtbot.waitUntil(lambda: not isValid(way))
    press("Escape")
    close_dialog(rooms, joined)
