"""What holds for the plug-ins of the program, whatever they add."""

import subprocess
import sys

import pytest

from desktop_rater import hooks
from desktop_rater.cli import label_figures
from desktop_rater.format.errors import RaterError
from desktop_rater.hooks import Plugin, hook, installed_plugins, resolve
from tests.docs import pages

PAGE = pages.text("plugins.md")


def test_each_hook_and_each_plugin_is_on_the_page():
    hooks = {row[0].strip("`") for row in pages.table(PAGE, "hook")}
    assert hooks == set(Plugin.__annotations__)
    plugins = {row[0].strip("`") for row in pages.table(PAGE, "plug-in")}
    assert plugins == set(installed_plugins().loaded)


def test_a_program_that_was_copied_and_not_installed_has_its_plugins(monkeypatch):
    monkeypatch.setattr(hooks, "_entry_points", lambda: iter([("kelp", "desktop_rater.plugins.no_such:plugin")]))
    copied = installed_plugins.__wrapped__()
    assert copied.loaded.keys() == installed_plugins().loaded.keys()
    assert [fault.partition(":")[0] for fault in copied.faults] == ["The plug-in kelp can't be loaded"]


def test_each_place_of_each_hook_exists():
    places = [place for name in Plugin.__annotations__ for place in hook(name).values()]
    assert len(places) > 30
    assert None not in map(resolve, places)


def test_commands_and_functions_load_no_qt():
    code = (
        "import sys; from desktop_rater.hooks import hook, resolve\n"
        "for name in ('commands', 'functions', 'hubs', 'results_formats'):\n"
        "    [resolve(place) for place in hook(name).values()]\n"
        "print(sorted(name for name in sys.modules if name.startswith(('PySide6', 'desktop_rater.ui'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_figures_of_a_plugin_that_is_not_installed_are_refused_by_name(monkeypatch):
    monkeypatch.setattr(label_figures, "hook", lambda _name: {})
    figures = label_figures.label_figures("systems")
    assert figures.options == ()
    with pytest.raises(RaterError, match="No plug-in computes the figures 'systems'"):
        figures.compute({}, None, (), {}, seed=1, computed="")
