"""A start where a system library below Qt can't be loaded says which, and what installs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rater.operations.missing_library import QT_PARTS, install_commands, known_packages, library_error

pytestmark = pytest.mark.slow

linux = pytest.mark.skipif(sys.platform != "linux", reason="the dynamic linker of Linux")


@pytest.fixture
def dialog(tmp_path):
    """Return the file that gets the words with which a dialog was opened."""
    return tmp_path / "dialog"


@pytest.fixture
def start(tmp_path, dialog):
    """Return a start of the program with a damaged library and without a terminal, which gives status and stderr."""
    (tmp_path / "libraries").mkdir()
    (tmp_path / "programs").mkdir()
    zenity = tmp_path / "programs" / "zenity"
    zenity.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {dialog}.part\nmv {dialog}.part {dialog}\n', "utf-8")
    zenity.chmod(0o755)

    def start_with(library, *arguments):
        (tmp_path / "libraries" / library).touch()
        elsewhere = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
        environment = {name: text for name, text in os.environ.items() if name not in elsewhere}
        environment |= {"LD_LIBRARY_PATH": str(tmp_path / "libraries"), "DISPLAY": ":no", "HOME": str(tmp_path)}
        environment["PATH"] = f"{tmp_path / 'programs'}:{os.environ['PATH']}"
        words = [sys.executable, "-m", "desktop_rater", "--store", str(tmp_path / "store"), *arguments]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60)
        return done.returncode, done.stderr

    return start_with


def shown(dialog: Path) -> list[str]:
    while not dialog.exists():
        os.sched_yield()
    return dialog.read_text("utf-8").splitlines()


@linux
@pytest.mark.parametrize("words", [(), ("--new-window",)])
@pytest.mark.parametrize(("library", "package"), [("libEGL.so.1", "libegl1"), ("libxcb-cursor.so.0", "libxcb-cursor0")])
def test_a_double_click_on_a_bare_system_shows_what_to_install(start, dialog, library, package, words):
    status, stderr = start(library, *words)
    assert status == 1
    told = stderr[stderr.index("Desktop Rater needs a system library that can't be loaded.") :]
    assert f"\n  {library}: " in told
    assert "Traceback" not in stderr
    assert "bug" not in stderr
    options, lines = shown(dialog)[:3], shown(dialog)[3:]
    assert options == ["--error", "--no-markup", "--text"]
    assert library in lines[1]
    assert max(map(len, lines)) <= 80, "the dialog may be of a program that does not wrap"
    release = Path("/etc/os-release").read_text("utf-8") if Path("/etc/os-release").exists() else ""
    if "\nID=debian" in release:
        assert f"sudo apt install {package}" in told


@linux
@pytest.mark.parametrize("library", ["libEGL.so.1", "libgssapi_krb5.so.2"])  # the latter for QtNetwork alone
def test_a_command_that_needs_the_window_is_refused_with_the_same_words(start, dialog, library):
    status, stderr = start(library, "self-test")
    assert status == 2
    assert f"{library}: " in stderr
    assert not dialog.exists()


PROVIDED = "'libEGL.so.1()(64bit)' 'libasound.so.2()(64bit)'"


@pytest.mark.parametrize(
    ("release", "command"),
    [
        ({"ID": "debian"}, "sudo apt install libasound2 libegl1"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "sudo apt install libasound2 libegl1"),
        ({"ID": "fedora"}, f"sudo dnf install {PROVIDED}"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, f"sudo dnf install {PROVIDED}"),
        ({"ID": "opensuse-leap", "ID_LIKE": "suse opensuse"}, f"sudo zypper install {PROVIDED}"),
        ({"ID": "manjaro", "ID_LIKE": "arch"}, "sudo pacman -S alsa-lib libglvnd"),
    ],
)
def test_each_system_gets_its_own_command(release, command):
    assert install_commands(["libEGL.so.1", "libasound.so.2"], release, debian_name=str) == [command]


def test_a_newer_debian_gets_the_names_of_its_packages():
    commands = install_commands(["libEGL.so.1", "libasound.so.2"], {"ID": "debian"}, debian_name="{}t64".format)
    assert commands == ["sudo apt install libasound2t64 libegl1t64"]


def test_an_unknown_system_gets_them_all():
    commands = install_commands(["libEGL.so.1"], {})
    assert [command.split()[1] for command in commands] == ["apt", "dnf", "zypper", "pacman"]


def test_no_command_is_given_without_a_package_to_install():
    assert install_commands(["libnew.so.9"], {"ID": "debian"}) == []
    assert install_commands(["libnew.so.9", "libEGL.so.1"], {"ID": "arch"}) == ["sudo pacman -S libglvnd"]
    assert [command.split()[1] for command in install_commands(["libnew.so.9"], {})] == ["dnf", "zypper"]


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("libEGL.so.1: cannot open shared object file: No such file or directory", "Install "),
        ("libEGL.so.1: Kann die Shared-Object-Datei nicht öffnen: Datei oder Verzeichnis nicht gefunden", "Install "),
        ("/lib/libm.so.6: version `GLIBC_2.34' not found (required by /a/libQt6Core.so.6)", "This system is too old"),
        ("/lib/libm.so.6: Version »GLIBC_2.34« nicht gefunden (benötigt von /a/x.so)", "This system is too old"),
    ],
)
def test_the_hint_fits_the_linker_s_message_in_its_language(message, hint):
    explained = library_error(ImportError(message))
    assert explained is not None
    assert message.partition(": ")[2] in explained.message
    assert explained.hint.startswith(hint)


def test_another_fault_stays_a_fault():
    assert library_error(ImportError("cannot import name 'QWidget'")) is None
    assert library_error(ImportError("No module named 'PySide6'")) is None
    assert library_error(ImportError("numpy is damaged.\n\nlibopenblas.so.0: cannot open shared object file")) is None
    assert library_error(ImportError()) is None
    assert library_error(OSError("/opt/PySide6/Qt/lib/libQt6Gui.so.6: undefined symbol: x")) is None
    assert library_error(FileNotFoundError(2, "No such file", "libEGL.so.1")) is None
    assert library_error(ValueError("libEGL.so.1: file too short")) is None


def test_the_table_has_two_packages_for_each_library():
    table = known_packages()
    assert all(len(packages) == 2 and all(packages) for packages in table.values())
    assert {"libEGL.so.1", "libGL.so.1", "libxcb-cursor.so.0", "libnss3.so"} <= table.keys()
    assert all(not name.startswith("/") for name in QT_PARTS)
