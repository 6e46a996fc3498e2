"""A rater reads what the worst of the web has to offer, in the real window: nothing hangs, grows or gets in.

The benchmark measures for how long the window does not answer meanwhile.
"""

import socket
import threading
import time

import pytest
from PySide6.QtCore import Qt

from desktop_rater.pages import warc
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebLimits, WebResponse
from desktop_rater.pages.web_client import Web
from desktop_rater.ui.pages.page_document import PART_LENGTH
from tests.operations.bundles import make, noon, task
from tests.pages.hostile_paths import gzip_bomb
from tests.pages.sample_pages import page
from tests.pages.servers import HostileServer
from tests.ui.hard_pages import LONG, NOT_SHOWN, SHOWN
from tests.ui.loop_gap import resident
from tests.ui.rooms import Text, part, press, press_until

MIB = 1024 * 1024
MOST_GROWTH = 100 * MIB
PATIENT = 20_000
LIMITS = WebLimits(total_seconds=3, read_seconds=1, connect_seconds=1)


@pytest.fixture
def server():
    gzip_bomb(300)  # packed once, and not while somebody waits for it
    with HostileServer() as server:
        yield server


@pytest.fixture
def room(rooms):
    return window(rooms, Guard(allow_loopback=True))


def window(rooms, guard, text="Canberra is the capital of Australia.", *, limits=LIMITS, **more):
    """A window that reads through that guard, with a task open."""
    room = rooms.empty(Web(guard, limits, time.monotonic, noon))
    room.transfer.import_bundle(make(rooms.folder / "bundle.zip", [task("t1", text)], **more))
    rooms.wait_for_task(room)
    return room


def go_to(room, url):
    """Type an address, as a rater does."""
    room.commands.actions["address"].trigger()
    press("Ctrl+A", Text(url), "Return")


def read(room, qtbot, url):
    """Go there, and wait for what comes of it."""
    before = room.browsing.page
    go_to(room, url)
    qtbot.waitUntil(lambda: not room.browsing.is_loading and room.browsing.page is not before, timeout=PATIENT)
    return room.browsing.page


def test_every_kind_of_page_ends_in_its_text_or_in_a_sentence_that_says_why(room, qtbot, server):
    for path, words in SHOWN.items():
        there = read(room, qtbot, server.url(path))
        assert there.shows, (path, there.state, there.why)
        assert words in part(room, "reader").toPlainText(), path
    for path, state in NOT_SHOWN.items():
        there = read(room, qtbot, server.url(path))
        assert (there.state, there.shows) == (state, False), (path, there.state, there.why)
        assert part(room, "no_page_title").isVisible()
        assert part(room, "no_page_title").text(), path
        assert part(room, "no_page_why").text(), path


@pytest.mark.parametrize("name", LONG)
def test_the_longest_pages_come_piece_by_piece_and_keys_are_heard_in_between(room, qtbot, httpserver, name):
    httpserver.expect_request(f"/{name}").respond_with_data(LONG[name], content_type="text/html; charset=utf-8")
    reader, pieces, begun = room.window.preview.reader, [], []

    def follow(_page):
        begun.append(reader.read.is_whole)
        reader.document().contentsChange.connect(lambda _position, _removed, added: pieces.append(added))

    room.browsing.page_shown.connect(follow)
    there = read(room, qtbot, f"http://127.0.0.1:{httpserver.port}/{name}")
    assert begun == [False]
    press("Down")
    qtbot.waitUntil(lambda: reader.read.is_whole, timeout=PATIENT)
    assert max(pieces) < 2 * PART_LENGTH < sum(pieces)
    press_until(qtbot, lambda: reader.passage is not None, "Down", "Shift+Right")
    assert there.shows


def test_memory_grows_by_less_than_100_mb_with_all_of_them_read_twice(room, qtbot, server):
    read(room, qtbot, server.url("/page"))
    before = resident()
    for _ in range(2):
        for path in (*SHOWN, *NOT_SHOWN):
            read(room, qtbot, server.url(path))
    assert resident() - before < MOST_GROWTH


def cancel(room, qtbot):
    """Press Cancel as soon as it is offered, and wait until the window is free."""
    way = part(room, "page_state_way")
    qtbot.waitUntil(lambda: way.isVisible() and "Fetching" in part(room, "page_state_words").text())
    qtbot.mouseClick(way, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not room.browsing.is_loading)


@pytest.mark.parametrize("path", ["/silent", "/stall", "/drip", "/drip-headers", "/slow/30"])
def test_cancel_ends_what_hangs_and_the_page_before_stays(rooms, qtbot, server, path):
    hour = WebLimits(total_seconds=3_600, read_seconds=3_600, connect_seconds=3_600)
    room = window(rooms, Guard(allow_loopback=True), limits=hour)
    before = read(room, qtbot, server.url("/page"))
    go_to(room, server.url(path))
    qtbot.waitUntil(lambda: server.hits[path] == 1)
    cancel(room, qtbot)
    assert room.browsing.page is before, "no limit has ended it"
    assert "Canberra is the capital city" in part(room, "reader").toPlainText()


def test_a_look_up_that_hangs_is_given_up_at_once_and_four_of_them_do_not_stop_the_fifth_page(rooms, qtbot, server):
    asked, end = [], threading.Event()

    def resolve(host, port, *more, **named):
        asked.append(host)
        if host.startswith("hangs"):
            end.wait(60)
        return socket.getaddrinfo("127.0.0.1", port, type=socket.SOCK_STREAM)

    room = window(rooms, Guard(allow_loopback=True, resolve=resolve))
    try:
        for number in range(4):
            go_to(room, f"http://hangs-{number}.example/")
            qtbot.waitUntil(lambda number=number: len(asked) == number + 1)
        cancel(room, qtbot)
        assert read(room, qtbot, server.url("/page")).shows
    finally:
        end.set()


def test_links_of_a_page_lead_neither_to_a_file_nor_to_this_machine(rooms, qtbot, server, tmp_path):
    """As it is outside of tests: nothing of this machine may be opened. The page comes with the bundle."""
    url, inside = "https://hostile.example/links", [server.url(), f"http://localhost:{server.port}/", "http://0/"]
    links = ("file:///etc/hostname", "javascript:alert(1)", "data:text/html,hello", *inside)
    body = page("Links", "Where would you like to go?").replace(
        b"</body>", "".join(f'<p><a href="{link}">this way</a></p>' for link in links).encode() + b"</body>"
    )
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    answer = WebResponse(
        url=url, final_url=url, status=200, headers=headers, raw=body, body=body, fetched="2026-11-20T08:00:00Z"
    )
    (tmp_path / "one.warc.gz").write_bytes(warc.write_snapshot(answer))
    room = window(rooms, Guard(), text=f"See {url}", snapshots=tmp_path)
    press("Shift+O")
    qtbot.waitUntil(lambda: room.browsing.page is not None, timeout=PATIENT)
    assert [link.url for link in room.browsing.page.links] == inside
    assert "file:" not in room.browsing.page.whole_html
    for link in inside:
        room.window.preview.reader.link_wanted.emit(link)
        qtbot.waitUntil(lambda link=link: room.browsing.page.url == link, timeout=PATIENT)
        assert room.browsing.page.state == "blocked"
    assert server.connections == 0
