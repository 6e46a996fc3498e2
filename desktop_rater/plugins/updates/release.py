"""The signed index of a release, and the versions of releases."""

import re
from typing import Annotated, Literal

from msgspec import Meta

from desktop_rater.model.hub_names import RESERVED_NAME
from desktop_rater.model.signature import is_weak_key
from desktop_rater.model.strict_json import OpenStruct
from desktop_rater.model.values import Sha256, Time, check_time

RELEASES_FORMAT = "desktop-rater/releases"
RELEASES_VERSION = 1
INDEX_NAME = "releases.json"
HUB_RELEASES = "releases"
"""Folder of release indexes and their files on a hub."""

MAX_INDEX_BYTES = 256 * 1024
MAX_RELEASE_FILE_BYTES = 4 * 2**30
MAX_RELEASE_FILES = 200
ANY = "any"
FULL = "-full"  # in the names of files that have the browser engine

System = Literal["linux", "windows", "macos", "any"]
Architecture = Literal["x86_64", "arm64", "any"]
ARCHITECTURES: dict[str, Architecture] = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}
"""Architectures by the names that systems and packages give them, in small letters."""

ReleaseVersion = Annotated[str, Meta(pattern=r"^[0-9]{1,5}(\.[0-9]{1,5}){1,3}$", max_length=23)]

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,119}")


class ReleaseFile(OpenStruct, frozen=True, kw_only=True):
    """A file of a release: its name without a folder, the computers it runs on, its size in bytes, its SHA-256."""

    name: str
    system: System
    architecture: Architecture = "any"
    size: Annotated[int, Meta(ge=1, le=MAX_RELEASE_FILE_BYTES)]
    sha256: Sha256

    def __post_init__(self) -> None:
        if not is_release_file_name(self.name):
            raise ValueError(f"`name` can't be the name of a downloaded file: {self.name[:200]!r}")


class ReleaseIndex(OpenStruct, frozen=True, kw_only=True):
    """`releases.json`: one release and its files, the preferred ones first.

    `number` grows with each index. `store`: the format of the release's stores, `oldest_store` the oldest format that
    it can update. `signature` is Ed25519's, of `desktop-rater/releases/1`, a line feed and the canonical JSON of all
    other members.
    """

    format: Literal["desktop-rater/releases"]
    version: Annotated[int, Meta(ge=1)]
    number: Annotated[int, Meta(ge=1, le=999_999_999)]
    made: Time
    expires: Time
    release: ReleaseVersion
    oldest_store: Annotated[int, Meta(ge=1)]
    store: Annotated[int, Meta(ge=1)]
    notes: Annotated[str, Meta(max_length=20_000)] = ""
    files: Annotated[tuple[ReleaseFile, ...], Meta(min_length=1, max_length=MAX_RELEASE_FILES)]
    key: Sha256
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]

    def __post_init__(self) -> None:
        check_time(self.made, "made")
        check_time(self.expires, "expires")
        if len({file.name.casefold() for file in self.files}) < len(self.files):
            raise ValueError("`files` names a file twice")
        if is_weak_key(self.key):
            raise ValueError("`key` is a weak key, with which anybody could sign")

    def files_for(self, system: str, architecture: str, *, full: bool) -> tuple[ReleaseFile, ...]:
        """Return the files that run on such a computer, the preferred ones first.

        Those with the browser engine come first if `full`, else last: an update neither adds nor removes the engine.
        """
        systems, architectures = {system, ANY}, {architecture, ANY}
        files = [file for file in self.files if file.system in systems and file.architecture in architectures]
        return tuple(sorted(files, key=lambda file: (FULL in file.name) != full))


def is_release_file_name(name: str) -> bool:
    """Return whether a name is a plain file name on every system, and leads into no folder."""
    return _FILE_NAME.fullmatch(name) is not None and not name.endswith(".") and RESERVED_NAME.fullmatch(name) is None


def version_order(version: str) -> tuple[int, ...]:
    """Return what versions are compared by: 0.10 is later than 0.9, and 1.0 is 1.0.0."""
    numbers = [int(part) for part in re.findall("[0-9]+", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
