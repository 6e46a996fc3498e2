"""Make an AppImage in dist/ of the folder that build.py has made there, or without a runtime only its content.

An AppImage is one file: a runtime, which mounts the file system behind it, and this file system. The runtime is not in
any package index: take `runtime-x86_64` from the releases of AppImage/type2-runtime on GitHub, look at its signature,
and name the file and its SHA-256. Without it dist/ gets a .tar.xz, whose `AppRun` starts the program.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from bill_of_materials import copy_bill  # noqa: E402 - beside the folder of this file
from freedesktop import add_to_desktop  # noqa: E402 - as above
from identity import APPLICATION, IDENTIFIER  # noqa: E402 - as above
from live_view import NAME as LIVE_VIEW  # noqa: E402 - as above
from pack import pack_folder, set_times, source_date  # noqa: E402 - as above
from steps import exit_status  # noqa: E402 - as above
from system_libraries import require_program  # noqa: E402 - as above

from desktop_rater import __version__  # noqa: E402 - the checkout's own

DIST = ROOT / "dist"
INSTALLED = Path("usr", "lib", "desktop-rater")
START = """\
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/usr/lib/desktop-rater/desktop-rater" "$@"
"""
# Each desktop system has these, and links its graphics drivers and dictionaries with them: an older copy would break
# those. Not libcom_err and libgpg-error, though others leave them out: Debian 13 may have neither, and only libkrb5 and
# libgcrypt in the folder are linked with them.
LEFT_TO_THE_SYSTEM = (
    "libX11-xcb.so.1",
    "libX11.so.6",
    "libexpat.so.1",
    "libfontconfig.so.1",
    "libfreetype.so.6",
    "libgcc_s.so.1",
    "libglib-2.0.so.0",
    "libgthread-2.0.so.0",
    "libp11-kit.so.0",
    "libpcre2-8.so.0",
    "libstdc++.so.6",
    "libuuid.so.1",
    "libz.so.1",
)


def main(arguments: list[str] | None = None) -> int:
    """Make the AppImage; return 1 if the folder asks for too new a system, fails its self-test, or a step fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=DIST / "desktop-rater", help="the folder that build.py makes")
    parser.add_argument("--runtime", type=Path, help="the runtime of AppImages")
    parser.add_argument("--sha256", default="", help="the SHA-256 of the runtime")
    parser.add_argument("--glibc", default="", help="the newest glibc that may be needed, such as 2.34")
    words = parser.parse_args(arguments)
    if not words.program.is_dir():
        parser.error(f"there is no folder {words.program}: make package")
    return exit_status(lambda: make_image(words.program, words.runtime, words.sha256, words.glibc))


def make_image(program: Path, runtime_file: Path | None, sha256: str, glibc: str) -> None:
    """Make the AppImage of a folder, or its content if there is no runtime; exit if it needs a newer glibc."""
    runtime = read_runtime(runtime_file, sha256) if runtime_file else None
    name = image_name(program)
    folder = ROOT / "build" / "appimage" / f"{name}.AppDir"
    make_folder(program, folder)
    needed = glibc_needed(folder)
    version = max(needed, key=version_key)
    print(f"It runs with glibc {version} or newer, which these files need:", *needed[version], sep="\n  ")
    if glibc and version_key(version) > version_key(glibc):
        sys.exit(f"Not made: it has to run with glibc {glibc}. Build with a portable Python.")
    subprocess.run([folder / "AppRun", "self-test"], check=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    if runtime is None:
        print("\nNo runtime is named, so there is no AppImage, only its content.")
        image = DIST / f"{folder.name}.tar.xz"
        pack_folder(folder, image)
        copy_bill(program, image, folder / INSTALLED)
        return
    image = DIST / f"{name}.AppImage"
    image.write_bytes(runtime + squashed(folder).read_bytes())
    image.chmod(0o755)
    copy_bill(program, image, folder / INSTALLED)
    print(f"\nMade: {image.relative_to(ROOT)}, {image.stat().st_size / 1e6:.0f} MB")


def image_name(program: Path) -> str:
    """Return the name of the AppImage of a folder, without its ending."""
    flavour = "full-" if (program / LIVE_VIEW).exists() else ""
    return f"desktop-rater-{__version__}-{flavour}{platform.machine()}"


def read_runtime(file: Path, sha256: str) -> bytes:
    """Return the runtime; end the program if it is another one than named, or none."""
    content = file.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != sha256.lower():
        sys.exit(f"The SHA-256 of {file} is {found}, and not the one given.")
    if content[8:11] != b"AI\2":
        sys.exit(f"{file} is no runtime of AppImages of type 2.")
    return content


def make_folder(program: Path, folder: Path) -> None:
    """Write the content of the AppImage: the program, how to start it, and what a desktop shows of it."""
    shutil.rmtree(folder, ignore_errors=True)
    installed = folder / INSTALLED
    left_out = shutil.ignore_patterns(*LEFT_TO_THE_SYSTEM)
    shutil.copytree(program, installed, symlinks=True, ignore=left_out)
    add_to_desktop(folder / "usr" / "share")
    shutil.copy(APPLICATION / f"{IDENTIFIER}.desktop", folder)
    shutil.copy(APPLICATION / "desktop-rater.svg", folder / f"{IDENTIFIER}.svg")
    (folder / ".DirIcon").symlink_to(f"{IDENTIFIER}.svg")
    start = folder / "AppRun"
    start.write_text(START, "ascii")
    start.chmod(0o755)


def glibc_needed(folder: Path) -> dict[str, list[str]]:
    """Return the versions of glibc that programs and libraries are linked with, each with the files that need it."""
    found: dict[str, list[str]] = {}
    for file in _linked(folder):
        symbols = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=False).stdout
        versions = re.findall(r"GLIBC_([\d.]+)", symbols)
        if versions:
            found.setdefault(max(versions, key=version_key), []).append(str(file.relative_to(folder)))
    return found


def version_key(version: str) -> tuple[int, ...]:
    """Return what versions are sorted by."""
    return tuple(int(part) for part in version.split("."))


def _linked(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as stream:
                if stream.read(4) == b"\x7fELF":
                    yield file


def squashed(folder: Path) -> Path:
    """Return the file system of a folder, the same bytes for the same files."""
    require_program("mksquashfs", "squashfs-tools")
    set_times(folder)  # mksquashfs itself changes only later ones
    file = folder.with_suffix(".squashfs")
    options = ("-noappend", "-root-owned", "-no-xattrs", "-quiet", "-no-progress", "-comp", "zstd")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": source_date()}
    subprocess.run(["mksquashfs", folder, file, *options], check=True, env=environment)
    return file


if __name__ == "__main__":
    sys.exit(main())
