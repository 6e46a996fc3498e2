"""Offsets at which a span may begin and end without splitting a word or character."""

import re
import unicodedata
from collections.abc import Callable
from itertools import islice

# All letters and digits but those of Thai, Lao, Myanmar, Khmer, Chinese and Japanese.
_SPACED = re.compile(
    r"[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_APOSTROPHES = frozenset("'\u2019")
_POINTS = frozenset(".,")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_REGIONAL = re.compile("[\U0001f1e6-\U0001f1ff]")
_SENTENCE_ENDS = frozenset(".!?\u2026\u3002\uff01\uff1f\uff0e\u061f\u06d4\u0964")
# Characters that belong to the previous sentence; "" is the end of the text.
_NEVER_FIRST = _SENTENCE_ENDS | frozenset(",;:)]}\u060c\u061b\u3001\uff0c\uff1b\uff1a") | {""}
# A few words on either side; more would move the window to another sentence.
_NEAR = 8
# Longer than any word; bounds the search in a text without borders.
_REACH = 200


def is_border(text: str, offset: int) -> bool:
    """Return whether `text` may be cut at `offset`: not inside a word, a number, a CRLF or a grapheme.

    An approximation of UAX 29: marks, joiners and skin tones stay with their base, joined emoji and the two regional
    letters of a flag together.
    """
    if not 0 < offset < len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before == "\r":
        return after != "\n"
    if (
        _extends(after)
        or (before == _ZWJ and not after.isspace())
        or (_REGIONAL.match(before) and _REGIONAL.match(after))
    ):
        return False
    return not (_in_word(text, _base(text, offset - 1), -1) and _in_word(text, offset, 1))


def starts_near(text: str, offset: int) -> list[int]:
    """Return up to eight good starts on either side of `offset`: borders before a word or an opening bracket."""
    return _near(text, offset, _is_start)


def ends_near(text: str, offset: int) -> list[int]:
    """Return up to eight good ends on either side of `offset`: borders after a visible character."""
    return _near(text, offset, _is_end)


def trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span (code points, half open) without white space at its ends; start == end if it is blank."""
    span = text[start:end]
    rest = span.lstrip()
    start += len(span) - len(rest)
    return start, start + len(rest.rstrip())


def is_spaced(character: str) -> bool:
    """Return whether `character` (one, or none) is a letter or digit of a script with spaces between words."""
    return _SPACED.match(character) is not None


def is_sentence_end(character: str) -> bool:
    """Return whether `character` (one, or none) ends a sentence in some script."""
    return character in _SENTENCE_ENDS


def _near(text: str, offset: int, is_good: Callable[[str, int], bool]) -> list[int]:
    back = range(offset, max(-1, offset - _REACH), -1)
    forth = range(offset + 1, min(len(text), offset + _REACH) + 1)
    return [
        border for side in (back, forth) for border in islice((index for index in side if is_good(text, index)), _NEAR)
    ]


def _is_start(text: str, offset: int) -> bool:
    first = text[offset : offset + 1]
    return first not in _NEVER_FIRST and not first.isspace() and is_border(text, offset)


def _is_end(text: str, offset: int) -> bool:
    return offset > 0 and not text[offset - 1].isspace() and is_border(text, offset)


def _extends(character: str) -> bool:
    if character.isascii():
        return False
    return (
        character in (_ZWNJ, _ZWJ)
        or unicodedata.category(character).startswith("M")
        or _SKIN_TONES.match(character) is not None
    )


def _base(text: str, index: int) -> int:
    # No word has more marks; without the bound a text of marks alone would take quadratic time.
    lowest = max(0, index - _NEAR)
    while index > lowest and _extends(text[index]):
        index -= 1
    return index


def _in_word(text: str, index: int, onwards: int) -> bool:
    """Return whether the character at `index` joins its neighbour on the side opposite to `onwards` (1 or -1).

    A letter or a digit does; "'" if a letter follows onwards, "." and "," between two digits.
    """
    character, neighbour = text[index], text[index - onwards]
    if is_spaced(character):
        return True
    beyond = text[index + onwards] if 0 <= index + onwards < len(text) else ""
    if character in _APOSTROPHES:
        return is_spaced(beyond)
    return character in _POINTS and neighbour.isdigit() and beyond.isdigit()
