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

from desktop_rater.paths import engine_addons, is_full_installation
from desktop_rater.ui.pages import live_support
from tests.ui.test_live_view import ROOT

INSTALLED = Path(PySide6.__path__[0])
NOT_MADE = sys.platform != "linux" or not shutil.which("objdump") or not find_spec(live_support.MODULE)


def link(folder, files):
    folder.mkdir(parents=True)
    for file in files:
        (folder / file.name).symlink_to(file)


@pytest.mark.slow
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
    folder = tmp_path / "data" / "desktop-rater" / "live-view"
    live_view.make_addon(folder, program=INSTALLED)
    assert live_support.addon_obstacle(folder) == ""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads(done.stdout.splitlines()[-1])["said"].startswith("The page has crashed")


@pytest.fixture
def addon(tmp_path, monkeypatch):
    """Return a function that makes a small add-on for this program, which has no engine of its own."""
    monkeypatch.setattr(live_support, "MODULE", "PySide6.NotInstalled")
    monkeypatch.setattr(PySide6, "__path__", list(PySide6.__path__))
    for name in ("PROCESS", "_RESOURCES", "_LOCALES"):
        monkeypatch.setenv(f"QTWEBENGINE{name}_PATH", "")

    def make(name="live-view", **changed):
        folder = tmp_path / name
        process, data = folder / live_support.PROCESS, folder / "PySide6" / "icudtl.dat"
        process.parent.mkdir(parents=True)
        process.touch(0o755)
        data.write_bytes(b"12345")
        files = {str(process.relative_to(folder)): 0, "PySide6/icudtl.dat": 5}
        described = {"qt": PySide6.__version__, "system": sysconfig.get_platform(), "files": files, **changed}
        (folder / "addon.json").write_text(json.dumps(described), "utf-8")
        return folder

    return make


def test_an_add_on_for_another_qt_is_refused_and_one_that_fits_is_used(addon, tmp_path):
    other, fitting = addon("other", qt="6.2.0", system="plan9"), addon("fitting")
    assert "no browser engine" in live_support.engine_obstacle([tmp_path / "none"])
    assert "is for Qt 6.2.0 on plan9" in live_support.engine_obstacle([other])
    assert live_support.engine_obstacle([other, fitting]) == ""
    assert PySide6.__path__[-1] == str(fitting / "PySide6")
    assert os.environ["QTWEBENGINEPROCESS_PATH"] == str(fitting / live_support.PROCESS)


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"qt": "\xff"}', b'{"qt": "6.11.3", "system": "linux-x86_64"}'])
def test_an_add_on_without_a_good_description_is_named(addon, content):
    folder = addon()
    (folder / "addon.json").unlink()
    if content is not None:
        (folder / "addon.json").write_bytes(content)
    assert f"The add-on in {folder} can't be read: " in live_support.engine_obstacle([folder])


POSIX_LINK = pytest.mark.posix("Windows follows no symbolic link to a missing folder, and seldom allows one")


@pytest.mark.parametrize("place", ["a file", pytest.param("a broken link", marks=POSIX_LINK)])
def test_what_is_no_folder_is_named(place, addon, tmp_path):
    folder = addon().with_name(place)
    folder.touch() if place == "a file" else folder.symlink_to(tmp_path / "gone")
    assert f"The add-on in {folder} can't be read: " in live_support.engine_obstacle([folder])


def spoil(file, how):
    if how == "missing":
        file.unlink()
    elif how == "cut off":
        file.write_bytes(b"123")
    elif how == "a broken link":
        file.unlink()
        file.symlink_to(file.with_name("gone"))
    else:
        file.chmod(0o644)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("PySide6/icudtl.dat", "missing"),
        ("PySide6/icudtl.dat", "cut off"),
        pytest.param("PySide6/icudtl.dat", "a broken link", marks=POSIX_LINK),
        (str(live_support.PROCESS), "missing"),
        pytest.param(
            str(live_support.PROCESS), "not executable", marks=pytest.mark.posix("Windows has no mode for programs")
        ),
    ],
)
def test_a_damaged_add_on_is_refused_since_the_engine_would_abort_the_program(addon, name, how):
    folder = addon()
    assert live_support.addon_obstacle(folder) == ""
    spoil(folder / name, how)
    assert f"The add-on in {folder} is damaged: {name} is " in live_support.engine_obstacle([folder])
    assert str(folder / "PySide6") not in PySide6.__path__


def test_a_packaged_program_looks_beside_itself_first(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "desktop-rater"))
    assert [folder.name for folder in engine_addons()] == ["live-view", "live-view"]
    assert engine_addons()[0].parent == tmp_path


@pytest.mark.parametrize("module", ["", "QtWebEngineWidgets.pyd", "QtWebEngineWidgets.abi3.so"])
def test_an_update_knows_the_kind_of_installation_without_loading_qt(tmp_path, module):
    (tmp_path / "PySide6").mkdir()
    for name in ("__init__.py", *filter(None, [module])):
        (tmp_path / "PySide6" / name).touch()
    program = (
        "import sys; from desktop_rater.paths import is_full_installation; "
        "print(is_full_installation(), 'PySide6' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == [str(bool(module)), "False"]


def test_a_packaged_program_with_the_engine_beside_it_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "desktop-rater"))
    monkeypatch.setattr("desktop_rater.paths.find_spec", lambda _name: None)
    assert not is_full_installation()
    (tmp_path / "live-view").mkdir()
    assert is_full_installation()
