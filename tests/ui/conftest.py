"""A window on a real store, with bundles imported by the program itself."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from desktop_rater.ui import spelling, theme  # Qt may be loaded only now
from tests.ui.rooms import Clock, Rooms


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="session", autouse=True)
def look(qapp):
    """The look that the window is measured in, and English figures, whatever the system's are."""
    qapp.setStyle("Fusion")
    spelling.use("en")
    theme.apply(qapp, theme.Look())


@pytest.fixture
def rooms(qtbot, tmp_path, clock):
    """Opens windows on the test's store, one after the other, and closes what a test leaves open."""
    opener = Rooms(qtbot, tmp_path, clock)
    yield opener
    opener.close()


@pytest.fixture
def room(rooms):
    """A window with a bundle of two tasks, the first one open: "t1" of three targets, "t2" of one."""
    return rooms.with_tasks()
