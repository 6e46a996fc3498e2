"""Where a request goes."""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """`scheme` is http or https, `host` ASCII without brackets, `target` path and query as they travel."""

    scheme: str
    host: str
    port: int
    target: bytes
