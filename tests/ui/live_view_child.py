"""A window with a live view in a process of its own: `python -m tests.ui.live_view_child STORY FOLDER`.

The tests run as root too, where the browser engine needs its sandbox switched off; that is done for this process alone.
It prints what it saw as one line of JSON.
"""

import json
import os
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from desktop_rater import app
from desktop_rater.pages.guard import Guard, is_loopback_literal
from desktop_rater.pages.response import WebLimits, blocked_error
from desktop_rater.pages.warc import read_snapshot_picture
from desktop_rater.pages.web_client import Web
from desktop_rater.store import snapshots
from desktop_rater.store.pages import origins_of_snapshot
from desktop_rater.ui.pages.live_support import LiveViewSupport
from tests.operations.bundles import RATER, make, noon, task
from tests.pages.servers import HostileServer
from tests.ui.live_pages import LiveSite

PATIENCE = 40.0
# A user's machine with its sandbox in order, whatever this one is.
ORDINARY = LiveViewSupport(user=1000, environment={})


class OnlyOnPorts(Guard):
    """Opens some ports of this machine, as the pages that a test reads; all else of it stays shut."""

    def __init__(self, *ports):
        super().__init__(allow_loopback=True, resolve=self.look_up)
        self._ports = ports
        self.looked_up = []

    def parse_allowed(self, url):
        asked = super().parse_allowed(url)
        if is_loopback_literal(asked.host) and asked.port not in self._ports:
            raise blocked_error("It is a port of this computer.")
        return asked

    def look_up(self, host, port, **_more):
        """A resolver in the hands of an attacker: it knows one name, and that leads home."""
        self.looked_up.append(host)
        if host != "rebinding.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]


class Stage:
    """An open window with a task, the site that it reads, and one that nobody may reach."""

    def __init__(self, folder):
        self.app = app.application()
        self.private = HostileServer()
        self.tls = HostileServer(tls=True)
        self.site = LiveSite(self.private.port, self.tls.port)
        self.guard = OnlyOnPorts(self.site.port, self.tls.port)
        self.site.open()
        web = Web(self.guard, WebLimits(), time.monotonic, noon)
        self.room = app.build_application(folder / "store", rater=RATER, now=noon, web=web, machine=ORDINARY)
        self.window = self.room.window
        self.window.resize(1280, 720)
        self.window.show()
        self.window.activateWindow()
        self.room.transfer.import_bundle(make(folder / "bundle.zip", [task("t1", "Paris is in France."), task("t2")]))
        self.wait(lambda: self.room.session.task is not None)

    @property
    def pane(self):
        return self.window.preview

    @property
    def live(self):
        return self.pane.live.view

    def wait(self, until, seconds=PATIENCE):
        """Let the window live until something is so."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                raise TimeoutError
            self.app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)

    def show(self, path):
        """Open a page live, and wait for it or for why it is not shown."""
        url = path if "://" in path else self.site.url(path)
        shown = []
        if self.live is not None:
            self.live.banners.drop("page")
        self.pane.show_live(url)
        self.live.page_shown.connect(shown.append)
        self.wait(lambda: url in shown or self.live.banners.text("page") is not None)
        self.wait(self.live.bar.stop.isHidden)
        self.live.page_shown.disconnect(shown.append)
        return {
            "shown": [one for one in shown if one == url],
            "said": self.live.banners.text("page"),
            "title": self.live.title,
        }

    def run_script(self):
        """Switch JavaScript on, and wait until the page has tried what it wants to try."""
        self.live.bar.script.click()
        self.wait(lambda: self.site.log is not None)

    def script(self, text):
        """What an expression is in the page; asked by the window, whose own scripts always run."""
        said = []
        self.live.page.runJavaScript(text, 1, said.append)
        self.wait(lambda: said)
        return said[0]

    def takes_text(self):
        """Return whether the view knows that a field of the page has the focus; the page itself knows it before."""
        focus = QApplication.focusWidget()
        return focus is not None and focus.inputMethodQuery(Qt.InputMethodQuery.ImEnabled)

    def click(self, x, y, until):
        """Click at a place of the page, again where the page was not laid out yet, until something is so."""
        for _ in range(20):
            at = self.live.view.mapTo(self.window, QPoint(x, y))
            QTest.mouseMove(self.window.windowHandle(), at)
            QTest.mouseClick(self.window.windowHandle(), Qt.MouseButton.LeftButton, pos=at)
            with suppress(TimeoutError):
                self.wait(until, 2)
                return
        raise TimeoutError

    def close(self):
        """As a user closes the window."""
        QTimer.singleShot(0, self.window, self.window.close)
        self.app.exec()
        self.room.close()


def hostile(stage):
    """A page that tries everything, with JavaScript on."""
    stage.show("/plain")
    at_proxy = []
    stage.live._engine.turned_down.connect(lambda place, _why, _blocked: at_proxy.append(place))
    quiet = stage.show("/hostile")
    stage.wait(stage.live.bar.stop.isHidden)
    before = dict(stage.live.refusals.counts)
    stage.run_script()
    stage.wait(lambda: stage.site.hits["/last"])
    return {
        "quiet": quiet,
        "before": before,
        "refused": dict(stage.live.refusals.counts),
        "log": stage.site.log,
        "private": stage.private.connections,
        "private port": stage.private.port,
        "at proxy": sorted(set(at_proxy)),
        "hits": dict(stage.site.hits),
        "cookies": stage.site.cookies,
        "secrets": stage.site.secrets,
        "looked_up": stage.guard.looked_up,
        "windows": [type(one).__name__ for one in QApplication.topLevelWidgets() if one.isVisible()],
        "url": stage.live.url.removeprefix(stage.site.url("")),
        "said": stage.live.bar.refused.text(),
    }


def reading(stage):
    """A day's ordinary pages, and how the view stands after each."""
    found = {name: stage.show(f"/{name}") for name in ("plain", "missing", "to-plain", "to-private", "pdf", "file")}
    found["sign-in"] = stage.show("/sign-in")
    found["certificate"] = stage.show(stage.tls.url("/page"))
    for name, url in (
        ("private", stage.private.url()),
        ("rebinding", "http://rebinding.example/"),
        ("rebinding tls", "https://rebinding.example/"),
        ("unknown", "https://unknown.example/"),
    ):
        found[name] = stage.show(url)
    return {
        "pages": found,
        "private": stage.private.connections,
        "tls": stage.tls.total,
        "sign_ins": stage.site.hits["/sign-in"],
        "opened": [url.removeprefix(stage.site.url("")) for url in stage.room.session.rating.links_opened],
    }


