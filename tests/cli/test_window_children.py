"""What a window starts, such as a browser or the engine that shows pages of strangers, inherits none of its secrets."""

import os
import subprocess
import sys

from desktop_rater.operations.credentials import MODEL_KEY_VARIABLE
from desktop_rater.operations.hub.connect import HUB_PASSWORD_VARIABLE
from desktop_rater.operations.hub.keys import PASS_PHRASE_VARIABLE

# In the place of the window's loop: what a child that is started in the usual ways is given, and what the window has.
WINDOW = """
import os, subprocess, sys
from pathlib import Path
from PySide6.QtCore import QProcess
from desktop_rater import app
from desktop_rater.cli.frame import open_window

ASK = [sys.executable, "-c", "import os; print(sorted(n for n, v in os.environ.items() if 'canary' in v))"]

def instead(folder, files, *, now, first, hand_over):
    child = QProcess()
    child.start(ASK[0], ASK[1:])
    assert child.waitForFinished(20_000)
    by_qt = bytes(child.readAllStandardOutput()).decode().strip()
    print(by_qt, subprocess.run(ASK, capture_output=True, text=True, check=True).stdout.strip())
    print(sorted(name for name, value in os.environ.items() if "canary" in value))
    return 0

app.open_desktop_window = instead
sys.exit(open_window(Path(sys.argv[1])))
"""


def test_no_child_of_a_window_inherits_a_secret_and_the_window_still_has_it(tmp_path):
    names = sorted((HUB_PASSWORD_VARIABLE, MODEL_KEY_VARIABLE, PASS_PHRASE_VARIABLE))
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **dict.fromkeys(names, "a canary")}
    line = [sys.executable, "-c", WINDOW, str(tmp_path / "store")]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert not [line for line in done.stderr.splitlines() if "font" not in line], "Qt misses its fonts on Windows"
    assert done.stdout.splitlines() == ["[] []", repr(names)]
