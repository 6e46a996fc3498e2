"""Passages of a page that are about a claim, and the position of a quote.

Words are compared without case, accents and plural s, numbers without digit grouping. Scripts without spaces between
words are compared by pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import log

from desktop_rater.text.quotes import find_similar_place
from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.superscripts import without_notation
from desktop_rater.text.urls import without_links

_ENGLISH = """
a about above after again against all also although am among an and another any are around as at be because been
before being below between both but by can cannot could did do does doing down during each either etc every few for
from further had has have having he her here hers herself him himself his how however i if in into is it its itself
just let many may me might more most much must my myself neither no nor not now of off on once one only onto or
other our ours out over own per rather same shall she should since so some such than that the their theirs them
themselves then there these they this those though through thus to too toward towards under until up upon us very
was we were what when where whether which while who whom whose why will with within without would yes yet you your
yours yourself nd rd st th
"""
_GERMAN = """
ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bereits
bin bis bist da dabei dadurch dafur dagegen daher damit danach dann daran darauf daraus darin darum das dass dazu
dein deine dem den denen denn der deren derer des dessen die dies diese diesem diesen dieser dieses doch dort du
durch ein eine einem einen einer eines einige er es etwa etwas euch euer fur gegen gewesen hab habe haben hat hatte
hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder
jedes jedoch kann kein keine keinem keinen keiner konnen konnte machen man mehr mein meine mit muss mussen nach
nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen
sollte sondern sonst sowie uber um und uns unser unter viel vom von vor wahrend war waren warum was weg weil wenn
wer werde werden wie wieder will wir wird wirst wo wollen worden wurde wurden zu zum zur zwar zwischen
"""
# Parts of names of people and places, in texts of any language.
_OF_NAMES = "al da das de del della des di do dos du e el en et het la las le les los un una une van von y"
STOP_WORDS = frozenset(f"{_ENGLISH} {_GERMAN} {_OF_NAMES}".split())


Span = tuple[int, int]

CELL_SEPARATOR = " | "  # between the cells of a row of a table, whose line is one passage
# Han, kana, Hangul, Thai, Lao, Myanmar, Khmer.
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u318f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
# Combining marks, which are not letters to `re`; and joiners.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
    "\u200c\u200d"
)
_TOKEN = (
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
# Approximate search takes the product of both lengths: 1 s for 600,000 characters and a quote of this size.
_LONGEST_QUOTE = 2_000


def search_words(claim: str) -> frozenset[str]:
    """Return the search keys of a claim: its significant words, its numbers, its pairs of unspaced characters.

    Those of its links are left out.
    """
    return frozenset(key for key in text_keys(without_links(claim)) if key and not _is_empty(key))


def text_keys(text: str) -> list[str]:
    """Return the key of each word, number and pair of unspaced characters of a text, in order."""
    return [key for _, _, key in _Tokens().of(text)]


def find_word_spans(text: str, words: frozenset[str]) -> list[Span]:
    """Return the spans (code points, half open) of `words` in `text`, in order; adjacent pairs are merged."""
    return [(start, end) for start, end, _ in _merged(_matching_tokens(text, words))]


def find_best_passage(text: str, words: frozenset[str], share: float = _SHARE) -> Span | None:
    """Return the sentence of `text` that matches `words` best; words that are rare in the text count more.

    None if no sentence reaches that `share` of the total weight. A line of `text` is a block: no sentence crosses it.
    """
    if not words:
        return None
    weighed = _WeighedWords.of(text, words, share)
    best: tuple[float, Span] | None = None
    for start, end in weighed.promising_lines():
        for first, last in split_passages(text[start:end]) or [(0, end - start)]:
            span = (start + first, start + last)
            score = weighed.score(*span)
            if score > 0 and (best is None or (score, -span[0]) > (best[0], -best[1][0])):
                best = score, span
    return best[1] if best else None


def split_passages(line: str, lang: str = "en") -> Sequence[Span]:
    """Return the spans of the passages of a line: its sentences, or all of a row of a table."""
    return [(0, len(line))] if CELL_SEPARATOR in line else split_sentences(line, lang)


def find_quote(text: str, quote: str, prefix: str = "", suffix: str = "") -> Span | None:
    """Return the span of `quote` in `text`, ignoring white space; of several the one with matching neighbours.

    Without an exact match: one in which only the notation of powers and indices differs (10⁶, 10^6, CO2), else the only
    span that is nearly the same, or None.
    """
    passage = text, quote, prefix, suffix
    place = _find_exact(*passage) or _find_exact(*map(without_notation, passage))
    if place is not None or len(quote) > _LONGEST_QUOTE:
        return place
    near = find_similar_place(text, quote, _CLOSE)
    return (near.start, near.end) if near else None


def _find_exact(text: str, quote: str, prefix: str, suffix: str) -> Span | None:
    dense_quote = _WHITE.sub("", quote)
    if not dense_quote:
        return None
    offsets = [index for index, character in enumerate(text) if not character.isspace()]
    dense = "".join(text.split())
    ends = _WHITE.sub("", prefix), _WHITE.sub("", suffix)
    starts = _starts(dense, dense_quote)
    best = max(starts, key=lambda start: (_context_match(dense, start, len(dense_quote), *ends), -start), default=None)
    return None if best is None else (offsets[best], offsets[best + len(dense_quote) - 1] + 1)


@cache
def _token_pattern() -> re.Pattern[str]:
    """Return the compiled pattern, which takes milliseconds and is not needed to open a task."""
    return re.compile(_TOKEN)


class _Tokens:
    """Tokenizer that caches the keys of repeated words."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}

    def of(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and key of each word, number and pair."""
        for token in _token_pattern().finditer(text):
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
        for offset, pair in enumerate(pairwise(run), start):
            yield offset, offset + 2, "".join(pair)


def _word(word: str) -> str:
    key = _ACCENTS.sub("", unicodedata.normalize("NFKD", word.casefold()))
    is_plural = len(key) >= _LEAST_PLURAL and key.isascii() and key.endswith("s") and not key.endswith("ss")
    return key[:-1] if is_plural and key not in STOP_WORDS else key


def _number(number: str) -> str:
    """Normalise a number: `1,720` equals `1720`, and digits of all scripts are equal."""
    plain = _GROUPED.sub("", number)
    return "".join(str(unicodedata.decimal(character, ".")) for character in plain)


def _is_empty(key: str) -> bool:
    """Return whether a key is a stop word, a single letter, or a pair of hiragana (endings and particles)."""
    return key in STOP_WORDS or (len(key) == 1 and not key.isdigit()) or _HIRAGANA.fullmatch(key) is not None


def _matching_tokens(text: str, words: frozenset[str]) -> list[tuple[int, int, str]]:
    return [token for token in _Tokens().of(text) if token[2] in words] if words else []


def _merged(tokens: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    held: tuple[int, int, str] | None = None
    for start, end, key in tokens:
        if held and start < held[1]:
            held = held[0], max(end, held[1]), key
            continue
        if held:
            yield held
        held = start, end, key
    if held:
        yield held


@dataclass(frozen=True)
class _WeighedWords:
    """The matches of words in a text, and the weight of each word."""

    found: list[tuple[int, int, str]]
    weights: dict[str, float]
    lines: list[Span]
    least: float

    @classmethod
    def of(cls, text: str, words: frozenset[str], share: float) -> _WeighedWords:
        tokens = _matching_tokens(text, words)
        lines = [line.span() for line in _LINE.finditer(text)]
        counts = Counter(key for _, _, key in tokens)
        weights = {word: log(2 + len(lines)) - log(1 + min(counts[word], len(lines))) for word in words}
        weights = {word: weight + 0.1 for word, weight in weights.items()}
        return cls(tokens, weights, lines, share * sum(weights.values()))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self.found]

    def score(self, start: int, end: int) -> float:
        """Return the score of a span: lower for a long one, 0 if it matches too little."""
        keys = {key for _, _, key in self._tokens_between(start, end)}
        weight = sum(self.weights[key] for key in keys)
        enough = weight >= self.least and len(keys) >= min(2, len(self.weights))
        return weight / (1 + max(0, end - start - _USUAL) / (2 * _USUAL)) if enough else 0

    def promising_lines(self) -> list[Span]:
        """Return the lines worth splitting into sentences, the best first."""
        scored = []
        for line in self.lines:
            weight = sum(self.weights[key] for key in {key for _, _, key in self._tokens_between(*line)})
            if weight >= self.least:
                scored.append((weight, line))
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        return [line for _, line in scored[:_LOOKED_AT]]

    def _tokens_between(self, start: int, end: int) -> list[tuple[int, int, str]]:
        return self.found[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


def _starts(text: str, part: str) -> list[int]:
    """Return the first hundred offsets of `part`."""
    starts: list[int] = []
    offset = text.find(part)
    while offset >= 0 and len(starts) < 100:
        starts.append(offset)
        offset = text.find(part, offset + 1)
    return starts


def _context_match(text: str, start: int, size: int, prefix: str, suffix: str) -> int:
    """Return how many characters around a span match `prefix` and `suffix`."""
    before, after = text[max(0, start - len(prefix)) : start][::-1], text[start + size : start + size + len(suffix)]
    return _common_prefix(before, prefix[::-1]) + _common_prefix(after, suffix)


def _common_prefix(first: str, second: str) -> int:
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count
