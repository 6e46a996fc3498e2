"""Pages in other scripts and encodings, and in encodings that a page has no business to name."""

from __future__ import annotations

import pytest

from desktop_rater.web.decoding import decode_body
from tests.web.reading_pages import read, stored


@pytest.mark.parametrize(
    ("name", "encoding", "words"),
    [
        ("arabic", "utf-8", "بُني الجسر القديم عام ١٨٨٩ من الحجر"),
        ("hebrew", "cp1255", "הגשר הישן נבנה בשנת 1889 מאבן"),
        ("chinese", "gb18030", "米雷尔湖是一个高山湖泊"),
        ("chinese", "utf-8", "米雷尔湖是一个高山湖泊"),
        ("japanese", "cp932", "①番目の柱が最も古い。"),
        ("russian", "koi8-r", "Старый мост построен из камня"),
        ("russian", "cp1251", "Старый мост построен из камня"),
    ],
)
def test_a_page_is_read_in_the_encoding_that_it_names(reader, name, encoding, words):
    page = read(reader, stored(name, encoding))

    assert words in page.text
    assert words[:8] not in page.why


def test_what_the_header_names_counts_more_than_what_the_page_says():
    body = "<meta charset=koi8-r>Мост".encode("cp1251")

    assert decode_body(body, "text/html; charset=windows-1251").endswith("Мост")


def test_utf_8_is_utf_8_whatever_was_said():
    assert decode_body("Étaples – Мост".encode(), "text/html; charset=iso-8859-1") == "Étaples – Мост"


def test_latin_1_is_what_browsers_take_it_for():
    assert decode_body(b"\x93so\x94 \x80", "text/html; charset=iso-8859-1") == "“so” €"
    assert decode_body(b"caf\xe9") == "café"


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_mark_at_the_start_wins(mark):
    assert decode_body("Мост 😀".encode(mark), "text/html; charset=big5") == "Мост 😀"


@pytest.mark.parametrize(
    "name",
    [
        *("rot13", "zlib_codec", "idna", "unicode_escape", "utf-7", "punycode", "base64", "undefined", "mbcs", "hex"),
        *("\u212autf-8", "utf-16", "../etc/passwd", "charmap", "x" * 9000),
    ],
)
def test_a_hostile_name_ends_in_utf_8_with_replacement(name):
    body = b"caf\xe9 \\u0041 +ADw-script+AD4-"

    assert decode_body(body, f"text/html; charset={name}") == "caf\ufffd \\u0041 +ADw-script+AD4-"


def test_no_surrogate_null_or_reversed_order_gets_through(reader):
    body = b"\xef\xbb\xbf<title>a\0&#xD800;b</title><p>a&#xD800;b&#xDFFF;&#0;&#x110000;c&#xFDD0;&#x202e;&#xAD;d\0"
    page = read(reader, body)

    for text in (page.title, page.text, page.html):
        assert not any(character in text for character in "\0\ud800\udfff\ufdd0\u202e\u00ad")
        text.encode("utf-8")
    assert page.text.endswith("cd")


def test_half_a_surrogate_pair_in_utf_16_is_replaced(reader):
    page = read(reader, b"\xff\xfe" + "<p>a ".encode("utf-16-le") + b"\x00\xd8\x00\xd8x\x00")

    assert page.text == "a \ufffd\ufffdx"
