"""Which way a text runs, and how much room its script needs."""

from __future__ import annotations

import re
import unicodedata

_STRONG = {"L": False, "R": True, "AL": True}
_ISOLATES = {"LRI", "RLI", "FSI"}
FIRST_STRONG, POP = "\u2068", "\u2069"
_CONTROL = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Hebrew, Arabic and their neighbours, Devanagari: marks above and below the letters.
_TALL = re.compile("[\u0590-\u08ff\u0900-\u097f\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_FAR_EAST = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LOOKED_AT = 2_000


def right_to_left(text: str) -> bool:
    """Whether the first character with a direction of its own runs from right to left.

    What is isolated says nothing of the line in which it stands, unless there is nothing else.
    """
    if text.isascii():
        return False
    depth = 0
    inside: bool | None = None
    for character in text[:_LOOKED_AT]:
        kind = unicodedata.bidirectional(character)
        depth = depth + 1 if kind in _ISOLATES else max(0, depth - (kind == "PDI"))
        strong = _STRONG.get(kind)
        if strong is not None and not depth:
            return strong
        inside = strong if inside is None else inside
    return bool(inside)


def isolated(text: str) -> str:
    """A text from elsewhere, to stand in a line of ours: whatever it holds, what stands beside it stays as it is."""
    if not turns_round(text) and _CONTROL.search(text) is None:
        return text
    depth, kept = 0, []
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind == "PDI" and not depth:
            continue  # it would end what is around the text
        depth += (kind in _ISOLATES) - (kind == "PDI")
        kept.append(character)
    return f"{FIRST_STRONG}{''.join(kept)}{POP * (depth + 1)}"


def has_direction(text: str) -> bool:
    """Whether some character has a direction of its own, as figures and signs have none."""
    return any(unicodedata.bidirectional(character) in _STRONG for character in text[:_LOOKED_AT])


def turns_round(text: str) -> bool:
    """Whether some of it may run from right to left, so that neighbours in the text are none on the screen."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_tall(text: str) -> bool:
    """Whether most of its letters have marks above and below."""
    return _mostly(_TALL, text)


def has_no_blanks(text: str) -> bool:
    """Whether it is written without blanks between words, as Chinese and Japanese are."""
    return _mostly(_FAR_EAST, text)


def _mostly(pattern: re.Pattern[str], text: str) -> bool:
    if text.isascii():
        return False
    letters = _LETTER.findall(text[:_LOOKED_AT])
    return len(pattern.findall("".join(letters))) * 2 > len(letters)
