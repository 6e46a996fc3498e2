"""Find the system libraries that Qt needs and that are missing, and install them by apt where possible.

PySide6 brings Qt without the system libraries below it: OpenGL, X11, fontconfig and others. `ldd` lists those that
are missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from desktop_rater.operations.missing_library import debian_name, known_packages, missing_libraries

# The interface is drawn for Inter; without it the system's own font serves.
FONT = "fonts-inter"


def install(packages: list[str]) -> bool:
    """Install Debian packages as root or with a password-less sudo; return whether that succeeded."""
    become_root = _become_root()
    if become_root is None or not packages:
        return False
    apt = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    # One broken source among many ends an update with an error though the rest is up to date: only the install counts.
    _run(*apt, "update")
    names = [debian_name(package) for package in packages]
    print("Installing by apt-get:", *names, flush=True)
    return _run(*apt, "install", "--yes", "--no-install-recommends", *names)


def require_program(name: str, package: str) -> None:
    """Install the Debian package of a program if the program is missing; exit with a message if that fails."""
    if shutil.which(name) is None:
        install([package])
    if shutil.which(name) is None:
        sys.exit(f"The program {name} is missing. Install it (on Debian: {package}), then try again.")


def _become_root() -> list[str] | None:
    """Return the prefix that runs a command as root, or `None` without apt or without the right to use it."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], check=False, capture_output=True).returncode == 0
    ):
        return ["sudo", "-n"]
    return None


def _run(*command: str) -> bool:
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 0


def _output(*command: str) -> str:
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def _install_font() -> None:
    if shutil.which("dpkg-query") is None or "installed" in _output("dpkg-query", "-Wf", "${db:Status-Status}", FONT):
        return
    if not install([FONT]):
        print(f"The font Inter is not installed (Debian's {FONT}); the system's own font serves.")


def main() -> int:
    """Install missing libraries; return 1 if one is missing and can't be installed from here."""
    if sys.platform != "linux":
        return 0
    missing = missing_libraries()
    if missing:
        print("Qt misses system libraries:", ", ".join(missing), flush=True)
        packages = known_packages()
        install(sorted({packages[library][0] for library in missing if library in packages}))
        missing = missing_libraries()
    if missing:
        return _tell(missing)
    _install_font()
    return 0


def _tell(missing: list[str]) -> int:
    print("\nThe window can't open yet: Qt needs system libraries that are not installed.", file=sys.stderr)
    print("Install them, then run the same command again.", file=sys.stderr)
    known = known_packages()
    packages = sorted({known[library][0] for library in missing if library in known})
    if packages and shutil.which("apt-get"):
        names = " ".join(debian_name(package) for package in packages)
        print(f"\n  apt-get install {names}", file=sys.stderr)
        missing = [library for library in missing if library not in known]
    if missing:
        print("\nThe files that are missing:", *missing, sep="\n  ", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
