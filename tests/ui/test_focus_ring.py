"""The ring around the control that the keys go to lives and ends with its window."""

import subprocess
import sys

SCRIPT = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtWidgets import QMainWindow, QPushButton
from desktop_rater.ui.window.startup import application
from desktop_rater.ui.window.focus import FocusRing
app = application()
for _ in range(20):
    window = QMainWindow()
    window.setCentralWidget(QPushButton("Go"))
    ring = FocusRing(window)
    window.show()
    window.activateWindow()
    window.centralWidget().setFocus()
    app.processEvents()
    assert ring.widget() is window.centralWidget()
    del ring
    window.deleteLater()
    del window
"""


def test_windows_that_are_thrown_away_with_the_focus_on_a_button_take_nothing_with_them():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
