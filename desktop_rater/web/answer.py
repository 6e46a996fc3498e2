"""What a web server answered, as it came."""

from __future__ import annotations

import msgspec


class Hop(msgspec.Struct, frozen=True, kw_only=True):
    """A redirect on the way. `headers` are (name, value) in Latin-1, in order, without Set-Cookie."""

    url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The last answer and the hops before it.

    `raw` is the body as it travelled, still in the coding that `headers` name; `body` is the same, inflated.
    `fetched` is a time of the formats, in UTC.
    """

    url: str
    final_url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    hops: tuple[Hop, ...] = ()
    raw: bytes = b""
    body: bytes = b""
    fetched: str

    def header(self, name: str) -> str:
        """The first header of that name, whatever its case; an empty text where there is none."""
        return next((value for known, value in self.headers if known.lower() == name.lower()), "")
