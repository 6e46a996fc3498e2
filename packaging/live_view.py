"""Make the add-on with the browser engine, Qt WebEngine, for packages without it: live-view/ in dist/, as a .tar.xz.

It serves programs with the same release of Qt. addon.json says which, and lists the files with their sizes, so that a
damaged add-on is recognized. `build.py` puts one into the full package.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import PySide6
from bill_of_materials import installed, known, linked, write_bill
from notices import owners_of, write_notices
from pack import ROOT, pack_folder
from steps import exit_status
from system_libraries import require_program

from desktop_rater import __version__

NAME = "live-view"
MODULES = ("QtWebChannel", "QtWebEngineCore", "QtWebEngineWidgets")
RESOURCES = (  # without the developer tools
    "icudtl.dat",
    "qtwebengine_resources.pak",
    "qtwebengine_resources_100p.pak",
    "qtwebengine_resources_200p.pak",
    "v8_context_snapshot.bin",
)


class Layout(NamedTuple):
    """Where PySide6 has the parts of the engine on a system, and the ending of its modules."""

    module_ending: str
    libraries: str
    process: str
    resources: str
    locales: str


LINUX = Layout(
    ".abi3.so", "Qt/lib", "Qt/libexec/QtWebEngineProcess", "Qt/resources", "Qt/translations/qtwebengine_locales"
)
WINDOWS = Layout(".pyd", "", "QtWebEngineProcess.exe", "resources", "translations/qtwebengine_locales")


def main() -> int:
    """Make the add-on; return 1 where that is not possible or if a step fails."""
    if sys.platform != "linux" or find_spec("PySide6.QtWebEngineWidgets") is None:
        print("The add-on is made on Linux, with Qt WebEngine installed.", file=sys.stderr)
        return 1
    require_program("objdump", "binutils")
    folder = ROOT / "build" / "package" / NAME
    archive = ROOT / "dist" / f"desktop-rater-{NAME}-qt{PySide6.__version__}-{platform()}.tar.xz"

    def make() -> None:
        packages, _system = owners_of(make_addon(folder))
        pack_folder(folder, archive)
        parts = [*installed(packages.values()), *linked(folder), known("qt", PySide6.__version__)]
        write_bill(archive, __version__, parts)

    return exit_status(make)


def platform() -> str:
    """Return the system and processor, such as linux-x86_64."""
    return sysconfig.get_platform()


def make_addon(folder: Path, program: Path | None = None) -> list[Path]:
    """Write the add-on into `folder`: what PySide6 has of it, and the libraries of Qt that it is linked with.

    Return the files that it was made of.

    Beside a packaged program the libraries that both need are links into `program`, a folder with its PySide6.
    """
    shutil.rmtree(folder, ignore_errors=True)
    package = Path(PySide6.__path__[0])
    parts = engine_files(package, LINUX)
    for part in parts:
        copy = folder / "PySide6" / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if program is not None and (program / part).exists():
            copy.symlink_to(os.path.relpath(program / part, copy.parent))
        else:
            shutil.copy2(package / part, copy)
    sizes = {f"PySide6/{part}": (folder / "PySide6" / part).stat().st_size for part in sorted(parts)}
    text = json.dumps({"qt": PySide6.__version__, "system": platform(), "files": sizes}, indent=1)
    (folder / "addon.json").write_text(text + "\n", "utf-8")
    files = [package / part for part in parts]
    write_notices(files, folder / "licences")
    return files


def engine_files(package: Path, layout: Layout) -> list[Path]:
    """Return the engine's files in a PySide6: modules, process, data, and the libraries that they are linked with.

    Only the languages of the program are among them. Raises `FileNotFoundError` if a part is missing.
    """
    languages = [
        "en-US",
        *(file.stem.rpartition("_")[2] for file in (ROOT / "resources" / "translations").glob("*.ts")),
    ]
    programs = [*(Path(f"{module}{layout.module_ending}") for module in MODULES), Path(layout.process)]
    data = [Path(layout.locales, f"{language}.pak") for language in languages]
    data += [Path(layout.resources, name) for name in RESOURCES]
    for part in (*programs, *data):
        if not (package / part).is_file():
            raise FileNotFoundError(f"PySide6 has no {part}.")
    return [*programs, *data, *linked_libraries(package, layout, [package / part for part in programs])]


def linked_libraries(package: Path, layout: Layout, files: list[Path]) -> list[Path]:
    """Return the libraries of PySide6 that files are linked with, directly or through others."""
    found: dict[str, Path] = {}
    while files:
        listing = subprocess.check_output(["objdump", "-p", str(files.pop())], text=True)
        for name in re.findall(r"(?:NEEDED|DLL Name:) +(\S+)", listing):
            library = package / layout.libraries / name
            if name not in found and library.exists():
                found[name] = library.relative_to(package)
                files.append(library)
    return sorted(found.values())


if __name__ == "__main__":
    sys.exit(main())
