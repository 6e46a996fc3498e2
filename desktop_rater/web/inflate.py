"""Bodies unpacked with a counter running, so that a bomb ends at its limit and not in memory."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from desktop_rater.web.trouble import WebError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.web.limits import WebLimits

_STEP = 256 * 1024
_GZIP = 16 + zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"
_MOST_MEMBERS = 1000  # each costs a copy of what follows it


class Body:
    """What has come of a body: as it travels, and unpacked. `codings` are the values of Content-Encoding."""

    def __init__(self, codings: Iterable[str], limits: WebLimits) -> None:
        self._limits = limits
        self._gzip = _is_gzip(codings)
        self._raw = bytearray()
        self._plain = bytearray()
        self._unpacking = zlib.decompressobj(_GZIP)
        self._members = 1

    @property
    def raw(self) -> bytes:
        return bytes(self._raw)

    @property
    def raw_size(self) -> int:
        return len(self._raw)

    def take(self, chunk: bytes) -> None:
        """One more piece. Raises `WebError`."""
        if len(self._raw) + len(chunk) > self._limits.raw_bytes:
            raise too_large(self._limits.raw_bytes)
        self._raw += chunk
        if self._gzip:
            try:
                self._inflate(chunk)
            except zlib.error as error:
                raise _broken("What came is not gzip, although it says so.") from error

    def plain(self) -> bytes:
        """All of it, unpacked, once the last piece is there. Raises `WebError`."""
        if not self._gzip:
            return self.raw
        if self._raw and not self._unpacking.eof:
            raise _broken("The end of it is missing.")
        return bytes(self._plain)

    def _inflate(self, data: bytes) -> None:
        more = False  # whether zlib holds back what was too much for one step
        while data or more:
            if self._unpacking.eof:
                # A second gzip file may follow the first; anything else after the end is padding.
                if not data.startswith(_MAGIC):
                    return
                self._next_member()
            piece = self._unpacking.decompress(data, _STEP)
            self._plain += piece
            if len(self._plain) > self._limits.inflated_bytes:
                raise too_large(self._limits.inflated_bytes)
            ended = self._unpacking.eof
            data = self._unpacking.unused_data if ended else self._unpacking.unconsumed_tail
            more = len(piece) == _STEP and not ended

    def _next_member(self) -> None:
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise _broken("It is packed in too many pieces.")
        self._unpacking = zlib.decompressobj(_GZIP)


def too_large(limit: int) -> WebError:
    """A page of more than so many bytes."""
    return WebError(
        "The page is too large.",
        f"It has more than {limit // 1_000_000} MB, and no page to read does.",
        "Open it in the browser of the system.",
        state="too_large",
    )


def _is_gzip(codings: Iterable[str]) -> bool:
    named = [coding.strip().lower() for value in codings for coding in value.split(",")]
    packed = [coding for coding in named if coding not in ("", "identity")]
    if len(packed) > 1:
        raise _broken("It is packed more than once.")
    if packed and packed[0] not in ("gzip", "x-gzip"):
        raise _broken(f"It is packed as {packed[0][:20]!r}, which nobody asked for.")
    return bool(packed)


def _broken(message: str) -> WebError:
    return WebError("The page can't be unpacked.", message, "Open it in the browser of the system.", state="broken")
