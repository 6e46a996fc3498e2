"""What a server answered is kept as a WARC file that anybody's tools open; ours opens anybody's, also hostile ones."""

from __future__ import annotations

import gzip
import io
import random
import struct
import tracemalloc
import zlib
from argparse import Namespace

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from desktop_rater.web import warc
from desktop_rater.web.answer import Answer, Hop
from desktop_rater.web.records import WarcLimits
from desktop_rater.web.trouble import WebError

PAGE = "<html><title>Kelp – Tang</title><p>Kelp lives in cold water.</p></html>".encode()
FETCHED = "2026-11-20T09:12:00Z"
HTML = ("Content-Type", "text/html; charset=utf-8")


def answer(*, body=PAGE, raw=None, headers=(HTML,), hops=(), url="https://kelp.example/", final_url=None, **more):
    return Answer(
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
    hop = Hop(
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


def opened(content):
    return [
        (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
        for record in ArchiveIterator(io.BytesIO(content))
    ]


def test_what_was_kept_comes_back_as_it_came(kept):
    headers = (HTML, ("Content-Encoding", "gzip"), ("X-Odd", "café"), ("Link", "<a>"), ("Link", "<b>"))
    was = answer(headers=headers, raw=gzip.compress(PAGE))
    assert warc.read(kept(warc.write(was))) == was


def test_redirects_are_kept_in_order(kept):
    again = warc.read(kept(warc.write(redirected())))
    assert (again.url, again.final_url, again.status) == ("http://kelp.example/old", "https://kelp.example/", 200)
    assert [(hop.url, hop.status, hop.reason) for hop in again.hops] == [
        ("http://kelp.example/old", 301, "Moved Permanently")
    ]


def test_no_cookie_is_kept():
    was = redirected(headers=(HTML, ("SET-COOKIE", "secret=1"), ("Set-Cookie2", "secret=2")))
    content = gzip.decompress(warc.write(was))
    assert b"cookie" not in content.lower()
    assert b"who=you" not in content


def test_the_same_answer_gives_the_same_bytes():
    assert warc.write(redirected()) == warc.write(redirected())
    assert warc.write(answer()) != warc.write(redirected())


@pytest.mark.parametrize(
    "was",
    [answer(), redirected(), answer(body=b""), answer(headers=(HTML, ("X-Odd", "caf\xe9"))), answer(raw=b"\0\xff" * 9)],
    ids=["a page", "redirected", "empty", "odd header", "bytes"],
)
def test_warcio_accepts_the_files(kept, was, capsys):
    path = kept(warc.write(was))
    checker = Checker(Namespace(inputs=[str(path)], verbose=True))
    assert checker.process_all() == 0
    said = capsys.readouterr().out
    assert said.count("digest pass") == len(was.hops) + 2
    assert "no digest" not in said


def test_another_program_finds_the_page_in_our_file():
    was = redirected(headers=(HTML, ("Content-Encoding", "gzip")), raw=gzip.compress(PAGE))
    info, hop, page = opened(warc.write(was))
    assert info[0] == "warcinfo"
    assert hop == ("response", "http://kelp.example/old", b"")
    assert page == ("response", "https://kelp.example/", PAGE)


def test_each_record_is_a_gzip_member_of_its_own():
    content = warc.write(redirected())
    members = 0
    while content:
        inflater = zlib.decompressobj(31)
        assert inflater.decompress(content).startswith(b"WARC/1.1\r\n")
        content = inflater.unused_data
        members += 1
    assert members == 3


def test_a_header_that_is_not_true_of_what_is_kept_is_renamed(kept):
    """The body is kept without its chunks: a reader that believed the header would look for them."""
    was = answer(headers=(HTML, ("Transfer-Encoding", "chunked"), ("Content-Length", "7")))
    again = warc.read(kept(warc.write(was)))
    assert again.body == PAGE
    assert again.header("x-archive-orig-transfer-encoding") == "chunked"
    assert again.header("x-archive-orig-content-length") == "7"
    assert not again.header("transfer-encoding")


def test_a_header_with_a_line_break_is_one_line(kept):
    was = answer(headers=(HTML, ("X-Trick", "a\r\nSet-Cookie: b"), ("X-Bad\r\nName", "c")))
    again = warc.read(kept(warc.write(was)))
    assert again.header("x-trick") == "a Set-Cookie: b"
    assert not again.header("set-cookie")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (answer(), True),
        (answer(headers=(HTML, ("Date", "later"))), True),
        (answer(url="https://kelp.example/#top"), True),
        (answer(body=b"another"), False),
        (redirected(), False),
        (answer(url="https://kelp.example/other"), False),
    ],
)
def test_whether_two_answers_showed_the_same(other, same):
    assert (warc.content_of(other) == warc.content_of(answer())) is same


def test_the_outline_says_what_a_file_holds(kept):
    outline = warc.outline(kept(warc.write(redirected())))
    assert (outline.url, outline.final_url) == ("http://kelp.example/old", "https://kelp.example/")
    assert (outline.status, outline.media_type, outline.fetched) == (200, "text/html", FETCHED)


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


@pytest.mark.parametrize("zipped", [True, False], ids=["gzip", "plain"])
def test_a_crawl_of_another_program_shows_its_page(kept, zipped):
    crawl = Foreign(zipped=zipped).add(
        "https://kelp.example/robots.txt", b"Disallow:", headers=(("Content-Type", "text/plain"),)
    )
    crawl.add("dns:kelp.example", b"1.2.3.4", kind="resource").add("https://kelp.example/", b"", kind="request")
    crawl.add(*PICTURE).add("https://kelp.example/").add("https://kelp.example/next", b"<p>Next")
    again = warc.read(kept(crawl.content))
    assert (again.url, again.body, again.hops) == ("https://kelp.example/", PAGE, ())


def test_redirects_of_another_program_are_followed_in_whatever_order(kept):
    moved = (("Location", "/here"),)
    crawl = Foreign().add("https://kelp.example/here").add("https://kelp.example/gone", b"", "404 Not Found")
    again = warc.read(kept(Foreign().add("https://kelp.example/a", b"", "302 Found", moved).content + crawl.content))
    assert (again.url, again.final_url, len(again.hops)) == ("https://kelp.example/a", "https://kelp.example/here", 1)


def test_redirects_in_a_circle_end(kept):
    circle = Foreign().add("https://kelp.example/a", b"", "302 Found", (("Location", "/b"),))
    circle.add("https://kelp.example/b", b"", "302 Found", (("Location", "/a"),))
    assert warc.read(kept(circle.content)).status == 302


def test_where_nothing_shows_the_first_answer_is_the_page(kept):
    crawl = Foreign().add("https://kelp.example/gone", b"Gone", "404 Not Found").add(*PICTURE)
    assert warc.read(kept(crawl.content)).status == 404


def test_chunks_that_another_program_kept_are_put_together(kept):
    body = b"%x;odd=1\r\n%s\r\n5\r\nhello\r\n0\r\n\r\n" % (len(PAGE), PAGE)
    crawl = Foreign().add("https://kelp.example/", body, headers=(HTML, ("Transfer-Encoding", "chunked")))
    assert warc.read(kept(crawl.content)).body == PAGE + b"hello"


def test_chunks_and_packing_that_only_a_header_speaks_of_are_no_trouble(kept):
    headers = (HTML, ("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"))
    assert warc.read(kept(Foreign().add("https://kelp.example/", headers=headers).content)).body == PAGE


def test_a_body_packed_in_several_members_is_read_whole(kept):
    was = answer(headers=(HTML, ("Content-Encoding", "x-gzip")), raw=gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]))
    assert warc.read(kept(warc.write(was))) == was


