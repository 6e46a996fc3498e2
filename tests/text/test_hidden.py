"""A text that hides something is marked; ordinary spelling is not."""

import pytest

from desktop_rater.text.unseen_characters import hidden_characters


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
def test_what_can_not_be_seen_is_named_with_its_place(text: str, found: list[tuple[int, str]]):
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
def test_ordinary_spelling_hides_nothing(text: str):
    assert hidden_characters(text) == []