def using(stage):
    """JavaScript, links, fields, the next task."""
    handle = stage.window.windowHandle()
    found = {"plain": stage.show("/plain"), "same window": stage.window.windowHandle() == handle}
    found["script off"] = stage.live.title
    stage.live.bar.script.click()
    stage.wait(lambda: stage.live.title == "scripted")
    found["state"] = stage.live.page.runs_script
    shown = []
    stage.live.page_shown.connect(shown.append)
    stage.show("/links")
    found["script after the next page"] = stage.live.page.runs_script
    shown.clear()
    stage.click(40, 40, lambda: stage.site.url("/plain") in shown)
    found["a link to a new window"] = stage.live.title
    found["back"] = stage.live.can_go_back
    stage.room.commands.actions["page_back"].trigger()
    stage.wait(lambda: stage.live.title == "links")
    stage.click(40, 160, lambda: stage.script("document.activeElement.tagName") == "INPUT" and stage.takes_text())
    QTest.keyClick(stage.window.windowHandle(), Qt.Key.Key_S)
    stage.wait(lambda: stage.script("document.querySelector('input').value"))
    found["typed"] = stage.script("document.querySelector('input').value")
    found["evidence"], found["chosen"] = to_the_reader(stage)
    stage.room.desk.move(1)
    stage.wait(lambda: stage.room.session.task.id == "t2")
    found["after the task"] = stage.live.page is None
    found["first page of the next"] = stage.show("/plain")
    return found


def to_the_reader(stage):
    """What S makes of a selection on a live page, and what is chosen in the reader afterwards."""
    stage.show("/plain")
    stage.script("getSelection().selectAllChildren(document.querySelector('p')); 1")
    stage.wait(lambda: stage.live.selected_text)
    stage.pane.focus_page()
    actions = stage.room.commands.actions
    session = stage.room.session
    session.answer("factual", "yes")
    actions["supports"].trigger()
    stage.wait(lambda: session.rating.evidence)
    (piece,) = session.rating.evidence
    actions["reader_or_page"].trigger()
    stage.wait(lambda: stage.pane.reader.passage is not None)
    return {"quote": piece.quote, "stance": piece.stance}, stage.pane.reader.passage.quote


