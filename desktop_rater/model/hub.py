"""The small files on a hub, and the names of files there, which hold their SHA-256: equal names are equal bytes."""

from typing import Annotated, Literal

from msgspec import Meta

from desktop_rater.model.signature import is_weak_key
from desktop_rater.model.strict_json import OpenStruct
from desktop_rater.model.values import Count, Id, Sha256, Time, check_time

HUB_VERSION = 1
MARKER_FORMAT = "desktop-rater/hub"
ASSIGNMENT_FORMAT = "desktop-rater/assignment"
KEY_FORMAT = "desktop-rater/key"

MAX_HUB_ZIP_BYTES = 256 * 1024 * 1024  # of a zip on a hub: more can't be transferred over a poor network
MAX_CLOCK_SKEW = 300.0  # seconds by which two clocks may differ without a warning
MAX_HUB_FILE_BYTES = 64 * 1024  # of the other files


class HubMarker(OpenStruct, frozen=True, kw_only=True):
    """`hub.json`: the project of a hub. Nothing is written to a hub unless `project` is the expected one.

    `lead_key`: the public key with which the lead signs assignments.
    """

    format: Literal["desktop-rater/hub"]
    version: Annotated[int, Meta(ge=1)]
    project: Id
    title: str = ""
    created: Time | None = None
    lead_key: Sha256 | None = None

    def __post_init__(self) -> None:
        check_time(self.created, "created")
        if self.lead_key is not None and is_weak_key(self.lead_key):
            raise ValueError("lead_key is a weak key, with which anybody could sign")


class AssignedBundle(OpenStruct, frozen=True, kw_only=True):
    """A bundle on the hub: `name` is that of its file there, `sha256` and `bytes` are those of the whole zip."""

    name: str
    sha256: Sha256
    bytes: Count
    id: Id
    revision: Annotated[int, Meta(ge=1)]
    title: str = ""
    tasks: Count


class LeadSignature(OpenStruct, frozen=True, kw_only=True):
    """The lead's signature of an assignment on the hub of `project`; `key` is the lead's public key.

    `value` is Ed25519's, of `desktop-rater/published/1`, a line feed and the canonical JSON of the whole assignment
    without `value`.
    """

    project: Id
    key: Sha256
    value: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]


class Assignment(OpenStruct, frozen=True, kw_only=True):
    """A bundle assigned or returned to a rater. It holds no time, so that assigning twice makes the same file."""

    format: Literal["desktop-rater/assignment"]
    version: Annotated[int, Meta(ge=1)]
    rater: Id
    bundle: AssignedBundle
    signature: LeadSignature | None = None


class KeyReplacement(OpenStruct, frozen=True, kw_only=True):
    """Statement that a key replaces the rater's earlier `key`, which has signed it.

    `value` is Ed25519's, of `desktop-rater/published/1`, a line feed and the canonical JSON of the whole key file
    without `value`.
    """

    key: Sha256
    value: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]


class RaterKey(OpenStruct, frozen=True, kw_only=True):
    """Public key that verifies a rater's signature on results: Ed25519, 32 bytes in hexadecimal digits."""

    format: Literal["desktop-rater/key"]
    version: Annotated[int, Meta(ge=1)]
    rater: Id
    key: Sha256
    replaces: KeyReplacement | None = None
