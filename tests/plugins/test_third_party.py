"""A plug-in of somebody else, built as a wheel and installed beside the program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rater import hooks

SOURCE = Path(__file__).with_name("third_party")
HALF = """
from desktop_rater.hooks import Plugin


class HalfKelp(Plugin):
    actions = {"rows": "no_such_module:ROWS"}
    window_parts = {"of_window": "half_kelp:fail", "unbound": "half_kelp:Unbound"}


class Unbound:
    def __init__(self, application):
        pass

    def actions(self):
        return {"no_row_has_this_id": print}


def fail(application):
    raise RuntimeError("no kelp")


plugin = HalfKelp()
"""
BROKEN = "[desktop_rater.plugins]\nbroken = no_such_package:plugin\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder with the installed wheel."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(SOURCE, folder / "source")
    python = (sys.executable, "-m")
    subprocess.run([*python, "hatchling", "build", "-t", "wheel"], cwd=folder / "source", check=True, timeout=120)
    (wheel,) = (folder / "source" / "dist").glob("*.whl")
    into = folder / "site"
    options = ("--no-deps", "--no-index", "--no-compile", "--quiet", "--target", str(into))
    subprocess.run([*python, "pip", "install", *options, str(wheel)], check=True, timeout=120)
    return into


def run(folder, *words, **environment):
    """Run the program with a folder of installed packages on its path."""
    command = [sys.executable, *words]
    env = {**os.environ, "PYTHONPATH": str(folder), "QT_QPA_PLATFORM": "offscreen", **environment}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=env, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def window_says(folder, tmp_path, steps):
    """The lines that these steps in a window print, in a process with that folder on its path."""
    script = (
        "import sys; from pathlib import Path\n"
        "from desktop_rater import app; from desktop_rater.format.values import utc_now; app.application()\n"
        f"built = app.build_application(Path(sys.argv[1]), rater='r-1', now=utc_now)\n{steps}\nbuilt.close()"
    )
    status, out, err = run(folder, "-c", script, str(tmp_path / "store"))
    assert status == 0, err
    return out.splitlines()


def test_its_commands_are_listed_and_run(installed):
    status, out, err = run(installed, "-m", "desktop_rater", "audit", "kelp", "30")
    assert (status, out, err) == (0, "The kelp is 30 m high.\n", "")
    assert run(installed, "-m", "desktop_rater", "kelp", "7")[1] == "The kelp is 7 m high.\n"
    assert "kelp" in run(installed, "-m", "desktop_rater", "--help")[1]


def test_its_functions_hubs_and_parts_of_the_window_are_there(installed, tmp_path):
    script = (
        "import sys; from pathlib import Path; import desktop_rater\n"
        "from desktop_rater.hub.address import parse_address\n"
        "print(desktop_rater.kelp_height(3)); print(parse_address('kelp:north').url)\n"
        "from desktop_rater import app; from desktop_rater.format.values import utc_now; app.application()\n"
        "built = app.build_application(Path(sys.argv[1]), rater='r-1', now=utc_now)\n"
        "print(type(built.plugin_parts['kelp']).__name__, built.window.banners.text('plugins')); built.close()"
    )
    status, out, err = run(installed, "-c", script, str(tmp_path / "store"))
    assert status == 0, err
    assert out.splitlines() == ["3 m high", f"folder:{Path('/forests/north')}", "KelpPart None"]


def test_its_actions_are_in_the_menus_with_their_keys(installed, tmp_path):
    steps = (
        "built.window.show(); actions = built.commands.actions; kelp = actions['kelp_measure']; kelp.trigger()\n"
        "print(built.plugin_parts['kelp'].measured, kelp.isVisible(), [key.toString() for key in kelp.shortcuts()])\n"
        "items = built.window.menuBar().actions()[0].menu().actions()\n"
        "print(items.index(kelp) - items.index(actions['export']), actions['export'].text())"
    )
    assert window_says(installed, tmp_path, steps) == ["['3 m high'] True ['Ctrl+Alt+K']", "1 Export results…"]


def test_its_reader_is_a_format_of_conversion(installed, tmp_path):
    log, out = tmp_path / "kelp.log", tmp_path / "kelp.rater"
    log.write_text("3 m\n30 m\n", "utf-8")
    words = ("-m", "desktop_rater", "bundle", "convert", "--from", "kelp-log", "--out", str(out), str(log))
    status, told, err = run(installed, *words)
    assert (status, err) == (0, "")
    assert "2 records, 2 tasks" in told


def test_its_screen_has_a_tab_and_is_made_when_its_action_goes_there(installed, tmp_path):
    steps = (
        "built.window.show(); print('kelp_notes.screen' in sys.modules, built.screens.offered)\n"
        "built.commands.actions['room_kelp'].trigger()\n"
        "print(built.screens.name, built.screens.current.widget.text(), built.window.windowTitle())\n"
        "built.screens.go('rate'); print(built.screens.name)"
    )
    assert window_says(installed, tmp_path, steps) == [
        "False ('start', 'rate', 'kelp')",
        "kelp Kelp, 3 m high Kelp – Desktop Rater",
        "rate",
    ]


def test_one_that_can_not_be_loaded_is_named_and_the_program_works(tmp_path):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(BROKEN, "utf-8")
    status, out, err = run(tmp_path, "-m", "desktop_rater", "audit", "--help")
    assert status == 0
    assert "dataset" in out, "the others are there"
    assert "The plug-in broken can't be loaded: ModuleNotFoundError" in err


def test_a_window_opens_without_the_parts_that_fail(tmp_path):
    (tmp_path / "half_kelp.py").write_text(HALF, "utf-8")
    info = tmp_path / "half_kelp-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[desktop_rater.plugins]\nhalf = half_kelp:plugin\n", "utf-8")
    steps = "print(built.window.banners.text('plugins')); built.commands.actions['export'].isEnabled()"
    words = "\n".join(window_says(tmp_path, tmp_path, steps))
    assert "The part of_window of a plug-in: RuntimeError: no kelp" in words
    assert "The part rows of a plug-in: ModuleNotFoundError" in words


def test_the_core_names_no_plug_in_where_there_is_none(monkeypatch):
    monkeypatch.setattr(hooks, "installed_plugins", lambda: hooks.InstalledPlugins({}, []))
    assert hooks.hook("commands") == {}
