"""The response of a server while its body is being received."""

from collections.abc import Iterable
from typing import NamedTuple


class StreamedResponse(NamedTuple):
    """A response with any status. `chunks` is the body without the framing; errors may come up while it is read.

    `raw_headers` are decoded as Latin-1; `headers` are the same with names in lower case, the last one of each name.
    """

    status: int
    reason: str
    raw_headers: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    chunks: Iterable[bytes]
