"""What the program is made of besides its own code: the packages of the locks, with versions, hashes and licences.

Run as a script it writes build/THIRD-PARTY-NOTICES.txt, which goes into each package. No network is needed: the texts
are those of the installed packages, and of packaging/licences/ for packages that only other systems need.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LICENCES = ROOT / "packaging" / "licences"
NOTICES = ROOT / "build" / "THIRD-PARTY-NOTICES.txt"
LOCKS = (ROOT / "requirements.lock", *sorted((ROOT / "packaging" / "windows").glob("*.lock")))
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_VIA = re.compile(r"(?m)^ +# +(?:via +)?(?!via$)(\S.*)$")
_PROJECT = "desktop-rater (pyproject.toml)"
_TEXT = re.compile(r"(licen[cs]e|copying|copyright|notice|authors)[^/]*(?<!\.py)", re.IGNORECASE)
_HEAD = r"""
THIRD-PARTY NOTICES OF DESKTOP RATER

Desktop Rater itself is licensed under the Apache License, version 2.0 (LICENSE). It uses the packages listed below,
each under its own licence; the texts follow the list. Packages are named as in requirements.lock, and as in
packaging/windows/ for the Windows installer. What is in one package of Desktop Rater, and in which version, is in its
bill of materials, `NAME.cdx.json` beside it.

Qt and PySide6 (Qt for Python) are used under the GNU Lesser General Public License, version 3. They are shared
libraries that are loaded when the program runs (dynamic linking), and they are not modified. You may replace them by
other builds of the same version: in an installed environment with pip, elsewhere by replacing files in these folders:

    Linux    _internal/PySide6, and live-view/PySide6 of a full package or an add-on
    Windows  program\Lib\site-packages\PySide6
    macOS    Contents/Frameworks/PySide6 of Desktop Rater.app

Debugging such a modified program is allowed. Their sources are at https://download.qt.io/official_releases/. The same
holds for the libraries under the GNU Lesser General Public License, version 2.1, in pyenchant's package for Windows,
in program\Lib\site-packages\enchant. For three years after you received a package of Desktop Rater, those who gave it
to you will give you the sources of the Qt, the PySide6 and these libraries in it, for no more than the cost of the
copy.

Qt WebEngine is in full packages and in the add-on for the live view. It contains Chromium and the libraries that
Chromium is made of, each under its own licence. PySide6's packages bring no copy of these licences: they are listed at
https://doc.qt.io/qt-6/qtwebengine-licensing.html, and their texts are in the sources of the same version of Qt
WebEngine, below src/3rdparty/chromium.

"""


class Component(NamedTuple):
    """A package of a lock: its licence is an SPDX expression, "" if none is known. `entry` is its text in the lock."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    licence: str
    needed_by: tuple[str, ...] = ()
    entry: str = ""


class Part(NamedTuple):
    """Something that a package brings in files of its own, with patterns of their names; `texts` are its licence."""

    name: str
    package: str
    licence: str
    texts: tuple[Path, ...]
    files: tuple[str, ...]
    version: str = ""


def bundled_parts() -> list[Part]:
    """Return the parts of packages that the packages' licences do not name, such as the libraries of pyenchant."""
    table = tomllib.loads((LICENCES / "bundled.toml").read_text("utf-8"))
    return [
        Part(
            part["name"],
            part["package"],
            part["licence"],
            tuple(LICENCES / name for name in part["texts"]),
            tuple(part["files"]),
            part.get("version", ""),
        )
        for part in table["part"]
    ]


def components(lock: Path = ROOT / "requirements.lock") -> list[Component]:
    """Return the packages of a lock, in its order."""
    known: dict[str, str] = tomllib.loads((LICENCES / "licences.toml").read_text("utf-8"))
    found = []
    for text in re.split(r"\n(?=[a-z0-9])", lock.read_text("utf-8")):
        if text.startswith("#"):
            continue
        entry = text.replace("\\\n", " ")
        requirement = Requirement(entry.partition("--hash")[0].partition("\n")[0].strip())
        (pin,) = requirement.specifier
        package = installed(requirement.name)
        stated = (package.metadata.get_all("License-Expression") if package else None) or [""]
        hashes = tuple(_HASH.findall(entry))
        marker = str(requirement.marker or "")
        licence = stated[0] or known.get(requirement.name, "")
        needed_by = tuple(_VIA.findall(text))
        found.append(Component(requirement.name, pin.version, marker, hashes, licence, needed_by, text))
    return found


def needed_to_run(parts: list[Component]) -> list[Component]:
    """Return the packages without those that only build the program."""
    needed: list[Component] = []
    while found := [part for part in parts if part not in needed and _is_needed(part, needed)]:
        needed += found
    return [part for part in parts if part in needed]


def _is_needed(part: Component, needed: list[Component]) -> bool:
    return not {_PROJECT, *(other.name for other in needed)}.isdisjoint(part.needed_by)


def installed(name: str, folders: Iterable[str] = ()) -> Distribution | None:
    """Return an installed package, of the first of the folders or else of this Python."""
    return next(iter(distributions(name=name, path=[*folders, *sys.path])), None)


def licence_files(package: Distribution | None, name: str, licence: str) -> dict[str, Path]:
    """Return the licence texts of a package by name: its own, or else those of packaging/licences/."""
    files = [file for file in (package.files if package else None) or () if ".dist-info" in str(file)]
    own = {
        "-".join(file.parts[1:]).removeprefix("licenses-"): Path(str(file.locate()))
        for file in files
        if _TEXT.fullmatch(file.name)
    }
    names = [f"{word}.txt" for word in (name, *re.findall(r"[\w.-]+", licence))]
    return own or {name: LICENCES / name for name in names if (LICENCES / name).exists()}


def licence_texts(component: Component, folders: Iterable[str] = ()) -> list[str]:
    """Return the licence texts of a package of the lock, without spaces at the ends of lines."""
    package = installed(component.name, folders)
    return list(map(_read_text, licence_files(package, component.name, component.licence).values()))


def _read_text(file: Path) -> str:
    return re.sub(r"[ \t\r\f]+$", "", file.read_text("utf-8", "replace"), flags=re.MULTILINE).strip("\n")


def licensed(folders: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return the licence texts of all packages of the locks and of what is bundled, by a line with name and licence.

    `folders` have the wheels of another system, whose texts may name other libraries than those of this one.
    """
    lines = {
        f"{part.name}: {part.licence}": licence_texts(part, folders) for lock in LOCKS for part in components(lock)
    } | {
        f"{part.name} (in {part.package}): {part.licence}": list(map(_read_text, part.texts))
        for part in bundled_parts()
    }
    for line, texts in lines.items():
        if not texts:
            raise FileNotFoundError(f"There is no licence text of {line}.")
    return lines


def write_notices_file(folders: Iterable[str] = ()) -> Path:
    """Write the list of packages with their licences, and each licence text once; return the file."""
    lines, names = licensed(folders), dict[str, list[str]]()
    for line, texts in lines.items():
        for text in texts:
            names.setdefault(text, []).append(line.partition(":")[0])
    parts = [f"{'=' * 100}\n{', '.join(dict.fromkeys(of))}\n{'=' * 100}\n\n{text}\n" for text, of in names.items()]
    NOTICES.parent.mkdir(exist_ok=True)
    NOTICES.write_text(_HEAD.removeprefix("\n") + "\n".join(lines) + "\n\n" + "\n".join(parts), "utf-8")
    return NOTICES


if __name__ == "__main__":
    print(write_notices_file().relative_to(ROOT))
