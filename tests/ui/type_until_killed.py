"""A window in a process of its own in which text is typed without a pause, and which says what was typed when.

`python -m tests.ui.type_until_killed FOLDER SEED`: FOLDER holds a store with a bundle in it. It prints `["begun"]`, and
after each key `["typed", FIELD, TEXT, SECONDS]`: the name of the field, all of its text, and the time. It types into a
comment and into the bars that ask for a text, each for a while.
"""

import json
import os
import random
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from desktop_rater import app
from desktop_rater.format.values import utc_now
from desktop_rater.ui.window.screens import RATE

RATER = "killed"
BARS = {"note": "word_bar_field", "skip": "skip_comment"}  # actions that ask for a text, and the field


class Typist(QObject):
    """Types into a window like a rater who does not pause."""

    def __init__(self, room: app.Application, dice: random.Random) -> None:
        super().__init__(room.window)
        self._room, self._dice = room, dice
        self._keys = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._type)
        self._timer.start(10)

    def _type(self) -> None:
        room = self._room
        room.screens.go(RATE)
        if room.session.task is None or not room.window.isActiveWindow():
            return
        field = QApplication.focusWidget()
        if not isinstance(field, (QLineEdit, QPlainTextEdit)):
            self._open_field()
            return
        QTest.keyClicks(field, self._dice.choice("abcdefg hij"))
        self._timer.setInterval(self._dice.randrange(1, 60))
        text = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
        if not self._keys:
            say("begun")
        self._keys += 1
        say("typed", field.objectName(), text, time.monotonic())
        if self._keys % 60 == 0:
            QTest.keyClick(field, Qt.Key.Key_Escape)  # another field is next

    def _open_field(self) -> None:
        room = self._room
        name = self._dice.choice(("write", "write", *BARS))
        room.session.answer("factual", "yes")  # which asks for a comment
        room.commands.actions[name].trigger()
        if name in BARS:
            field = room.window.findChild(QLineEdit, BARS[name])
            assert field is not None
            field.setFocus()


def say(*line: object) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run until this process is killed, or is asked to quit."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    dice = random.Random(seed)
    sys.exit(app.open_window(folder, rater=RATER, now=utc_now, prepare=lambda room: Typist(room, dice)))


if __name__ == "__main__":
    main()
