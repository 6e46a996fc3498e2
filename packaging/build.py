"""Make the installable packages in dist/: a wheel, and a folder that runs on Linux without Python.

Each has to pass its own self-test and to load its plug-ins. The argument `full` puts the browser engine into the
folder; `lite` does not.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import sqlite3
import ssl
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import PySide6
from bill_of_materials import Entry, installed, known, linked, locked, of_debian, write_bill
from components import write_notices_file
from live_view import NAME as LIVE_VIEW
from live_view import make_addon
from notices import owners_of, write_notices
from steps import exit_status
from system_libraries import install

from desktop_rater import __version__

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
WORK = ROOT / "build" / "package"


def main() -> int:
    """Make both packages; return 1 if one can't be made or fails its self-test."""
    if sys.argv[1:] not in (["lite"], ["full"]):
        print("Say which flavour to make: lite or full.", file=sys.stderr)
        return 2
    if sys.argv[1:] == ["full"] and sys.platform != "linux":
        print("The full folder can be made on Linux only.", file=sys.stderr)
        return 2
    for earlier in (DIST / "desktop-rater", DIST / "Desktop Rater.app", WORK):
        shutil.rmtree(earlier, ignore_errors=True)
    for earlier in DIST.glob("*.whl*"):  # and its bill of materials
        earlier.unlink()
    return exit_status(make)


def make() -> None:
    """Make both packages, with the notices that go into each, and list what is in dist/."""
    write_notices_file()
    make_wheel()
    make_folder()
    print("\nMade:", *sorted(str(made.relative_to(ROOT)) for made in DIST.iterdir()), sep="\n  ")


def make_wheel() -> None:
    """Make the wheel, and test it unpacked outside the checkout, so that it can't depend on files that it lacks."""
    _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(DIST))
    unpacked = WORK / "wheel"
    for wheel in DIST.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(unpacked)
    _test(sys.executable, "-m", "desktop_rater", cwd=unpacked, PYTHONPATH=str(unpacked))
    shutil.copy(ROOT / "requirements.lock", DIST)  # what the wheel was tested with
    wheel = next(DIST.glob("*.whl"))
    write_bill(wheel, __version__, locked())


def make_folder() -> None:
    """Make PyInstaller's one-folder form, which starts faster than one file and can be inspected."""
    if sys.platform not in ("linux", "darwin"):
        print("The folder is made on Linux and macOS only.")
        return
    install(_needed_by_pyinstaller())
    if sys.platform == "darwin":
        _run(sys.executable, str(ROOT / "packaging" / "macos" / "metadata.py"))
    spec = str(ROOT / "packaging" / "desktop-rater.spec")
    _run(sys.executable, "-m", "PyInstaller", "--noconfirm", "--distpath", str(DIST), "--workpath", str(WORK), spec)
    folder = DIST / "desktop-rater"
    files = [Path(line) for line in (WORK / "files.txt").read_text("utf-8").splitlines()]
    packages = write_notices(files, folder / "licences")
    print(f"\nThe licences of {len(packages)} packages are in {folder.relative_to(ROOT)}/licences/.")
    if sys.platform == "linux":
        for library in (folder / "_internal").glob("libpython*"):
            _run("strip", "--strip-debug", str(library))  # a Python built from its sources has 16 MB of that
        if sys.argv[1:] == ["full"]:
            files += make_addon(folder / LIVE_VIEW, program=folder / "_internal" / "PySide6")
    write_bill(folder, __version__, contents(folder, files))
    _test(str(folder / "desktop-rater"), cwd=WORK)


def _test(*program: str, cwd: Path, **environment: str) -> None:
    """Run the self-test of a package, and the help of what its plug-ins add commands to, which loads these."""
    _run(*program, "self-test", cwd=cwd, **environment)
    for group in ("audit", "bundle", "hub", "rubric", "stats", "update"):
        _run(*program, group, "--help", cwd=cwd, **environment)


def contents(folder: Path, files: list[Path]) -> list[Entry]:
    """Return what the folder that was made of files contains, for its bill of materials."""
    packages, system = owners_of(files)

    def places(*patterns: str) -> list[str]:
        found = [path for pattern in patterns for path in (folder / "_internal").glob(pattern)]
        return [path.relative_to(folder).as_posix() for path in found]

    queried = "${Package} ${Version}\\n"
    listing = subprocess.check_output(["dpkg-query", "-W", "-f", queried, *system], text=True) if system else ""
    versions = dict(line.split() for line in listing.splitlines())
    return [
        *installed(packages.values()),
        *linked(folder),
        known("python", platform.python_version()),
        known("qt", PySide6.__version__),
        # Without files of their own they are part of Python.
        known("openssl", ssl.OPENSSL_VERSION.split()[1], *places("libssl*", "libcrypto*")),
        known("sqlite", sqlite3.sqlite_version, *places("libsqlite3*")),
        *(
            of_debian(name, versions[name], [f"_internal/{file.name}" for file in system[name]])
            for name in sorted(system)
        ),
    ]


def _needed_by_pyinstaller() -> list[str]:
    """Return the Debian packages to install: objdump, and the shared library of Debian's Python."""
    packages = [] if shutil.which("objdump") else ["binutils"]
    try:
        ctypes.CDLL(sysconfig.get_config_var("INSTSONAME"))
    except OSError:
        if sys.base_prefix == "/usr":
            packages.append(f"libpython{sysconfig.get_python_version()}")
    return packages


def _run(*command: str, cwd: Path = ROOT, **environment: str) -> None:
    print("\n$", *command, flush=True)
    subprocess.run(command, check=True, cwd=cwd, env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment})


if __name__ == "__main__":
    sys.exit(main())
