"""Our WARC files, made by warcio. The same answer gives the same bytes, so nothing in them is random or of now."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.web.answer import Hop

_VERSION = "WARC/1.1"
_FORMAT = "WARC File Format 1.1"
_SECRET = frozenset({"set-cookie", "set-cookie2"})
_LINE_ENDS = re.compile("[\r\n]+")  # of HTTP: each other byte is one of a letter, in whatever encoding
_WAS = "X-Archive-Orig-"  # in front of the name of a header that was true on the wire and is not of what is kept


def pack(name: str, software: str, fetched: str, exchanges: Iterable[tuple[Hop, bytes]]) -> bytes:
    """A record for the program and one for each answer with its body, one gzip member each.

    `name` is what the ids of the records are made from, `fetched` a time of the formats.
    """
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True, warc_version=_VERSION)
    info = _headers(f"{name}/info", fetched)
    fields = f"software: {software}\r\nformat: {_FORMAT}\r\n".encode()
    writer.write_record(
        writer.create_warc_record("", "warcinfo", io.BytesIO(fields), len(fields), warc_headers_dict=info)
    )
    for number, (hop, body) in enumerate(exchanges):
        headers = {**_headers(f"{name}/{number}", fetched), "WARC-Warcinfo-ID": info["WARC-Record-ID"]}
        head = _AsItCame(hop, len(body))
        writer.write_record(
            writer.create_warc_record(
                hop.url, "response", io.BytesIO(body), len(body), warc_headers_dict=headers, http_headers=head
            )
        )
    return out.getvalue()


class _AsItCame(StatusAndHeaders):
    """The head of an HTTP answer, without cookies. warcio alone would spell in another way what is not ASCII."""

    def __init__(self, hop: Hop, length: int) -> None:
        kept = [(name, value) for name, value in hop.headers if name.lower() not in _SECRET]
        super().__init__(
            f"{hop.status} {_one_line(hop.reason)}".strip(),
            [(_told(name, value, length), _one_line(value)) for name, value in kept],
            protocol="HTTP/1.1",
        )

    def compute_headers_buffer(self, header_filter: object = None) -> None:
        self.headers_buff = self.to_str(header_filter).encode("latin-1", "replace") + b"\r\n"


def _headers(name: str, fetched: str) -> dict[str, str]:
    return {"WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, name)}>", "WARC-Date": fetched}


def _told(name: str, value: str, length: int) -> str:
    """The name of a header; another one where the body is kept in another way than it travelled."""
    lower = name.lower()
    gone = lower == "transfer-encoding" or (lower == "content-length" and value.strip() != str(length))
    return f"{_WAS}{name}" if gone else _one_line(name)


def _one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", text)
