"""What a server answered is kept as a WARC file that anybody's tools open; and ours opens anybody's."""

import gzip
import io
import zlib
from argparse import Namespace

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from desktop_rater.pages import warc

from .warc_files import FETCHED, HTML, PAGE, PICTURE, Foreign, answer, kept, redirected

__all__ = ["kept"]


def opened(content):
    return [
        (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
        for record in ArchiveIterator(io.BytesIO(content))
    ]


def test_what_was_kept_comes_back_as_it_came(kept):
    headers = (HTML, ("Content-Encoding", "gzip"), ("X-Odd", "café"), ("Link", "<a>"), ("Link", "<b>"))
    was = answer(headers=headers, raw=gzip.compress(PAGE))
    assert warc.read_snapshot(kept(warc.write_snapshot(was))) == was


def test_redirects_are_kept_in_order(kept):
    again = warc.read_snapshot(kept(warc.write_snapshot(redirected())))
    assert (again.url, again.final_url, again.status) == ("http://kelp.example/old", "https://kelp.example/", 200)
    assert [(hop.url, hop.status, hop.reason) for hop in again.hops] == [
        ("http://kelp.example/old", 301, "Moved Permanently")
    ]


def test_no_cookie_is_kept():
    was = redirected(headers=(HTML, ("SET-COOKIE", "secret=1"), ("Set-Cookie2", "secret=2")))
    content = gzip.decompress(warc.write_snapshot(was))
    assert b"cookie" not in content.lower()
    assert b"who=you" not in content


def test_the_same_answer_gives_the_same_bytes():
    assert warc.write_snapshot(redirected()) == warc.write_snapshot(redirected())
    assert warc.write_snapshot(answer()) != warc.write_snapshot(redirected())


@pytest.mark.parametrize(
    "was",
    [answer(), redirected(), answer(body=b""), answer(headers=(HTML, ("X-Odd", "caf\xe9"))), answer(raw=b"\0\xff" * 9)],
    ids=["a page", "redirected", "empty", "odd header", "bytes"],
)
def test_warcio_accepts_the_files(kept, was, capsys):
    path = kept(warc.write_snapshot(was))
    checker = Checker(Namespace(inputs=[str(path)], verbose=True))
    assert checker.process_all() == 0
    said = capsys.readouterr().out
    assert said.count("digest pass") == len(was.hops) + 2
    assert "no digest" not in said


def test_another_program_finds_the_page_in_our_file():
    was = redirected(headers=(HTML, ("Content-Encoding", "gzip")), raw=gzip.compress(PAGE))
    info, hop, page = opened(warc.write_snapshot(was))
    assert info[0] == "warcinfo"
    assert hop == ("response", "http://kelp.example/old", b"")
    assert page == ("response", "https://kelp.example/", PAGE)


def test_each_record_is_a_gzip_member_of_its_own():
    content = warc.write_snapshot(redirected())
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
    again = warc.read_snapshot(kept(warc.write_snapshot(was)))
    assert again.body == PAGE
    assert again.header("x-archive-orig-transfer-encoding") == "chunked"
    assert again.header("x-archive-orig-content-length") == "7"
    assert not again.header("transfer-encoding")


def test_a_header_with_a_line_break_is_one_line(kept):
    was = answer(headers=(HTML, ("X-Trick", "a\r\nSet-Cookie: b"), ("X-Bad\r\nName", "c")))
    again = warc.read_snapshot(kept(warc.write_snapshot(was)))
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
    assert (warc.snapshot_content_key(other) == warc.snapshot_content_key(answer())) is same


def test_the_outline_says_what_a_file_holds(kept):
    outline = warc.read_snapshot_outline(kept(warc.write_snapshot(redirected())))
    assert (outline.url, outline.final_url) == ("http://kelp.example/old", "https://kelp.example/")
    assert (outline.status, outline.media_type, outline.fetched) == (200, "text/html", FETCHED)


@pytest.mark.parametrize("zipped", [True, False], ids=["gzip", "plain"])
def test_a_crawl_of_another_program_shows_its_page(kept, zipped):
    crawl = Foreign(zipped=zipped).add(
        "https://kelp.example/robots.txt", b"Disallow:", headers=(("Content-Type", "text/plain"),)
    )
    crawl.add("dns:kelp.example", b"1.2.3.4", kind="resource").add("https://kelp.example/", b"", kind="request")
    crawl.add(*PICTURE).add("https://kelp.example/").add("https://kelp.example/next", b"<p>Next")
    again = warc.read_snapshot(kept(crawl.content))
    assert (again.url, again.body, again.hops) == ("https://kelp.example/", PAGE, ())


def test_redirects_of_another_program_are_followed_in_whatever_order(kept):
    moved = (("Location", "/here"),)
    crawl = Foreign().add("https://kelp.example/here").add("https://kelp.example/gone", b"", "404 Not Found")
    again = warc.read_snapshot(
        kept(Foreign().add("https://kelp.example/a", b"", "302 Found", moved).content + crawl.content)
    )
    assert (again.url, again.final_url, len(again.hops)) == ("https://kelp.example/a", "https://kelp.example/here", 1)


def test_redirects_in_a_circle_end(kept):
    circle = Foreign().add("https://kelp.example/a", b"", "302 Found", (("Location", "/b"),))
    circle.add("https://kelp.example/b", b"", "302 Found", (("Location", "/a"),))
    assert warc.read_snapshot(kept(circle.content)).status == 302


def test_where_nothing_shows_the_first_answer_is_the_page(kept):
    crawl = Foreign().add("https://kelp.example/gone", b"Gone", "404 Not Found").add(*PICTURE)
    assert warc.read_snapshot(kept(crawl.content)).status == 404


def test_chunks_that_another_program_kept_are_put_together(kept):
    body = b"%x;odd=1\r\n%s\r\n5\r\nhello\r\n0\r\n\r\n" % (len(PAGE), PAGE)
    crawl = Foreign().add("https://kelp.example/", body, headers=(HTML, ("Transfer-Encoding", "chunked")))
    assert warc.read_snapshot(kept(crawl.content)).body == PAGE + b"hello"


def test_chunks_and_packing_that_only_a_header_speaks_of_are_no_trouble(kept):
    headers = (HTML, ("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"))
    assert warc.read_snapshot(kept(Foreign().add("https://kelp.example/", headers=headers).content)).body == PAGE


def test_a_body_packed_in_several_members_is_read_whole(kept):
    was = answer(headers=(HTML, ("Content-Encoding", "x-gzip")), raw=gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:]))
    assert warc.read_snapshot(kept(warc.write_snapshot(was))) == was


def test_a_time_with_fractions_is_a_time(kept):
    crawl = Foreign().add("https://kelp.example/", date="2026-11-20T09:12:00.123456Z")
    assert warc.read_snapshot(kept(crawl.content)).fetched == FETCHED
