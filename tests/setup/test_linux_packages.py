"""What the AppImage is made of; the program in it is here a script of two lines."""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep

import pytest
import shiboken6

from desktop_rater import __version__
from desktop_rater.operations.missing_library import known_packages
from desktop_rater.ui.window.file_dialogs import open_in_browser
from tests.setup.test_locks import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="they are made on Linux")


@pytest.fixture(scope="module")
def appimage():
    sys.path.insert(0, str(ROOT / "packaging" / "appimage"))
    try:
        return import_module("make_appimage")
    finally:
        sys.path.pop(0)


@pytest.fixture
def content(appimage, tmp_path):
    """Return the content of an AppImage."""
    program = tmp_path / "program"
    (program / "_internal").mkdir(parents=True)
    (program / "desktop-rater").write_text('#!/bin/sh\necho "started with $*"\n', "ascii")
    (program / "desktop-rater").chmod(0o755)
    for name in ("libstdc++.so.6", "libglib-2.0.so.0", "libgpg-error.so.0", "libcom_err.so.2"):
        (program / "_internal" / name).write_bytes(b"")
    folder = tmp_path / f"{appimage.image_name(program)}.AppDir"
    assert __version__ in folder.name
    appimage.make_folder(program, folder)
    return folder


def output(*command):
    return subprocess.check_output(command, text=True, timeout=30)


def test_it_starts_from_a_link_and_shows_itself_to_the_desktop(content, tmp_path):
    link = tmp_path / "rater"
    link.symlink_to(content / "AppRun")
    assert output(str(link), "a bundle.rater") == "started with a bundle.rater\n"
    entry = (content / "org.desktoprater.DesktopRater.desktop").read_text("utf-8")
    (icon,) = [line.removeprefix("Icon=") for line in entry.splitlines() if line.startswith("Icon=")]
    assert (content / f"{icon}.svg").read_bytes() == (content / ".DirIcon").read_bytes()
    libraries = content / "usr" / "lib" / "desktop-rater" / "_internal"
    assert {file.name for file in libraries.iterdir()} == {"libgpg-error.so.0", "libcom_err.so.2"}


def test_a_library_that_is_left_to_the_system_is_named_with_its_package_where_it_is_missing(appimage):
    assert set(appimage.LEFT_TO_THE_SYSTEM) <= known_packages().keys()


def test_the_browser_gets_the_libraries_of_the_system(tmp_path, monkeypatch):
    opened = tmp_path / "opened"
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1 $LD_LIBRARY_PATH" > {opened}.part\nmv {opened}.part {opened}\n', "ascii")
    opener.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/of/the/package")
    for before in ("", "/of/the/user"):
        if before:
            monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
        open_in_browser("https://example.org/")
        deadline = monotonic() + 20
        while not opened.exists() and monotonic() < deadline:
            sleep(0.01)
        assert opened.read_text("ascii") == f"https://example.org/ {before}\n"
        opened.unlink()


def test_a_runtime_is_taken_only_with_its_hash(appimage, tmp_path):
    file = tmp_path / "runtime-x86_64"
    for content, good in ((b"\x7fELF\2\1\1\0AI\2rest", True), (b"\x7fELF\2\1\1\0AI\1rest", False), (b"#!", False)):
        file.write_bytes(content)
        if good:
            assert appimage.read_runtime(file, hashlib.sha256(content).hexdigest().upper()) == content
        else:
            with pytest.raises(SystemExit, match="no runtime"):
                appimage.read_runtime(file, hashlib.sha256(content).hexdigest())
        with pytest.raises(SystemExit, match="not the one given"):
            appimage.read_runtime(file, "0" * 64)


def test_a_file_or_folder_that_is_missing_is_named(appimage, tmp_path, capsys):
    with pytest.raises(SystemExit):
        appimage.main(["--program", str(tmp_path / "program")])
    assert f"there is no folder {tmp_path / 'program'}: make package" in capsys.readouterr().err
    assert appimage.main(["--program", str(tmp_path), "--runtime", str(tmp_path / "runtime")]) == 1
    assert f"No such file or directory: '{tmp_path / 'runtime'}'" in capsys.readouterr().err


@pytest.mark.skipif(not shutil.which("objdump"), reason="needs objdump of binutils")
def test_the_glibc_that_is_needed_is_read_from_the_libraries(appimage, tmp_path):
    library = next(Path(shiboken6.__path__[0]).glob("libshiboken6.abi3.so*"))
    shutil.copy(library, tmp_path)
    (tmp_path / "notes.txt").write_text("GLIBC_9.99", "ascii")
    ((version, files),) = appimage.glibc_needed(tmp_path).items()
    assert files == [library.name]
    assert (2, 2) <= appimage.version_key(version) < (3,)


@pytest.mark.skipif(not shutil.which("xz"), reason="needs xz")
def test_a_packed_folder_has_the_same_bytes_each_time(appimage, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules["pack"], "ROOT", tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    folder = tmp_path / "folder"
    folder.mkdir()
    packed = []
    for time in (1, 2):
        for name in ("b", "a")[::time]:
            (folder / name).write_text("same", "ascii")
            os.utime(folder / name, (time, time))
            (folder / name).chmod(0o644 if time == 1 else 0o600)
        appimage.pack_folder(folder, tmp_path / f"{time}.tar.xz")
        packed.append((tmp_path / f"{time}.tar.xz").read_bytes())
    assert packed[0] == packed[1]
