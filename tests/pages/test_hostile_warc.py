"""A stored page that a stranger made is read or said to be broken, in little memory, whatever bytes it holds."""

import gzip
import random
import struct
import tracemalloc

import pytest

from desktop_rater.pages import warc
from desktop_rater.pages.response import WebError
from desktop_rater.pages.warc import WarcLimits

from .warc_files import FETCHED, PAGE, PICTURE, Foreign, answer, kept, redirected

__all__ = ["kept"]


def record(*lines, block=b"", length=None, version=b"WARC/1.0"):
    size = len(block) if length is None else length
    said = [b"WARC-Type: response", b"WARC-Target-URI: https://kelp.example/", b"WARC-Date: " + FETCHED.encode()]
    head = b"\r\n".join([version, *said, b"Content-Length: %d" % size, *lines])
    return head + b"\r\n\r\n" + block + b"\r\n\r\n"


HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
GOOD = record(block=HTTP + PAGE)


def coded(coding, body):
    return gzip.compress(record(block=b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\n\r\n" % coding + body))


HOSTILE = {  # large ones are made when they are read
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
    "thousands of records": lambda: gzip.compress(record(block=HTTP)) * 6_000,
    "thousands of records in one member": lambda: gzip.compress(record(block=HTTP) * 6_000),
    "thousands of empty members": lambda: gzip.compress(b"") * 30_000 + gzip.compress(GOOD),
    "a bomb": lambda: gzip.compress(record(block=HTTP + bytes(200 * 1024 * 1024)), 1),
    "a bomb as a page": lambda: coded(b"gzip", gzip.compress(bytes(20 * 1024 * 1024), 9)),
    "a page that breaks off": coded(b"gzip", gzip.compress(PAGE)[:-9]),
    "a damaged page": coded(b"gzip", b"\x1f\x8b" + bytes(100)),
    "a page of another coding": coded(b"br", b"\x0b\x02\x80"),
    "two codings": coded(b"gzip, gzip", gzip.compress(gzip.compress(PAGE))),
    "a page of 40 MB": lambda: gzip.compress(record(block=HTTP + random.Random(7).randbytes(40 * 1024 * 1024)), 1),
    "chunks without end": record(
        block=HTTP.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + b"1\r\nx\r\n" * 200_000
    ),
    "a damaged chunk": record(
        block=HTTP.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + b"1\r\nx\r\nzz\r\n"
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("look", [warc.read_snapshot, warc.read_snapshot_outline], ids=["read", "outline"])
def test_a_hostile_file_is_broken_and_nothing_worse(kept, name, look):
    content = HOSTILE[name]
    path = kept(content() if callable(content) else content)
    tracemalloc.start()
    try:
        found = look(path)
    except WebError as error:
        assert error.state == "broken"
        assert error.message
    else:
        assert look is warc.read_snapshot_outline, "only what has not been looked at may be let through"
        assert found.url == "https://kelp.example/"
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 60_000_000


def test_a_file_that_is_too_large_is_not_read(kept):
    path = kept(warc.write_snapshot(answer()))
    size = path.stat().st_size
    assert warc.read_snapshot(path, WarcLimits(file=size)).body == PAGE
    with pytest.raises(WebError, match="larger than"):
        warc.read_snapshot(path, WarcLimits(file=size - 1))


@pytest.mark.parametrize(
    ("limits", "match"),
    [
        (WarcLimits(records=2), "2 records"),
        (WarcLimits(members=2), "2 gzip members"),
        (WarcLimits(inflated=600), "inflates"),
    ],
)
def test_each_limit_says_what_is_too_much(kept, limits, match):
    path = kept(warc.write_snapshot(redirected()))
    with pytest.raises(WebError, match=match):
        warc.read_snapshot(path, limits)


def test_a_file_that_is_not_there_is_broken(tmp_path):
    with pytest.raises(WebError) as caught:
        warc.read_snapshot(tmp_path / "gone.warc.gz")
    assert caught.value.state == "broken"


@pytest.mark.parametrize("seed", range(8))
def test_whatever_bytes_a_file_holds_it_is_read_or_broken(kept, seed):
    """Good files with bytes flipped, cut, doubled and moved, packed and not."""
    chance = random.Random(seed)
    crawl = Foreign(zipped=False).add("https://kelp.example/a", b"", "302 Found", (("Location", "/"),)).add(*PICTURE)
    good = [crawl.add("https://kelp.example/").content, gzip.decompress(warc.write_snapshot(redirected())), GOOD * 3]
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
            found = warc.read_snapshot(kept(packed))
        except WebError as error:
            assert error.state == "broken"
        else:
            assert found.url.startswith("http")


def test_a_gzip_member_with_a_long_name_is_passed_over(kept):
    member = gzip.compress(GOOD)
    named = member[:3] + bytes([member[3] | 8]) + member[4:10] + b"n" * 200_000 + b"\0" + member[10:]
    assert struct.unpack("<H", named[:2])[0] == 0x8B1F
    assert warc.read_snapshot(kept(named)).body == PAGE