def storing(stage):
    """A page whose words come from a script: from the empty reader to evidence that is quoted from what was shown."""
    session, pane, reader = stage.room.session, stage.pane, stage.pane.reader
    session.answer("factual", "yes")
    url = stage.site.url("/scripted")
    stage.room.browsing.open(url)
    stage.wait(lambda: stage.room.browsing.page is not None)
    found = {"why": pane.no_page.title.text(), "note": pane.no_page.note.text(), "seen": session.rating.links_opened}
    pane.no_page.focus_action()
    offered = QApplication.focusWidget()
    assert isinstance(offered, QAbstractButton)
    found["offered"] = offered.objectName()
    offered.click()
    stage.wait(lambda: stage.live is not None and stage.live.title == "scripted" and stage.live.bar.stop.isHidden())
    stage.wait(lambda: stage.live.banners.text("blank") is not None)
    found["blank"] = [session.rating.links_opened, pane.in_view.now.outcome]
    stage.room.commands.actions["live_script"].trigger()
    stage.wait(lambda: stage.script("document.querySelectorAll('p').length"))
    stage.wait(lambda: session.rating.links_opened)
    found["opened"] = session.rating.links_opened == (url,)
    stage.script("getSelection().selectAllChildren(document.querySelector('p')); 1")
    stage.wait(lambda: stage.live.selected_text)
    pane.focus_page()
    stage.room.commands.actions["supports"].trigger()
    stage.wait(lambda: session.rating.evidence)
    (piece,) = session.rating.evidence
    found["piece"] = [piece.url == url, piece.stance, piece.quote, piece.prefix, piece.suffix]
    found["said"] = pane.banners.text("page")
    file = snapshots.snapshot_path(stage.room.reader.folder, piece.snapshot)
    assert file is not None
    found["origin"] = [one.kind for one in origins_of_snapshot(stage.room.reader, piece.snapshot, "")]
    found["picture"] = read_snapshot_picture(file)[:4].decode("latin-1")
    stage.room.commands.actions["reader_or_page"].trigger()
    stage.wait(lambda: reader.passage is not None)
    found["reader"] = [reader.passage.quote, reader.text, pane.state.text_label.text().partition(" on ")[0]]
    pane.state.findChild(QAbstractButton, "page_picture").click()
    stage.wait(lambda: stage.window.findChild(QLabel, "page_picture_shown") is not None)
    shown = stage.window.findChild(QLabel, "page_picture_shown")
    found["shown"] = [shown.isVisible(), shown.pixmap().width() > 100]
    shown.window().close()
    return found


def recording(stage):
    """Links that are opened one after the other with the live view on, and what the record says of each."""
    session, pane = stage.room.session, stage.pane
    session.answer("factual", "yes")
    found = {}
    stage.show("/plain")
    for path in ("/report", "/missing", "/removed", "/forbidden", "/failing", "/sign-in", "/scripted", "/to-plain"):
        here = stage.site.url(path)
        if not pane.live.is_on:
            stage.show("/plain")
        stage.room.browsing.open(here)
        stage.wait(lambda here=here: here in session.rating.links_opened or recorded(stage, here))
        found[path] = [here in session.rating.links_opened, recorded(stage, here), pane.live.is_on]
        if path == "/report":
            pane.focus_page()
            stage.room.commands.actions["contradicts"].trigger()
            stage.wait(lambda: session.rating.evidence)
            found["evidence"] = [piece.url.removeprefix(stage.site.url("")) for piece in session.rating.evidence]
            found["said"] = pane.banners.text("live")
    session.store_research()
    found["research"] = [
        [entry.url.removeprefix(stage.site.url("")), entry.outcome]
        for entry in session.rating.research
        if entry.outcome not in {"nothing", "taken"}  # those are left out if they were looked at for less than a second
    ]
    return found


def recorded(stage, url):
    """Return the outcome that the record has for a page, without those that depend on seconds."""
    session = stage.room.session
    entries = session.research.entries(session.bundle, session.rating)
    outcomes = [entry.outcome for entry in entries if entry.url == url]
    return next((outcome for outcome in outcomes if outcome not in {"nothing", "taken"}), None)


def crash(stage):
    """The page's process ends, and the window stays."""
    stage.show("/plain")
    os.kill(stage.live.page.renderProcessPid(), 9)
    stage.wait(lambda: stage.live.banners.text("crash") is not None)
    said = stage.live.banners.text("crash")
    before = stage.site.hits["/plain"]
    stage.live.banners.banner("crash").buttons[0].click()
    stage.wait(lambda: stage.site.hits["/plain"] > before)
    return {"said": said}


def cut_off(stage):
    """The proxy can accept no more connections: another program may have its port soon."""
    stage.show("/plain")
    engine = stage.live._engine
    before = engine.login[1]
    engine.proxy._listener.shutdown(socket.SHUT_RDWR)
    stage.wait(lambda: stage.live.page is None)
    told = stage.live.not_here.text()
    stage.live.open(stage.site.url("/plain"))
    return {"told": told, "page": stage.live.page is not None, "login": [before != "", *engine.login]}


def search(stage):
    """The claim at hand goes to the engine that is set; here that is the site."""
    from desktop_rater.ui.pages import page_search  # noqa: PLC0415

    page_search.ENGINES = {"duckduckgo": stage.site.url("/search?q={words}")}
    stage.room.commands.actions["search_claim"].trigger()
    stage.wait(lambda: stage.live is not None and stage.live.title == "found")
    return {"asked": stage.site.queries, "live": stage.pane.live.is_on}


STORIES = {story.__name__: story for story in (hostile, reading, using, storing, recording, crash, cut_off, search)}


def main() -> None:
    stage = Stage(Path(sys.argv[2]))
    found = STORIES[sys.argv[1]](stage)
    stage.close()
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
