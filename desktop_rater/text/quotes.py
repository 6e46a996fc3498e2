"""Where in a text a target's quote stands: at its offsets, to the letter, or nearly so."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from desktop_rater.text.borders import ends_near, is_border, is_sentence_end, starts_near
from desktop_rater.text.close import WindowEnd, ends_of_close_windows, start_of_window

CLOSE = 0.95
_PERCENT = 100
# More places than this that are all nearly the quote are no place; the bound keeps hostile texts cheap.
_CANDIDATES = 32
_ROUNDS = 4


@dataclass(frozen=True)
class Place:
    """A quote's place: code points `start` to `end`, half open, and how it was found.

    `similarity` is 1.0 but for `how == "close"`.
    """

    start: int
    end: int
    how: Literal["offsets", "exact", "context", "close"]
    similarity: float = 1.0


def similar(a: str, b: str) -> float:
    """How alike two texts are, 0.0-1.0: 1 - (insertions + deletions that turn `a` into `b`) / (len(a) + len(b)).

    The normalised indel similarity of rapidfuzz (`fuzz.ratio` / 100) on the texts as they stand: case, white space
    and line ends count. Two empty texts are alike.
    """
    return fuzz.ratio(a, b) / _PERCENT


def stands_at(text: str, start: int | None, end: int | None, quote: str | None) -> Place | None:
    """The place that the offsets say, where they stand in the text and enclose the quote, if there is one."""
    if start is not None and end is not None and 0 <= start < end <= len(text) and quote in (None, "", text[start:end]):
        return Place(start, end, "offsets")
    return None


def place(
    text: str, start: int | None, end: int | None, quote: str | None, prefix: str = "", suffix: str = ""
) -> Place | None:
    """The place of a target in `text`, or None where it can't be told without guessing.

    In this order: the offsets (code points, half open), where they stand in the text and the quote is what they
    enclose, or there is no quote; the only exact occurrence; of several (overlapping ones count), the only one
    between `prefix` and `suffix`. An empty prefix or suffix asks for nothing; both empty decide nothing.
    An empty quote is no quote.
    """
    if (at := stands_at(text, start, end, quote)) is not None:
        return at
    if not quote:
        return None
    if (only := _only(text, quote)) is not None:
        return Place(only, only + len(quote), "exact")
    if (prefix or suffix) and (only := _only(text, prefix + quote + suffix)) is not None:
        begin = only + len(prefix)
        return Place(begin, begin + len(quote), "context")
    return None


def close_place(text: str, quote: str, at_least: float = CLOSE, near: int | None = None) -> Place | None:
    """The window of `text` most like `quote`, if `similar(quote, window) >= at_least`; 0 < at_least <= 1.

    Borders are those a person would draw: no white space at the ends, no word cut, no base character without its
    marks, no half CRLF; and the sentence's full stop is taken in where the quote has one, if the window stays close
    enough. Of equally close windows the one whose start is nearest to `near` (a code point offset); without `near`
    several that lie apart are no place. None, too, for a quote of white space alone.

    Time grows with len(text) x len(quote), never faster: 0.1 s for 100,000 x 1,000 characters.
    """
    if not 0 < at_least <= 1:
        raise ValueError(f"at_least is {at_least}, not above 0 and at most 1")
    quote = quote.strip()
    if not quote or not text:
        return None
    best: list[Place] = []
    for end in _candidates(text, quote, at_least, near):
        if best and end.similarity_at_most(len(quote)) < best[0].similarity:
            break
        found = _bordered(text, quote, start_of_window(text, quote, end.at), end.at, at_least)
        if found and (not best or found.similarity >= best[0].similarity):
            best = [*(kept for kept in best if kept.similarity == found.similarity), found]
    return _chosen(best, near)


def _chosen(best: list[Place], near: int | None) -> Place | None:
    if not best:
        return None
    if near is not None:
        return min(best, key=lambda found: (abs(found.start - near), found.start))
    first = min(best, key=lambda found: (found.start, found.end))
    return first if all(found.start < first.end for found in best) else None


def _only(text: str, part: str) -> int | None:
    """Where `part` stands, if it stands there alone; overlapping occurrences are several."""
    first = text.find(part)
    return first if first >= 0 and text.find(part, first + 1) < 0 else None


def _candidates(text: str, quote: str, at_least: float, near: int | None) -> Iterator[WindowEnd]:
    """The ends of windows that lie apart, the most promising first."""
    ends = ends_of_close_windows(text, quote, at_least)
    ends.sort(key=lambda end: (end.edits, 0 if near is None else abs(end.at - len(quote) - near), end.at))
    taken: list[int] = []
    for end in ends:
        # Beside each end stand others that are nearly as good: the same window, a character longer or shorter.
        if any(abs(end.at - other) <= len(quote) // 2 for other in taken):
            continue
        yield end
        taken.append(end.at)
        if len(taken) == _CANDIDATES:
            return


def _bordered(text: str, quote: str, start: int, end: int, at_least: float) -> Place | None:
    """The best window with good borders around (start, end): one border at a time, until neither gets better."""
    starts, ends = starts_near(text, start), ends_near(text, end)
    if not starts or not ends or min(starts) >= max(ends):
        return None
    for _ in range(_ROUNDS):
        before = start, end
        start = max((s for s in starts if s < max(ends)), key=lambda s: similar(quote, text[s:end]))
        end = max((e for e in ends if e > start), key=lambda e: similar(quote, text[start:e]))
        if (start, end) == before:
            break
    # "so!" for "so." is one sentence, though the most similar window ends before the "!".
    if is_sentence_end(quote[-1]) and not is_sentence_end(text[end - 1]) and is_sentence_end(text[end : end + 1]):
        end += is_border(text, end + 1) and similar(quote, text[start : end + 1]) >= at_least
    similarity = similar(quote, text[start:end])
    return Place(start, end, "close", similarity) if similarity >= at_least else None
