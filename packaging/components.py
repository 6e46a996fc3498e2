"""What the program is made of besides its own code: the packages of the lock, with versions, hashes and licences.

Run as a script it writes THIRD-PARTY-NOTICES.txt. A release has a bill of materials (CycloneDX 1.6) beside it.
"""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LICENCES = ROOT / "packaging" / "licences"
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_TEXT = re.compile(r"(licen[cs]e|copying|copyright|notice|authors)[^/]*(?<!\.py)", re.IGNORECASE)
_HEAD = """\
THIRD-PARTY NOTICES OF DESKTOP RATER

Desktop Rater itself is licensed under the Apache License, version 2.0 (LICENSE). It uses the packages listed below,
each under its own licence; the texts follow the list. Packages are named as in requirements.lock.

Qt and PySide6 (Qt for Python) are used under the GNU Lesser General Public License, version 3. They are shared
libraries that are loaded when the program runs (dynamic linking), and they are not modified. You may replace them by
other builds of the same version: in an installed environment with pip, in a packaged folder by replacing the files in
`_internal/PySide6`. Debugging such a modified program is allowed. Their sources are at
https://download.qt.io/official_releases/; for three years after you received a package of Desktop Rater, those who
gave it to you will give you the sources of the Qt and PySide6 in it, for no more than the cost of the copy. Qt
WebEngine contains Chromium, whose notices the page chrome://credits of an embedded view shows.

"""


class Component(NamedTuple):
    """A package of the lock: its licence is an SPDX expression, "" if none is known."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    licence: str


def components(lock: Path = ROOT / "requirements.lock") -> list[Component]:
    """Return the packages of a lock, in its order."""
    known: dict[str, str] = tomllib.loads((LICENCES / "licences.toml").read_text("utf-8"))
    found = []
    for entry in re.split(r"\n(?=[a-z0-9])", lock.read_text("utf-8").replace("\\\n", " ")):
        if entry.startswith("#"):
            continue
        requirement = Requirement(entry.partition("--hash")[0].partition("\n")[0].strip())
        (pin,) = requirement.specifier
        package = installed(requirement.name)
        stated = (package.metadata.get_all("License-Expression") if package else None) or [""]
        hashes = tuple(_HASH.findall(entry))
        marker = str(requirement.marker or "")
        found.append(
            Component(requirement.name, pin.version, marker, hashes, stated[0] or known.get(requirement.name, ""))
        )
    return found


def installed(name: str) -> Distribution | None:
    """Return an installed package."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


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


def licence_texts(component: Component) -> list[str]:
    """Return the licence texts of a package of the lock, without spaces at the ends of lines."""
    files = licence_files(installed(component.name), component.name, component.licence)
    texts = [file.read_text("utf-8", "replace") for file in files.values()]
    return [re.sub(r"[ \t\r\f]+$", "", text, flags=re.MULTILINE).strip("\n") for text in texts]


def notices() -> str:
    """Return the list of packages with their licences, and each licence text once."""
    rows, texts = [], dict[str, list[str]]()
    for component in components():
        row = f"{component.name}: {component.licence}"
        if row in rows:
            continue
        rows.append(row)
        found = licence_texts(component)
        if not found:
            raise FileNotFoundError(f"The package {component.name} ({component.licence}) has no licence text.")
        for text in found:
            texts.setdefault(text, []).append(component.name)
    parts = [
        f"{'=' * 100}\n{', '.join(dict.fromkeys(names))}\n{'=' * 100}\n\n{text}\n" for text, names in texts.items()
    ]
    return _HEAD + "\n".join(rows) + "\n\n" + "\n".join(parts)


def bill_of_materials(version: str) -> dict[str, Any]:
    """Return the packages of the lock as a CycloneDX 1.6 document."""

    def described(part: Component) -> dict[str, Any]:
        address = f"pkg:pypi/{part.name}@{part.version}"
        properties = [{"name": "python:marker", "value": part.marker}] if part.marker else []
        return {
            "type": "library",
            "bom-ref": address,
            "name": part.name,
            "version": part.version,
            "purl": address,
            "licenses": [{"expression": part.licence}],
            "properties": [*properties, *({"name": "pip:sha256", "value": digest} for digest in part.hashes)],
        }

    parts = components()
    own = {
        "type": "application",
        "bom-ref": "desktop-rater",
        "name": "desktop-rater",
        "version": version,
        "licenses": [{"expression": "Apache-2.0"}],
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [described(part) for part in parts],
        "dependencies": [
            {"ref": "desktop-rater", "dependsOn": [f"pkg:pypi/{part.name}@{part.version}" for part in parts]}
        ],
    }


if __name__ == "__main__":
    (ROOT / "THIRD-PARTY-NOTICES.txt").write_text(notices(), "utf-8")
