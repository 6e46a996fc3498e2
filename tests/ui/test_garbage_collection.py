"""Closed windows are destroyed by the GUI thread between its events, not by a worker that allocates."""

import gc
import subprocess
import sys

from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater import app
from tests.ui.rooms import destroy_hidden

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


SETTLED = """
import gc
from desktop_rater.ui.window.startup import GarbageCollector
from desktop_rater.ui.window.startup import application

collector = application().findChild(GarbageCollector)
kept = [[number] for number in range(50_000)]
counted = []
get_objects = gc.get_objects
gc.get_objects = lambda generation: counted.append(generation) or get_objects(generation=generation)
full = lambda: gc.get_stats()[2]["collections"]

def work(seconds):
    for _ in range(seconds):
        gc.collect(1)  # as after enough work in a second
        collector._collect_due_generation()

work(20)
assert full() == 0 < gc.get_freeze_count(), "the first objects, which stay, are set aside"
counted.clear()
before = full()
work(100)
assert full() == before, "nothing has grown"
assert len(counted) <= 10, counted
kept += [[number] for number in range(200_000)]
work(20)
assert full() == before + 1, "they have grown"
print("settled")
"""


def test_many_objects_that_stay_are_not_gone_through_every_second():
    done = subprocess.run([sys.executable, "-c", SETTLED], capture_output=True, text=True, check=False)
    assert done.stdout == "settled\n", done.stderr


def alive():
    """Return how many widgets there are after a test, and how many objects of Python that were widgets or windows."""
    destroy_hidden()
    gc.collect()
    kinds = [type(each) for each in gc.get_objects()]
    return len(QApplication.allWidgets()), sum(issubclass(kind, QWidget) or kind is app.Application for kind in kinds)


def test_windows_of_finished_tests_are_destroyed(rooms):
    rooms.shut(rooms.with_tasks())
    before = alive()
    for _ in range(3):
        rooms.wait_for_task(rooms.empty())
        rooms.shut(rooms.open_now[0])
    assert alive() == before
