"""The small files on a hub, and the names of files there, which hold their SHA-256: equal names are equal bytes."""

from typing import Annotated, Literal

from msgspec import Meta

from desktop_rater.model.strict_json import OpenStruct
from desktop_rater.model.values import Count, Id, Sha256, Time, check_time

HUB_VERSION = 1
MARKER_FORMAT = "desktop-rater/hub"
ASSIGNMENT_FORMAT = "desktop-rater/assignment"
KEY_FORMAT = "desktop-rater/key"

MAX_HUB_ZIP_BYTES = 256 * 1024 * 1024  # of a zip on a hub: more can't be transferred over a poor network
MAX_HUB_FILE_BYTES = 64 * 1024  # of the other files


class HubMarker(OpenStruct, frozen=True, kw_only=True):
    """`hub.json`: the project of a hub. Nothing is written to a hub unless `project` is the expected one."""

    format: Literal["desktop-rater/hub"]
    version: Annotated[int, Meta(ge=1)]
    project: Id
    title: str = ""
    created: Time | None = None

    def __post_init__(self) -> None:
        check_time(self.created, "created")


class AssignedBundle(OpenStruct, frozen=True, kw_only=True):
    """A bundle on the hub: `name` is that of its file there, `sha256` and `bytes` are those of the whole zip."""

    name: str
    sha256: Sha256
    bytes: Count
    id: Id
    revision: Annotated[int, Meta(ge=1)]
    title: str = ""
    tasks: Count


class Assignment(OpenStruct, frozen=True, kw_only=True):
    """A bundle assigned to a rater. It holds no time, so that assigning twice makes the same file."""

    format: Literal["desktop-rater/assignment"]
    version: Annotated[int, Meta(ge=1)]
    rater: Id
    bundle: AssignedBundle


class RaterKey(OpenStruct, frozen=True, kw_only=True):
    """Public key that verifies a rater's signature on results: Ed25519, 32 bytes in hexadecimal digits."""

    format: Literal["desktop-rater/key"]
    version: Annotated[int, Meta(ge=1)]
    rater: Id
    key: Sha256
