"""Closed windows are destroyed by the GUI thread between its events, not by a worker that allocates."""

from __future__ import annotations

import subprocess
import sys

CHILD = """
import gc, threading
from PySide6.QtWidgets import QLabel, QWidget
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.window.startup import application, process_events_until

destroyed_in = []

class Closed(QWidget):
    def __init__(self):
        super().__init__()
        self.rows = [QLabel("row", self) for _ in range(20)]
        self.itself = self

    def __del__(self):
        destroyed_in.append(threading.current_thread())

class Busy(QWidget):
    def changeEvent(self, event):
        litter()
        super().changeEvent(event)

def litter():
    for _ in range(5_000):
        cycle = []
        cycle.append(cycle)

app = application()
busy = [Busy() for _ in range(10)]
for _ in range(20):
    Closed()
worker = threading.Thread(target=litter)
worker.start()
worker.join()
theme.apply(app, theme.Look("dark"))
assert destroyed_in == [], destroyed_in
assert process_events_until(lambda: len(destroyed_in) == 20)
assert set(destroyed_in) == {threading.main_thread()}, destroyed_in
print("collected")
"""


def test_a_closed_window_is_neither_destroyed_by_a_worker_nor_while_the_look_changes():
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=False)
    assert done.stdout == "collected\n", done.stderr
