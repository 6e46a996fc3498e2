"""Our WARC files, made by warcio. The same response gives the same bytes: no random values and no current time."""

import io
import re
from collections.abc import Iterable
from uuid import NAMESPACE_URL, uuid5

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from desktop_rater.pages.response import Redirect, WebResponse

_VERSION = "WARC/1.1"
_FORMAT = "WARC File Format 1.1"
_SECRET = frozenset({"set-cookie", "set-cookie2"})
_LINE_ENDS = re.compile("[\r\n]+")  # of HTTP; any other byte may be part of a letter, in any encoding
_ORIGINAL_PREFIX = "X-Archive-Orig-"  # prefix of a header that applied to the transfer but not to the stored body


def pack_warc(name: str, software: str, fetched: str, exchanges: Iterable[tuple[Redirect, bytes]]) -> bytes:
    """Write a record for the program and one for each response with its body, one gzip member each.

    The ids of the records are derived from `name`; `fetched` is a time of the formats.
    """
    out = io.BytesIO()
    writer, info = _begun(out, name, software, fetched)
    for number, (hop, body) in enumerate(exchanges):
        headers = {**_headers(f"{name}/{number}", fetched), "WARC-Warcinfo-ID": info}
        head = _OriginalHead(hop, len(body))
        writer.write_record(
            writer.create_warc_record(
                hop.url, "response", io.BytesIO(body), len(body), warc_headers_dict=headers, http_headers=head
            )
        )
    return out.getvalue()


def pack_rendering(name: str, software: str, page: WebResponse, picture_scheme: str) -> bytes:
    """Write a record for the program, one for the HTML of a rendered page, and one for its picture if there is one."""
    out = io.BytesIO()
    writer, info = _begun(out, name, software, page.fetched)
    parts = [(page.final_url, page.header("content-type"), page.body, {"WARC-Truncated": "length"} if page.cut else {})]
    if page.picture:
        parts.append((f"{picture_scheme}{page.final_url}", "image/png", page.picture, {}))
    for number, (url, media_type, body, more) in enumerate(parts):
        headers = {**_headers(f"{name}/{number}", page.fetched), "WARC-Warcinfo-ID": info, **more}
        record = writer.create_warc_record(
            url, "resource", io.BytesIO(body), len(body), media_type, warc_headers_dict=headers
        )
        writer.write_record(record)
    return out.getvalue()


def _begun(out: io.BytesIO, name: str, software: str, fetched: str) -> tuple[WARCWriter, str]:
    """Begin a file with the record for the program; return the writer, and the id of that record."""
    writer = WARCWriter(out, gzip=True, warc_version=_VERSION)
    info = _headers(f"{name}/info", fetched)
    fields = f"software: {software}\r\nformat: {_FORMAT}\r\n".encode()
    writer.write_record(
        writer.create_warc_record("", "warcinfo", io.BytesIO(fields), len(fields), warc_headers_dict=info)
    )
    return writer, info["WARC-Record-ID"]


class _OriginalHead(StatusAndHeaders):
    """The head of an HTTP response, without cookies. warcio alone would change the spelling of non-ASCII text."""

    def __init__(self, hop: Redirect, length: int) -> None:
        headers = [(name, value) for name, value in hop.headers if name.lower() not in _SECRET]
        super().__init__(
            f"{hop.status} {_one_line(hop.reason)}".strip(),
            [(_stored_name(name, value, length), _one_line(value)) for name, value in headers],
            protocol="HTTP/1.1",
        )

    def compute_headers_buffer(self, header_filter: object = None) -> None:
        self.headers_buff = self.to_str(header_filter).encode("latin-1", "replace") + b"\r\n"


def _headers(name: str, fetched: str) -> dict[str, str]:
    return {"WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, name)}>", "WARC-Date": fetched}


def _stored_name(name: str, value: str, length: int) -> str:
    """Return the name of a header, prefixed if it does not apply to the stored body."""
    lower = name.lower()
    gone = lower == "transfer-encoding" or (lower == "content-length" and value.strip() != str(length))
    return f"{_ORIGINAL_PREFIX}{name}" if gone else _one_line(name)


def _one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", text)
