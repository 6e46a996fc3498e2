"""Where things lie on a hub. Each name holds the SHA-256 of what it names, so equal names are equal bytes."""

from __future__ import annotations

import hashlib
import re
import unicodedata

MARKER = "hub.json"
BUNDLES, ASSIGNMENTS, RESULTS, RETURNED, KEYS = "bundles", "assignments", "results", "returned", "keys"

_PLAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)  # Windows opens no files so named
_HASHED = re.compile(r"(?:[1-9][0-9]{0,8}-)?([0-9a-f]{64})\.(zip|json)")
_READABLE = 30  # characters of an id that stay readable
_SPELT = re.compile(rf"[A-Za-z0-9-]{{0,{_READABLE}}}~[0-9a-f]{{16}}")
_NUMBERED, _ZIP, _JSON = r"[1-9][0-9]{0,8}-[0-9a-f]{64}\.zip", r"[0-9a-f]{64}\.zip", r"[0-9a-f]{64}\.json"
_FORMS = {  # how many ids stand in a name, and how it ends
    BUNDLES: (1, _NUMBERED),
    ASSIGNMENTS: (1, _JSON),
    RESULTS: (2, _NUMBERED),
    RETURNED: (1, _ZIP),
    KEYS: (1, _JSON),
}


def segment(name: str) -> str:
    """An id as one part of a name on a hub: as it stands where every file system takes it, else with a hash of it.

    The hash follows a "~", which stands in no plain id, so no two ids have one name. Ids that differ in capitals only
    may share a folder on some file systems; what lies there says itself whose it is.
    """
    if _PLAIN.fullmatch(name) and not _DEVICES.fullmatch(name):
        return name
    ascii_letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^A-Za-z0-9]+", "-", ascii_letters).strip("-")[:_READABLE]
    return f"{readable}~{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def bundle_name(bundle: str, revision: int, sha256: str) -> str:
    """Of a bundle's zip."""
    return f"{BUNDLES}/{segment(bundle)}/{revision}-{sha256}.zip"


def assignment_name(rater: str, sha256: str) -> str:
    """Of what assigns a bundle to a rater."""
    return f"{ASSIGNMENTS}/{segment(rater)}/{sha256}.json"


def results_name(rater: str, bundle: str, revision: int, sha256: str) -> str:
    """Of a rater's results of a bundle; `revision` counts them on one laptop, from 1."""
    return f"{RESULTS}/{segment(rater)}/{segment(bundle)}/{revision}-{sha256}.zip"


def returned_name(rater: str, sha256: str) -> str:
    """Of a bundle that a QA lead sends back to a rater."""
    return f"{RETURNED}/{segment(rater)}/{sha256}.zip"


def key_name(rater: str, sha256: str) -> str:
    """Of the file with a rater's public key."""
    return f"{KEYS}/{segment(rater)}/{sha256}.json"


def hash_in(name: str) -> str | None:
    """The SHA-256 that a name promises; `None` for what is none of ours."""
    found = _HASHED.fullmatch(name.rpartition("/")[2])
    return found[1] if found else None


def is_formed(name: str) -> bool:
    """Whether a name is one that these functions make: nobody else's, and none that leads out of a folder."""
    first, *ids = name.split("/")
    if first not in _FORMS or not ids:
        return False
    last = ids.pop()
    count, ending = _FORMS[first]
    return len(ids) == count and all(map(_is_segment, ids)) and re.fullmatch(ending, last) is not None


def _is_segment(part: str) -> bool:
    return _SPELT.fullmatch(part) is not None or (_PLAIN.fullmatch(part) is not None and not _DEVICES.fullmatch(part))
