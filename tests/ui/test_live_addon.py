"""A program without Qt WebEngine, and the add-on that brings it."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import PySide6
import pytest

from desktop_rater.paths import engine_addons
from desktop_rater.ui.pages import live_addon
from tests.ui.test_live_view import ROOT

INSTALLED = Path(PySide6.__path__[0])
NOT_MADE = sys.platform != "linux" or not shutil.which("objdump") or not find_spec(live_addon.MODULE)


def link(folder, files):
    folder.mkdir(parents=True)
    for file in files:
        (folder / file.name).symlink_to(file)


@pytest.mark.skipif(NOT_MADE, reason="the add-on is made on Linux, of Qt WebEngine, with objdump")
def test_an_offline_rater_unpacks_the_add_on_and_reads_a_live_page(tmp_path):
    # PySide6 as the lite package has it.
    lite = tmp_path / "lite" / "PySide6"
    link(lite, [file for file in INSTALLED.iterdir() if file.name != "Qt" and "WebEngine" not in file.name])
    libraries = INSTALLED / "Qt" / "lib"
    link(lite / "Qt" / "lib", [file for file in libraries.iterdir() if "WebEngine" not in file.name])
    (lite / "Qt" / "plugins").symlink_to(INSTALLED / "Qt" / "plugins")
    environment = {**os.environ, "PYTHONPATH": str(lite.parent), "XDG_DATA_HOME": str(tmp_path / "data")}
    command = [sys.executable, "-m", "tests.ui.live_view_child", "crash", str(tmp_path / "rater")]

    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        live_view = import_module("live_view")
    finally:
        sys.path.pop(0)
    live_view.make_addon(tmp_path / "data" / "desktop-rater" / "live-view", program=INSTALLED)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads(done.stdout.splitlines()[-1])["said"].startswith("The page has crashed")


def test_an_add_on_for_another_qt_is_refused_and_one_that_fits_is_used(tmp_path, monkeypatch):
    monkeypatch.setattr(live_addon, "MODULE", "PySide6.NotInstalled")
    monkeypatch.setattr(PySide6, "__path__", list(PySide6.__path__))
    for name in ("PROCESS", "_RESOURCES", "_LOCALES"):
        monkeypatch.setenv(f"QTWEBENGINE{name}_PATH", "")
    other, damaged, fitting = tmp_path / "other", tmp_path / "damaged", tmp_path / "fitting"
    for folder in (other, damaged, fitting):
        (folder / "PySide6").mkdir(parents=True)
        made_for = {"qt": PySide6.__version__, "system": sysconfig.get_platform()}
        (folder / "addon.json").write_text(json.dumps(made_for), "utf-8")
    (other / "addon.json").write_text('{"qt": "6.2.0", "system": "plan9"}', "utf-8")
    (damaged / "addon.json").write_text("{", "utf-8")

    assert "no browser engine" in live_addon.engine_obstacle([tmp_path / "none"])
    assert "is for Qt 6.2.0 on plan9" in live_addon.engine_obstacle([other])
    assert "can't be read" in live_addon.engine_obstacle([damaged])
    assert live_addon.engine_obstacle([other, fitting]) == ""
    assert PySide6.__path__[-1] == str(fitting / "PySide6")
    assert os.environ["QTWEBENGINEPROCESS_PATH"].startswith(str(fitting))


def test_a_packaged_program_looks_beside_itself_first(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "desktop-rater"))
    assert [folder.name for folder in engine_addons()] == ["live-view", "live-view"]
    assert engine_addons()[0].parent == tmp_path
