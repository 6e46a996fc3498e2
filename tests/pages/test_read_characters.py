"""Pages in other scripts and encodings, and in encodings that a page has no business to name."""

import pytest
import webencodings
from webencodings.labels import LABELS

from desktop_rater.pages.decoding import decode_body
from tests.pages.reading_pages import read, stored


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


# By names of the Encoding Standard: Python's codec, and words that other codecs read otherwise.
CHARSETS = {
    "utf-8": ("utf-8", "Étaples – Мост 😀"),
    "ibm866": ("cp866", "Москва основана в 1147 году"),
    "iso-8859-2": ("iso8859-2", "Žluťoučký kůň"),
    "iso-8859-3": ("iso8859-3", "Ħaż-Żebbuġ ĉiuj"),
    "iso-8859-4": ("iso8859-4", "Ķēniņš ŋ"),
    "iso-8859-5": ("iso8859-5", "Београд"),
    "iso-8859-6": ("iso8859-6", "بُني الجسر"),
    "iso-8859-7": ("iso8859-7", "Αθήνα ΐ €"),
    "iso-8859-8": ("iso8859-8", "הגשר הישן"),
    "iso-8859-8-i": ("iso8859-8", "הגשר הישן"),
    "iso-8859-10": ("iso8859-10", "Ísland ŋ Đ"),
    "iso-8859-13": ("iso8859-13", "Žemaitė ų"),
    "iso-8859-14": ("iso8859-14", "Ŵy ŷ Ḃ"),
    "iso-8859-15": ("iso8859-15", "Œuvre 5 €"),
    "iso-8859-16": ("iso8859-16", "București ș €"),
    "koi8-r": ("koi8-r", "Старый мост"),
    "koi8-u": ("koi8-u", "Київ ґ є"),
    "macintosh": ("mac-roman", "Café Œuvre 5 €"),
    "windows-874": ("cp874", "สะพาน €"),
    "windows-1250": ("cp1250", "Žluťoučký “kůň” €"),
    "windows-1251": ("cp1251", "Москва № 5 €"),
    "windows-1252": ("cp1252", "“Café” 5 €"),
    "windows-1253": ("cp1253", "Αθήνα €"),
    "windows-1254": ("cp1254", "İstanbul ağaç ışık €"),
    "windows-1255": ("cp1255", "הגשר ₪ €"),
    "windows-1256": ("cp1256", "الجسر پ €"),
    "windows-1257": ("cp1257", "Žemaitė ų €"),
    "windows-1258": ("cp1258", "Đà N₫ €"),
    "x-mac-cyrillic": ("mac-cyrillic", "Москва ґ"),
    "gbk": ("gb18030", "镕 大桥 1889 年 😀"),
    "gb18030": ("gb18030", "镕 大桥 😀"),
    "big5": ("big5hkscs", "大橋 嘅"),
    "euc-jp": ("euc_jp", "富士山の標高"),
    "iso-2022-jp": ("iso2022_jp", "富士山の標高は3776メートル"),
    "shift_jis": ("cp932", "①番目の柱"),
    "euc-kr": ("cp949", "다리 똠방각하"),
    "utf-16le": ("utf-16-le", "大橋富士山"),
    "utf-16be": ("utf-16-be", "大橋富士山"),
    "x-user-defined": ("", ""),
    "replacement": ("", ""),
}


@pytest.mark.parametrize("name", CHARSETS)
def test_each_label_of_the_encoding_standard_means_what_it_means_in_browsers(reader, name):
    codec, words = CHARSETS[name]
    labels = [label for label, meaning in LABELS.items() if meaning == name]
    assert labels
    for label in labels:
        in_header = read(reader, words.encode(codec or "ascii"), f"text/plain; charset={label.upper()}")
        in_page = read(reader, f"<meta charset={label}><p>".encode() + words.encode(codec or "ascii"))
        if name == "replacement":
            assert (in_page.state, in_page.text, f"({label})" in in_page.why) == ("broken", "", True)
        elif name.startswith("utf-16"):
            assert in_header.text == words, label
        elif words:
            assert (in_header.text, in_page.text) == (words, words), label


def test_the_table_of_labels_is_complete():
    assert len(LABELS) >= 220
    assert set(LABELS.values()) == set(CHARSETS)
    assert all(webencodings.lookup(name) for name in CHARSETS)


def test_a_page_can_not_declare_what_it_was_not_read_in():
    assert decode_body(b"<meta charset=utf-16le>caf\xe9") == "<meta charset=utf-16le>caf\ufffd"
    assert decode_body(b"<meta charset=x-user-defined>caf\xe9") == "<meta charset=x-user-defined>café"
    assert decode_body(b"caf\xe9", "text/plain; charset=x-user-defined") == "caf\uf7e9"


def test_the_first_known_label_counts():
    assert decode_body(b"<meta charset=latin5>\xfd", "text/html; charset=none-such").endswith("ı")
    assert decode_body(b"<meta charset=latin5>\xfd", "text/html; charset=\ud800").endswith("ı")


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_mark_at_the_start_wins(mark):
    assert decode_body("Мост 😀".encode(mark), "text/html; charset=big5") == "Мост 😀"


@pytest.mark.parametrize(
    "name",
    [
        *("rot13", "zlib_codec", "idna", "unicode_escape", "utf-7", "punycode", "base64", "undefined", "mbcs", "hex"),
        *("\u212autf-8", "utf-32", "../etc/passwd", "charmap", "x" * 9000),
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
