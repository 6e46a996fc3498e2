"""The window is on the screen before what costs time is loaded, and becomes the very window that is worked in."""

import json
import subprocess
import sys

from PySide6.QtWidgets import QAbstractButton

from desktop_rater import app
from desktop_rater.ui.window.startup import paint_first
from tests.ui.window_parts import WindowParts
from tests.work.bundles import noon

HEAVY = {"sqlite_utils", "rapidfuzz", "filelock", "httpx", "httpcore", "trafilatura", "bs4", "lxml", "nh3", "pypdf"}


def loaded_by(script):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_first_painting_loads_no_library_that_costs_time(tmp_path):
    loaded = loaded_by(
        "import os, sys, json; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from pathlib import Path; from desktop_rater.cli.root import main\n"
        "from desktop_rater.model.values import utc_now; from desktop_rater.ui.window.startup import paint_first\n"
        f"first = paint_first(Path({str(tmp_path)!r}), now=utc_now); assert first.window.isVisible()\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    assert "PySide6" in loaded
    assert not loaded & HEAVY


def test_an_open_window_has_loaded_nothing_that_reads_pages(tmp_path):
    loaded = loaded_by(
        "import os, sys, json; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from pathlib import Path; from desktop_rater import app; from desktop_rater.model.values import utc_now\n"
        "app.application()\n"
        f"room = app.build_application(Path({str(tmp_path)!r}) / 'store', rater='r-1', now=utc_now)\n"
        "room.window.show()\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules}))); room.close()"
    )
    assert "sqlite_utils" in loaded
    assert not loaded & {"httpx", "httpcore", "trafilatura", "bs4", "lxml", "nh3", "pypdf"}


def test_the_frame_that_was_shown_first_is_the_window(rooms, qtbot, tmp_path):
    first = paint_first(tmp_path / "store", now=noon)
    assert first.window.isVisible()
    room = app.build_application(tmp_path / "store", rater="r-1", now=noon, window=first.window)
    rooms.open_now.append(room)
    assert room.window is first.window
    qtbot.waitUntil(WindowParts(room).empty_page.isVisible)
    assert WindowParts(room).panes_page.fold is not None, "the panes know how much room there is"
    for name in ("first_sample", "first_practice_scales", "first_palette", "find_action"):
        button = first.window.findChild(QAbstractButton, name)
        assert button is not None, name
        assert button.isVisible(), f"{name} is there although the frame was shown before its action was made"


def test_a_frame_that_is_not_furnished_is_not_closed_under_the_program(qtbot, tmp_path):
    first = paint_first(tmp_path, now=noon)
    closed = []
    first.window.closed.connect(lambda: closed.append(True))
    first.window.close()
    assert not closed
    first.window.deleteLater()
