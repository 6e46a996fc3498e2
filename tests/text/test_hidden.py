"""A text that hides something is marked; ordinary spelling is not."""

import re
import sys
import unicodedata

import pytest

from desktop_rater.text.untrusted import BIDI_CONTROLS, DEFAULT_IGNORABLE, UNSEEN, hidden_characters, spelled_out


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pay \u202e001\u202c now", [(4, "RIGHT-TO-LEFT OVERRIDE U+202E"), (8, "POP DIRECTIONAL FORMATTING U+202C")]),
        ("a\u200bb", [(1, "ZERO WIDTH SPACE U+200B")]),
        ("\ufeffa", [(0, "ZERO WIDTH NO-BREAK SPACE U+FEFF")]),
        ("😀 soft\u00adhyphen", [(6, "SOFT HYPHEN U+00AD")]),
        ("a\u2066b\u2069", [(1, "LEFT-TO-RIGHT ISOLATE U+2066"), (3, "POP DIRECTIONAL ISOLATE U+2069")]),
        ("a\u061cb", [(1, "ARABIC LETTER MARK U+061C")]),
        (
            "hi\U000e0041\U000e0042",
            [(2, "TAG LATIN CAPITAL LETTER A U+E0041"), (3, "TAG LATIN CAPITAL LETTER B U+E0042")],
        ),
        ("\U000e0002", [(0, "TAG U+E0002")]),
        ("a\0b\x07c", [(1, "NULL U+0000"), (3, "CONTROL U+0007")]),
        ("\x1b[31mred", [(0, "ESCAPE U+001B")]),
        ("one\x85two\x0b", [(3, "NEXT LINE U+0085"), (7, "VERTICAL TAB U+000B")]),
        ("pass\u200dword", [(4, "ZERO WIDTH JOINER U+200D")]),
        ("pass\u200cword", [(4, "ZERO WIDTH NON-JOINER U+200C")]),
        ("\u200d", [(0, "ZERO WIDTH JOINER U+200D")]),
        ("😀\u200d\u200d😀", [(1, "ZERO WIDTH JOINER U+200D"), (2, "ZERO WIDTH JOINER U+200D")]),
        ("😀\u200c😀", [(1, "ZERO WIDTH NON-JOINER U+200C")]),
    ],
)
def test_what_can_not_be_seen_is_named_with_its_place(text, found):
    assert hidden_characters(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain, with tab\t and line ends\r\n",
        "می‌خواهم",
        "क्‍ष and ශ්‍රී",
        "👩‍👩‍👧 👩🏽‍🚀 ❤️‍🔥 🙂‍↔️ 🏳️‍🌈",
        "England 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f wins",
        "no-break\xa0space, e\u0301, ﷺ",
    ],
)
def test_ordinary_spelling_hides_nothing(text):
    assert hidden_characters(text) == []


SELECTORS = "\ufe00\ufe01\ufe0e\ufe0f" * 6


@pytest.mark.parametrize(
    "text",
    [
        *("a\u3164b", "a\u115fb", "a\u1160b", "a\uffa0b", "a\u2800b", "a\u034fb", "a\u180eb", "a\u180bb", "a\u17b4b"),
        *("a\ufe0fb", "a\U000e0100b", "a\U000e01efb", "a\U0001d173b", "a\U0001bca0b", "a\u2028b", "a\u2029b"),
        *("a\ufff9b", "a\u2065b", "a\ufff0b", "a\U000e0fffb", "a\x9bb"),
    ],
)
def test_a_letter_of_another_script_without_ink_is_hidden_between_latin_letters(text):
    assert [offset for offset, _name in hidden_characters(text)] == [1]


def test_bytes_in_variation_selectors_are_found_after_an_emoji_too():
    assert len(hidden_characters(f"😀{SELECTORS}")) == len(SELECTORS)
    assert len(hidden_characters(f"❤\ufe0f{SELECTORS}")) == len(SELECTORS)
    assert len(hidden_characters(f"葛\U000e0100\U000e0101{SELECTORS}")) == len(SELECTORS) + 1


@pytest.mark.parametrize(
    "text",
    [
        "❤\ufe0f ☺\ufe0e 1\ufe0f\u20e3 #\ufe0f\u20e3 ‼\ufe0f",
        "葛\U000e0100城, \u3002\ufe00",
        "\u1820\u180b\u1821",
        "\u115f\u1161 \u1100\u1160",
        "\u2813\u2800\u283a",
        "\u0e44\u200b\u0e17, \u1780\u200b\u1781",
        "a\u034f\u0301",
        "\u2229\ufe00",
        "10\u202f000\u2009km\u3000\u2003",
    ],
)
def test_what_a_spelling_needs_is_not_hidden(text):
    assert hidden_characters(text) == []


def test_the_table_has_every_character_that_python_s_unicode_data_calls_invisible():
    """Format characters with a shape of their own are left out: Arabic, Syriac and Kaithi signs around numbers, ..."""
    seen = [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)]
    expected = {
        chr(point)
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point)) in {"Cc", "Cf", "Zl", "Zp"} and point not in seen
    } - set("\t\n\r")
    table = re.compile(f"[{UNSEEN}]")
    assert {character for character in expected if not table.match(character)} == set()
    ignorable = re.compile(f"[{DEFAULT_IGNORABLE}]")
    points = [chr(point) for point in range(sys.maxunicode + 1) if ignorable.match(chr(point))]
    assert len(points) == 4_174, "as many as in DerivedCoreProperties.txt"
    assert {unicodedata.category(character) for character in points} == {"Cf", "Cn", "Lo", "Mn"}
    bidi = re.compile(f"[{BIDI_CONTROLS}]")
    kinds = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert all(bidi.match(character) for character in points if unicodedata.bidirectional(character) in kinds)


def test_long_runs_are_counted_where_code_points_are_spelled_out():
    assert spelled_out("r-17\u200b") == "r-17[U+200B]"
    assert spelled_out(f"x{SELECTORS}y") == "x[U+FE00][U+FE01][U+FE0E][+21]y"
    assert spelled_out("a\u200bb\u200bc", keep={1}) == "a\u200bb[U+200B]c"
    assert spelled_out("👩\u200d🚀") == "👩\u200d🚀"
