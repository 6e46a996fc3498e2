"""What only Windows can show, and the parts of its installer that any system can."""

import ctypes
import re
import struct
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from desktop_rater import files
from desktop_rater.files import make_private_folder, write_durably
from desktop_rater.windows_api import long_path
from tests.conftest import is_wine

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="it is about Windows' own files and processes")

ROOT = Path(__file__).parents[2]
EVERYONE = {"WD", "AU", "BU", "BG"}  # and users who have signed in, users, guests
CHILD = """
import sys
from desktop_rater.pages.{module} import {name} as function
function({argument})
{rest}
"""


def child(module, name, argument, rest):
    code = CHILD.format(module=module, name=name, argument=argument, rest=rest)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def installer():
    sys.path.insert(0, str(ROOT / "packaging" / "windows"))
    try:
        return import_module("make_installer")
    finally:
        sys.path.pop(0)


def test_the_installer_has_the_licence_and_the_notices(qapp, installer, tmp_path, monkeypatch):
    monkeypatch.setattr(installer, "SOURCE", tmp_path)
    monkeypatch.setattr(installer, "NOTICES", tmp_path / "build" / "THIRD-PARTY-NOTICES.txt")
    installer.NOTICES.parent.mkdir()
    installer.NOTICES.write_text("click: BSD-3-Clause", "utf-8")
    installer._add_files()
    assert (tmp_path / "THIRD-PARTY-NOTICES.txt").read_text("utf-8") == "click: BSD-3-Clause"
    assert "Apache License" in (tmp_path / "LICENSE").read_text("utf-8")


def test_the_icons_of_the_installer_have_all_sizes(qapp, installer):
    for name in ("desktop-rater", "rater-bundle"):
        icon = installer.windows_icon(name)
        assert struct.unpack_from("<HHH", icon) == (0, 1, len(installer.ICON_SIZES))
        for number in range(len(installer.ICON_SIZES)):
            size, place = struct.unpack_from("<II", icon, 6 + 16 * number + 8)
            assert icon[place : place + 8] == b"\x89PNG\r\n\x1a\n"
            assert icon[place + size - 8 : place + size - 4] == b"IEND"


@on_windows
def test_a_file_that_is_open_elsewhere_is_replaced_once_it_is_closed(monkeypatch, tmp_path):
    path = tmp_path / "results.csv"
    path.write_bytes(b"old")
    with path.open("rb") as held:
        monkeypatch.setattr(files.time, "sleep", lambda _seconds: held.close())
        write_durably(path, b"new")
    assert path.read_bytes() == b"new"


def trustees(path):
    """Return who has rights to a file, as Windows abbreviates it."""
    assert sys.platform == "win32"
    rights = ctypes.WinDLL("advapi32")
    descriptor, text = ctypes.c_void_p(), ctypes.c_wchar_p()
    assert rights.GetNamedSecurityInfoW(str(path), 1, 4, None, None, None, None, ctypes.byref(descriptor)) == 0
    assert rights.ConvertSecurityDescriptorToStringSecurityDescriptorW(descriptor, 1, 4, ctypes.byref(text), None)
    assert text.value is not None
    return set(re.findall(r";([^;()]+)\)", text.value))


@on_windows
def test_others_have_no_rights_to_a_private_file_or_to_what_is_in_a_private_folder(tmp_path):
    path = tmp_path / "ana.pem"
    write_durably(path, b"key")
    folder = tmp_path / "stores" / "ana"
    make_private_folder(folder)
    inside = folder / "store.sqlite3"
    inside.write_bytes(b"ratings")
    # Wine accepts rights of a folder and does not apply them.
    for private in (path,) if is_wine() else (path, folder, inside):
        assert trustees(private) - {"SY", "BA"}, "the user has rights"
        assert not trustees(private) & EVERYONE, private


@on_windows
def test_names_in_a_hub_may_be_longer_than_260_characters(tmp_path):
    folder = long_path(tmp_path)
    for _ in range(5):
        folder /= "d" * 64
        folder.mkdir()
    write_durably(folder / "file", b"content")
    assert (folder / "file").read_bytes() == b"content"


@on_windows
def test_a_child_that_hangs_in_c_code_ends_by_itself():
    ended = child("child", "_alarm", "0.2", 're = __import__("re"); re.match(r"(a+)+$", "a" * 60 + "b")')
    assert ended.returncode == 1
    assert "Timeout" in ended.stderr


@on_windows
def test_a_child_gets_no_more_memory_than_it_may_have():
    assert sys.platform == "win32"
    if is_wine():
        pytest.skip("Wine takes the limits of a job and applies none")
    ended = child("sandbox", "_limit", 300 << 20, "bytearray(500 << 20)")
    assert "MemoryError" in ended.stderr
