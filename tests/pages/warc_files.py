"""Answers and files as the tests of stored pages need them: ours, and those of other programs."""

import io

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from desktop_rater.pages.response import Redirect, WebResponse

PAGE = "<html><title>Kelp – Tang</title><p>Kelp lives in cold water.</p></html>".encode()
FETCHED = "2026-11-20T09:12:00Z"
HTML = ("Content-Type", "text/html; charset=utf-8")


def answer(*, body=PAGE, raw=None, headers=(HTML,), hops=(), url="https://kelp.example/", final_url=None, **more):
    return WebResponse(
        url=url,
        final_url=final_url or url,
        status=200,
        reason="OK",
        headers=headers,
        hops=hops,
        raw=body if raw is None else raw,
        body=body,
        fetched=FETCHED,
        **more,
    )


def redirected(**more):
    hop = Redirect(
        url="http://kelp.example/old",
        status=301,
        reason="Moved Permanently",
        headers=(("Location", "https://kelp.example/"), ("Set-Cookie", "who=you"), ("Content-Length", "154")),
    )
    return answer(url=hop.url, final_url="https://kelp.example/", hops=(hop,), **more)


@pytest.fixture
def kept(tmp_path):
    """Write bytes to a file, as a stored page."""

    def kept(content):
        path = tmp_path / "page.warc.gz"
        path.write_bytes(content)
        return path

    return kept


class Foreign:
    """Writes files as other programs do."""

    def __init__(self, *, zipped=True):
        self._out = io.BytesIO()
        self._writer = WARCWriter(self._out, gzip=zipped)

    def add(self, url, body=PAGE, status="200 OK", headers=(HTML,), kind="response", date=FETCHED):
        head = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1") if kind != "resource" else None
        said = {"WARC-Date": date}
        if kind == "request":
            head = StatusAndHeaders("GET / HTTP/1.1", [("Host", "kelp.example")], is_http_request=True)
        record = self._writer.create_warc_record(
            url, kind, payload=io.BytesIO(body), length=len(body), http_headers=head, warc_headers_dict=said
        )
        self._writer.write_record(record)
        return self

    @property
    def content(self):
        return self._out.getvalue()


PICTURE = ("https://kelp.example/kelp.png", b"\x89PNG", "200 OK", (("Content-Type", "image/png"),))
