"""Position of a target's quote in a text: at its offsets, exact, or approximate."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from desktop_rater.text.spans import ends_near, is_border, is_sentence_end, starts_near


@dataclass(frozen=True, slots=True)
class WindowEnd:
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


@dataclass(frozen=True)
class QuotePlace:
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
