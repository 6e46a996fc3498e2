"""Licences of what the packaged folder contains: one folder of texts for each package, and a list of them.

A package without a licence text ends the packaging. Texts that wheels leave out are in packaging/licences/, named by
their SPDX identifiers.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

from components import LICENCES, licence_files

# Fonts and Chromium inside packages, whose licences are not those of the packages.
_INSIDE = {
    "ziamath": "STIX-Two-Math-OFL-1.1.txt",
    "ziafont": "DejaVu-Sans.txt",
    "PySide6_Addons": "Chromium.txt",
}
_ADDRESS = re.compile(r"(repository|source( code)?|homepage),", re.IGNORECASE)
_HEAD = """\
What this folder contains besides Desktop Rater, and under which licences.
Qt and PySide6 are shared libraries in the folders `PySide6`, used under the LGPL, version 3: each file of them can be
replaced by another build of the same version. Their sources are at the addresses below.
Qt WebEngine, which is in PySide6_Addons, contains Chromium and the libraries that it is made of. Their licences are
listed at https://doc.qt.io/qt-6/qtwebengine-licensing.html, and are in the sources of Qt WebEngine, below
src/3rdparty/chromium.

"""


def write_notices(files: Iterable[Path], folder: Path, installed: Iterable[Distribution] | None = None) -> list[str]:
    """Write the licences of the packages to which `files` belong into `folder`; return the packages' names.

    `installed` are the Python packages, by default those of this Python. Raises `FileNotFoundError` for a package
    without a licence text.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    packages, owners = owners_of(files, installed)
    lines = [_describe(package, folder) for package in packages.values()]
    texts = {name: Path("/usr/share/doc") / name / "copyright" for name in sorted(owners)}
    system = {name: text for name, text in texts.items() if text.exists()}
    for name, text in system.items():
        (folder / name).mkdir()
        shutil.copy(text, folder / name / "copyright")
        lines.append(f"{name}: a package of the system that this folder was made on")
    standard = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if standard.is_file():
        (folder / "Python").mkdir()
        shutil.copy(standard, folder / "Python")
        lines.append("Python: PSF-2.0")
    (folder / "README.txt").write_text(_HEAD + "\n".join(sorted(lines, key=str.casefold)) + "\n", "utf-8")
    return sorted([*packages, *system], key=str.casefold)


def owners_of(
    files: Iterable[Path], installed: Iterable[Distribution] | None = None
) -> tuple[dict[str, Distribution], dict[str, list[Path]]]:
    """Return the Python packages to which files belong, and the Debian packages with their files, by name."""
    owners = {
        os.path.normpath(str(file.locate())): distribution
        for distribution in (distributions() if installed is None else installed)
        for file in distribution.files or ()
    }
    rest, packages = [], {}
    for file in files:
        owner = owners.get(os.path.normpath(file))
        if owner is None:
            rest.append(file)
        else:
            packages[owner.metadata["Name"]] = owner
    return packages, _debian_packages(rest)


def _describe(package: Distribution, folder: Path) -> str:
    """Copy the licence texts of a package; return its line of the list."""

    def values(*keys: str) -> list[str]:
        return [value for key in keys for value in package.metadata.get_all(key) or ()]

    name, licence = package.metadata["Name"], next(iter(values("License-Expression", "License")), "")
    texts = licence_files(package, name, licence)
    if not texts:
        raise FileNotFoundError(f"The package {name} ({licence or 'licence unknown'}) has no licence text.")
    if name in _INSIDE:
        texts[_INSIDE[name]] = LICENCES / _INSIDE[name]
    (folder / name).mkdir()
    for target, text in texts.items():
        shutil.copy(text, folder / name / target)
    addresses = [line.partition(", ")[2] for line in values("Project-URL") if _ADDRESS.match(line)]
    licence = licence.strip().partition("\n")[0] or "see its text"
    return "; ".join((f"{name} {package.version}: {licence}", *values("Author", "Author-email"), *addresses))


def _debian_packages(files: Iterable[Path]) -> dict[str, list[Path]]:
    """Return the Debian packages to which files belong, each with these files; none on other systems."""
    # Where /lib is a link to /usr/lib, a package may name either.
    asked = {name: file for file in files for name in (str(file.resolve()), str(file.resolve()).removeprefix("/usr"))}
    if not asked or not shutil.which("dpkg-query"):
        return {}
    answer = subprocess.run(["dpkg-query", "-S", *asked], capture_output=True, text=True, check=False).stdout
    owners = dict[str, list[Path]]()
    for line in answer.splitlines():
        package, _, path = line.partition(": ")
        if path in asked and not line.startswith("diversion "):
            owners.setdefault(package.partition(":")[0], []).append(asked[path])
    return owners
