"""The window is on the screen before what costs time is loaded, and becomes the very window that is worked in."""

import json
import subprocess
import sys

from PySide6.QtWidgets import QAbstractButton

from desktop_rater import app
from desktop_rater.paths import sample_bundle_path
from desktop_rater.ui.window.startup import paint_first
from tests.operations.bundles import noon, take_in, writer
from tests.ui.window_parts import WindowParts

HEAVY = {"sqlite_utils", "rapidfuzz", "filelock", "httpx", "httpcore", "trafilatura", "bs4", "lxml", "nh3", "pypdf"}


def loaded_by(script):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_first_painting_loads_no_library_that_costs_time(tmp_path):
    loaded = loaded_by(
        "import os, sys, json; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from pathlib import Path; from desktop_rater.cli.root import main\n"
        "from desktop_rater.format.values import utc_now; from desktop_rater.ui.window.startup import paint_first\n"
        f"first = paint_first(Path({str(tmp_path)!r}), now=utc_now); assert first.window.isVisible()\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    assert "PySide6" in loaded
    assert not {name.split(".")[0] for name in loaded} & {*HEAVY, "sqlite3", "tomllib"}
    assert not loaded & {"desktop_rater.rubric", "desktop_rater.store"}


LATER = {
    *("audit", "format.archive", "cli.audit", "http.client", "hub.interface", "plugins.scoring.client"),
    *("plugins.scoring.screen", "stats", "store.backups", "store.received", "ui.rating.guidelines"),
    *("text.comparison", "ui.hub.dialog", "ui.report", "ui.review", "ui.start.screen", "ui.pages.preview_pane"),
    *("ui.store.rescue_page", "ui.window.key_dialogs", "ui.window.settings_dialog", "operations.audit"),
    *("operations.bundles.import_bundle", "operations.hub.connect", "operations.hub.keys", "operations.hub.sync"),
    *("operations.rating.export", "operations.self_test", "operations.store.backup", "text.quotes", "text.sentences"),
}
MOST_MODULES = 204  # of this program


def test_a_task_is_opened_with_nothing_loaded_that_is_needed_later(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, sample_bundle_path())
    loaded = loaded_by(
        "import os, sys, json, linecache; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from pathlib import Path; from desktop_rater.ui.window.startup import process_events_until\n"
        "from desktop_rater import app; from desktop_rater.format.values import utc_now; app.application()\n"
        f"room = app.build_application(Path({str(tmp_path)!r}) / 'store', rater='r-1', now=utc_now)\n"
        "room.window.show(); assert process_events_until(lambda: room.session.task is not None)\n"
        "names = sorted({*sys.modules, *(f'source {name}' for name in linecache.cache)})\n"
        "print(json.dumps(names)); room.close()"
    )
    ours = {name.removeprefix("desktop_rater.") for name in loaded if name.startswith("desktop_rater.")}
    assert "store.store" in ours
    assert not ours & LATER
    assert len(ours) <= MOST_MODULES
    libraries = {name.split(".")[0] for name in loaded}
    assert not libraries & {*HEAVY - {"filelock"}, "click", "ctypes", "dateutil", "email", "importlib.metadata"}
    read = [name for name in loaded if name.startswith("source ") and "desktop_rater" in name]
    assert read == [], "PySide reads the source of what is imported"


def test_the_content_of_the_window_is_built_without_a_style_sheet_and_styled_once(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, sample_bundle_path())
    script = (
        "import os, json; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from pathlib import Path; from PySide6.QtCore import QEvent, QObject\n"
        "from desktop_rater.format.values import utc_now\n"
        "from desktop_rater.ui.window.startup import paint_first, process_events_until\n"
        f"folder = Path({str(tmp_path)!r}) / 'store'; first = paint_first(folder, now=utc_now)\n"
        "from PySide6.QtWidgets import QApplication; from desktop_rater import app; told = []\n"
        "class Filter(QObject):\n"
        "    def eventFilter(self, watched, event):\n"
        "        told.append(watched.isWidgetType() and event.type() == QEvent.Type.StyleChange); return False\n"
        "qt = QApplication.instance(); before = qt.styleSheet(); events = Filter(); qt.installEventFilter(events)\n"
        "room = app.build_application(folder, rater='r-1', now=utc_now, window=first.window, settings=first.settings)\n"
        "widgets, changes = len(qt.allWidgets()), sum(told); opened = []\n"
        "room.session.opened.connect(lambda: opened.append(room.session.task is not None))\n"
        "assert process_events_until(lambda: room.session.task is not None); room.close()\n"
        "print(json.dumps([before, bool(qt.styleSheet()), widgets, changes, opened]), flush=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    before, styled, widgets, changes, opened = json.loads(done.stdout.splitlines()[-1])
    assert before == ""
    assert styled
    assert changes < 2 * widgets, "each widget is told of its style about once, not once for each of its ancestors"
    assert opened == [True], "the views are filled once, with the first task"


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


def test_the_window_is_painted_before_the_commands_are_loaded_and_a_command_without_a_window(tmp_path):
    loaded = loaded_by(
        "import os, sys, json; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from desktop_rater.cli.frame import paint_frame, window_words\n"
        f"words = window_words(['--store', {str(tmp_path)!r}]); assert paint_frame(words[0]).window.isVisible()\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    assert not loaded & {"click", "desktop_rater.cli.root", "desktop_rater.rubric", "desktop_rater.ui.widgets.labels"}
    loaded = loaded_by(
        "import os, sys, json; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from desktop_rater.cli.frame import open_early; from desktop_rater.cli.root import main\n"
        "for words in (['--version'], ['stats', '--help'], ['--store', '--help'], ['--store', 'x', 'status']):\n"
        "    assert open_early(words) is None\n"
        "assert main(['--version']) == 0; print(json.dumps(sorted(sys.modules)))"
    )
    assert not {name.split(".")[0] for name in loaded} & {"PySide6", "sqlite_utils", "sqlite3", "tomllib"}
