"""What the tests of the window share: opening one, pressing keys, and looking into the store."""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rater import app
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebLimits
from desktop_rater.pages.web_client import Web
from desktop_rater.ui.hub.exchange import HubAccess
from tests.operations.bundles import RATER, make, noon, task
from tests.readers import reader_of

SENTENCES = ("Paris is the capital of France.", "It lies on the Loire.", "A fine question!")


def two_responses(name="t1"):
    texts = ("See https://example.org/a and http://googleusercontent.com/card/1.", "Nothing was found.")
    tools = [{"name": "search", "status": "error", "input": {"q": "x"}, "output": None}]
    responses = [{"id": "a", "text": texts[0]}, {"id": "b", "text": texts[1], "tools": tools}]
    return {"id": name, "prompt": {"text": "Which flight?"}, "responses": responses}


@dataclass
class Clock:
    """A monotonic clock that a test moves."""

    seconds: float = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Files:
    """The files that a rater would choose in a dialog."""

    to_import: Path | tuple[Path, ...] | None = None
    to_open: Path | None = None
    to_write: Path | None = None
    to_restore: Path | None = None
    hub_folder: Path | None = None
    own_certificates: Path | None = None
    saved: Path | None = None

    def bundles(self, parent):
        return (self.to_import,) if isinstance(self.to_import, Path) else tuple(self.to_import or ())

    def folder(self, parent, title=""):
        return self.to_open

    def report(self, parent, suggested):
        return self.to_write

    def results(self, parent, suggested):
        return self.to_write

    def final(self, parent, suggested):
        return self.to_write

    def backup(self, parent):
        return self.to_restore

    def hub(self, parent):
        return self.hub_folder

    def certificates(self, parent):
        return self.own_certificates

    def open_file(self, parent, title, filters):
        return self.to_open

    def save_file(self, parent, title, suggested, filters):
        return self.saved


def no_names(*_given, **_named):
    """A network that knows no host by its name."""
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def loopback_web(resolve=no_names):
    """Reaches servers of the test, and nothing else."""
    return Web(Guard(allow_loopback=True, resolve=resolve), WebLimits(), time.monotonic, noon)


