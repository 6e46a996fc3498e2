"""Quotes in texts: exact and similar passages, and the text of a page that a quote is searched in."""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise
from math import log
from typing import Literal

from msgspec import Struct

from desktop_rater.text.sentences import split_sentences
from desktop_rater.text.spans import ends_near, is_border, is_sentence_end, starts_near
from desktop_rater.text.urls import without_links

_SUPERSCRIPTS = dict(
    zip(
        "0123456789+-\u2212\u2013=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        strict=True,
    )
)
_SUBSCRIPTS = dict(
    zip(
        "0123456789+-\u2212\u2013=()aehijklmnoprstuvx\u03b2\u03b3\u03c1\u03c6\u03c7",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
_TABLES = _SUBSCRIPTS, _SUPERSCRIPTS
_SCRIPT_DIGITS = tuple({ord(digit): table[digit] for digit in "0123456789"} for table in _TABLES)
# Each becomes one character, so that offsets stay the same.
_ORDINARY = {ord(script): unicodedata.normalize("NFKC", script) for table in _TABLES for script in table.values()}
# After a digit or a Roman numeral these are endings of ordinal numbers, which plain text writes as they are.
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th", "e", "er", "re", "ère", "ème"))
_NUMERAL = re.compile("[0-9IVXLC]")
# A quote may have the notation of a power, an index or a note where its page has another, or none.
_WITHOUT_NOTATION = _ORDINARY | dict.fromkeys(map(ord, "^_()[]"), " ")
_POWER = re.compile(r"\^\(?([0-9n+\-\u2212]+)\)?")
_INDEX = re.compile(r"(?<=[A-Za-z)])[0-9]+")


def raised_text(text: str, *, lowered: bool = False, before: str = "") -> str:
    """Return a superscript, or a subscript if `lowered`, as plain text after the character `before`.

    Signs without a letter or digit, such as ® and *, and endings of ordinal numbers stay as they are. So do words that
    raise nothing, at the start of a line or after a blank: they are only small.
    """
    inner = text.strip()
    table = _SUBSCRIPTS if lowered else _SUPERSCRIPTS
    is_ordinal = not lowered and inner in _ORDINAL_ENDINGS and _NUMERAL.fullmatch(before) is not None
    if is_ordinal or (inner[:1].isalpha() and not before.strip()):
        return text
    blank = " " if text.endswith(" ") else ""
    if all(character in table for character in inner):
        return "".join(table[character] for character in inner) + blank
    if not any(character.isalnum() for character in inner):
        return text
    return f"{'_' if lowered else '^'}({inner}){blank}"


def without_notation(text: str) -> str:
    """Return a text of the same length with ordinary characters for scripts, and blanks for notations of powers."""
    return text.translate(_WITHOUT_NOTATION)


def written_forms(query: str) -> tuple[str, ...]:
    """Return a query in the forms in which a page may write it: CO2 and CO₂, 10^9 and 10⁹, km2 and km²."""
    plain = query.translate(_ORDINARY)
    powers = _POWER.sub(lambda power: raised_text(power[1], before="x"), query)
    subscripts, superscripts = (
        _INDEX.sub(lambda index, digits=digits: index[0].translate(digits), plain) for digits in _SCRIPT_DIGITS
    )
    return tuple(dict.fromkeys((query, plain, powers, subscripts, superscripts)))


class WindowEnd(Struct, frozen=True):
    """Code point offset at the end of a similar window, and the fewest edits (Levenshtein) of any such window."""

    at: int
    edits: int

    def similarity_at_most(self, size: int) -> float:
        """Return an upper bound of the similarity of windows ending here to a pattern of `size` characters.

        1 - d / (size + w) with d >= edits and w <= size + d falls as d grows, so it is greatest at d = edits.
        """
        return 1 - self.edits / (2 * size + self.edits)


def find_window_ends(text: str, pattern: str, at_least: float) -> list[WindowEnd]:
    """Return the ends of all windows whose similarity to `pattern` may be `at_least`, in order.

    With similarity 1 - d / (m + w), where d counts insertions and deletions, m = len(pattern) and w <= m + d is the
    window's length: d <= (1 - at_least)(2 m + d), hence d <= 2 m (1 - at_least) / at_least; and edits with
    substitutions are never more than d. `pattern` must not be empty, `at_least` above 0.
    """
    most = int(2 * len(pattern) * (1 - at_least) / at_least + 1e-9)
    return [WindowEnd(index, edits) for index, edits in enumerate(_edits(text, pattern), 1) if edits <= most]


def find_window_start(text: str, pattern: str, end: int) -> int:
    """Return the start of the window of `text` that ends at `end` and is the fewest edits away from `pattern`.

    Of several, the one whose length is nearest to the pattern's. A window of more than twice the pattern's length is
    never better than an empty one.
    """
    backwards = text[max(0, end - 2 * len(pattern)) : end][::-1]
    lengths = enumerate(_edits(backwards, pattern[::-1], anchored=True), 1)
    best = min(lengths, key=lambda pair: (pair[1], abs(pair[0] - len(pattern)), pair[0]), default=(0, 0))
    return end - best[0]


def _edits(text: str, pattern: str, *, anchored: bool = False) -> Iterator[int]:
    """Yield, after each character of `text`, the fewest edits between `pattern` and a window that ends there.

    The window starts anywhere, or, if `anchored`, at the start of `text`.
    """
    positions: dict[str, int] = {}
    for index, character in enumerate(pattern):
        positions[character] = positions.get(character, 0) | 1 << index
    size = len(pattern)
    full, last = (1 << size) - 1, 1 << (size - 1)
    plus, minus, edits = full, 0, size
    for character in text:
        equal = positions.get(character, 0) | minus
        diagonal = (((equal & plus) + plus) ^ plus) | equal
        across_plus = minus | (full & ~(plus | diagonal))
        across_minus = plus & diagonal
        edits += 1 if across_plus & last else -1 if across_minus & last else 0
        yield edits
        across_plus = across_plus << 1 | anchored
        minus = across_plus & diagonal & full
        plus = (across_minus << 1 | (full & ~(across_plus | diagonal))) & full


MIN_SIMILARITY = 0.95
_PERCENT = 100
# Limit of windows to check; it keeps hostile texts cheap.
_CANDIDATES = 32
_ROUNDS = 4


class QuotePlace(Struct, frozen=True):
    """A quote's place in code points, half open, and how it was found; `similarity` is 1.0 unless `how == "close"`."""

    start: int
    end: int
    how: Literal["offsets", "exact", "context", "close"]
    similarity: float = 1.0


def similarity_of(a: str, b: str) -> float:
    """Return the similarity of two texts, 0.0-1.0: 1 - (insertions + deletions from `a` to `b`) / (len(a) + len(b)).

    The normalised indel similarity of rapidfuzz (`fuzz.ratio` / 100) on the unchanged texts: case, white space and line
    ends count. Two empty texts are equal.
    """
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415 - a library of 40 modules, for texts that differ

    return ratio(a, b) / _PERCENT


def place_at_offsets(text: str, start: int | None, end: int | None, quote: str | None) -> QuotePlace | None:
    """Return the place given by the offsets, if they are valid and enclose the quote (if there is one)."""
    if start is not None and end is not None and 0 <= start < end <= len(text) and quote in (None, "", text[start:end]):
        return QuotePlace(start, end, "offsets")
    return None


def place_quote(
    text: str, start: int | None, end: int | None, quote: str | None, prefix: str = "", suffix: str = ""
) -> QuotePlace | None:
    """Return the place of a target in `text`, or None if it is ambiguous.

    In this order: the offsets (code points, half open), if they are valid and enclose the quote, or there is no quote;
    the only exact occurrence; of several (overlapping ones count), the only one between `prefix` and `suffix`. An empty
    prefix or suffix matches anything; both empty decide nothing. An empty quote counts as none.
    """
    if (at := place_at_offsets(text, start, end, quote)) is not None:
        return at
    if not quote:
        return None
    if (only := _only(text, quote)) is not None:
        return QuotePlace(only, only + len(quote), "exact")
    if (prefix or suffix) and (only := _only(text, prefix + quote + suffix)) is not None:
        begin = only + len(prefix)
        return QuotePlace(begin, begin + len(quote), "context")
    return None


def find_similar_place(
    text: str, quote: str, at_least: float = MIN_SIMILARITY, near: int | None = None
) -> QuotePlace | None:
    """Return the window of `text` most like `quote`, if `similarity_of(quote, window) >= at_least`; 0 < at_least <= 1.

    Its borders are those a person would choose: no white space at the ends, no split word, no base character without
    its marks, no half CRLF; and the sentence's full stop is included if the quote has one and the window stays similar
    enough. Of equally similar windows the one whose start is nearest to `near` (a code point offset) is taken; without
    `near`, several distinct ones give None. None, too, for a quote of white space alone.

    Time grows with len(text) x len(quote), never faster: 0.1 s for 100,000 x 1,000 characters.
    """
    if not 0 < at_least <= 1:
        raise ValueError(f"at_least is {at_least}, not above 0 and at most 1")
    quote = quote.strip()
    if not quote or not text:
        return None
    best: list[QuotePlace] = []
    for end in _candidates(text, quote, at_least, near):
        if best and end.similarity_at_most(len(quote)) < best[0].similarity:
            break
        place_found = _bordered(text, quote, find_window_start(text, quote, end.at), end.at, at_least)
        if place_found and (not best or place_found.similarity >= best[0].similarity):
            best = [*(other for other in best if other.similarity == place_found.similarity), place_found]
    return _choose(best, near)


def _choose(best: list[QuotePlace], near: int | None) -> QuotePlace | None:
    if not best:
        return None
    if near is not None:
        return min(best, key=lambda window: (abs(window.start - near), window.start))
    first = min(best, key=lambda window: (window.start, window.end))
    return first if all(window.start < first.end for window in best) else None


def _only(text: str, part: str) -> int | None:
    """Return the offset of `part` if it occurs once; overlapping occurrences count."""
    first = text.find(part)
    return first if first >= 0 and text.find(part, first + 1) < 0 else None


def _candidates(text: str, quote: str, at_least: float, near: int | None) -> Iterator[WindowEnd]:
    """Yield the ends of distinct windows, the most promising first."""
    ends = find_window_ends(text, quote, at_least)
    ends.sort(key=lambda end: (end.edits, 0 if near is None else abs(end.at - len(quote) - near), end.at))
    ends_used: list[int] = []
    for end in ends:
        # Ends next to this one belong to the same window, a character longer or shorter.
        if any(abs(end.at - other) <= len(quote) // 2 for other in ends_used):
            continue
        yield end
        ends_used.append(end.at)
        if len(ends_used) == _CANDIDATES:
            return


def _bordered(text: str, quote: str, start: int, end: int, at_least: float) -> QuotePlace | None:
    """Return the best window with good borders around (start, end), improved one border at a time."""
    starts, ends = starts_near(text, start), ends_near(text, end)
    if not starts or not ends or min(starts) >= max(ends):
        return None
    for _ in range(_ROUNDS):
        before = start, end
        start = max((s for s in starts if s < max(ends)), key=lambda s: similarity_of(quote, text[s:end]))
        end = max((e for e in ends if e > start), key=lambda e: similarity_of(quote, text[start:e]))
        if (start, end) == before:
            break
    # Include the "!" of "so!" for the quote "so.", though the most similar window ends before it.
    if is_sentence_end(quote[-1]) and not is_sentence_end(text[end - 1]) and is_sentence_end(text[end : end + 1]):
        end += is_border(text, end + 1) and similarity_of(quote, text[start : end + 1]) >= at_least
    similarity = similarity_of(quote, text[start:end])
    return QuotePlace(start, end, "close", similarity) if similarity >= at_least else None


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
UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u318f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
# Combining marks, which are not letters to `re`; and joiners.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
    "\u200c\u200d"
)
_TOKEN = (
    rf"(?P<unspaced>[{UNSPACED}]+)"
    r"|(?P<number>\d+(?:[.,\u066b\u066c'\u2019\u00a0\u202f]\d+)*)"
    rf"|(?P<word>(?:[^\W\d_{UNSPACED}]|[{_MARKS}])(?:[^\W_{UNSPACED}]|[{_MARKS}])*)"
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


class _WeighedWords(Struct, frozen=True, dict=True):
    """The matches of words in a text, and the weight of each word."""

    found: list[tuple[int, int, str]]
    weights: dict[str, float]
    lines: list[Span]
    least: float

    @classmethod
    def of(cls, text: str, words: frozenset[str], share: float) -> "_WeighedWords":
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
