"""Sentence splitting, for tasks whose author marked no targets."""

import re
from collections.abc import Iterator

from sentencex import get_sentence_boundaries as boundaries_of  # ty: ignore[import-not-found] - compiled, untyped

from desktop_rater.text.blocks import split_blocks
from desktop_rater.text.spans import is_spaced, trim_span

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# sentencex assumes that a blank is one byte, and panics at a wider one before a full stop.
_WIDE_BLANK = re.compile(r"[^\S\x00-\x7f]")
# sentencex is quadratic in a paragraph's sentences: 100,000 Chinese characters take 2 s, ten times as many 200 s.
# In pieces of this size the time is linear.
_PIECE = 8_192
_POINTS = frozenset(".?!")


def split_sentences(text: str, lang: str = "en", markdown: bool = False) -> list[tuple[int, int]]:  # noqa: FBT001, FBT002
    """Split `text` into sentences as spans (start, end) in code points, half open.

    In order, never empty, never overlapping, without white space at their ends. `lang` is a BCP 47 tag, of which only
    the language is used ("pt-BR" is "pt"); sentencex splits an unknown one by its common rules. A blank line, a line
    break that does not merely wrap a line, and a list item end a sentence; list markers belong to none. With `markdown`
    the marks of headings, quotes and tables, rules and fences are excluded too, and the content of a fence is one span.
    """
    language = re.split("[-_]", lang.strip().lower(), maxsplit=1)[0]
    # sentencex raises at a lone surrogate; the replacement has the same width.
    readable = _LONE_SURROGATE.sub("\ufffd", text)
    cuttable = _WIDE_BLANK.sub(" ", readable)
    spans: list[tuple[int, int]] = []
    for block in split_blocks(readable, markdown=markdown):
        cuts = [(block.start, block.end)] if block.whole else _cut(cuttable, block.start, block.end, language)
        spans.extend((start, end) for start, end in (trim_span(readable, *cut) for cut in cuts) if start < end)
    return spans


def _cut(text: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    while start < end:
        piece = text[start : min(start + _PIECE, end)]
        ends = [start + boundary["end_index"] for boundary in boundaries_of(language, piece)]
        ends = [stop for stop in ends if stop == start + len(piece) or not _is_inside_a_name(text, stop)]
        # The last sentence of a piece may continue in the next one.
        if start + len(piece) < end and len(ends) > 1:
            ends.pop()
        for stop in ends:
            yield start, stop
            start = stop


def _is_inside_a_name(text: str, offset: int) -> bool:
    """Return whether a cut splits "ASP.NET" or a link: a point before a letter (so "He ran.He fell." stays whole)."""
    return text[offset - 1] in _POINTS and is_spaced(text[offset])