@dataclass
class Rooms:
    qtbot: QtBot
    folder: Path
    clock: Clock
    files: Files = field(default_factory=Files)
    pages: list[str] = field(default_factory=list)
    reach: HubAccess | None = None
    open_now: list[app.Application] = field(default_factory=list)
    now: Callable[[], datetime] = noon

    def empty(self, web=None):
        """A window on the store as it is, shown and active."""
        return self.open(rater=RATER, now=self.now, open_url=self.pages.append, web=web, reach=self.reach)

    def open(self, width=1280, height=720, *, web=None, **given):
        """A window built of those parts, shown and active."""
        if not self.open_now:
            take_off_style_sheet()
        room = app.build_application(
            self.folder / "store", clock=self.clock, files=self.files, web=web or loopback_web(), **given
        )
        self.open_now.append(room)
        room.window.resize(width, height)
        room.window.show()
        room.window.activateWindow()
        self.qtbot.waitUntil(room.window.isActiveWindow)
        return room

    def with_bundle(self, path):
        """A window with that bundle imported and its first task open."""
        room = self.empty()
        room.transfer.import_bundle(path)
        self.wait_for_task(room)
        return room

    def with_tasks(self, *tasks, **more):
        """A window with those tasks, or two simple ones."""
        tasks = tasks or (task("t1", *SENTENCES), task("t2"))
        return self.with_bundle(make(self.folder / "bundle.zip", tasks, **more))

    def wait_for_task(self, room, name=None):
        session = room.session
        self.qtbot.waitUntil(lambda: session.task is not None and name in {None, session.task.id})

    def at_task(self, name=None):
        """A window on the store as it is, with a task open."""
        room = self.empty()
        self.wait_for_task(room, name)
        return room

    def reopened(self, room, name=None):
        """Close a window, and open another one with a task."""
        self.shut(room)
        return self.at_task(name)

    def open_task(self, room, name):
        room.desk.open_task(name)
        self.wait_for_task(room, name)

    def press_for_task(self, room, name, *keys):
        """Press keys that lead to a task, and wait for it."""
        press(*keys)
        self.wait_for_task(room, name)

    def press_and_save(self, room, *keys):
        """Press keys, and wait until what they changed is saved."""
        press(*keys)
        self.wait_until_saved(room)

    def wait_for_links(self, room):
        """Until the links of the task are listed, which follow when it has been painted."""
        self.qtbot.waitUntil(lambda: not room.window.preview.links._is_outdated)

    def wait_for_page(self, room, url):
        """Until a page, or why there is none, stands beside the task."""
        browsing = room.browsing
        self.qtbot.waitUntil(lambda: browsing.page is not None and not browsing.is_loading, timeout=15_000)
        assert browsing.page.url == url

    def wait_until_saved(self, room):
        room.session.pause_typing()
        self.qtbot.waitUntil(lambda: not room.saver.unsaved)

    def let_pass(self, room, seconds):
        """So many seconds go by, counted now and then as the window does it."""
        for _ in range(seconds // 10):
            self.clock.seconds += 10
            room.session.seconds_here()

    def stored(self, name, bundle="bundle"):
        """The rating in the store, read past the window."""
        with reader_of(self.folder / "store") as reader:
            return open_task(reader, bundle, name, RATER).rating

    def shut(self, room):
        """Close a window as a rater does, and wait until it is gone."""
        room.window.close()
        self.qtbot.waitUntil(lambda: not room.window.isVisible())
        room.close()
        self.open_now.remove(room)
        QApplication.processEvents()  # a call that still waits when its receiver is destroyed is kept, with the window
        room.window.deleteLater()
        room.jobs.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # later it would take the next one's focus

    def close(self):
        for room in self.open_now:
            room.window._close_anyway()
            room.close()
            room.window.deleteLater()
            room.jobs.deleteLater()
        self.open_now.clear()
        QApplication.processEvents()


def take_off_style_sheet():
    """Let the next window be built as the program builds its first: in half the time, styled when it is complete."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setStyleSheet("")


def destroy_hidden(kept=frozenset()):
    """Destroy closed windows and widgets that never got a parent, except those that are kept."""
    for widget in QApplication.topLevelWidgets():
        if not widget.isVisible() and widget not in kept:
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def settle():
    """Let the window lay itself out, as it has done long before somebody looks or aims."""
    for _ in range(8):
        QApplication.processEvents()


class Text(str):
    """A text among keys, which is typed."""

    __slots__ = ()


def press(*keys):
    """Press keys one after the other, each where the focus is: "Y", "Return", "Ctrl+Z"; type texts."""
    for key in keys:
        if isinstance(key, Text):
            type_text(key)
            continue
        combination = QKeySequence.fromString(key)[0]  # ty: ignore[not-subscriptable]
        target = QApplication.focusWidget() or QApplication.activeWindow()
        assert target is not None, "no window is active"
        QTest.keyClick(target, combination.key(), combination.keyboardModifiers())


def press_until(qtbot, is_done, *keys):
    """Press keys, and wait for what comes of them."""
    press(*keys)
    qtbot.waitUntil(is_done)


def resize(room, *size):
    room.window.resize(*size)
    settle()


def press_and_settle(*keys):
    press(*keys)
    settle()


def type_text(text, *keys):
    """Type where the focus is, then press keys."""
    target = QApplication.focusWidget()
    assert target is not None, "nothing has the focus"
    QTest.keyClicks(target, text)
    press(*keys)


def part(room, name):
    """The widget of that object name."""
    found = room.window.findChild(object, name)
    assert found is not None, f"no {name}"
    return found


def banner(room, key):
    """What a banner of the form's pane says; `None` where it is not shown."""
    return room.window.form_pane.banners.text(key)
