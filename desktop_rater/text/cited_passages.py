"""What a document says where a response cites it: the words of the citing sentence, and the passage that has them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from desktop_rater.text.passages import best_passage, words_of
from desktop_rater.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.text.citations import Citation

Span = tuple[int, int]
Words = frozenset[str]
MOST_READ = 200_000  # of a document
_FEW = 2  # fewer words than that say nothing by themselves: [1][2] stand for the same
_SHARES = 0.2, 0.05  # that the document is meant is known: where no sentence says much, the one that says most
_PART = 8_000  # of a document that is several put together, each behind its name


def citing_words(text: str, cited: Sequence[Citation], *, markdown: bool = False) -> list[tuple[Words, ...]]:
    """For each citation the words that it may stand for: those since the citation before, then the whole sentence's.

    The names themselves are left out.
    """
    if not cited:
        return []
    bare = list(text[: max(one.end for one in cited) + _PART])
    for one in cited:
        bare[one.start : one.end] = " " * (one.end - one.start)
    said = "".join(bare)
    spans = sentences(said, markdown=markdown)
    starts = [start for start, _end in spans]
    found: list[tuple[Words, ...]] = []
    since = 0
    for one in cited:
        start, end = _sentence_of(said, spans, starts, one.start)
        near = words_of(said[max(start, since) : min(end, one.start)])
        if len(near) >= _FEW:
            since = one.end
        found.append(tuple(words for words in dict.fromkeys((near, words_of(said[start:end]))) if words))
    return found


def cited_passage(text: str, tried: Sequence[Words], label: str = "") -> Span | None:
    """The sentence of a document that says most of the first of the words to be `tried` that it says at all.

    Behind `label`, where that stands in the document.
    """
    text = text[:MOST_READ]
    at = text.find(label) if label and not label.isdigit() else -1
    begin = at + len(label)
    places = ((begin, text[begin : begin + _PART]), (0, text)) if at >= 0 else ((0, text),)
    for share in _SHARES:
        for words in tried:
            for first, part in places:
                found = best_passage(part, words, share)
                if found is not None:
                    return first + found[0], first + found[1]
    return None


def _sentence_of(text: str, spans: Sequence[Span], starts: Sequence[int], at: int) -> Span:
    """The sentence around a place, else the one before it; at the start of a line the one behind it."""
    before = bisect_right(starts, at) - 1
    if before < 0:
        return spans[0] if spans else (0, 0)
    start, end = spans[before]
    begins_line = at >= end and "\n" in text[end:at]
    if begins_line and before + 1 < len(spans) and "\n" not in text[at : starts[before + 1]]:
        return spans[before + 1]
    return start, end
