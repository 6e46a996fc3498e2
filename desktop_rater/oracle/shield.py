"""Texts of strangers on their way to a language model: data between marks that nobody could know beforehand."""

from __future__ import annotations

import re

from desktop_rater.text.hidden import hidden_characters

MOST_CHARACTERS = 20_000
"""Of one piece of data. What is longer is cut, and the cut is told."""

# What looks like a tag: ours, HTML, and the marks by which servers tell who speaks, such as <|im_start|> or </s>.
# Some write their marks with signs of other scripts, so whatever is not plainly "less than" loses its bracket.
_TAGS = re.compile(r"[<\uff1c\ufe64](?=[^\s\d=-])")
_SPEAKERS = re.compile(r"\[(?=/?g?[A-Z][A-Z_]{2,}\])")  # such as [INST], [/INST] and [gMASK]

# Fillers and blanks that look like nothing; and selectors of a letter's shape where they select none, since a whole
# text can be written in rows of them that nobody sees (one such sign is a byte).
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNSEEN = re.compile(f"[{_FILLERS}]|(?<=[{_SELECTORS}])[{_SELECTORS}]|(?<![{_IDEOGRAPHS}])[\U000e0100-\U000e01ef]")

_NO_TAG, _NO_BRACKET = "\u2039", "\uff3b"  # they look alike, and mean nothing to a server


def block(name: str, text: str, nonce: str) -> str:
    """One piece of data as it is sent: nothing in it can close it, and it says nothing that can't be seen."""
    return f'<data-{nonce} name="{name}">\n{shielded(text)}\n</data-{nonce}>'


def shielded(text: str) -> str:
    """The text with its hidden characters spelt out, and without what a server could take for its own marks."""
    shown = list(text)
    for at, name in hidden_characters(text):
        shown[at] = f"[{name.rpartition(' ')[2]}]"
    for found in () if text.isascii() else _UNSEEN.finditer(text):
        shown[found.start()] = f"[U+{ord(found[0]):04X}]"
    return _SPEAKERS.sub(_NO_BRACKET, _TAGS.sub(_NO_TAG, "".join(shown)))


def cut(text: str) -> tuple[str, bool]:
    """The text, or its beginning; and whether something is missing."""
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS
