"""Makes what can be installed, in dist/: a wheel, and a folder that runs on a Linux without Python.

Both are tried by their own self-test before they count.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from system_libraries import install

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
WORK = ROOT / "build" / "package"


def main() -> int:
    """Exit status 1 where something can't be made or its self-test fails."""
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.rmtree(WORK, ignore_errors=True)
    try:
        make_wheel()
        make_folder()
    except subprocess.CalledProcessError as failed:
        print("\nNot made: this failed:", *failed.cmd, file=sys.stderr)
        return 1
    print("\nMade:", *sorted(str(made.relative_to(ROOT)) for made in DIST.iterdir()), sep="\n  ")
    return 0


def make_wheel() -> None:
    """The wheel is unpacked and tried away from the checkout, so that it can't lean on files outside itself."""
    _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(DIST))
    unpacked = WORK / "wheel"
    for wheel in DIST.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(unpacked)
    _run(sys.executable, "-m", "desktop_rater", "self-test", cwd=unpacked, PYTHONPATH=str(unpacked))


def make_folder() -> None:
    """PyInstaller's one-folder form: it starts sooner than one file, and its parts can be looked at."""
    if sys.platform != "linux":
        print("The folder is made on Linux only.")
        return
    install(_needed_by_pyinstaller())
    spec = str(ROOT / "packaging" / "desktop-rater.spec")
    _run(sys.executable, "-m", "PyInstaller", "--noconfirm", "--distpath", str(DIST), "--workpath", str(WORK), spec)
    _run(str(DIST / "desktop-rater" / "desktop-rater"), "self-test", cwd=WORK)


def _needed_by_pyinstaller() -> list[str]:
    """Debian packages: objdump, and the shared library of Debian's own Python."""
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
