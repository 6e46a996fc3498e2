"""A screen reader on a real accessibility bus finds, hears and answers what a rater sees."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from desktop_rater.operations.rating.settings_file import write_settings
from desktop_rater.paths import resources
from desktop_rater.settings import Settings

HERE = Path(__file__).parent
PATIENCE = 180


@cache
def python_with_bindings():
    """The Python that has the bindings of AT-SPI: often the system's own, seldom that of a virtual environment."""
    for python in (sys.executable, "/usr/bin/python3"):
        script = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
        if Path(python).exists():
            tried = subprocess.run([python, "-c", script], check=False, capture_output=True)
            if tried.returncode == 0:
                return python
    return None


@cache
def missing():
    """What a machine lacks for these tests, or nothing."""
    for tool in ("dbus-run-session", "Xvfb"):
        if shutil.which(tool) is None:
            return tool
    if not any(Path(folder, "at-spi-bus-launcher").exists() for folder in ("/usr/libexec", "/usr/lib/at-spi2-core")):
        return "at-spi2-core"
    return None if python_with_bindings() else "the Python bindings of AT-SPI"


pytestmark = [pytest.mark.slow, pytest.mark.skipif(missing() is not None, reason=f"{missing()} is not installed")]


@pytest.fixture
def play(tmp_path):
    """Plays steps of a screen reader on the sample of a rubric, in the program itself on a display of its own."""

    def on_sample(rubric, *steps):
        store = tmp_path / "store"
        program = [sys.executable, "-m", "desktop_rater", "--store", str(store)]
        subprocess.run([*program, "import", str(resources() / "samples" / f"{rubric}-sample.zip")], check=True)
        write_settings(store / "settings.json", Settings(rater="Maria", language="en"), {})
        from_start = [("press", ", Enter"), *steps]  # the program begins at its start page
        reader = [python_with_bindings(), str(HERE / "screen_reader.py"), json.dumps(from_start)]
        ended = subprocess.run(
            ["dbus-run-session", "--", sys.executable, "-m", "tests.ui.desktop_session", json.dumps([program, reader])],
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={**os.environ, "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"},
            cwd=HERE.parents[1],
        )
        assert ended.returncode == 0, ended.stderr[-8000:]
        heard = json.loads(ended.stdout.splitlines()[-1])  # the bus itself writes above it
        return heard["said"][1:], heard["announced"]

    return on_sample


def test_a_target_is_found_answered_and_left(play):
    said, announced = play(
        "span-factuality",
        ("find", "list item", "1 of 8", "current, to do"),
        ("answer", "factual information", "Yes, Y"),
        ("answer", "common knowledge", "Yes, and right"),
        ("answer", "How accurate is it?", "Accurate, A"),
        ("announced", "Accurate"),
        ("press", "Enter"),
        ("find", "list item", "2 of 8, current"),
        ("find", "list item", "1 of 8", "Accurate"),
    )
    assert said[1] == [
        "Does this sentence attempt to convey any factual information?",
        "current question",
        "Yes, Y, 1 of 2",
    ]
    assert "Accurate" in announced


def test_a_question_of_a_pair_is_found_and_answered(play):
    said, _announced = play(
        "side-by-side",
        ("reach", "Needed tool failed?"),
        ("answer", "Needed tool failed?", "Yes"),
        ("find", "push button", "Failed tools, Yes"),
        ("answer", "Does it punt?", "No"),
    )
    assert said[1][2].startswith("Yes")
    assert "1 of 2" in said[1][2]


def test_a_scale_is_heard_with_its_meaning_and_answered(play):
    said, _announced = play(
        "response-quality",
        ("answer", "follows from the context", "3, About half"),
        ("answer", "answer what was asked", "5, Perfectly relevant"),
    )
    assert "3 of 5" in said[0][2]
