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

# Fonts inside packages, whose licences are not those of the packages.
_FONTS = {"ziamath": "STIX-Two-Math-OFL-1.1.txt", "ziafont": "DejaVu-Sans.txt"}
_ADDRESS = re.compile(r"(repository|source( code)?|homepage),", re.IGNORECASE)
_HEAD = """\
What this folder contains besides Desktop Rater, and under which licences.
Qt and PySide6 are shared libraries in `_internal/PySide6`, used under the LGPL, version 3: each file of them can be
replaced by another build of the same version. Their sources are at the addresses below.

"""


def write_notices(files: Iterable[Path], folder: Path, installed: Iterable[Distribution] | None = None) -> list[str]:
    """Write the licences of the packages to which `files` belong into `folder`; return the packages' names.

    `installed` are the Python packages, by default those of this Python. Raises `FileNotFoundError` for a package
    without a licence text.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    owners = {
        os.path.normpath(str(file.locate())): distribution
        for distribution in (distributions() if installed is None else installed)
        for file in distribution.files or ()
    }
    rest, packages = set(), {}
    for file in files:
        owner = owners.get(os.path.normpath(file))
        if owner is None:
            rest.add(file.resolve())
        else:
            packages[owner.metadata["Name"]] = owner
    lines = [_describe(package, folder) for package in packages.values()]
    system = _debian_packages(rest)
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


def _describe(package: Distribution, folder: Path) -> str:
    """Copy the licence texts of a package; return its line of the list."""

    def values(*keys: str) -> list[str]:
        return [value for key in keys for value in package.metadata.get_all(key) or ()]

    name, licence = package.metadata["Name"], next(iter(values("License-Expression", "License")), "")
    texts = licence_files(package, name, licence)
    if not texts:
        raise FileNotFoundError(f"The package {name} ({licence or 'licence unknown'}) has no licence text.")
    if name in _FONTS:
        texts[_FONTS[name]] = LICENCES / _FONTS[name]
    (folder / name).mkdir()
    for target, text in texts.items():
        shutil.copy(text, folder / name / target)
    addresses = [line.partition(", ")[2] for line in values("Project-URL") if _ADDRESS.match(line)]
    licence = licence.strip().partition("\n")[0] or "see its text"
    return "; ".join((f"{name} {package.version}: {licence}", *values("Author", "Author-email"), *addresses))


def _debian_packages(files: Iterable[Path]) -> dict[str, Path]:
    """Return the copyright files of the Debian packages to which files belong, by package; none on other systems."""
    # Where /lib is a link to /usr/lib, a package may name either.
    names = [name for file in files for name in (str(file), str(file).removeprefix("/usr"))]
    if not names or not shutil.which("dpkg-query"):
        return {}
    answer = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True, check=False).stdout
    packages = {line.partition(":")[0] for line in answer.splitlines() if not line.startswith("diversion ")}
    texts = {name: Path("/usr/share/doc") / name / "copyright" for name in sorted(packages)}
    return {name: text for name, text in texts.items() if text.exists()}
