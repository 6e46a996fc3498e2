"""An address as an IRI (RFC 3987), which is stricter than what browsers open."""

from __future__ import annotations

import re
from urllib.parse import quote

# iunreserved and sub-delims, ":" and "@"; what stands in a path, a query, a fragment besides is added there.
_PLAIN = (
    r"A-Za-z0-9\-._~!$&'()*+,;=:@\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(rf"\U{plane:04x}0000-\U{plane:04x}fffd" for plane in range(1, 14))
    + r"\U000e1000-\U000efffd"
)
_PRIVATE = r"\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
# Marks of direction are no part of one either (4.1).
_MARKS = r"(?![\u200e\u200f\u202a-\u202e])"


def _strange(besides: str) -> re.Pattern[str]:
    return re.compile(rf"%(?![0-9A-Fa-f]{{2}})|(?!%){_MARKS}[^{_PLAIN}{besides}]|[\u200e\u200f\u202a-\u202e]")


_HOST, _PATH, _QUERY, _FRAGMENT = _strange(r"\[\]"), _strange("/"), _strange(f"/?{_PRIVATE}"), _strange("/?")
_PARTS = re.compile(r"([a-z]+)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)


def iri(url: str) -> str:
    """The address with everything percent-encoded that can't stand there; it leads to the same page.

    `url` is absolute, with a host.
    """
    found = _PARTS.fullmatch(url)
    if found is None:
        return url
    scheme, host, path, query, fragment = found.groups(default="")
    return (
        f"{scheme}://{_encoded(_HOST, host)}{_encoded(_PATH, path)}"
        f"{query[:1]}{_encoded(_QUERY, query[1:])}{fragment[:1]}{_encoded(_FRAGMENT, fragment[1:])}"
    )


def _encoded(strange: re.Pattern[str], text: str) -> str:
    return strange.sub(lambda found: quote(found[0], safe=""), text)
