"""Sentence splitting, for tasks whose author marked no targets."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from sentencex import segment  # ty: ignore[import-not-found] - compiled, untyped

from desktop_rater.text.formulas import find_formulas
from desktop_rater.text.markdown import TextBlock, split_blocks
from desktop_rater.text.spans import is_spaced

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
    or is a span only if it has words. The ends that sentencex finds are corrected for some languages and scripts.
    `earlier`: split as before these rules, and those for gershayim, existed.
    """
    split = _Split(text, lang, markdown=markdown)
    if earlier:
        yield from split.by_earlier_rules()
    elif split.agree:
        yield from (span for span, _, part in split.by_common_rules(0) if part)
    else:
        yield from split.by_rules()


def numbered_sentences(
    text: str, lang: str, *, markdown: bool, after: int
) -> Iterator[tuple[tuple[int, int], int, int]]:
    """Yield (span, number, part) of each sentence; the numbers follow `after`, and are those of the earlier rules.

    What is one sentence by the earlier rules and several by these has parts: 1, 2 and so on. Part 0 is no sentence by
    these rules; the last number that is yielded, if any, is the last one of the earlier rules.
    """
    split = _Split(text, lang, markdown=markdown)
    return split.by_common_rules(after) if split.agree else split.by_both_rules(after)


class _Split:
    """A text that is split. `agree`: the earlier and the present rules find the same sentences, if those say something.

    `readable` has no lone surrogates, at which sentencex raises, and `cuttable` nothing else that it gets wrong; each
    has the offsets of the text.
    """

    def __init__(self, text: str, lang: str, *, markdown: bool) -> None:
        self._markdown = markdown
        self._language = re.split("[-_]", lang.strip().lower(), maxsplit=1)[0]
        self._readable = self._cuttable = self._unmasked = text
        if not text.isascii():
            self._readable = _LONE_SURROGATE.sub("\ufffd", text)
            self._unmasked = _WIDE_BLANK.sub(" ", self._readable)
            self._cuttable = _GERSHAYIM.sub(_HEBREW_LETTER, self._unmasked)
        self._formulas = [(formula.start, formula.end) for formula in find_formulas(self._readable)] if markdown else []
        pictures = [match.span() for match in _PICTURE.finditer(self._readable)] if "](" in text else []
        self._solid = sorted([*self._formulas, *pictures])
        self.agree = (
            not self._solid
            and self._cuttable == self._unmasked
            and self._language not in _ABBREVIATIONS
            and (text.isascii() or not re.search(_CORRECTED, text))
        )

    def by_earlier_rules(self) -> Iterator[tuple[int, int]]:
        for block in split_blocks(self._readable, markdown=self._markdown):
            yield from _sentences(self._readable, self._unmasked, block, self._language)

    def by_common_rules(self, after: int) -> Iterator[tuple[tuple[int, int], int, int]]:
        """Yield what `numbered_sentences` does if the rules agree."""
        number = after
        for block in split_blocks(self._readable, markdown=self._markdown):
            for span in _sentences(self._readable, self._unmasked, block, self._language):
                number += 1
                yield span, number, int(block.whole or _says_something(self._readable, span, markdown=self._markdown))

    def by_both_rules(self, after: int) -> Iterator[tuple[tuple[int, int], int, int]]:
        """Yield what `numbered_sentences` does if the rules differ."""
        numbered = after
        earlier = self.by_earlier_rules()
        following = next(earlier, None)
        parts: Counter[int] = Counter()
        for span in self.by_rules():
            while following and following[0] <= span[0]:
                numbered += 1
                following = next(earlier, None)
            number = max(after + 1, numbered)
            parts[number] += 1
            yield span, number, parts[number]
        numbered += sum(1 for _ in earlier) + (following is not None)
        yield (len(self._readable), len(self._readable)), numbered, 0

    def by_rules(self) -> Iterator[tuple[int, int]]:
        readable, markdown = self._readable, self._markdown
        lined, cuttable = _filled(readable, self._solid), _filled(self._cuttable, self._solid)
        last: tuple[int, int] | None = None  # not yielded yet: a formula may follow that belongs to it
        for block in split_blocks(lined, markdown=markdown):
            formula = None if block.whole else _formula_block(readable, block, self._formulas)
            if formula and last and not readable.endswith(_SENTENCE_ENDS, 0, last[1]):
                last = last[0], formula[1]
                continue
            if formula:
                spans = [formula] if _TEXT_IN_FORMULA.search(readable, *formula) else []
            else:
                spans = _sentences(readable, cuttable, block, self._language, corrected=True)
            for span in spans:
                if formula or block.whole or _says_something(readable, span, markdown=markdown):
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


def _says_something(text: str, span: tuple[int, int], *, markdown: bool) -> bool:
    if text[span[0]].isalnum():
        return True
    sentence = text[slice(*span)]
    if _SAYS_NOTHING.fullmatch(sentence) or (markdown and _TAGS.fullmatch(sentence)):
        return False
    picture = _PICTURE.fullmatch(sentence) if markdown else None
    return picture is None or _WORD.search(picture[1]) is not None


def _sentences(
    readable: str, cuttable: str, block: TextBlock, language: str, *, corrected: bool = False
) -> Iterator[tuple[int, int]]:
    start = block.start
    while start < block.end:
        for cut in [block.end] if block.whole else _cuts(cuttable, start, block.end, language, corrected=corrected):
            piece = readable[start:cut]
            first = cut - len(piece.lstrip())
            last = start + len(piece.rstrip())
            start = cut
            if first < last:
                yield first, last


