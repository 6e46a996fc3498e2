"""One spelling for each value, so that a hash means something."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(plain: Any) -> bytes:
    """Canonical JSON: keys sorted, no spaces, UTF-8."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256(data: bytes) -> str:
    """64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
