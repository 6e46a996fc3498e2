"""Ask a language model to split a target into claims, and find the words of each claim in the response. Pure."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from desktop_rater.model import edit
from desktop_rater.model.rating import Claim
from desktop_rater.oracle.client import text_tokens
from desktop_rater.oracle.prompts import (
    MOST_CHARACTERS,
    TEXT,
    DataPiece,
    OracleRequest,
    list_of,
    object_of,
    shorten_data,
)
from desktop_rater.text.untrusted import hidden_characters

MOST_CLAIMS, MOST_QUOTES, MOST_CLAIM_CHARACTERS = 20, 8, 500
_MOST_TOKENS = 6_000
_SCHEMA = object_of({"claims": list_of(object_of({"text": TEXT, "quotes": list_of(TEXT, MOST_QUOTES)}), MOST_CLAIMS)})


class SplitTask(msgspec.Struct, frozen=True):
    """Text of a response, and the offsets of the target in it."""

    text: str
    start: int
    end: int


class ProposedSplit(msgspec.Struct, frozen=True):
    """Claims that a model proposes. `dropped`: number of those that could not be used."""

    claims: tuple[Claim, ...] = ()
    dropped: int = 0


def split_request(task: SplitTask) -> OracleRequest:
    """Return the request; of a long response, only the part around the target is sent."""
    target, _ = shorten_data(task.text[task.start : task.end])
    begin = max(0, min(task.start - MOST_CHARACTERS // 2, len(task.text) - MOST_CHARACTERS))
    response, _ = shorten_data(task.text[begin:])
    return OracleRequest(
        about="split",
        pieces=(DataPiece("response", response), DataPiece("target", target)),
        schema=_SCHEMA,
        most_tokens=min(_MOST_TOKENS, 500 + 6 * text_tokens(target)),
    )


def read_split(task: SplitTask, value: Mapping[str, Any]) -> ProposedSplit:
    """Return the claims of a valid reply that have words of their own and words of the target."""
    claims: dict[str, Claim] = {}
    target, offsets = _on_one_line(task)
    for item in value["claims"]:
        text = _visible_words(item["text"])
        claim = Claim(id=f"c{len(claims) + 1}", text=text)
        end = 0
        for quote in item["quotes"]:
            words = " ".join(quote.split())
            start = _find_words(target, words, end)
            start = start if start >= 0 else _find_words(target, words, 0)
            if words and start >= 0:
                end = start + len(words)
                claim = edit.with_span(claim, task.text, offsets[start], offsets[end - 1] + 1)
        if text and len(text) <= MOST_CLAIM_CHARACTERS and claim.spans:
            claims.setdefault(text, claim)
    return ProposedSplit(tuple(claims.values()), len(value["claims"]) - len(claims))


def _visible_words(text: str) -> str:
    """Return the text on one line, without hidden characters."""
    hidden = {index for index, _name in hidden_characters(text)}
    return " ".join("".join(character for index, character in enumerate(text) if index not in hidden).split())


def _on_one_line(task: SplitTask) -> tuple[str, list[int]]:
    """Return the target with single blanks between words, and the offset of each of its characters in the response."""
    characters, offsets = [], []
    for match in re.compile(r"\S+").finditer(task.text, task.start, task.end):
        if characters:
            characters.append(" ")
            offsets.append(match.start() - 1)
        characters.extend(match[0])
        offsets.extend(range(*match.span()))
    return "".join(characters), offsets


def _find_words(text: str, words: str, begin: int) -> int:
    """Return the offset of these words, preferably where they are not part of longer ones; -1 if there is none."""
    first = start = text.find(words, begin)
    while start >= 0:
        around = text[max(0, start - 1) : start], text[start + len(words) : start + len(words) + 1]
        if not any(character.isalnum() for character in around):
            return start
        start = text.find(words, start + 1)
    return first
