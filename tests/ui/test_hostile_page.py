"""A page that wants more than to be read gets nothing of it: no file, no window, no cookie, no download. Counted."""

import ctypes
import gzip
import os
import sys

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from desktop_rater.format.page import Page
from tests.operations.bundles import make, task
from tests.ui.rooms import part

IN_OPEN, IN_NONBLOCK = 0x20, 0x800
ARTICLE = "Canberra is the capital of Australia. " * 12
HOSTILE = """<!doctype html><html lang="en"><head><title>Canberra</title>
<meta http-equiv="refresh" content="0; url=/refreshed"><meta http-equiv="Set-Cookie" content="meta=1">
<base href="{file}"><link rel="stylesheet" href="/style.css"><link rel="preload" href="/preload">
<style>@import "/imported.css"; body {{ background: url("{file}") }}</style>
<script src="/script.js"></script><script>document.cookie = "script=1"; window.open("/opened")</script>
</head><body onload="window.open('/opened')" background="{file}"><article><h1>Canberra</h1><p>{article}</p>
<p><img src="{file}" alt="one"><img src="{path}" alt="two"><img src="/pixel.gif" srcset="/large.gif 2x" alt="three">
<picture><source srcset="/source.gif"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="four"></picture></p>
<p style="background-image: url({file}); list-style: url(/listed.gif)">{article}</p>
<table background="{path}"><tr><td background="/cell.gif">{article}</td></tr></table>
<iframe src="/frame"></iframe><object data="/object"></object><embed src="/embed"><video src="/video" poster="{file}">
</video><audio src="/audio" autoplay></audio><svg><image href="{file}"/><use href="/used.svg#x"/></svg>
<form action="/form" method="post"><input type="image" src="/button.gif"></form>
<a href="{file}" download="canberra.bin" ping="/ping">take it</a> <a href="/download" download>and this</a>
<p>{article}</p></article></body></html>"""


class Watch:
    """Counts how often a file is opened by anybody, as the system sees it."""

    def __init__(self, path):
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle = self._libc.inotify_init1(IN_NONBLOCK)
        assert self._libc.inotify_add_watch(self._handle, os.fsencode(path), IN_OPEN) >= 0

    def opened(self):
        """How often since it was asked last."""
        try:
            return len(os.read(self._handle, 4096)) // 16
        except BlockingIOError:
            return 0

    def close(self):
        os.close(self._handle)


@pytest.fixture
def canary(tmp_path):
    """A picture that a page might want to have."""
    path = tmp_path / "canary.gif"
    path.write_bytes(b"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00;")
    return path


@pytest.fixture
def watch(canary):
    if not sys.platform.startswith("linux"):
        pytest.skip("the system is asked by inotify")
    watch = Watch(canary)
    yield watch
    watch.close()


@pytest.fixture
def site(httpserver, canary):
    """Serves the page, gives a cookie with everything, and notes what is asked for."""
    body = HOSTILE.format(file=canary.as_uri(), path=canary, article=ARTICLE)
    headers = {"Set-Cookie": "visit=1; Path=/", "Content-Type": "text/html; charset=utf-8", "Refresh": "0; url=/again"}
    httpserver.expect_request("/hostile").respond_with_data(body, headers=headers)
    httpserver.expect_request("/plain").respond_with_data(f"<h1>Plain</h1><p>{ARTICLE}</p>", headers=headers)
    return f"http://127.0.0.1:{httpserver.port}"


@pytest.fixture
def room(rooms):
    return rooms.with_bundle(make(rooms.folder / "bundle.zip", [task("t1", "Canberra is the capital of Australia.")]))


def read(room, qtbot, url):
    room.browsing.open(url)
    qtbot.waitUntil(lambda: not room.browsing.is_loading and room.browsing.page is not None, timeout=20_000)
    reader = part(room, "reader")
    qtbot.waitUntil(lambda: "Canberra is the capital" in reader.toPlainText())
    qtbot.wait(100)  # what was meant to happen a moment later would have begun by now
    return reader


def asked(httpserver):
    return [request.path for request, _response in httpserver.log]


def test_the_watch_sees_who_opens_the_file(canary, watch):
    assert watch.opened() == 0
    canary.read_bytes()
    assert watch.opened() == 1
    document = QTextDocument()
    document.setHtml(f'<img src="{canary}">')
    document.resource(QTextDocument.ResourceType.ImageResource, QUrl(str(canary)))
    assert watch.opened() >= 1, "a document of Qt reads files when it is not kept from it"


def test_the_reader_shows_the_text_and_asks_for_nothing_else(room, qtbot, httpserver, site, watch, tmp_path):
    windows, files = set(QApplication.topLevelWidgets()), sorted(tmp_path.glob("*"))
    reader = read(room, qtbot, f"{site}/hostile")
    assert asked(httpserver) == ["/hostile"]
    assert watch.opened() == 0
    assert {one for one in QApplication.topLevelWidgets() if one not in windows and one.isVisible()} == set()
    assert sorted(tmp_path.glob("*")) == files
    for word in ("<", "onload", "document.cookie", "script"):
        assert word not in reader.toPlainText()
    for word in ("<img", "<style", "<script", "<iframe", "<form", "<svg", "onload", "file:", "background"):
        assert word not in room.browsing.page.html + room.browsing.page.whole_html


def test_no_cookie_comes_back_and_none_is_kept(room, rooms, qtbot, httpserver, site):
    read(room, qtbot, f"{site}/hostile")
    snapshot = room.browsing.page.snapshot
    read(room, qtbot, f"{site}/plain")
    assert asked(httpserver) == ["/hostile", "/plain"]
    for request, _response in httpserver.log:
        assert {name.lower() for name, _value in request.headers}.isdisjoint({"cookie", "referer", "authorization"})
    rooms.wait_until_saved(room)
    kept = (rooms.folder / "store" / "snapshots" / f"{snapshot}.warc.gz").read_bytes()
    assert b"visit=1" not in gzip.decompress(kept)


def test_a_reader_that_is_given_such_a_page_uncleaned_still_loads_nothing(room, qtbot, httpserver, site, canary, watch):
    """The cleaning is one wall, the view is another."""
    reader = read(room, qtbot, f"{site}/plain")
    html = HOSTILE.format(file=canary.as_uri(), path=canary, article=ARTICLE)
    reader.show_page(Page(url=site, final_url=site, state="ok", title="Canberra", html=html, text=ARTICLE))
    reader.grab()
    qtbot.wait(100)
    assert watch.opened() == 0
    assert asked(httpserver) == ["/plain"]
