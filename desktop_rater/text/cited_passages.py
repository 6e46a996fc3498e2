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
MOST_READ = 200_000  # of a document
_PART = 8_000  # of a document that is several put together, each behind its name


def citing_words(text: str, cited: Sequence[Citation], *, markdown: bool = False) -> list[frozenset[str]]:
    """For each citation the words of the sentence that it stands in or behind; the names themselves are left out."""
    if not cited:
        return []
    bare = list(text[: max(one.end for one in cited) + _PART])
    for one in cited:
        bare[one.start : one.end] = " " * (one.end - one.start)
    said = "".join(bare)
    spans = sentences(said, markdown=markdown)
    starts = [start for start, _end in spans]
    return [words_of(said[slice(*_sentence_of(said, spans, starts, one.start))]) for one in cited]


def cited_passage(text: str, words: frozenset[str], label: str = "") -> Span | None:
    """The sentence of a document that says most of `words`; behind `label`, where that stands in the document."""
    text = text[:MOST_READ]
    at = text.find(label) if label and not label.isdigit() else -1
    if at >= 0:
        begin = at + len(label)
        found = best_passage(text[begin : begin + _PART], words)
        if found is not None:
            return begin + found[0], begin + found[1]
    return best_passage(text, words)


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
