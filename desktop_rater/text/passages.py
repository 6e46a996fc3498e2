"""Where a page speaks of a claim, and where a quote stands in it.

Words are compared without case, accents and plural s, numbers without what groups their digits. Scripts that put no
spaces between words are compared by pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

from desktop_rater.text.quotes import close_place
from desktop_rater.text.sentences import sentences
from desktop_rater.text.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]

# Han, kana, Hangul, Thai, Lao, Myanmar, Khmer.
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u318f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
# Marks that belong to the letter before them, which are no letters to `re`; and joiners.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
    "\u200c\u200d"
)
_TOKEN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<number>\d+(?:[.,\u066b\u066c'\u2019\u00a0\u202f]\d+)*)"
    rf"|(?P<word>(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])(?:[^\W_{_UNSPACED}]|[{_MARKS}])*)"
)
_GROUPED = re.compile(r"(?<=\d)[.,\u066c'\u2019\u00a0\u202f](?=\d{3}(?!\d))")
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
_HIRAGANA = re.compile("[\u3041-\u309f]+")
_LINE = re.compile("[^\n]+")
_WHITE = re.compile(r"\s+")
_LEAST_PLURAL = 4
_LOOKED_AT = 24
_USUAL = 300
_SHARE = 0.2
_CLOSE = 0.9
# A close look takes the product of both lengths: a second for 600,000 characters and a quote of this size.
_LONGEST_QUOTE = 2_000


def words_of(claim: str) -> frozenset[str]:
    """What to look for of a claim: its words that say something, its numbers, its pairs of unspaced characters."""
    keys = (key for _, _, key in _Tokens().of(claim))
    return frozenset(key for key in keys if key and not _is_empty(key))


def marks(text: str, words: frozenset[str]) -> list[Span]:
    """The places (code points, half open) of `words` in `text`, in order; neighbouring pairs are one place."""
    return [(start, end) for start, end, _ in _merged(_found(text, words))]


def best_passage(text: str, words: frozenset[str], share: float = _SHARE) -> Span | None:
    """The sentence of `text` that says most of `words`, of which those that are rare here count more.

    None where no sentence says that `share` of them. A line of `text` is a block: no sentence goes beyond it.
    """
    if not words:
        return None
    weighed = _Weighed.of(text, words, share)
    best: tuple[float, Span] | None = None
    for start, end in weighed.promising_lines():
        for first, last in sentences(text[start:end]) or [(0, end - start)]:
            span = (start + first, start + last)
            score = weighed.score(*span)
            if score > 0 and (best is None or (score, -span[0]) > (best[0], -best[1][0])):
                best = score, span
    return best[1] if best else None


def place_of_quote(text: str, quote: str, prefix: str = "", suffix: str = "") -> Span | None:
    """Where `quote` stands in `text`, whatever its white space; of several places the one with its neighbours.

    Where it stands nowhere to the letter: the one place that is nearly the same. None where there is none.
    """
    wanted = _WHITE.sub("", quote)
    if not wanted:
        return None
    where = [index for index, character in enumerate(text) if not character.isspace()]
    dense = "".join(text.split())
    ends = _WHITE.sub("", prefix), _WHITE.sub("", suffix)
    starts = _starts(dense, wanted)
    at = max(starts, key=lambda start: (_kept(dense, start, len(wanted), *ends), -start), default=None)
    if at is not None:
        return where[at], where[at + len(wanted) - 1] + 1
    if len(quote) > _LONGEST_QUOTE:
        return None
    near = close_place(text, quote, _CLOSE)
    return (near.start, near.end) if near else None


class _Tokens:
    """Cuts texts into words; a word that comes again costs nothing."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}

    def of(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start, end and key of each word, number and pair."""
        for token in _TOKEN.finditer(text):
            start, end = token.span()
            if token.lastgroup == "unspaced":
                yield from self._pairs(token[0], start)
                continue
            key = self._keys.get(token[0])
            if key is None:
                key = self._keys[token[0]] = _number(token[0]) if token.lastgroup == "number" else _word(token[0])
            yield start, end, key

    @staticmethod
    def _pairs(run: str, start: int) -> Iterator[tuple[int, int, str]]:
        if len(run) == 1:
            yield start, start + 1, run
        for at, pair in enumerate(pairwise(run), start):
            yield at, at + 2, "".join(pair)


def _word(word: str) -> str:
    key = _ACCENTS.sub("", unicodedata.normalize("NFKD", word.casefold()))
    is_plural = len(key) >= _LEAST_PLURAL and key.isascii() and key.endswith("s") and not key.endswith("ss")
    return key[:-1] if is_plural and key not in STOP_WORDS else key


def _number(number: str) -> str:
    """`1,720` and `1720` are one number, and so are the digits of every script."""
    plain = _GROUPED.sub("", number)
    return "".join(str(unicodedata.decimal(character, ".")) for character in plain)


def _is_empty(key: str) -> bool:
    """Stop words, single letters, and pairs of hiragana, which are endings and particles."""
    return key in STOP_WORDS or (len(key) == 1 and not key.isdigit()) or _HIRAGANA.fullmatch(key) is not None


def _found(text: str, words: frozenset[str]) -> list[tuple[int, int, str]]:
    return [token for token in _Tokens().of(text) if token[2] in words] if words else []


def _merged(found: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    held: tuple[int, int, str] | None = None
    for start, end, key in found:
        if held and start < held[1]:
            held = held[0], max(end, held[1]), key
            continue
        if held:
            yield held
        held = start, end, key
    if held:
        yield held


@dataclass(frozen=True)
class _Weighed:
    """The words that were found in a text, and how much each says."""

    found: list[tuple[int, int, str]]
    weights: dict[str, float]
    lines: list[Span]
    least: float

    @classmethod
    def of(cls, text: str, words: frozenset[str], share: float) -> _Weighed:
        found = _found(text, words)
        lines = [line.span() for line in _LINE.finditer(text)]
        counts = Counter(key for _, _, key in found)
        weights = {word: log(2 + len(lines)) - log(1 + min(counts[word], len(lines))) for word in words}
        weights = {word: weight + 0.1 for word, weight in weights.items()}
        return cls(found, weights, lines, share * sum(weights.values()))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self.found]

    def score(self, start: int, end: int) -> float:
        """How much a stretch says; less for one that is long, nothing for one that says too little."""
        said = {key for _, _, key in self._within(start, end)}
        weight = sum(self.weights[key] for key in said)
        enough = weight >= self.least and len(said) >= min(2, len(self.weights))
        return weight / (1 + max(0, end - start - _USUAL) / (2 * _USUAL)) if enough else 0

    def promising_lines(self) -> list[Span]:
        """The lines whose sentences are worth a look, the best first."""
        scored = [(self._worth(*line), line) for line in self.lines]
        scored = [pair for pair in scored if pair[0] >= self.least]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        return [line for _, line in scored[:_LOOKED_AT]]

    def _worth(self, start: int, end: int) -> float:
        return sum(self.weights[key] for key in {key for _, _, key in self._within(start, end)})

    def _within(self, start: int, end: int) -> list[tuple[int, int, str]]:
        return self.found[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


def _starts(text: str, part: str) -> list[int]:
    """Where `part` stands, at most a hundred times."""
    starts: list[int] = []
    at = text.find(part)
    while at >= 0 and len(starts) < 100:
        starts.append(at)
        at = text.find(part, at + 1)
    return starts


def _kept(text: str, start: int, size: int, prefix: str, suffix: str) -> int:
    """How many characters before and behind a place are those of `prefix` and `suffix`."""
    before, behind = text[max(0, start - len(prefix)) : start][::-1], text[start + size : start + size + len(suffix)]
    return _alike(before, prefix[::-1]) + _alike(behind, suffix)


def _alike(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
