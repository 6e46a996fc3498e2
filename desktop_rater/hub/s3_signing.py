"""AWS Signature Version 4 for requests to an object store."""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from desktop_rater.model.signature import Secret

EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()  # the hash of an empty body
_ALGORITHM, _SERVICE, _ENDING = "AWS4-HMAC-SHA256", "s3", "aws4_request"
_SAFE = "-._~"


class S3Signer(NamedTuple):
    """An access key and its region."""

    key_id: str
    secret: Secret
    region: str

    def headers(
        self, verb: str, host: str, target: str, sent: Sequence[tuple[str, str]], body_sha256: str, moment: datetime
    ) -> list[tuple[str, str]]:
        """Return the headers of a request, including `sent`. `moment` is the time in UTC; `target` path and query."""
        stamp = moment.strftime("%Y%m%dT%H%M%SZ")
        all_headers = [*sent, ("x-amz-content-sha256", body_sha256), ("x-amz-date", stamp)]
        canonical_headers = sorted(
            (name.lower(), " ".join(value.split())) for name, value in [*all_headers, ("host", host)]
        )
        names = ";".join(name for name, _ in canonical_headers)
        path, _, query = target.partition("?")
        canonical_request = [
            verb,
            path or "/",
            query,
            *(f"{name}:{value}" for name, value in canonical_headers),
            "",
            names,
            body_sha256,
        ]
        scope = f"{stamp[:8]}/{self.region}/{_SERVICE}/{_ENDING}"
        text = "\n".join([_ALGORITHM, stamp, scope, hashlib.sha256("\n".join(canonical_request).encode()).hexdigest()])
        key = b"AWS4" + self.secret.reveal().encode()
        for part in (stamp[:8], self.region, _SERVICE, _ENDING, text):
            key = hmac.digest(key, part.encode(), "sha256")
        authorization = f"{_ALGORITHM} Credential={self.key_id}/{scope}, SignedHeaders={names}, Signature={key.hex()}"
        return [*all_headers, ("Authorization", authorization)]


def signed_path(parts: Sequence[str]) -> str:
    """Join the parts of a path, quoted as for the signature: all but unreserved characters."""
    return "/" + "/".join(quote(part, safe=_SAFE) for part in parts)


def signed_query(parameters: Sequence[tuple[str, str]]) -> str:
    """Return the query string, in the order in which it is signed."""
    pairs = sorted((quote(name, safe=_SAFE), quote(value, safe=_SAFE)) for name, value in parameters)
    return "&".join(f"{name}={value}" for name, value in pairs)
