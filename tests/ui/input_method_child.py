"""A window in which a rater writes with an input method: `python -m tests.ui.input_method_child FOLDER`.

It needs a display with a window manager, and ibus with the engine Anthy in its mode Hiragana. Keyboard and mouse are
those of the display, moved by xdotool. At the end, written.json in FOLDER has the texts in the store after each step.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from desktop_rater import app
from tests.operations.bundles import task
from tests.ui.rooms import Clock, Rooms, part

LONGEST_WAIT_MS = 30_000
TYPED, COMPOSED = "nihongo", "にほんご"
BEGUN_TYPED, BEGUN = "nihonn", "にほん"


class Waiter:
    """Waits as pytest-qt does, without pytest."""

    def waitUntil(self, condition, *, timeout=LONGEST_WAIT_MS):  # noqa: N802 - the name of pytest-qt
        end = time.monotonic() + timeout / 1000
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


class Composition(QObject):
    """The text that the input method is composing in a field."""

    def __init__(self, field):
        super().__init__(field)
        self.text = ""
        field.installEventFilter(self)

    def eventFilter(self, watched, event):  # noqa: N802 - the name of Qt
        if isinstance(event, QInputMethodEvent):
            self.text = event.preeditString()
        return False


class Writer:
    """A rater at the keyboard and the mouse of the display."""

    def __init__(self, folder):
        waiter = Waiter()
        self.wait = waiter.waitUntil
        self.rooms = Rooms(waiter, folder, Clock())  # ty: ignore[invalid-argument-type] - it only waits
        self.room = self.rooms.with_tasks(task("t1", "One.", "Two.", "Three.", "Four.", "Five."), task("t2"))
        self.written = {}

    def run(self, *command):
        """Run a program while the window responds to it; return what it printed."""
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            self.wait(lambda: program.poll() is not None)
            assert program.returncode == 0, command
            assert program.stdout is not None
            return program.stdout.read().strip()

    def press(self, *keys):
        self.run("xdotool", "key", *keys)

    def click(self, widget):
        place = widget.mapToGlobal(widget.rect().center())
        self.run("xdotool", "mousemove", str(place.x()), str(place.y()), "click", "1")

    def open_field(self, key, name):
        """Open a field by its key, and return it."""
        self.press(key)
        self.wait(lambda: part(self.room, name).hasFocus())
        return part(self.room, name)

    def open_comment(self):
        self.press("y")
        return self.open_field("w", "text_comment")

    def compose(self, field, typed=TYPED, composed=COMPOSED):
        """Type in Latin letters until the input method shows kana in a field."""
        composition = Composition(field)
        self.run("xdotool", "type", "--delay", "20", typed)
        self.wait(lambda: composition.text == composed)
        return composition

    def stored(self, name, target):
        """Return a comment, read from the store past the window."""
        self.wait(lambda: not self.room.saver.unsaved)
        return self.rooms.stored(name).answers.targets[target].get("comment")

    def go_to(self, target):
        self.press("j")
        self.wait(lambda: self.room.session.place.target == target)

    def leave_by_click(self):
        field = self.open_comment()
        self.compose(field)
        self.click(part(self.room, "response_text_a"))
        self.wait(lambda: not field.hasFocus())
        self.written["click"] = self.stored("t1", "s1")

    def leave_by_shortcut(self):
        """Leave a comment while the input method shows a conversion of what was typed."""
        field = self.open_comment()
        composition = self.compose(field)
        self.press("space")
        self.wait(lambda: composition.text not in {"", COMPOSED})
        self.written["converted"] = composition.text
        self.press("ctrl+Return")
        self.wait(lambda: not field.hasFocus())
        self.written["shortcut"] = self.stored("t1", "s2")

    def take_offer(self):
        """Commit the beginning of an earlier comment, and accept the comment that is offered."""
        field = self.open_comment()
        self.compose(field, BEGUN_TYPED, BEGUN)
        self.press("Return")
        self.wait(lambda: field.toPlainText() == BEGUN)
        self.wait(lambda: part(self.room, "offers").isVisible())
        self.written["offered"] = [row.title for row in part(self.room, "offers").rows.rows]
        self.press("Tab")
        self.wait(lambda: field.toPlainText() != BEGUN)
        self.press("Escape")
        self.wait(lambda: not field.hasFocus())
        self.written["offer"] = self.stored("t1", "s3")

    def leave_window(self):
        field = self.open_comment()
        self.compose(field)
        window = self.run("xdotool", "getactivewindow")
        self.run("xdotool", "windowminimize", window)
        self.wait(lambda: QApplication.activeWindow() is None)
        self.written["window"] = self.stored("t1", "s4")
        self.run("xdotool", "windowactivate", window)
        self.wait(self.room.window.isActiveWindow)
        self.press("Escape")
        self.wait(lambda: not field.hasFocus())

    def leave_task(self):
        self.compose(self.open_comment())
        self.press("ctrl+Next")
        self.rooms.wait_for_task(self.room, "t2")
        self.written["task"] = self.stored("t1", "s5")

    def keep_note(self):
        """Click a button that does not take the focus."""
        field = self.open_field("m", "word_bar_field")
        self.compose(field)
        self.click(part(self.room, "word_bar_keep"))
        self.wait(lambda: not field.isVisible())
        self.wait(lambda: not self.room.saver.unsaved)
        self.written["button"] = self.rooms.stored("t2").note

    def close_window(self):
        self.compose(self.open_comment())
        self.press("alt+F4")
        self.wait(lambda: not self.room.window.isVisible())
        self.written["close"] = self.stored("t2", "s1")
        self.room.close()

    def play(self):
        self.leave_by_click()
        self.go_to("s2")
        self.leave_by_shortcut()
        self.go_to("s3")
        self.take_offer()
        self.go_to("s4")
        self.leave_window()
        self.go_to("s5")
        self.leave_task()
        self.keep_note()
        self.close_window()


def main() -> None:
    folder = Path(sys.argv[1])
    application = app.application()
    writer = Writer(folder)
    assert application.platformName() == "xcb"
    writer.play()
    (folder / "written.json").write_text(json.dumps(writer.written), encoding="utf-8")


if __name__ == "__main__":
    main()
