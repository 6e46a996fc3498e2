"""Untrusted text: spreadsheet formulas, content that is slow to show, and hidden characters.

Qt takes quadratic time for some content. Measured with PySide6 6.11: 8,000 items of a list or 8,000 pictures take 4 s,
a table of 10,000 rows 6 s, a word of 200,000 letters 5 s if lines break at word borders only.
`tests/ui/test_heavy_texts.py` measures it again.
"""

import re
import unicodedata

# Beginnings of formulas; some spreadsheets skip white space, quotes or invisible characters before them.
_UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
_RUNS = re.compile(rf"[\s\"'{_UNSEEN}]*[=+\-@\t\r＝＋－＠]")  # noqa: RUF001 - the full-width ones are intended
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def escape_formula(cell: str) -> str:
    """Return the cell with a leading apostrophe if a spreadsheet would run it. Numbers stay numbers.

    A cell that begins with an apostrophe gets one too, so that removing one from every cell restores the original.
    """
    runs = cell.startswith("'") or (_RUNS.match(cell) and not _NUMBER.fullmatch(cell))
    return f"'{cell}" if runs else cell


MAX_SHOWN_CHARACTERS = 500_000  # characters of a read-only text, such as a prompt
MAX_MARKDOWN_CHARACTERS = 100_000
MAX_MARKDOWN_CELLS = 3_000
MAX_MARKDOWN_ITEMS = 1_500
MAX_MARKDOWN_PICTURES = 500
MAX_WORD_LENGTH = 2_000

_ITEM = re.compile(r"^[ \t>]*+(?:[-+*]|\d{1,9}+[.)])(?=\s)", re.MULTILINE)


def is_heavy_markdown(text: str) -> bool:
    """Return whether Markdown should be shown as source instead."""
    if (
        len(text) > MAX_MARKDOWN_CHARACTERS
        or text.count("|") > MAX_MARKDOWN_CELLS
        or text.count("![") > MAX_MARKDOWN_PICTURES
    ):
        return True
    return sum(1 for _ in _ITEM.finditer(text)) > MAX_MARKDOWN_ITEMS


def has_long_word(text: str) -> bool:
    """Return whether a text has to be broken inside its words."""
    return len(text) > MAX_WORD_LENGTH and max(map(len, text.split()), default=0) > MAX_WORD_LENGTH


# C0 and C1 controls but for tab and line ends; soft hyphen; marks, embeddings, overrides and isolates of the
# bidirectional algorithm (UAX 9, with U+061C); zero-width characters; deprecated and interlinear format characters;
# tags.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
# The flags of England, Scotland, Wales and the like: a black flag, the region in tags, the closing tag (UTS 51).
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
# Scripts whose spelling needs joiners: Arabic and Persian, Syriac, N'Ko, the Indic ones, Myanmar, Khmer, Mongolian.
_JOINING = re.compile(
    "[\u0600-\u07ff\u0860-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
_EMOJI_ARROWS = frozenset("\u2194\u2195")
_EMOJI_EXTENDERS = ("\ufe0f", "\U0001f3fb", "\U0001f3fc", "\U0001f3fd", "\U0001f3fe", "\U0001f3ff")
_CONTROLS = {"\x00": "NULL", "\x08": "BACKSPACE", "\x0b": "VERTICAL TAB", "\x0c": "FORM FEED", "\x1b": "ESCAPE"}
_CONTROLS |= {"\x7f": "DELETE", "\x85": "NEXT LINE"}
_FIRST_TAG = "\U000e0000"


def hidden_characters(text: str) -> list[tuple[int, str]]:
    """Return the hidden characters of `text`: (code point offset, name such as "RIGHT-TO-LEFT OVERRIDE U+202E").

    Ordinary spelling is left out: ZWJ between emoji, ZWJ and ZWNJ between letters of a joining script (Persian, Hindi),
    the tags of a regional flag.
    """
    if text.isascii() and text.isprintable():
        return []
    flags = {index for match in _FLAG.finditer(text) for index in range(*match.span())}
    return [
        (match.start(), _name(match.group()))
        for match in _HIDDEN.finditer(text)
        if match.start() not in flags and not _is_ordinary_joiner(text, match.start())
    ]


def _is_ordinary_joiner(text: str, index: int) -> bool:
    character, before, after = text[index], text[index - 1 : index], text[index + 1 : index + 2]
    if character not in (_ZWNJ, _ZWJ) or not before or not after:
        return False
    if _JOINING.match(before) and _JOINING.match(after):
        return True
    return character == _ZWJ and (before in _EMOJI_EXTENDERS or _is_emoji(before)) and _is_emoji(after)


def _is_emoji(character: str) -> bool:
    return unicodedata.category(character) == "So" or character in _EMOJI_ARROWS


def _name(character: str) -> str:
    fallback = "TAG" if character >= _FIRST_TAG else "CONTROL"
    name = _CONTROLS.get(character) or unicodedata.name(character, fallback)
    return f"{name} U+{ord(character):04X}"
