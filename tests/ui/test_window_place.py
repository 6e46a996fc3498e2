"""The window comes back where it was, with its frame within the screen."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rater import app
from desktop_rater.operations.rating.settings_file import read_settings, write_settings
from desktop_rater.settings import Settings
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.startup import paint_first
from desktop_rater.ui.window.window_place import keep_within_screen, place_window
from tests.operations.bundles import noon
from tests.ui.rooms import press


class Window(QWidget):
    """A window that would like to be larger or smaller than the screen."""

    def __init__(self, size):
        super().__init__()
        self.setWindowTitle("Window")
        self._size = size

    def sizeHint(self):  # noqa: N802 - a method of Qt
        return self._size


@pytest.fixture
def screen(qapp):
    return qapp.primaryScreen().availableGeometry()


def started(rooms):
    """A window on the store as the program opens it, with its settings file."""
    folder = rooms.folder / "store"
    first = paint_first(folder, now=noon)
    room = app.build_application(folder, rater="r-1", now=noon, settings=first.settings, window=first.window)
    rooms.open_now.append(room)
    return room


def test_size_and_place_are_kept_until_the_next_start(rooms, screen):
    room = started(rooms)
    place = QRect(screen.left() + 20, screen.top() + 30, 730, 460)
    room.window.showNormal()
    room.window.setGeometry(place)
    rooms.shut(room)
    room = started(rooms)
    assert room.window.geometry() == place
    assert not room.window.isMaximized()
    room.window.showMaximized()
    rooms.shut(room)
    room = started(rooms)
    assert room.window.isMaximized()
    assert room.window.normalGeometry() == place, "it becomes so large again when it is no longer maximised"


def test_a_place_that_no_screen_shows_is_moved_in(rooms, screen):
    away = Window(QSize(400, 300))
    away.setGeometry(screen.right() + 5_000, screen.bottom() + 5_000, 740, 470)
    stored = Settings(window_place=away.saveGeometry().toBase64().toStdString())
    write_settings(rooms.folder / "store" / "settings.json", stored, {})
    room = started(rooms)
    assert screen.contains(room.window.frameGeometry())


def test_full_screen_is_not_how_the_next_day_begins(rooms):
    room = started(rooms)
    room.window.showNormal()
    press("F11")
    assert room.window.isFullScreen()
    rooms.shut(room)
    settings = read_settings(rooms.folder / "store" / "settings.json", now=noon()).settings
    again = Window(QSize(400, 300))
    place_window(again, settings.window_place)
    assert not again.isFullScreen()


def test_the_first_size_has_room_for_the_frame(screen, qtbot):
    small = Window(QSize(400, 300))
    place_window(small, "")
    assert small.size() == QSize(400, 300)
    for size in (screen.size(), QSize(screen.width(), 300)):
        large = Window(size + QSize(10, 0))
        place_window(large, "")
        assert large.windowState() & Qt.WindowState.WindowMaximized
    qtbot.addWidget(small)
    small.setGeometry(screen.right() - 100, screen.bottom() - 100, screen.width() + 50, 300)
    small.show()
    keep_within_screen(small)
    assert screen.contains(small.frameGeometry())


def test_ten_steps_of_zoom_are_laid_out_once_and_shown_when_complete(room, rooms, qapp):
    changes = []
    applied = theme._current()
    applied.changed.connect(lambda: changes.append(room.window.updatesEnabled()))
    press(*["Ctrl++"] * 10)
    assert room.preferences.now.zoom == 200
    rooms.qtbot.waitUntil(lambda: theme.look().zoom == 200)
    assert changes == [False], "one layout, which is not painted before it is complete"
    assert room.window.updatesEnabled()
    applied.changed.disconnect()
    theme.apply(qapp, theme.Look())


SMALL_SCREEN = """
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget
from desktop_rater.ui.window import startup, window_place
from desktop_rater.ui.window.main_window import MainWindow

app = startup.application(styled=False)
window = MainWindow()
screen = window.screen().availableGeometry()
window_place.place_window(window, "")
for show in (window.show, window.showNormal, window.showMaximized):
    show()
    app.processEvents()
    window_place.keep_within_screen(window)
    assert screen.contains(window.frameGeometry()), (screen, window.frameGeometry())
window.showNormal()
window.resize(100, 100)
app.processEvents()
print(screen.width(), screen.size().expandedTo(window.frameGeometry().size()) == screen.size(), window.width() == 720)
"""


@pytest.mark.parametrize(("scale", "fits"), [("1", "800 True True"), ("2", "400 True False")])
def test_the_window_fits_a_screen_at_any_scale(tmp_path, scale, fits):
    variables = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale, "HOME": str(tmp_path)}
    child = subprocess.run(
        [sys.executable, "-c", SMALL_SCREEN],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.stdout.strip() == fits, child.stderr


def test_a_dialog_that_is_higher_than_its_window_scrolls(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(420, 300)
    window.show()
    dialog = WindowDialog(window, "tall", "Tall")
    column = QVBoxLayout(dialog)
    for number in range(30):
        column.addWidget(QLabel(f"Line {number}"))
    button = QPushButton("Close")
    column.addWidget(button)
    for _time in range(2):
        dialog.open_with(300)
        qtbot.waitExposed(dialog)
        assert dialog.height() <= 268
        areas = dialog.findChildren(QScrollArea)
        assert len(areas) == 1
        areas[0].ensureWidgetVisible(button)
        assert not button.visibleRegion().isEmpty()
        dialog.reject()
