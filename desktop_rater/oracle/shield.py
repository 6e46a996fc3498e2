"""Texts of strangers on their way to a language model: data between marks that nobody could know beforehand."""

from __future__ import annotations

import re

from desktop_rater.text.hidden import hidden_characters

MOST_CHARACTERS = 20_000
"""Of one piece of data. What is longer is cut, and the cut is told."""

# What looks like a tag: ours, HTML, and the marks by which servers tell who speaks, such as <|im_start|> or </s>.
_TAGS = re.compile("[<\uff1c\ufe64](?=[|/!<A-Za-z])")
_SPEAKERS = re.compile(r"\[(?=/?[A-Z][A-Z_]{2,}\])")  # such as [INST] and [/INST]

_NO_TAG, _NO_BRACKET = "\u2039", "\uff3b"  # they look alike, and mean nothing to a server


def block(name: str, text: str, nonce: str) -> str:
    """One piece of data as it is sent: nothing in it can close it, and it says nothing that can't be seen."""
    return f'<data-{nonce} name="{name}">\n{shielded(text)}\n</data-{nonce}>'


def shielded(text: str) -> str:
    """The text with its hidden characters spelt out, and without what a server could take for its own marks."""
    shown = list(text)
    for at, name in hidden_characters(text):
        shown[at] = f"[{name.rpartition(' ')[2]}]"
    return _SPEAKERS.sub(_NO_BRACKET, _TAGS.sub(_NO_TAG, "".join(shown)))


def cut(text: str) -> tuple[str, bool]:
    """The text, or its beginning; and whether something is missing."""
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS
