"""Count the files of the program that are entered on three ways of a user, in a process of its own.

A file counts when one of its functions runs on the window's thread or on one that starts meanwhile; what an import runs
does not count. Prints a JSON object: way → files.
"""

import json
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import desktop_rater
from desktop_rater.app import application, build_application
from desktop_rater.ui.store.connections import BackupRunner
from desktop_rater.ui.window.startup import process_events_until

PROGRAM = str(Path(desktop_rater.__file__).parent) + "/"
QUIET_MS = 1_500  # what follows the painting: rows in idle time, the next task, a place that is kept


entered = set()


def follow(frame, event, _arg):
    """Note the file of a function; threads that start meanwhile go on with it."""
    code = frame.f_code
    is_function = event == "call" and code.co_flags & 1 and code.co_name != "<module>"
    if is_function and code.co_filename.startswith(PROGRAM):
        entered.add(code.co_filename.removeprefix(PROGRAM))


def files_of_way():
    """Return the files since the last call, in which a way began."""
    files = sorted(entered)
    entered.clear()
    return files


def main(folder):
    application()
    threading.setprofile(follow)
    sys.setprofile(follow)
    built = build_application(Path(folder), rater="sample", now=lambda: datetime.now(UTC))
    built.window.resize(1366, 768)
    built.window.show()
    QTest.qWait(QUIET_MS)
    ways = {"empty window": files_of_way()}
    built.transfer.open_sample()
    process_events_until(lambda: built.session.task is not None)
    QTest.qWait(QUIET_MS)
    ways["sample to its first task"] = files_of_way()
    built.commands.actions["leave"].trigger()
    built.window.form_pane.setFocus()
    backups = built.window.findChild(BackupRunner)
    assert backups is not None
    backups.start_later()  # it would begin meanwhile
    before = built.session.rating.answers
    entered.clear()
    QTest.keyClick(QApplication.focusWidget() or built.window, Qt.Key.Key_Y)
    QTest.qWait(QUIET_MS)
    ways["key Y"] = files_of_way()
    sys.setprofile(None)
    assert built.session.rating.answers != before, "the key changed nothing"
    built.window.close()
    process_events_until(lambda: not built.window.isVisible())
    built.close()
    sys.stdout.write(f"{json.dumps(ways)}\n")


main(sys.argv[1])
