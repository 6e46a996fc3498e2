"""A span never cuts what a reader sees as one."""

import pytest

from desktop_rater.text.spans import is_border, trim_span


@pytest.mark.parametrize(
    "text",
    [
        "word", "don't", "don’t", "3.14", "8,000", "cafe\u0301s", "\r\n", "ÜBER", "می‌خواهم", "한국어", "हिन्दी",
        "👩‍👩‍👧", "👩🏽", "❤️", "🇫🇷", "か\u3099", "e\u0301\u0301\u0301",
    ],
)  # fmt: skip
def test_one_word_or_character_has_no_border_inside(text):
    assert [offset for offset in range(len(text) + 1) if is_border(text, offset)] == [0, len(text)]


@pytest.mark.parametrize(
    ("text", "borders"),
    [
        ("a b", [0, 1, 2, 3]),
        ("'ab'", [0, 1, 3, 4]),
        ("end.", [0, 3, 4]),
        ("ran.He", [0, 3, 4, 6]),
        ("漢字", [0, 1, 2]),
        ("ไทย", [0, 1, 2, 3]),
        ("Foo漢", [0, 3, 4]),
        ("😀😀", [0, 1, 2]),
        ("\n\r", [0, 1, 2]),
        ("\r\r\n", [0, 1, 3]),
        ("", [0]),
    ],
)
def test_words_and_marks_may_be_parted(text, borders):
    assert [offset for offset in range(len(text) + 1) if is_border(text, offset)] == borders


def test_white_space_at_the_ends_belongs_to_no_span():
    assert trim_span("  a b \u3000\r\n", 0, 9) == (2, 5)
    assert trim_span("ab", 1, 1) == (1, 1)
    start, end = trim_span(" \n ", 0, 3)
    assert start == end
