"""A window on a real store, with bundles imported by the program itself."""

import sys

import pytest
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.window import keys
from desktop_rater.ui.window.startup import GarbageCollector, cover_overrides
from tests.operations.hubs import Team
from tests.pages.servers import HostileServer
from tests.ui.articles import serve
from tests.ui.hubs import assigned, joined_window
from tests.ui.pairs import two_pairs
from tests.ui.reviews import three_raters
from tests.ui.rooms import Clock, Rooms, destroy_hidden, settle

LONGEST_WAIT_MS = 60_000
_OURS = "desktop_rater."


class PatientBot(QtBot):
    """Waits as long as a busy machine may need."""

    def waitUntil(self, callback, *, timeout=LONGEST_WAIT_MS):  # noqa: N802 - the name of pytest-qt
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=LONGEST_WAIT_MS, **named):  # noqa: N802 - as above
        return super().waitSignal(signal, timeout=timeout, **named)


@pytest.fixture
def qtbot(qapp, request):
    return PatientBot(request)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="session", autouse=True)
def look(qapp):
    """The look that the window is measured in, and English figures, whatever the system's are."""
    cover_overrides()
    GarbageCollector(qapp)
    qapp.setStyle("Fusion")
    formatting.use_language("en")
    theme.apply(qapp, theme.Look())


@pytest.fixture(autouse=True)
def keys_of_a_pc(monkeypatch):
    """On macOS too, the tests read the names of a PC; test_mac_keys.py asks for the signs of macOS."""
    monkeypatch.setattr(keys, "on_mac", False)


@pytest.fixture(autouse=True)
def no_widget_is_shown_before_it_has_its_parent(monkeypatch):
    """Until then it is a window of its own, which flashes up and takes the focus."""

    def refuse_strays(original):
        def checked(widget, *visible):
            ours = sys._getframe(1).f_globals["__name__"].startswith(_OURS)
            if ours and visible != (False,) and widget.parent() is None and not isinstance(widget, QMenu):
                assert widget.windowTitle(), f"{widget!r} has no parent yet, and no title as a window has"
            original(widget, *visible)

        return checked

    for name in ("setVisible", "show"):
        monkeypatch.setattr(QWidget, name, refuse_strays(getattr(QWidget, name)))


@pytest.fixture(autouse=True)
def closed_windows_are_gone(qapp):
    """A window that was closed lives on, and each change of look or size would reach it too: the tests would crawl.

    So does a widget that never got a parent, with all that its signals are connected to.
    """
    kept = {widget for widget in qapp.topLevelWidgets() if not isinstance(widget, QMainWindow)}
    yield
    destroy_hidden(kept)
    theme.add_style_sheet()  # where a window could not be built


@pytest.fixture
def rooms(qtbot, tmp_path, clock):
    """Opens windows on the test's store, one after the other, and closes what a test leaves open."""
    opener = Rooms(qtbot, tmp_path, clock)
    yield opener
    opener.close()


@pytest.fixture
def team(tmp_path):
    """A hub in a folder."""
    return Team.in_folder(tmp_path / "hub")


@pytest.fixture
def joined(rooms, team, tmp_path):
    """A window that is connected to it, and has taken in a bundle of one task."""
    assigned(team, tmp_path)
    return joined_window(rooms, team)


@pytest.fixture
def room(rooms):
    """A window with a bundle of two tasks, the first one open: "t1" of three targets, "t2" of one."""
    return rooms.with_tasks()


@pytest.fixture
def wide(room):
    room.window.resize(1440, 900)
    settle()
    return room


@pytest.fixture
def pairs(rooms):
    return two_pairs(rooms)


@pytest.fixture
def server():
    with HostileServer() as server:
        yield server


@pytest.fixture
def page(httpserver):
    return serve(httpserver)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return three_raters(tmp_path_factory.mktemp("raters") / "in")


@pytest.fixture
def view(request, qtbot):
    """A view of a response, in the size that the module wants."""
    view = ResponseView("view")
    qtbot.addWidget(view)
    view.resize(*getattr(request.module, "VIEW_SIZE", (500, 400)))
    view.show()
    return view
