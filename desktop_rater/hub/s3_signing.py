"""How a request to an object store shows who asks: AWS Signature Version 4, in headers.

The secret half of the key is never sent: it makes the key of the day, which signs what is asked and the body's hash.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from desktop_rater.model.secret import Secret

EMPTY = hashlib.sha256(b"").hexdigest()  # the hash of no body
_ALGORITHM, _SERVICE, _ENDING = "AWS4-HMAC-SHA256", "s3", "aws4_request"
_SAFE = "-._~"


class Signer(NamedTuple):
    """Whose key it is, and where it counts."""

    key_id: str
    secret: Secret
    region: str

    def headers(
        self, verb: str, host: str, target: str, sent: Sequence[tuple[str, str]], body_sha256: str, moment: datetime
    ) -> list[tuple[str, str]]:
        """The headers of a request, `sent` among them. `moment` is the time of day in UTC; `target` path and query."""
        stamp = moment.strftime("%Y%m%dT%H%M%SZ")
        whole = [*sent, ("x-amz-content-sha256", body_sha256), ("x-amz-date", stamp)]
        named = sorted((name.lower(), " ".join(value.split())) for name, value in [*whole, ("host", host)])
        names = ";".join(name for name, _ in named)
        path, _, query = target.partition("?")
        asked = [verb, path or "/", query, *(f"{name}:{value}" for name, value in named), "", names, body_sha256]
        scope = f"{stamp[:8]}/{self.region}/{_SERVICE}/{_ENDING}"
        text = "\n".join([_ALGORITHM, stamp, scope, hashlib.sha256("\n".join(asked).encode()).hexdigest()])
        signature = _mac(self._key_of_the_day(stamp[:8]), text).hex()
        words = f"{_ALGORITHM} Credential={self.key_id}/{scope}, SignedHeaders={names}, Signature={signature}"
        return [*whole, ("Authorization", words)]

    def _key_of_the_day(self, day: str) -> bytes:
        key = b"AWS4" + self.secret.revealed().encode()
        for part in (day, self.region, _SERVICE, _ENDING):
            key = _mac(key, part)
        return key


def path_of(parts: Sequence[str]) -> str:
    """The parts of a path as they travel and are signed: all but the plainest letters as numbers."""
    return "/" + "/".join(quote(part, safe=_SAFE) for part in parts)


def query_of(asked: Sequence[tuple[str, str]]) -> str:
    """What follows the question mark, in the order in which it is signed."""
    pairs = sorted((quote(name, safe=_SAFE), quote(value, safe=_SAFE)) for name, value in asked)
    return "&".join(f"{name}={value}" for name, value in pairs)


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
