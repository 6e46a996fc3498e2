"""A bug in a method that Qt calls is shown as any other and ends nothing, also where the interpreter itself raises."""

import importlib
import json
import pkgutil
import subprocess
import sys
from inspect import signature
from pathlib import Path
from types import FunctionType

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QPushButton
from shiboken6 import Shiboken

import desktop_rater
from desktop_rater.ui.window.startup import NEEDS_COVER, subclasses_of
from tests.operations.bundles import make, task, writer
from tests.operations.bundles import take_in as import_into

ROOT = Path(__file__).parents[2]

needs_cover = pytest.mark.skipif(not NEEDS_COVER, reason="this Python and this PySide lose no exception")


def test_a_bug_in_a_method_that_qt_calls_is_shown_and_nothing_is_lost(rooms, tmp_path):
    with writer(tmp_path / "store") as store:
        import_into(store, make(tmp_path / "bundle.zip", [task("t1", "Paris is a city.", "It lies on the Loire.")]))
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.broken_override_child", str(tmp_path / "store")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    shown = json.loads(done.stdout.splitlines()[-1])
    kinds = ["IndexError", "KeyError", "StopIteration", "AttributeError", "ZeroDivisionError"]
    assert list(dict.fromkeys(text.splitlines()[0] for text in shown)) == kinds
    assert all("ui/review/results_page.py" in text for text in shown)
    stored = rooms.stored("t1").answers.targets
    assert [answers["factual"] for answers in stored.values()] == ["yes", "no"]


def whole_program():
    """Everything of ours that Qt knows, the rooms that are loaded late among it."""
    for module in pkgutil.walk_packages(desktop_rater.__path__, "desktop_rater."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                if "WebEngine" not in str(error.name):  # which an installation may lack
                    raise
    return {kind for kind in subclasses_of(Shiboken.Object) if kind.__module__.startswith("desktop_rater.")}


def overrides(kind):
    """Each method that stands in for one of Qt, with the class that it is written in, which may be a plain one."""
    qt = [base for base in kind.__mro__ if base.__module__.startswith("PySide6.")]
    for base in kind.__mro__:
        if base.__module__.startswith("desktop_rater."):
            for name, given in vars(base).items():
                is_method = isinstance(given, FunctionType) and not name.startswith("__")
                if is_method and any(hasattr(one, name) for one in qt):
                    yield f"{base.__module__}.{base.__qualname__}.{name}", given


@needs_cover
def test_no_method_that_qt_calls_is_left_out():
    found = dict(override for kind in whole_program() for override in overrides(kind))
    assert len(found) > 300
    assert [name for name, given in found.items() if not hasattr(given, "__wrapped__")] == []


@needs_cover
def test_what_covers_a_method_takes_what_it_takes():
    for kind in whole_program():
        for name, given in overrides(kind):
            bare = given.__wrapped__
            assert (given.__name__, given.__doc__) == (bare.__name__, bare.__doc__), name
            assert given.__defaults__ == bare.__defaults__, name
            taken = signature(given, follow_wrapped=False).parameters
            assert list(taken) == list(signature(bare).parameters), name


def test_a_covered_method_may_hear_a_signal_that_says_more_than_it_takes(qtbot):
    heard = []

    class Asking(QDialog):
        __module__ = "desktop_rater.ui.made_by_a_test"

        def reject(self):
            heard.append("rejected")

    class Asked(QObject):
        said = Signal(str, int)

    asking, asked, button = Asking(), Asked(), QPushButton()
    qtbot.addWidget(asking)
    qtbot.addWidget(button)
    button.clicked.connect(asking.reject)
    asked.said.connect(asking.reject)
    button.click()
    asked.said.emit("no", 2)
    assert heard == ["rejected", "rejected"]
