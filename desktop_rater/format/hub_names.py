"""Names, files and signatures of a hub."""

import hashlib
import re
import unicodedata
from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from desktop_rater.format.strict_json import OpenStruct
from desktop_rater.format.values import Count, Id, Sha256, Time, check_time
from desktop_rater.text.untrusted import RESERVED_NAME

SIGNATURE_FORMAT = "desktop-rater/signature"
SIGNATURE_VERSION = 1
FINGERPRINT_GROUP = 4

_FIELD = 2**255 - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({0, 1, _FIELD - 1, _ORDER_8, _FIELD - _ORDER_8})  # y coordinates, see RFC 8032

SignatureState = Literal["signed", "unsigned", "altered"]


class SignatureFile(OpenStruct, frozen=True, kw_only=True):
    """`signature.json` of results. `manifest` is the SHA-256 of their `manifest.json`, `key` the rater's public key.

    `signature` is Ed25519's, of `desktop-rater/signature/1`, a line feed and the bytes of `manifest.json`.
    """

    format: Literal["desktop-rater/signature"]
    version: Annotated[int, Meta(ge=1)]
    rater: str
    key: Sha256
    manifest: Sha256
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]


class Signature(msgspec.Struct, frozen=True):
    """Outcome of verifying the signature of results; whether its key is trusted is a separate question.

    `key` is the public key of the signature. `why`: the reason, if the results are altered.
    """

    state: SignatureState = "unsigned"
    key: str = ""
    why: str = ""


def is_weak_key(key: str) -> bool:
    """Return whether a public key has no private half, so that anybody can make matching signatures.

    This holds for points of small order; a non-canonical encoding is refused too, since it could be one of them.
    """
    y = int.from_bytes(bytes.fromhex(key), "little") & (2**255 - 1)
    return y >= _FIELD or y in _SMALL_ORDER


def fingerprint(key: str) -> str:
    """Return the beginning of a public key in the form people compare: four groups of four digits."""
    return " ".join(
        key[start : start + FINGERPRINT_GROUP]
        for start in range(0, FINGERPRINT_GROUP * FINGERPRINT_GROUP, FINGERPRINT_GROUP)
    )


_SHORTEST = 8


class Secret:
    """A text whose `repr` hides it. Not a struct, so that it can't be written to a file."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text itself, for the one place that sends it."""
        return self._text

    def redact(self, text: str) -> str:
        """Return `text` with the secret replaced, also in its URL-quoted form.

        A short key such as "none", for a server that needs no key, is not treated as a secret: it is part of other
        words.
        """
        if len(self._text) < _SHORTEST:
            return text
        return text.replace(self._text, "…").replace(quote(self._text, safe=""), "…")

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written down")


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


MARKER = "hub.json"
BUNDLES, ASSIGNMENTS, RESULTS, RETURNED, KEYS = "bundles", "assignments", "results", "returned", "keys"

_PLAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_HASHED = re.compile(r"(?:[1-9][0-9]{0,8}-)?([0-9a-f]{64})\.(zip|json)")
_READABLE = 30  # characters of an id that stay readable
_SPELT = re.compile(rf"[A-Za-z0-9-]{{0,{_READABLE}}}~[0-9a-f]{{16}}")
_NUMBERED, _ZIP, _JSON = r"[1-9][0-9]{0,8}-[0-9a-f]{64}\.zip", r"[0-9a-f]{64}\.zip", r"[0-9a-f]{64}\.json"
_FORMS = {  # number of ids in a name, and how it ends
    BUNDLES: (1, _NUMBERED),
    ASSIGNMENTS: (1, _JSON),
    RESULTS: (2, _NUMBERED),
    RETURNED: (1, rf"{_ZIP}|{_JSON}"),
    KEYS: (1, _JSON),
}


def hub_path_segment(name: str) -> str:
    """Return an id as one part of a name on a hub: unchanged if every file system accepts it, else with a hash.

    The hash follows a "~", which no plain id contains, so two ids never share a name. Ids that differ only in case may
    share a folder on some file systems; the files there name their rater themselves.
    """
    if _PLAIN.fullmatch(name) and not RESERVED_NAME.fullmatch(name):
        return name
    ascii_letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^A-Za-z0-9]+", "-", ascii_letters).strip("-")[:_READABLE]
    return f"{readable}~{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def bundle_name(bundle: str, revision: int, sha256: str) -> str:
    """Return the name of a bundle's zip."""
    return f"{BUNDLES}/{hub_path_segment(bundle)}/{revision}-{sha256}.zip"


def assignment_name(rater: str, sha256: str) -> str:
    """Return the name of the file that assigns a bundle to a rater."""
    return f"{ASSIGNMENTS}/{hub_path_segment(rater)}/{sha256}.json"


def results_name(rater: str, bundle: str, revision: int, sha256: str) -> str:
    """Return the name of a rater's results of a bundle; `revision` counts them on one laptop, from 1."""
    return f"{RESULTS}/{hub_path_segment(rater)}/{hub_path_segment(bundle)}/{revision}-{sha256}.zip"


def returned_name(rater: str, sha256: str) -> str:
    """Return the name of a bundle that a QA lead sends back to a rater."""
    return f"{RETURNED}/{hub_path_segment(rater)}/{sha256}.zip"


def returned_assignment_name(rater: str, sha256: str) -> str:
    """Return the name of the signed assignment of a bundle that is sent back."""
    return f"{RETURNED}/{hub_path_segment(rater)}/{sha256}.json"


def key_name(rater: str, sha256: str) -> str:
    """Return the name of the file with a rater's public key."""
    return f"{KEYS}/{hub_path_segment(rater)}/{sha256}.json"


def hash_in_name(name: str) -> str | None:
    """Return the SHA-256 in a name, or `None` if the name has another form."""
    match = _HASHED.fullmatch(name.rpartition("/")[2])
    return match[1] if match else None


def is_hub_name(name: str) -> bool:
    """Return whether a name is one that these functions make; none of them leads out of a folder."""
    first, *ids = name.split("/")
    if first not in _FORMS or not ids:
        return False
    last = ids.pop()
    count, ending = _FORMS[first]
    return len(ids) == count and all(map(_is_segment, ids)) and re.fullmatch(ending, last) is not None


def _is_segment(part: str) -> bool:
    return _SPELT.fullmatch(part) is not None or (
        _PLAIN.fullmatch(part) is not None and not RESERVED_NAME.fullmatch(part)
    )
