"""The link checklist: which links a task has, which of them the rater has opened, and fetching them beforehand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QTest

from desktop_rater.store import pages
from desktop_rater.ui.pages.link_list import displayed_address, elided_address
from tests.operations.bundles import make, task
from tests.readers import reader_of
from tests.ui.rooms import banner, part, press

PATIENT = 20_000
NOBODY = "http://127.0.0.1:1/nobody"  # a port on which nobody listens
CARD = "http://googleusercontent.com/card/1"


@pytest.fixture
def open_with(rooms):
    """Opens a window whose task has a response of those sentences."""

    def opened(*sentences, tool=None, rubric="side-by-side", **more):
        tools = [{"name": "search", "status": "ok", "output": tool}] if tool is not None else []
        one = {"id": "a", "text": " ".join(sentences), "tools": tools}
        plain = {"id": "t1", "prompt": {"text": "?"}, "responses": [one, {"id": "b", "text": "Nothing."}], **more}
        room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [plain], rubric=rubric))
        rooms.wait_for_links(room)
        return room

    return opened


def rows(room):
    """Address, what it is, when it was opened, of each row."""
    return [(line.title.partition("/")[2], line.detail, line.end) for line in lines(room)]


def marks(room):
    return [line.mark for line in lines(room)]


def lines(room):
    model = room.window.preview.links.model
    return [model.row(row) for row in range(model.rowCount())]


def count(room):
    return room.window.preview.links.findChild(QObject, "links_opened").text()


def press_and_wait(room, qtbot, *keys):
    """Press keys that open a page, and wait until it stands there."""
    before = room.browsing.page
    press(*keys)
    qtbot.waitUntil(lambda: room.browsing.page is not before and not room.browsing.is_loading, timeout=PATIENT)
    return room.browsing.page


def problems(room, rule):
    return [one for one in room.session.outcome.problems if one.rule == rule]


# -- going through them


def test_where_there_is_no_link_nothing_is_said_to_be_opened(rooms):
    room = rooms.with_tasks(task("t1"))
    press("Shift+O")
    assert banner(room, "hint") == "This task has no links."


def test_a_rater_opens_every_link_of_a_response_by_one_key(open_with, qtbot, server):
    page, gone, found = server.url("/page"), server.url("/missing"), server.url("/text")
    room = open_with(f"See {page}, {CARD}, {page}#top and {gone}.", tool={"hits": [{"url": found}]})
    assert count(room) == "0 of 3 opened"
    asked = len(room.session.outcome.problems)
    assert problems(room, "links-unopened")
    assert press_and_wait(room, qtbot, "Shift+O").url == page
    assert press_and_wait(room, qtbot, "Shift+O").state == "not_found"
    assert not problems(room, "links-unopened"), (
        "a dead link that was looked at is opened: the rater knows that it is dead"
    )
    assert press_and_wait(room, qtbot, "Shift+O").url == found
    assert len(room.session.outcome.problems) < asked
    assert rows(room) == [
        ("page", "not taken yet", "12:00"),
        ("card/1", "placeholder", ""),
        ("page#top", "same as line 1", ""),
        ("missing", "not found", "12:00"),
        ("text", "not taken yet", "now"),
    ]
    assert marks(room) == ["done", "nothing", "done", "dead", "done"]
    assert count(room) == "3 of 3 opened"
    assert not part(room, "next_unopened").isEnabled()
    press("Shift+O")
    assert banner(room, "hint") == "Every link of this task is opened."
    assert server.hits == {"/page": 1, "/missing": 1, "/text": 1}


def test_a_page_that_can_not_be_read_is_not_opened_until_the_rater_says_so(open_with, qtbot, server):
    room = open_with(f"See {server.url('/nested')}.")
    press("Shift+O")
    qtbot.waitUntil(lambda: part(room, "no_page").isVisible(), timeout=PATIENT)
    assert room.browsing.page.state == "broken"
    assert count(room) == "0 of 1 opened", "nobody has seen what is there"
    QTest.mouseClick(part(room, "count_as_opened"), Qt.MouseButton.LeftButton)
    assert count(room) == "1 of 1 opened"


def test_a_link_that_nobody_answers_is_opened_when_the_rater_says_so(open_with, qtbot):
    room = open_with(f"See {NOBODY}.")
    assert press_and_wait(room, qtbot, "Shift+O").state == "unreachable"
    assert rows(room) == [("nobody", "unreachable", "not opened")]
    assert marks(room) == ["open"]
    room.browsing.count_as_opened()
    assert marks(room) == ["counted"]
    assert rows(room) == [("nobody", "unreachable", "counted, not opened")]
    assert count(room) == "1 of 1 opened"


def test_the_links_of_the_response_at_hand_come_first(rooms, qtbot, server):
    responses = [
        {"id": "a", "text": server.url("/page")},
        {"id": "b", "text": f"{server.url('/text')} {server.url('/page')}"},
    ]
    plain = {"id": "t1", "prompt": {"text": "?"}, "responses": responses}
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [plain], rubric="side-by-side"))
    rooms.wait_for_links(room)
    press("J")
    assert room.session.place.response == "b"
    assert [detail for _address, detail, _end in rows(room)] == ["in response A", "in response B", "same as line 1"]
    assert press_and_wait(room, qtbot, "Shift+O").url == server.url("/text")
    assert press_and_wait(room, qtbot, "Shift+O").url == server.url("/page")
    assert not problems(room, "links-unopened"), "one page is opened for both responses"


def test_the_row_that_has_the_keys_is_opened_by_space_or_o_and_any_row_by_a_click(open_with, qtbot, server):
    room = open_with(f"{server.url('/page')} {CARD} {server.url('/text')} {server.url('/links')}")
    press_and_wait(room, qtbot, "Shift+O")
    links = room.window.preview.links
    links.list.setFocus()
    press("Down", "Space")
    assert not room.browsing.is_loading, "a placeholder leads nowhere"
    assert press_and_wait(room, qtbot, "Down", "Space").url == server.url("/text")
    links.list.setFocus()
    assert press_and_wait(room, qtbot, "Down", "O").url == server.url("/links")
    before = room.browsing.page
    first: QRect = links.list.visualRect(links.model.index(0))
    QTest.mouseClick(links.list.viewport(), Qt.MouseButton.LeftButton, pos=first.center())
    qtbot.waitUntil(lambda: room.browsing.page is not before and not room.browsing.is_loading, timeout=PATIENT)
    assert room.browsing.page.url == server.url("/page")


def test_a_row_says_what_the_page_was_taken_as(rooms, server):
    page = server.url("/page")
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [task("t1", f"See {page}.", "And more.")]))
    session = room.session

    def said():
        return rows(room)[0][1]

    rooms.qtbot.waitUntil(lambda: bool(rows(room)))
    assert said() == "in the response"
    press("Y")
    first = session.add_evidence(page)
    assert said() == "taken"
    session.set_stance(first, "supporting")
    assert said() == "supports"
    second = session.add_evidence(f"{page}#more")
    session.set_stance(second, "contradicting")
    assert said() == "both sides"
    session.remove_evidence(first)
    assert said() == "contradicts"
    press("J")
    assert said() == "taken elsewhere"


def test_a_task_without_links_says_so(room, rooms):
    rooms.qtbot.waitUntil(lambda: count(room) == "no links to open")
    assert not part(room, "next_unopened").isEnabled()
    assert part(room, "link_list").isHidden()


def test_a_row_says_everything_to_those_who_hear_it_and_nothing_as_html(open_with):
    url = "https://a.example/<b>x</b>/%20\u202egpj.exe".replace("<b>x</b>", "'&lt;b&gt;'")
    room = open_with(url)
    index = room.window.preview.links.model.index(0)
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith("in response A, not opened")
    assert "\u202e" not in spoken, "what turns the words round is written out"
    assert "&amp;lt;b" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_typing_does_not_make_the_rows_anew(open_with, server):
    room = open_with(f"See {server.url('/page')}.")
    before = lines(room)
    room.session.note_to_lead("a letter")
    assert all(one is other for one, other in zip(before, lines(room), strict=True))


# -- fetching them beforehand


def test_every_link_of_a_task_is_fetched_beforehand_and_opens_without_the_network(open_with, rooms, qtbot, server):
    page, gone = server.url("/page"), server.url("/missing")
    room = open_with(f"See {page} and {gone} and {page}#top.")
    room.commands.actions["fetch_task_links"].trigger()
    banners = room.window.banners
    qtbot.waitUntil(lambda: (banners.text("links") or "").startswith("1 page is stored"), timeout=PATIENT)
    assert banners.text("links") == "1 page is stored. 1 link has no readable page."
    assert room.session.rating.links_opened == (), "nobody has seen them yet"
    qtbot.waitUntil(lambda: rows(room)[1] == ("missing", "not found", "not opened"))
    server.close()
    assert press_and_wait(room, qtbot, "Shift+O").stored
    assert room.session.rating.links_opened == (page,)
    room.commands.actions["fetch_task_links"].trigger()
    qtbot.waitUntil(lambda: (banners.text("links") or "").startswith("0 pages"), timeout=PATIENT)
    assert server.hits == {"/page": 1, "/missing": 1}, "what is stored is not fetched again"


def test_what_is_stored_already_or_never_was_a_link_is_not_fetched(open_with, qtbot, server):
    room = open_with(server.url("/page"), CARD)
    fetch, banners = room.commands.actions["fetch_bundle_links"], room.window.banners
    fetch.trigger()
    qtbot.waitUntil(lambda: banners.text("links") == "1 page is stored.", timeout=PATIENT)
    fetch.trigger()
    qtbot.waitUntil(lambda: banners.text("links") == "Every link is stored already.", timeout=PATIENT)
    assert server.total == 1


def test_fetching_stops_at_once_and_keeps_what_has_come(open_with, rooms, qtbot, server):
    room = open_with(server.url("/page"), server.url("/hang"))
    room.commands.actions["fetch_bundle_links"].trigger()
    banners = room.window.banners
    qtbot.waitUntil(lambda: (banners.text("links") or "") == "Fetching links: 1 of 2", timeout=PATIENT)
    room.commands.actions["fetch_task_links"].trigger()
    assert banner(room, "hint") == "Links are already being fetched."
    banners.banner("links").buttons[0].click()
    assert banners.text("links") is None
    qtbot.waitUntil(lambda: states(rooms) == {server.url("/page"): "ok"})


def test_how_links_stood_is_known_in_the_next_window(open_with, rooms, qtbot, server):
    room = open_with(server.url("/missing"))
    press_and_wait(room, qtbot, "Shift+O")
    qtbot.waitUntil(lambda: states(rooms) == {server.url("/missing"): "not_found"})
    again = rooms.reopened(room)
    qtbot.waitUntil(lambda: marks(again) == ["dead"])
    assert rows(again) == [("missing", "not found", "opened")]


def states(rooms):
    """What the store knows of the pages of the bundle."""
    with reader_of(rooms.folder / "store") as store:
        return {page: last.state for page, last in pages.last_states(store, "bundle").items()}


# -- addresses


displayed = st.characters(codec="utf-8", exclude_categories=("Cc",))  # `displayed_address` encodes the others


@given(st.text(displayed, max_size=60), st.text("ab/?é漢", max_size=80), st.integers(40, 400))
def test_an_address_keeps_its_host_and_its_room(qapp, host, path, width):
    metrics = QFontMetrics(QFont())
    host = host.replace("/", "") or "a.example"
    shown = elided_address(f"{host}/{path}", metrics, width)
    assert metrics.horizontalAdvance(shown) <= max(width, metrics.horizontalAdvance("…"))
    if metrics.horizontalAdvance(f"{host}/…") <= width:
        assert shown.startswith(f"{host}/")


@given(st.text(max_size=100))
def test_nothing_in_a_shown_address_is_hidden(text):
    assert not {"\u202e", "\u200b", "\u2066", "\x00", "\t", "\n"} & set(displayed_address(f"https://a.example/{text}"))
