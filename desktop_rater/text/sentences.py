"""The sentences of a text, for tasks whose author marked no targets."""

import re
from collections.abc import Iterator

from sentencex import get_sentence_boundaries as boundaries_of  # ty: ignore[import-not-found] - compiled, untyped

from desktop_rater.text.blocks import blocks
from desktop_rater.text.borders import is_spaced, trimmed

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# sentencex takes each blank for one byte, and panics at a wider one before a full stop.
_WIDE_BLANK = re.compile(r"[^\S\x00-\x7f]")
# sentencex takes the square of a paragraph's sentences: 100,000 Chinese characters cost 2 s, ten times as many 200 s.
# In pieces of this size the time grows with the text.
_PIECE = 8_192
_POINTS = frozenset(".?!")


def sentences(text: str, lang: str = "en", markdown: bool = False) -> list[tuple[int, int]]:  # noqa: FBT001, FBT002
    """The sentences of `text` as spans (start, end) in code points, half open.

    In order, never empty, never overlapping, without white space at their ends. `lang` is a BCP 47 tag, of which the
    language counts ("pt-BR" is "pt"); an unknown one is cut by sentencex's common rules. A blank line, a line break
    that does not merely wrap a line, and a list item end a sentence; list markers belong to none. With `markdown`
    neither do the marks of headings, quotes and tables, rules and fences, and the content of a fence is one span.
    """
    language = re.split("[-_]", lang.strip().lower(), maxsplit=1)[0]
    # sentencex raises at a lone surrogate; the stand-in has the same width.
    readable = _LONE_SURROGATE.sub("\ufffd", text)
    cuttable = _WIDE_BLANK.sub(" ", readable)
    spans: list[tuple[int, int]] = []
    for block in blocks(readable, markdown=markdown):
        cuts = [(block.start, block.end)] if block.whole else _cut(cuttable, block.start, block.end, language)
        spans.extend((start, end) for start, end in (trimmed(readable, *cut) for cut in cuts) if start < end)
    return spans


def _cut(text: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    while start < end:
        piece = text[start : min(start + _PIECE, end)]
        ends = [start + boundary["end_index"] for boundary in boundaries_of(language, piece)]
        ends = [stop for stop in ends if stop == start + len(piece) or not _is_inside_a_name(text, stop)]
        # The last sentence of a piece may go on in the next one.
        if start + len(piece) < end and len(ends) > 1:
            ends.pop()
        for stop in ends:
            yield start, stop
            start = stop


def _is_inside_a_name(text: str, offset: int) -> bool:
    """Whether a cut here would part "ASP.NET" or a link: a point with a letter at once behind it.

    The rare "He ran.He fell." is then one sentence, which a rater can live with.
    """
    return text[offset - 1] in _POINTS and is_spaced(text[offset])
