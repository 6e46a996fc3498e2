"""Find the system libraries that Qt needs and that are missing, and install them by apt where possible.

PySide6 brings Qt without the system libraries below it: OpenGL, X11, fontconfig and others. `ldd` lists those that
are missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

# What the window stands on: widgets, web pages, and the platforms that a window can open on.
QT_PARTS = (
    "lib/libQt6Widgets.so.6",
    "lib/libQt6Svg.so.6",
    "lib/libQt6WebEngineWidgets.so.6",
    "libexec/QtWebEngineProcess",
    "plugins/platforms/libqoffscreen.so",
    "plugins/platforms/libqwayland.so",
    "plugins/platforms/libqxcb.so",
)

# Debian's package of each library that these may miss.
PACKAGES = {
    "libasound.so.2": "libasound2",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libEGL.so.1": "libegl1",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgbm.so.1": "libgbm1",
    "libgcc_s.so.1": "libgcc-s1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libnspr4.so": "libnspr4",
    "libnss3.so": "libnss3",
    "libnssutil3.so": "libnss3",
    "libsmime3.so": "libnss3",
    "libstdc++.so.6": "libstdc++6",
    "libudev.so.1": "libudev1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-dri3.so.0": "libxcb-dri3-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libXcomposite.so.1": "libxcomposite1",
    "libXdamage.so.1": "libxdamage1",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbfile.so.1": "libxkbfile1",
    "libXrandr.so.2": "libxrandr2",
    "libXtst.so.6": "libxtst6",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}

# The interface is drawn for Inter; without it the system's own font serves.
FONT = "fonts-inter"


def missing_libraries() -> list[str]:
    """Return the file names of libraries that the dynamic linker does not find."""
    spec = find_spec("PySide6")
    assert spec is not None
    assert spec.origin is not None
    qt = Path(spec.origin).parent / "Qt"
    missing = set()
    for part in QT_PARTS:
        # A release of PySide6 may bring its parts under other names; those that are there count.
        if (qt / part).exists():
            listing = _output("ldd", str(qt / part))
            missing |= {line.split()[0] for line in listing.splitlines() if line.endswith("not found")}
    return sorted(missing)


def install(packages: list[str]) -> bool:
    """Install Debian packages as root or with a password-less sudo; return whether that succeeded."""
    become_root = _become_root()
    if become_root is None or not packages:
        return False
    apt = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    # One broken source among many ends an update with an error though the rest is up to date: only the install counts.
    _run(*apt, "update")
    names = [_current_name(package) for package in packages]
    print("Installing by apt-get:", *names, flush=True)
    return _run(*apt, "install", "--yes", "--no-install-recommends", *names)


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


def _current_name(package: str) -> str:
    """Return a library's package name; from Debian 13 on some end in `t64`."""
    return f"{package}t64" if _output("apt-cache", "show", f"{package}t64") else package


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
        install(sorted({PACKAGES[library] for library in missing if library in PACKAGES}))
        missing = missing_libraries()
    if missing:
        return _tell(missing)
    _install_font()
    return 0


def _tell(missing: list[str]) -> int:
    print("\nThe window can't open yet: Qt needs system libraries that are not installed.", file=sys.stderr)
    print("Install them, then run the same command again.", file=sys.stderr)
    packages = sorted({PACKAGES[library] for library in missing if library in PACKAGES})
    if packages and shutil.which("apt-get"):
        names = " ".join(_current_name(package) for package in packages)
        print(f"\n  apt-get install {names}", file=sys.stderr)
        missing = [library for library in missing if library not in PACKAGES]
    if missing:
        print("\nThe files that are missing:", *missing, sep="\n  ", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