def _cuts(text: str, start: int, end: int, language: str, *, corrected: bool) -> list[int]:
    """Return the offsets after `start` at which the next piece of a block is cut, its end too."""
    stop = min(start + _PIECE, end)
    cuts = [
        cut
        for cut in accumulate(map(len, segment(language, text[start:stop])), initial=start)
        # Not "ASP.NET" or a link, at a point before a letter (so "He ran.He fell." stays whole).
        if start < cut and (cut >= stop or text[cut - 1] not in _POINTS or not is_spaced(text[cut]))
    ]
    if corrected:
        ends = {cut for cut in cuts if cut >= stop or _is_end(text, start, cut, language)}
        cuts = sorted(ends.union(_final_marks(text, start, stop)))
    # The last sentence of a piece may continue in the next one.
    if stop < end and len(cuts) > 1:
        cuts.pop()
    return cuts


# Corrections of sentencex. These marks end a sentence whatever follows; inside quotation marks and brackets only the
# last of them does, and in a title none.
_FINAL = "\u3002\uff01\uff1f\uff61\u0964\u0965\u06d4\u1362\u1367\u104b"
_FINAL_MARKS = re.compile(
    '(?P<within>\u201c[^\u201c\u201d]{0,500}\u201d|\u2018[^\u2018\u2019]{0,500}\u2019|"[^"]{0,500}"'
    "|\u300c[^\u300c\u300d]{0,500}\u300d|\u300e[^\u300e\u300f]{0,500}\u300f|\uff08[^\uff08\uff09]{0,500}\uff09"
    "|\u300a[^\u300a\u300b]{0,500}\u300b)"
    f"|[{_FINAL}]+[\u201d\u2019\u00bb\u300d\u300f\uff09\u3011]*"
)
_TITLE_ENDS = "\u300b\u3009"
_CLOSING = "\"'\u201d\u2019\u00bb\u203a\u300d\u300f\uff09)]"
# Arabic, Indic scripts, Thai, Lao, Burmese, Ethiopic, Khmer, Chinese, Japanese and Korean.
_CORRECTED = (  # compiled when it is used: that takes long
    "[\u0600-\u06ff\u0900-\u0eff\u1000-\u109f\u1200-\u139f\u1780-\u17ff\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]"
)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_BURMESE_INSIDE = "\u104a\u104f"  # the comma, and a genitive, which "\u104b" follows where it ends a sentence
_NEXT_WORD = re.compile(r"\s*((\S?)\w*)")
_LAST_WORD = re.compile(r"[^\s\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e(\[]{0,30}\Z")
_LAST_CHARACTERS = 40
_SHORT_THAI = re.compile(r"(?<![\u0e00-\u0eff])[\u0e00-\u0eff]{1,4}\Z")
_PARTS = re.compile(r"[\u0900-\u097f\u1200-\u139f]+(?:\.[\u0900-\u097f\u1200-\u139f]+)+|[\u0600-\u06ff]")
_SHORT = 3  # letters of an abbreviation before a small letter
_ROMAN = re.compile("[IVX]+")
_ORDINAL_NOUN = re.compile(
    "Jahrh|Jahrt|Jh|Aufl|Kapitel|Klasse|Platz|Rang|Stock|Etage|Tag|Mal|Lebensj|Geburts|Weltkr|Armee|Bezirk|Dynast|Bundes"
)
# Words that something always follows, so that their point does not end a sentence; a small letter is also a capital.
_ABBREVIATIONS = {
    "de": "abb bd dipl dr fa fr frl hr hrn ing kap nr prof st tab vgl",
    "es": "arq art D dña dr dra fig gral ing lic mons núm p pág prof sr sra srta sta sto ud uds univ",
    "fr": "chap cf dr fig M me mgr mlle mm mme p pp pr prof st ste",
    "tr": "alb Av bkz Cad doç dr hz Mah no Op örn prof s Sn Sok Tel yrd",
    "hi": "डॉ रु प्रो पं सं",
}


def _final_marks(text: str, start: int, stop: int) -> Iterator[int]:
    """Yield the ends of marks that end a sentence whatever follows."""
    for match in _FINAL_MARKS.finditer(text, start, stop):
        within = match["within"]
        if within is None or (within[-2] in _FINAL and within[-1] not in _TITLE_ENDS):
            yield match.end()


def _is_end(text: str, start: int, cut: int, language: str) -> bool:
    """Return whether a sentence ends where sentencex cuts a text."""
    before = text[max(start, cut - _LAST_CHARACTERS) : cut].rstrip()
    last = before[-1:]
    if last in _FINAL:
        return True
    following = _NEXT_WORD.match(text, cut)
    assert following is not None, "it matches everywhere"
    first, is_glued = following[2], following.start(1) == cut and not text[cut - 1].isspace()
    if last in _BURMESE_INSIDE or (is_glued and last in _TITLE_ENDS):
        return False
    if is_glued and last in _CLOSING and is_spaced(first):  # a Korean particle after a quotation
        return False
    if last != "." or before.endswith(".."):
        return True
    if is_glued and (first == "-" or first.isdigit() or _UNSPACED.match(first)):
        return False
    word = _LAST_WORD.search(before[:-1])
    return word is None or not _is_abbreviated(word[0], following[1], language)


def _is_abbreviated(word: str, next_word: str, language: str) -> bool:
    """Return whether the point after a word marks an abbreviation or an ordinal number."""
    words = _ABBREVIATIONS.get(language, "").split()
    if _SHORT_THAI.search(word) or _PARTS.fullmatch(word) or word in words or word.lower() in words:
        return True
    if not words:
        return False
    if next_word[:1].islower():
        return len(word) <= _SHORT or "." in word
    is_ordinal = word.isdigit() and len(word) < _SHORT and _ORDINAL_NOUN.match(next_word)
    return language in {"de", "tr"} and bool(is_ordinal or _ROMAN.fullmatch(word))
