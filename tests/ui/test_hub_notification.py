"""The desktop says that work has arrived while the rater is elsewhere, and nothing of what it says."""

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.hubs import assigned, settled


@pytest.fixture
def elsewhere(rooms, joined):
    """Another window that has the keys."""
    other = QWidget()
    other.setWindowTitle("Another program")
    other.show()
    other.activateWindow()
    rooms.qtbot.waitUntil(lambda: QApplication.activeWindow() is other)
    yield other
    other.deleteLater()


@pytest.fixture
def messages(joined):
    shown = []
    joined.hub.notifier.notified.connect(shown.append)
    return shown


def receive(rooms, room, team, tmp_path, *names):
    for name in names:
        assigned(team, tmp_path, name)
    room.hub.sync()
    rooms.qtbot.waitUntil(lambda: len(room.hub.exchange.hub_state.arrivals) > len(names))
    settled(rooms, room)


def test_work_that_arrives_in_the_background_is_said_once(rooms, joined, team, tmp_path, elsewhere, messages):
    receive(rooms, joined, team, tmp_path, "second", "third")
    assert messages == ["2 bundles have arrived."]
    joined.hub.sync()
    settled(rooms, joined)
    assert len(messages) == 1


def test_nothing_is_said_to_a_rater_who_is_looking(rooms, joined, team, tmp_path, messages):
    receive(rooms, joined, team, tmp_path, "second")
    assert messages == []


def test_it_can_be_switched_off(rooms, joined, team, tmp_path, elsewhere, messages):
    joined.preferences.set("notify", "off")
    receive(rooms, joined, team, tmp_path, "second")
    assert messages == []
