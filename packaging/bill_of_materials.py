"""Bills of materials: a CycloneDX 1.6 document NAME.cdx.json beside each package, for the scanners of a company.

Each lists what is in its package: Python packages as they are installed there, Python, Qt and the libraries inside them
that have security advisories of their own, and packages of the system. The wheel contains none of these; its bill lists
what it was tested with.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

from components import LOCKS, ROOT, Component, bundled_parts, components, needed_to_run
from packaging.markers import Marker
from packaging.utils import canonicalize_name

Entry = dict[str, Any]

OWN = "desktop-rater"
DEV_LOCK = ROOT / "requirements-dev.lock"  # it names PyInstaller, part of which starts a folder's program
# Names in the national vulnerability database, and licences.
_KNOWN = {
    "python": ("python:python", "PSF-2.0"),
    "openssl": ("openssl:openssl", "Apache-2.0"),
    "sqlite": ("sqlite:sqlite", "blessing"),
    "qt": ("qt:qt", "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only"),
    "chromium": ("google:chrome", "BSD-3-Clause"),
}
_BUNDLED = (".dll", ".aff", ".dic")  # libraries and dictionaries
# Libraries that are linked into a file, with the words by which they name their version.
_LINKED = (
    ("openssl", "**/cryptography/hazmat/bindings/_rust*", rb"OpenSSL (\d+\.\d+\.\d+[a-z]?) +\d+ \w+ \d{4}"),
    ("chromium", "**/*Qt6WebEngineCore*", rb"Chrome/(\d+\.0\.\d+\.\d+)"),
)


def write_bill(artefact: Path, version: str, entries: Iterable[Entry]) -> Path:
    """Write the bill of a package beside it; return its path."""
    own: Entry = {"type": "application", "bom-ref": OWN, "name": OWN, "version": version}
    own["licenses"] = [{"expression": "Apache-2.0"}]
    own["properties"] = [{"name": "desktop-rater:package", "value": artefact.name}]
    if artefact.is_file():
        own["hashes"] = [{"alg": "SHA-256", "content": hashlib.sha256(artefact.read_bytes()).hexdigest()}]
    parts = {entry["bom-ref"]: entry for entry in entries}  # a library can be in two files
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [parts[reference] for reference in sorted(parts)],
        "dependencies": [{"ref": OWN, "dependsOn": sorted(parts)}],
    }
    file = bill_of(artefact)
    file.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    return file


def bill_of(artefact: Path) -> Path:
    """Return the path of the bill of a package."""
    return artefact.with_name(f"{artefact.name}.cdx.json")


def copy_bill(source: Path, artefact: Path, tree: Path) -> Path:
    """Write the bill of a package made of the folder `source`: without the libraries that `tree` has none of.

    `tree` is the folder as the package contains it.
    """
    document = json.loads(bill_of(source).read_text("utf-8"))
    parts = document["components"]
    return write_bill(artefact, document["metadata"]["component"]["version"], [p for p in parts if _is_in(p, tree)])


def _is_in(entry: Entry, tree: Path) -> bool:
    places = [place["location"] for place in entry.get("evidence", {}).get("occurrences", ())]
    return not places or any((tree / place).exists() for place in places)


def locked(environment: dict[str, str] | None = None) -> list[Entry]:
    """Return the packages of requirements.lock that the program needs in an environment, by default in this one."""
    values = {**environment} if environment else None
    return [
        entry_of(part)
        for part in needed_to_run(components())
        if not part.marker or Marker(part.marker).evaluate(values)
    ]


def entry_of(part: Component) -> Entry:
    """Return a package of a lock."""
    entry = _entry(part.name, part.version, f"pkg:pypi/{part.name}@{part.version}", part.licence)
    entry["properties"] = [{"name": "pip:sha256", "value": digest} for digest in part.hashes]
    return entry


def installed(packages: Iterable[Distribution]) -> list[Entry]:
    """Return installed Python packages, with the hashes of the locks, and without the program's own."""
    parts = {(part.name, part.version): part for lock in (*LOCKS, DEV_LOCK) for part in components(lock)}
    names = [(canonicalize_name(package.metadata["Name"]), package.version) for package in packages]
    unlocked = {key: Component(*key, marker="", hashes=(), licence="") for key in names}
    return [entry_of({**unlocked, **parts}[key]) for key in names if key[0] != OWN]


def known(name: str, version: str, *places: str) -> Entry:
    """Return Python, Qt or a library, with the files of the package that it is in."""
    cpe, licence = _KNOWN[name]
    entry = _entry(name, version, f"pkg:generic/{name}@{version}", licence, places)
    return {**entry, "cpe": f"cpe:2.3:a:{cpe}:{version}:*:*:*:*:*:*:*"}


def linked(folder: Path) -> list[Entry]:
    """Return the libraries that are linked into files of a folder, and name their version there."""
    found = []
    for name, pattern, words in _LINKED:
        for file in folder.glob(pattern):
            version = re.search(words, file.read_bytes()) if file.is_file() else None
            if version:
                found.append(known(name, version[1].decode(), file.relative_to(folder).as_posix()))
    return found


def bundled(package: str, folder: Path, root: Path) -> list[Entry]:
    """Return the parts of a package that are files of its folder below `root`.

    Raises `FileNotFoundError` for an unknown library.
    """
    files = {file.relative_to(root) for ending in _BUNDLED for file in folder.rglob(f"*{ending}")}
    found = []
    for part in bundled_parts():
        places = {file for file in files if any(map(file.match, part.files))}
        if part.package == package and places:
            files -= places
            address = f"pkg:generic/{part.name.lower().replace(' ', '-')}{f'@{part.version}' if part.version else ''}"
            found.append(_entry(part.name, part.version, address, part.licence, [file.as_posix() for file in places]))
    if files:
        names = ", ".join(sorted(map(str, files)))
        raise FileNotFoundError(f"The licence of {names} in {package} is unknown: add it to bundled.toml.")
    return found


def file_version(file: Path) -> str:
    """Return the version of a library for Windows, from the resource that Explorer shows."""
    words = file.read_bytes().partition("FileVersion".encode("utf-16-le"))[2][:100].decode("utf-16-le", "replace")
    version = re.search(r"\d+\.\d+\.\d+", words)
    if version is None:
        raise ValueError(f"{file} states no version.")
    return version[0]


def of_debian(package: str, version: str, places: Iterable[str]) -> Entry:
    """Return a package of the Debian that a folder was made on, with its files in the folder."""
    return _entry(package, version, f"pkg:deb/debian/{package}@{version}", "", places)


def _entry(name: str, version: str, address: str, licence: str, places: Iterable[str] = ()) -> Entry:
    entry: Entry = {"type": "library", "bom-ref": address, "name": name, "purl": address}
    if version:
        entry["version"] = version
    if licence:
        entry["licenses"] = [{"expression": licence}]
    if places := sorted(places):
        entry["evidence"] = {"occurrences": [{"location": place} for place in places]}
    return entry
