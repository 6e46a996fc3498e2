"""The small files on a hub: its marker, what is assigned to a rater, and a rater's public key."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from desktop_rater.model.kept import Kept
from desktop_rater.model.limits import Count, Id, Sha256, Time, check_time

HUB_VERSION = 1
MARKER_FORMAT = "desktop-rater/hub"
ASSIGNMENT_FORMAT = "desktop-rater/assignment"
KEY_FORMAT = "desktop-rater/key"

MOST_BYTES = 256 * 1024 * 1024  # of a zip on a hub: more does not come through on a poor network
SMALL_BYTES = 64 * 1024  # of the other files


class HubMarker(Kept, frozen=True, kw_only=True):
    """`hub.json`: whose hub it is. Nothing is written to a hub before its `project` is the one that is expected."""

    format: Literal["desktop-rater/hub"]
    version: Annotated[int, Meta(ge=1)]
    project: Id
    title: str = ""
    created: Time | None = None

    def __post_init__(self) -> None:
        check_time(self.created, "created")


class AssignedBundle(Kept, frozen=True, kw_only=True):
    """A bundle on the hub: `name` is that of its file there, `sha256` and `bytes` are those of the whole zip."""

    name: str
    sha256: Sha256
    bytes: Count
    id: Id
    revision: Annotated[int, Meta(ge=1)]
    title: str = ""
    tasks: Count


class Assignment(Kept, frozen=True, kw_only=True):
    """A bundle that is a rater's to rate. It holds no time, so that assigning twice makes the same file."""

    format: Literal["desktop-rater/assignment"]
    version: Annotated[int, Meta(ge=1)]
    rater: Id
    bundle: AssignedBundle


class RaterKey(Kept, frozen=True, kw_only=True):
    """The public half of the key that a rater signs results with: Ed25519, 32 bytes in hexadecimal digits."""

    format: Literal["desktop-rater/key"]
    version: Annotated[int, Meta(ge=1)]
    rater: Id
    key: Sha256
