"""Sentence splitting, for tasks whose author marked no targets."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from sentencex import get_sentence_boundaries as boundaries_of  # ty: ignore[import-not-found] - compiled, untyped

from desktop_rater.text.blocks import TextBlock, split_blocks
from desktop_rater.text.formulas import find_formulas
from desktop_rater.text.spans import is_spaced, trim_span

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# sentencex assumes that a blank is one byte, and panics at a wider one before a full stop.
_WIDE_BLANK = re.compile(r"[^\S\x00-\x7f]")
# sentencex is quadratic in a paragraph's sentences: 100,000 Chinese characters take 2 s, ten times as many 200 s.
# In pieces of this size the time is linear.
_PIECE = 8_192
_POINTS = frozenset(".?!")
# A quotation mark inside a Hebrew word is part of an abbreviation; sentencex takes it for the start of a quotation.
_GERSHAYIM = re.compile('(?<=[\u05d0-\u05ea])["\u201d\u05f4](?=[\u05d0-\u05ea])')
_HEBREW_LETTER = "\u05d0"
_PICTURE = re.compile(
    r"!\[((?:[^\[\]\\\n]|\\[^\n]|\[[^\[\]\n]{0,200}\]){0,1000})\]"
    r"(?:\((?:[^()\\\n]|\\[^\n]|\([^()\n]{0,500}\)){0,2000}\)|\[[^\[\]\n]{0,200}\])"
)
_INSIDE = "x"
# Delimiters of formulas, the line below the header of a table, and in Markdown also tags: nothing that can be rated.
_SAYS_NOTHING = re.compile(r"(?:\$\$|\\[\[\]()]|!\[|\s)+|(?=[^-]*-)(?=[^|]*\|)[|:+\-\s]+")
_TAGS = re.compile(r"(?:</?[A-Za-z][^<>]{0,300}>|\s)+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TEXT_IN_FORMULA = re.compile(r"\\text[a-z]*\s*\{[^{}]*[^\W\d_]{2,}[^{}]*\}")
_FORMULA_MARKS = " \t\r\n>.,;:"
_SENTENCE_ENDS = tuple(".!?\u2026\u3002")


def split_sentences(text: str, lang: str = "en", markdown: bool = False) -> list[tuple[int, int]]:  # noqa: FBT001, FBT002
    """Return the sentences of `text`: those of `find_sentences`."""
    return list(find_sentences(text, lang, markdown=markdown))


def find_sentences(
    text: str, lang: str = "en", *, markdown: bool = False, earlier: bool = False
) -> Iterator[tuple[int, int]]:
    """Yield the sentences of `text` as spans (start, end) in code points, half open.

    In order, never empty, never overlapping, without white space at their ends. `lang` is a BCP 47 tag, of which only
    the language is used ("pt-BR" is "pt"); sentencex splits an unknown one by its common rules. A blank line, a line
    break that does not merely wrap a line, and a list item end a sentence; list markers belong to none. With `markdown`
    the marks of headings, quotes and tables, rules, fences and tags are excluded too, and the content of a fence is one
    span; a picture or a formula is never split, and a formula on lines of its own belongs to the sentence before it,
    or is a span only if it has words. `earlier`: split as before these rules, and those for gershayim, existed.
    """
    language = re.split("[-_]", lang.strip().lower(), maxsplit=1)[0]
    # sentencex raises at a lone surrogate; the replacement has the same width.
    readable = _LONE_SURROGATE.sub("\ufffd", text)
    cuttable = _WIDE_BLANK.sub(" ", readable)
    if earlier:
        for block in split_blocks(readable, markdown=markdown):
            yield from _sentences(readable, cuttable, block, language)
        return
    cuttable = _GERSHAYIM.sub(_HEBREW_LETTER, cuttable)
    formulas = [(formula.start, formula.end) for formula in find_formulas(readable)] if markdown else []
    pictures = [match.span() for match in _PICTURE.finditer(readable)] if "](" in readable else []
    solid = sorted([*formulas, *pictures])
    lined, cuttable = _filled(readable, solid), _filled(cuttable, solid)
    last: tuple[int, int] | None = None  # not yielded yet: a formula may follow that belongs to it
    for block in split_blocks(lined, markdown=markdown):
        formula = None if block.whole else _formula_block(readable, block, formulas)
        if formula and last and not readable.endswith(_SENTENCE_ENDS, 0, last[1]):
            last = last[0], formula[1]
            continue
        if formula:
            spans = [formula] if _TEXT_IN_FORMULA.search(readable, *formula) else []
        else:
            spans = _sentences(readable, cuttable, block, language)
        for span in spans:
            if formula or block.whole or _says_something(readable[slice(*span)], markdown=markdown):
                if last:
                    yield last
                last = span
    if last:
        yield last


def _filled(text: str, solid: list[tuple[int, int]]) -> str:
    """Return the text with letters in place of what is not to be split, each offset unchanged."""
    parts, last = [], 0
    for start, end in solid:
        if start >= last:
            parts += [text[last:start], _INSIDE * (end - start)]
            last = end
    return "".join((*parts, text[last:]))


def _formula_block(text: str, block: TextBlock, formulas: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the span of a block that has nothing but formulas; `None` for any other block."""
    within = formulas[bisect_left(formulas, (block.start, 0)) : bisect_left(formulas, (block.end, 0))]
    last = block.start
    for start, end in within:
        if text[last:start].strip(_FORMULA_MARKS):
            return None
        last = end
    return (block.start, block.end) if within and not text[last : block.end].strip(_FORMULA_MARKS) else None


def _says_something(sentence: str, *, markdown: bool) -> bool:
    if _SAYS_NOTHING.fullmatch(sentence) or (markdown and _TAGS.fullmatch(sentence)):
        return False
    picture = _PICTURE.fullmatch(sentence) if markdown else None
    return picture is None or _WORD.search(picture[1]) is not None


def _sentences(readable: str, cuttable: str, block: TextBlock, language: str) -> Iterator[tuple[int, int]]:
    cuts = [(block.start, block.end)] if block.whole else _cut(cuttable, block.start, block.end, language)
    for cut in cuts:
        start, end = trim_span(readable, *cut)
        if start < end:
            yield start, end


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
