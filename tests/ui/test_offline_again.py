"""What was read online opens again when the network is gone: for the rater, and for whoever has the results."""

import time

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.pages.open_page import import_pages
from desktop_rater.operations.pages.stored_pages import find_stored_copy
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebLimits
from desktop_rater.pages.web_client import Web
from desktop_rater.text.quotes import find_quote
from tests.operations.bundles import RATER, make, noon, task, writer
from tests.ui.rooms import part, press, press_until

PATHS = ("/page", "/pdf", "/text", "/gzip", "/chain/2", "/wrong-charset")
QUICK = WebLimits(connect_seconds=1, total_seconds=5)
SAID = "Canberra is the capital of Australia."


@pytest.fixture
def web():
    with Web(Guard(allow_loopback=True), QUICK, time.monotonic, noon) as web:
        yield web


@pytest.fixture
def room(rooms, server, web):
    """A task whose tool found all the pages."""
    tools = [{"name": "search", "status": "ok", "input": {}, "output": [server.url(path) for path in PATHS]}]
    one = task("t1", SAID, responses=[{"id": "a", "text": SAID, "tools": tools}])
    return opened(rooms, make(rooms.folder / "bundle.zip", [one]), web)


def opened(rooms, bundle, web):
    """A window that reads by that web, with the first task of a bundle."""
    room = rooms.empty(web)
    room.transfer.import_bundle(bundle)
    rooms.wait_for_task(room)
    return room


def shown(room, qtbot, ask):
    """Ask for a page, and wait for what stands there then."""
    before = room.browsing.page
    ask()
    qtbot.waitUntil(lambda: not room.browsing.is_loading and room.browsing.page is not before, timeout=20_000)
    return room.browsing.page


def choose_all(room, qtbot):
    reader = part(room, "reader")
    qtbot.waitUntil(lambda: reader.select(0, len(reader.text)))


def test_all_that_was_read_opens_again_with_the_network_off(room, rooms, qtbot, server):
    read = {path: shown(room, qtbot, lambda path=path: room.browsing.open(server.url(path))) for path in PATHS}
    assert all(page.shows and page.snapshot and not page.stored for page in read.values())
    rooms.wait_until_saved(room)
    server.close()
    for path, page in read.items():
        again = shown(room, qtbot, lambda path=path: room.browsing.open(server.url(path)))
        assert again.stored, path
        assert (again.text, again.html) == (page.text, page.html)
        # The latest that showed it: "/page" was read once more at the end of the redirects.
        assert again.snapshot in {one.snapshot for one in read.values()}
        words = part(room, "page_state_words").text()
        assert "Offline" in words
        assert "2026" in words


def test_it_opens_again_after_the_window_was_shut(room, rooms, qtbot, server):
    page = shown(room, qtbot, lambda: room.browsing.open(server.url()))
    rooms.wait_until_saved(room)
    rooms.shut(room)
    server.close()
    room = rooms.empty()  # the web of before was closed with its window
    rooms.wait_for_task(room)
    again = shown(room, qtbot, lambda: room.browsing.open(server.url()))
    assert (again.stored, again.text) == (True, page.text)
    assert server.url() in room.session.rating.links_opened


def test_the_results_carry_each_page_that_evidence_rests_on_to_another_store(room, rooms, qtbot, server, web, tmp_path):
    press("Y")
    taken = {}
    for path in ("/page", "/pdf", "/text"):
        page = shown(room, qtbot, lambda path=path: room.browsing.open(server.url(path)))
        choose_all(room, qtbot)
        press("S")
        taken[page.url] = page
    press("Escape")
    shown_only = shown(room, qtbot, lambda: room.browsing.open(server.url("/gzip")))
    press("Escape")
    room.session.answer("accuracy", "accurate")
    rooms.press_and_save(room, "Return")
    qtbot.waitUntil(lambda: rooms.stored("t1").status == "complete")
    rooms.files.to_write = tmp_path / "results.zip"
    press_until(qtbot, rooms.files.to_write.exists, "Ctrl+Shift+E")
    server.close()
    with writer(tmp_path / "lead") as lead:
        done = import_pages(lead, rooms.files.to_write, Progress(), noon())
        assert (done.new, done.broken) == (len(taken), ())
        for piece in rooms.stored("t1").evidence:
            copy = find_stored_copy(lead, piece.url, piece.snapshot)
            assert copy is not None
            page = web.reopen(copy.path, Progress())
            assert page.text == taken[piece.url].text
            assert find_quote(page.text, piece.quote, piece.prefix, piece.suffix) is not None
        assert find_stored_copy(lead, shown_only.url, bundle="b", rater=RATER) is None, (
            "what nobody rests on stays at home"
        )


def test_a_bundle_that_brings_its_pages_needs_no_network_at_all(rooms, qtbot, server, web, tmp_path):
    fetched = web.open(server.url(), Progress())
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.warc.gz").write_bytes(fetched.warc)
    text = f"{SAID} {server.url()}"
    bundle = make(tmp_path / "bundle.zip", [task("t1", text)], snapshots=tmp_path / "pages")
    url = server.url()
    server.close()
    room = opened(rooms, bundle, web)
    press("Shift+O")
    qtbot.waitUntil(lambda: room.browsing.page is not None, timeout=20_000)
    assert (room.browsing.page.url, room.browsing.page.stored) == (url, True)
    assert "Canberra" in part(room, "reader").toPlainText()
