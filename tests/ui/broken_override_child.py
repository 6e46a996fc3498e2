"""A window in a process of its own, in whose review room a method that Qt calls raises what the interpreter raises.

`tests.ui.broken_override_child FOLDER`: in FOLDER lies a store with a bundle. One answer is given before and one after;
at the end it prints what the details of the crash report showed.
"""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit

from desktop_rater import app
from desktop_rater.format.values import Place
from desktop_rater.ui.store.window_loop import run_window
from tests.operations.bundles import RATER, noon


def resize(page):
    """While Python waits for Qt: what is raised comes out of this call."""
    page.resize(page.width() + 7, page.height())


def post(page):
    """While nothing but Qt's loop is running."""
    QCoreApplication.postEvent(page, QResizeEvent(page.size(), page.size()))


# Some of these have no message, and one not even a value.
BUGS = (
    (lambda _way: [].pop(), resize),
    (lambda _way: {}["nothing"], resize),
    (lambda _way: next(iter(())), resize),
    (lambda way: way.nothing, resize),
    (lambda _way: 1 // 0, post),
)


class Story:
    """Goes on whenever that is so what it waits for: the window's own loop runs, and no other."""

    def __init__(self, room):
        self.room, self.steps = room, self.play()
        self.there = next(self.steps)
        self.timer = QTimer(room.window)
        self.timer.timeout.connect(self.go_on)
        self.timer.start(0)

    def go_on(self):
        if self.there():
            self.there = next(self.steps)

    def play(self):
        room = self.room
        yield lambda: room.session.task is not None
        yield self.answered(0, "yes")
        assert "desktop_rater.ui.review.results_page" not in sys.modules, "a rater's window loads no room of a lead"
        room.preferences.set("role", "lead")
        room.screens.go("review")
        page = room.screens.screen("review").results
        yield page.isVisible
        row, reported = page._row, []
        room.perform.crashed.connect(reported.append)
        for bug, cause in BUGS:
            page._row = SimpleNamespace(setDirection=bug)  # what the page's resizeEvent lays out
            QTimer.singleShot(0, page, lambda cause=cause: cause(page))
            yield lambda: bool(reported)
            page._row = row
            reported.clear()
        room.window.parts["crash"].show_details()
        text = room.window.parts["crash"].dialog.findChild(QPlainTextEdit, "crash_details").toPlainText()
        room.window.parts["crash"].dialog.reject()
        shown = text.split("\n\n")[:-1]
        room.screens.go("rate")
        yield self.answered(1, "no")
        sys.stdout.write(json.dumps(shown) + "\n")
        self.timer.stop()
        room.window.close()
        yield lambda: True

    def answered(self, at, value):
        session = self.room.session
        target = session.task.targets[at]
        session.go_to(Place(target.response, target.id))
        session.answer("factual", value)
        return lambda: not self.room.saver.unsaved


def main(folder):
    stories = []

    def furnished(kept, updated, window):
        room = app.build_application(folder, rater=RATER, now=noon, settings=kept, updated=updated, window=window)
        stories.append(Story(room))
        return room

    return run_window(folder, furnished, now=noon)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