def test_a_time_with_fractions_is_a_time(kept):
    crawl = Foreign().add("https://kelp.example/", date="2026-11-20T09:12:00.123456Z")
    assert warc.read(kept(crawl.content)).fetched == FETCHED


def record(*lines, block=b"", length=None, version=b"WARC/1.0"):
    size = len(block) if length is None else length
    said = [b"WARC-Type: response", b"WARC-Target-URI: https://kelp.example/", b"WARC-Date: " + FETCHED.encode()]
    head = b"\r\n".join([version, *said, b"Content-Length: %d" % size, *lines])
    return head + b"\r\n\r\n" + block + b"\r\n\r\n"


HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
GOOD = record(block=HTTP + PAGE)


def coded(coding, body):
    return gzip.compress(record(block=b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\n\r\n" % coding + body))


HOSTILE = {
    "nothing": b"",
    "words": b"no WARC at all",
    "a zip": b"PK\x03\x04" + bytes(100),
    "a gzip of words": gzip.compress(b"no WARC at all"),
    "a broken gzip": gzip.compress(GOOD)[:-20],
    "a gzip that breaks off in its head": gzip.compress(GOOD)[:8],
    "something behind the end": gzip.compress(GOOD) + b"something",
    "a longer length": record(block=HTTP + PAGE, length=10**6),
    "an endless length": record(block=HTTP + PAGE, length=10**11),
    "a length of many digits": GOOD.replace(b"Content-Length: ", b"Content-Length: 1" + b"0" * 400),
    "a shorter length": record(block=HTTP + PAGE, length=20),
    "a negative length": GOOD.replace(b"Content-Length: ", b"Content-Length: -"),
    "no length": GOOD.replace(b"Content-Length", b"Content-Longth"),
    "an Arabic length": GOOD.replace(b"Content-Length: ", "Content-Length: ١".encode()),
    "no time": GOOD.replace(b"WARC-Date", b"WARC-Dote"),
    "30 February": GOOD.replace(b"2026-11-20", b"2026-02-30"),
    "no http": record(block=b"GOPHER 200\r\n\r\n" + PAGE),
    "no end of the http head": record(block=b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 9),
    "a file's url": GOOD.replace(b"https://kelp.example/", b"file:///etc/passwd"),
    "a record without end of head": b"WARC/1.0\r\n" + b"A: b\r\n" * 100_000,
    "a line without end": b"WARC/1.0\r\nA: " + b"b" * 1_000_000,
    "a head of many lines": GOOD.replace(b"WARC-Type", b"A: b\r\n" * 600 + b"WARC-Type"),
    "an http head of many lines": record(block=b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 600 + b"\r\n" + PAGE),
    "line breaks without end": b"\r\n" * 1_000_000,
    "thousands of records": gzip.compress(record(block=HTTP)) * 6_000,
    "thousands of records in one member": gzip.compress(record(block=HTTP) * 6_000),
    "thousands of empty members": gzip.compress(b"") * 30_000 + gzip.compress(GOOD),
    "a bomb": gzip.compress(record(block=HTTP + bytes(200 * 1024 * 1024)), 1),
    "a bomb as a page": coded(b"gzip", gzip.compress(bytes(20 * 1024 * 1024), 9)),
    "a page that breaks off": coded(b"gzip", gzip.compress(PAGE)[:-9]),
    "a damaged page": coded(b"gzip", b"\x1f\x8b" + bytes(100)),
    "a page of another coding": coded(b"br", b"\x0b\x02\x80"),
    "two codings": coded(b"gzip, gzip", gzip.compress(gzip.compress(PAGE))),
    "a page of 40 MB": gzip.compress(record(block=HTTP + random.Random(7).randbytes(40 * 1024 * 1024)), 1),
    "chunks without end": record(
        block=HTTP.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + b"1\r\nx\r\n" * 200_000
    ),
    "a damaged chunk": record(
        block=HTTP.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + b"1\r\nx\r\nzz\r\n"
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("look", [warc.read, warc.outline], ids=["read", "outline"])
def test_a_hostile_file_is_broken_and_nothing_worse(kept, name, look):
    path = kept(HOSTILE[name])
    tracemalloc.start()
    try:
        found = look(path)
    except WebError as error:
        assert error.state == "broken"
        assert error.message
    else:
        assert look is warc.outline, "only what has not been looked at may be let through"
        assert found.url == "https://kelp.example/"
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 60_000_000


def test_a_file_that_is_too_large_is_not_read(kept):
    path = kept(warc.write(answer()))
    size = path.stat().st_size
    assert warc.read(path, WarcLimits(file=size)).body == PAGE
    with pytest.raises(WebError, match="larger than"):
        warc.read(path, WarcLimits(file=size - 1))


@pytest.mark.parametrize(
    ("limits", "match"),
    [
        (WarcLimits(records=2), "2 records"),
        (WarcLimits(members=2), "2 gzip members"),
        (WarcLimits(inflated=600), "inflates"),
    ],
)
def test_each_limit_says_what_is_too_much(kept, limits, match):
    path = kept(warc.write(redirected()))
    with pytest.raises(WebError, match=match):
        warc.read(path, limits)


def test_a_file_that_is_not_there_is_broken(tmp_path):
    with pytest.raises(WebError) as caught:
        warc.read(tmp_path / "gone.warc.gz")
    assert caught.value.state == "broken"


@pytest.mark.parametrize("seed", range(8))
def test_whatever_bytes_a_file_holds_it_is_read_or_broken(kept, seed):
    """Good files with bytes flipped, cut, doubled and moved, packed and not."""
    chance = random.Random(seed)
    crawl = Foreign(zipped=False).add("https://kelp.example/a", b"", "302 Found", (("Location", "/"),)).add(*PICTURE)
    good = [crawl.add("https://kelp.example/").content, gzip.decompress(warc.write(redirected())), GOOD * 3]
    for _ in range(150):
        content = bytearray(chance.choice(good))
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(content))
            match chance.randrange(5):
                case 0:
                    content[at] = chance.randrange(256)
                case 1:
                    del content[at : at + chance.randrange(40)]
                case 2:
                    content[at:at] = content[chance.randrange(len(content)) :][: chance.randrange(200)]
                case 3:
                    content[at:at] = chance.choice([b"\r\n", b":", b"9" * 9, b"\0", b"\xff\xfe", b"chunked", b"gzip"])
                case _:
                    content = bytearray(
                        content.replace(b"Content-", chance.choice([b"", b"content-", b"Transfer-"]), 1)
                    )
            content = content or bytearray(b"x")
        packed = bytes(content) if chance.random() < 0.5 else gzip.compress(content)
        if chance.random() < 0.2:
            packed = packed[: chance.randrange(len(packed))]
        try:
            found = warc.read(kept(packed))
        except WebError as error:
            assert error.state == "broken"
        else:
            assert found.url.startswith("http")


def test_a_gzip_member_with_a_long_name_is_passed_over(kept):
    member = gzip.compress(GOOD)
    named = member[:3] + bytes([member[3] | 8]) + member[4:10] + b"n" * 200_000 + b"\0" + member[10:]
    assert struct.unpack("<H", named[:2])[0] == 0x8B1F
    assert warc.read(kept(named)).body == PAGE
