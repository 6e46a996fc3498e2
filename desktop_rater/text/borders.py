"""Where a span may begin and end so that a person would call it whole."""

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
# What ends or parts the sentence before; "" is the end of the text.
_NEVER_FIRST = _SENTENCE_ENDS | frozenset(",;:)]}\u060c\u061b\u3001\uff0c\uff1b\uff1a") | {""}
# A few words to either side; more would move the window to another sentence.
_NEAR = 8
# No word is longer; a text without a single border must not cost its whole length.
_REACH = 200


def is_border(text: str, offset: int) -> bool:
    """Whether `text` may be cut at `offset`: not inside a word, a number, a CRLF or what is seen as one character.

    A cheap reading of UAX 29: marks, joiners and skin tones stay with their base, joined emoji and the two regional
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
    """Up to eight good starts on either side of `offset`: borders with a word or an opening behind them."""
    return _near(text, offset, _is_start)


def ends_near(text: str, offset: int) -> list[int]:
    """Up to eight good ends on either side of `offset`: borders with something visible before them."""
    return _near(text, offset, _is_end)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span (code points, half open) without white space at its ends; start == end where nothing is left."""
    span = text[start:end]
    kept = span.lstrip()
    start += len(span) - len(kept)
    return start, start + len(kept.rstrip())


def is_spaced(character: str) -> bool:
    """Whether `character` (one, or none) is a letter or digit of a script that puts spaces between words."""
    return _SPACED.match(character) is not None


def is_sentence_end(character: str) -> bool:
    """Whether `character` (one, or none) ends a sentence in some script: full stop, question mark, ellipsis."""
    return character in _SENTENCE_ENDS


def _near(text: str, offset: int, is_good: Callable[[str, int], bool]) -> list[int]:
    back = range(offset, max(-1, offset - _REACH), -1)
    forth = range(offset + 1, min(len(text), offset + _REACH) + 1)
    return [border for side in (back, forth) for border in islice((at for at in side if is_good(text, at)), _NEAR)]


def _is_start(text: str, offset: int) -> bool:
    first = text[offset : offset + 1]
    return first not in _NEVER_FIRST and not first.isspace() and is_border(text, offset)


def _is_end(text: str, offset: int) -> bool:
    return offset > 0 and not text[offset - 1].isspace() and is_border(text, offset)


def _extends(character: str) -> bool:
    """Whether `character` belongs to the one before it."""
    if character.isascii():
        return False
    return (
        character in (_ZWNJ, _ZWJ)
        or unicodedata.category(character).startswith("M")
        or _SKIN_TONES.match(character) is not None
    )


def _base(text: str, index: int) -> int:
    """The index of the character that the marks at `index` belong to."""
    # A base with more marks than this is no word; without the bound a text of marks alone would take its square.
    lowest = max(0, index - _NEAR)
    while index > lowest and _extends(text[index]):
        index -= 1
    return index


def _in_word(text: str, index: int, onwards: int) -> bool:
    """Whether the character at `index` holds on to its neighbour on the other side from `onwards` (1 or -1).

    A letter or a digit does; "'" does where a letter follows onwards, "." and "," between two digits.
    """
    character, neighbour = text[index], text[index - onwards]
    if is_spaced(character):
        return True
    beyond = text[index + onwards] if 0 <= index + onwards < len(text) else ""
    if character in _APOSTROPHES:
        return is_spaced(beyond)
    return character in _POINTS and neighbour.isdigit() and beyond.isdigit()
