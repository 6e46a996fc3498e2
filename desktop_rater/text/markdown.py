"""Markdown: its blocks, the text that its rendering shows, offsets in it, and passages that stay as written."""

import html
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, takewhile

from msgspec import Struct, structs

from desktop_rater.text.formulas import Formula, find_formulas, mask_code
from desktop_rater.text.spans import Utf16Map, WidgetTextMap

_LINE = re.compile("([^\r\n\u2028\u2029]*)(?:\r\n|[\r\n\u2028\u2029]|$)")
_USUAL_LINE = re.compile("(.*)(?:\n|$)")  # the same in half the time, in a text that has no other line ends
# At most three digits: "1986. A good year" is not a list item. "1.Like this" counts as one.
_LIST_MARK = r"(?:(?:[-*+\u2022\u25aa\u25e6\u2013]|\d{1,3}[.)])(?:\s+|$)|\d{1,3}\.(?=[^\W\d_]))"
_PLAIN_MARKS = re.compile(rf"\s*((?:{_LIST_MARK})*+)")
_MARKDOWN_MARKS = re.compile(rf"\s*((?:{_LIST_MARK}|\[[ xX]\]\s+|#{{1,6}}(?:\s+|$)|>\s*|\|\s*)*+)")
_BLOCK_FENCE = re.compile(r"[\s>]*(`{3,}|~{3,})([^`]*)")
# What is hardly ever meant as it is written: the line below a table's header, a fence, a heading, bold words, a link.
_SURELY_MARKDOWN = re.compile(
    r"^ {0,3}(?:\|?[ \t]*:?-{2,}:?[ \t]*\|[-:| \t]*\r?$|```|~~~|#{1,6}[ \t]+\S)"
    r"|\*\*[^\s*](?:[^*\n]{0,300}[^\s*])?\*\*|!?\[[^\[\]\n]{1,300}\]\(https?://[^\s()]+\)",
    re.MULTILINE,
)
# Horizontal rules, underlines of headings, the line below a table's header.
_DRAWN = re.compile(r"[-=*_~#>|:+\s]*")
_SENTENCE_OVER = tuple(".!?:;|\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964")
_CLOSING = "\"'\u201d\u2019\u00bb)]*_`"
_HARD_BREAKS = ("  ", "\\")
_WRAPPED_AT = range(40, 101)


class TextBlock(Struct, frozen=True):
    """A part of a text, code points `start` to `end`, half open; `whole` if it is not to be split into sentences."""

    start: int
    end: int
    whole: bool = False


def looks_like_markdown(text: str) -> bool:
    """Return whether a text of unknown format has marks that only Markdown has."""
    return _SURELY_MARKDOWN.search(text) is not None


def split_blocks(text: str, *, markdown: bool) -> Iterator[TextBlock]:
    """Yield the blocks of `text` in order, without their markers.

    Lines end at CRLF, CR, LF, U+2028 and U+2029. This approximates CommonMark, but treats a line break as real, as chat
    writers mean it, unless it only wraps a line where no sentence ends: after 40 to 100 columns, or after more and
    before a lower-case letter.
    """
    current: TextBlock | None = None
    for block, continues in _parts(text, markdown=markdown):
        if current and continues:
            current = structs.replace(current, end=block.end)
            continue
        if current:
            yield current
        current = block
    if current:
        yield current


def _parts(text: str, *, markdown: bool) -> Iterator[tuple[TextBlock, bool]]:
    """Yield the non-empty lines and fences, each with whether it continues the one before."""
    pattern = _LINE if any(end in text for end in "\r\u2028\u2029") else _USUAL_LINE
    lines = (line for line in pattern.finditer(text) if line.end() > line.start())
    before = ""
    for line in lines:
        fence = _BLOCK_FENCE.fullmatch(line[1]) if markdown else None
        if fence:
            yield _fenced(lines, fence[1]), False
            before = ""
            continue
        marks = (_MARKDOWN_MARKS if markdown else _PLAIN_MARKS).match(line[1])
        assert marks is not None, "both patterns match the empty text"
        content = _content(line[1], marks, markdown=markdown)
        if content:
            start = line.start() + marks.end()
            yield TextBlock(start, start + len(content)), not marks[1] and _wraps(before, content)
        before = line[1] if {"#", "|"}.isdisjoint(marks[1]) else ""  # a heading or a table row is not continued


def _fenced(lines: Iterator[re.Match[str]], fence: str) -> TextBlock:
    """Return the block between a fence and its partner, or the end of the text; consumes those lines."""
    start = end = 0
    for line in lines:
        closing = _BLOCK_FENCE.fullmatch(line[1])
        if closing and closing[1].startswith(fence) and not closing[2].strip():
            break
        start = start if end else line.start()
        end = line.start() + len(line[1])
    return TextBlock(start, end, whole=True)


def _content(line: str, marks: re.Match[str], *, markdown: bool) -> str:
    content = line[marks.end() :].rstrip()
    if "|" in marks[1]:
        content = content.rstrip("| \t")
    if "#" in marks[1]:
        content = _without_closing_hashes(content)
    return "" if markdown and _DRAWN.fullmatch(content) else content


def _without_closing_hashes(heading: str) -> str:
    """Remove closing hashes: `## So ##` is "So", but `## In C#` keeps its last character."""
    shorter = heading.rstrip("#")
    return shorter.rstrip() if not shorter or shorter[-1].isspace() else heading


def _wraps(before: str, after: str) -> bool:
    if not before.strip() or before.endswith(_HARD_BREAKS):
        return False
    line = before.strip()
    if line.rstrip(_CLOSING).endswith(_SENTENCE_OVER):
        return False
    return len(line) in _WRAPPED_AT or (len(line) > _WRAPPED_AT[-1] and after[0].islower())


PARAGRAPH_BREAK = "\u2029"
_BREAKS = frozenset((PARAGRAPH_BREAK, "\ufdd0", "\ufdd1"))  # not characters of the source
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# The destination of a link or an image, after its text; and the label of a reference.
_LINK_TAIL = re.compile(r"[`*_~]*\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^\[\]\n]*\])")
_FENCE = re.compile(r"\n*[ \t>*+\-]*(?:`{3,}[^`\n]*|~{3,}[^\n]*)(?:\n|\Z)")
_MAY_SKIP = frozenset("]`~_ \t>*+-\n")  # first characters of a tail or a fence
_MARKUP = frozenset("*_~`#>[]!|\\+-=.:()<0123456789 \t\n\"'")
_STANDS_FOR = {" ": " \n\t", "\ufffd": "\ufffd\0"}
_CRLF = re.compile("\r\n")
# A few characters in a row tell a word from a stray letter in a URL.
_NEEDLE = 8
_FAR = 5_000


class RenderedMap(Struct, frozen=True, dict=True):
    """Offsets of a Markdown source, and positions (UTF-16 units) in the rendered text, both ways.

    `starts` and `ends` hold, for each rendered character, its start and end in the source; a break between blocks is
    not a character of the source and is empty.
    """

    source: str
    rendered: str
    starts: "array[int]"
    ends: "array[int]"

    @cached_property
    def _units(self) -> Utf16Map:
        return Utf16Map(self.rendered)

    def shown_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the positions around the rendered characters of a span; None if it renders to nothing.

        A formula is one character: a span that has a part of it has all of it.
        """
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        while first < last and self.is_break(first):
            first += 1
        while first < last and self.is_break(last - 1):
            last -= 1
        return (self._units.to_utf16(first), self._units.to_utf16(last)) if first < last else None

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """Return the span of the source from which the characters between two positions came."""
        begin, end = self._units.to_code_point(first), self._units.to_code_point(last)
        while begin < end and self.is_break(begin):
            begin += 1
        while begin < end and self.is_break(end - 1):
            end -= 1
        if begin == end:
            offset = self.to_source(first)
            return offset, offset
        return self.starts[begin], self.ends[end - 1]

    def to_shown(self, code_point: int) -> int:
        """Return the position of the first rendered character at or after an offset."""
        return self._units.to_utf16(bisect_left(self.starts, code_point))

    def to_source(self, utf16: int) -> int:
        """Return the offset of the character at a position; after the last one, its end."""
        index = self._units.to_code_point(utf16)
        if index < len(self.starts):
            return self.starts[index]
        return self.ends[-1] if self.ends else 0

    def is_break(self, index: int) -> bool:
        """Return whether a rendered character only ends a block or a cell."""
        return self.rendered[index] in _BREAKS


def align_markdown(source: str, rendered: str) -> RenderedMap | None:
    """Return the map between a source and its rendered text; None if a rendered character is not in the source."""
    text = WidgetTextMap(source).shown
    spans = _Scan(text, rendered, by_lines=True).places() or _Scan(text, rendered, by_lines=False).places()
    if spans is None:
        return None
    starts, ends = (_past_carriage_returns(source, offsets) for offsets in spans)
    return RenderedMap(source, rendered, starts, ends)


class _Scan:
    """Parallel scan of both texts. `by_lines`: each break between blocks is a line end of the source."""

    def __init__(self, source: str, rendered: str, *, by_lines: bool) -> None:
        self.source = source
        self.rendered = rendered
        self.by_lines = by_lines
        self.at = 0

    def places(self) -> "tuple[array[int], array[int]] | None":
        starts, ends = array("q"), array("q")
        for index, character in enumerate(self.rendered):
            if character in _BREAKS:
                starts.append(self.at)
                ends.append(self.at)
                if self.by_lines and character == PARAGRAPH_BREAK:
                    self.at = self.source.find("\n", self.at) + 1 or len(self.source)
                continue
            span = self._find(index, character)
            if span is None:
                return None
            starts.append(span[0])
            ends.append(span[1])
            self.at = span[1]
        return starts, ends

    def _find(self, index: int, character: str) -> tuple[int, int] | None:
        if self.source[self.at : self.at + 1] in _MAY_SKIP:
            self._skip_hidden(index)
        current = self.source[self.at : self.at + 1]
        if current == "&":
            entity = self._entity(self.at, index, character)
            if entity is not None:
                return entity
        if current and (current == character or current in _STANDS_FOR.get(character, "")):
            return self.at, self.at + 1
        return self._find_later(index, character)

    def _skip_hidden(self, index: int) -> None:
        """Skip text that is not rendered: info strings of fences and link destinations."""
        source = self.source
        while self.at < len(source):
            line_start = self.at == 0 or "\n" in source[self.at - 1 : self.at + 1]
            wordy = _FENCE if line_start else _LINK_TAIL
            skipped = wordy.match(source, self.at)
            if skipped is None or self.rendered.startswith(skipped.group().strip(), index):
                return
            self.at = skipped.end()

    def _entity(self, start: int, index: int, character: str) -> tuple[int, int] | None:
        match = _ENTITY.match(self.source, start)
        if match is None or html.unescape(match.group()) != character or self.rendered.startswith(match.group(), index):
            return None
        return match.span()

    def _find_later(self, index: int, character: str) -> tuple[int, int] | None:
        nearest = self._nearest(index, character)
        if nearest is None or _MARKUP.issuperset(self.source[self.at : nearest[0]]):
            return nearest
        rest = self.rendered[index : index + _NEEDLE]
        needle = "".join(takewhile(lambda letter: letter not in _BREAKS and letter not in " &\ufffd", rest))
        word = self.source.find(needle, self.at, self.at + _FAR) if len(needle) > 1 else -1
        return (word, word + 1) if word >= 0 else nearest

    def _nearest(self, index: int, character: str) -> tuple[int, int] | None:
        literal = [self.source.find(offset, self.at) for offset in _STANDS_FOR.get(character, character)]
        start = min((offset for offset in literal if offset >= 0), default=-1)
        end = start if start >= 0 else len(self.source)
        for match in _ENTITY.finditer(self.source, self.at, end):
            if self._entity(match.start(), index, character) is not None:
                return match.span()
        return (start, start + 1) if start >= 0 else None


def _past_carriage_returns(source: str, offsets: "array[int]") -> "array[int]":
    """Convert offsets of the text with plain line feeds to offsets of the source; both ascend."""
    shifts = [match.start() - before for before, match in enumerate(_CRLF.finditer(source))]
    return array("q", [offset + bisect_left(shifts, offset) for offset in offsets]) if shifts else offsets


_DESTINATION = r"\s*(?:<[^<>\n]*>|(?:[^\s()\\]|\\.|\([^()\s]*\))*)\s*"
# The tail of a link up to its title, or the label of its definition, which is left out itself.
_GAP_LINK_TAIL = re.compile(rf"^[`*_~]*\](?:\({_DESTINATION}|\[[^\[\]\n]*\])")
_LINE_LIST_MARK = re.compile(r"^([ \t>]*)(?:[-+*]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?(?=\s|\Z)")
_WORDS = re.compile(r"[^\s*_~`#>\[\]!|\\+\-=.:()<\"']")
_EDGES = " \t|>`~*_#"
_LINK = re.compile(rf"!?\[((?:[^\[\]\\]|\\.){{0,1000}})\](?:\({_DESTINATION}(?:\"[^\"]*\"\s*)?\)|\[[^\[\]\n]*\])")
_STRONG = re.compile(r"(\*\*|__|~~|(?<!`)`{1,3}(?!`))(?=\S)([^\n]{1,1000}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*_\\])([*_])(?=[^\s*_])([^*_\n]{1,1000})(?<=\S)\1(?![\w*_])")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

_LINE_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_SINGLE_BREAK = re.compile(r"(?<=\S)\n(?=\S)")
# Of a text that is not Markdown, what its rendering as Markdown would drop or change.
_LOST = re.compile(r"__\w|\w\*\w[^*\n]*\*\w|~~|\\[!-/:-@\[-`{-~]|^(?: {4}|\t) *\S", re.MULTILINE)


def is_rendered_whole(texts: Sequence[str]) -> bool:
    """Return whether one of these texts is Markdown, and the others lose nothing if they are rendered with it."""
    others = [text for text in texts if not looks_like_markdown(text)]
    return len(others) < len(texts) and not any(_LOST.search(text) for text in others)


def chat_markdown(text: str) -> str:
    """Return Markdown of a chat with its line breaks, as their writers mean them, and with an end of its last fence."""
    fences = _LINE_FENCE.findall(text)
    return _SINGLE_BREAK.sub("  \n", text) + (f"\n{fences[-1]}" if len(fences) % 2 else "")


def shown_words(text: str) -> str:
    """Return the words of a text that may be Markdown, such as a prompt or a claim."""
    return markdown_words(text) if looks_like_markdown(text) else text


def markdown_words(source: str) -> str:
    """Return the words of a piece of Markdown: links as their texts, without escapes and marks of emphasis and code."""
    words = _LINK.sub(r"\1", source)
    words = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", words))
    return _ESCAPE.sub(r"\1", words)


def unrendered_parts(rendered: RenderedMap) -> list[str]:
    """Return the parts of the source that are neither rendered nor markup, each once and on one line, in order."""
    parts, is_picture = [], False
    for first, last in _gaps(rendered):
        gap = rendered.source[first:last]
        if _WORDS.search(gap):
            before = rendered.source[rendered.source.rfind("\n", 0, first) + 1 : first]
            rest = gap.removeprefix("](") if is_picture else _GAP_LINK_TAIL.sub("", gap)
            lines = rest.split("\n")
            if before.strip(" \t>"):
                parts += [lines.pop(0)]
            parts += [_LINE_LIST_MARK.sub(r"\1", line) for line in lines]
        is_picture = gap.endswith("![") or (is_picture and "]" not in gap)
    lines = (" ".join(part.strip(_EDGES).split()) for part in parts if _WORDS.search(part))
    return list(dict.fromkeys(line if "(" in line else line.rstrip(" )") for line in lines))


def _gaps(rendered: RenderedMap) -> Iterator[tuple[int, int]]:
    """Yield the spans of the source between rendered characters."""
    last = 0
    for start, end in zip(rendered.starts, rendered.ends, strict=True):
        if start > last:
            yield last, start
        last = max(last, end)
    if last < len(rendered.source):
        yield last, len(rendered.source)


MAX_PROTECTED = 1_000
OBJECT = "\ufffc"
_PROTECTED_ESCAPE = re.compile(r"\\(?:([\[\](),;:{}%&])|.)")
_LINE_END = re.compile("(?:\r\n?|[\n\u2029])[ \t>]*")


class ProtectedPart(Struct, frozen=True):
    """A formula, or an escaped character; `start` and `end` in the source, `at` of its mark in the protected text."""

    start: int
    end: int
    at: int
    formula: Formula | None = None

    @property
    def added(self) -> int:
        """Return by how many characters the protected text is longer than the source."""
        return 1 if self.formula is None else 3 - (self.end - self.start)


class ProtectedMarkdown(Struct, frozen=True):
    """A source, the text to render in its place, and the protected parts in order."""

    source: str
    text: str
    mark: str = ""
    parts: tuple[ProtectedPart, ...] = ()

    @property
    def formulas(self) -> list[Formula]:
        return [part.formula for part in self.parts if part.formula is not None]

    def join(
        self, rendered: RenderedMap, drawn: Sequence[bool], in_code: Sequence[bool]
    ) -> tuple[RenderedMap, list[tuple[int, int, str]]] | None:
        """Return the map of the source and what replaces the marks; `None` if the rendering lost a mark.

        Each replacement has the positions (UTF-16) of rendered characters, and their text: `OBJECT` for a formula.

        `drawn`: whether each formula is drawn. `in_code`: whether each mark is in code, where nothing is drawn.
        """
        raw, units = rendered.rendered, Utf16Map(rendered.rendered)
        places = [index for index, character in enumerate(raw) if character == self.mark]
        if len(places) != len(self.parts) or len(in_code) != len(places):
            return None
        texts: list[str] = []
        starts, ends = array("q"), array("q")
        replacements: list[tuple[int, int, str]] = []
        marks = [part.at for part in self.parts]
        shifts = list(accumulate((part.added for part in self.parts), initial=0))

        def source(offset: int) -> int:
            return offset - shifts[bisect_left(marks, offset)]

        last, formula = 0, 0
        for place, part, code in zip(places, self.parts, in_code, strict=True):
            first, after = (place, place + 1) if part.formula is None else (place - 1, place + 2)
            if part.formula is not None and raw[first:after] != f"${self.mark}$":
                return None
            starts.extend(map(source, rendered.starts[last:first]))
            ends.extend(map(source, rendered.ends[last:first]))
            is_drawn = part.formula is not None and drawn[formula] and not code
            formula += part.formula is not None
            replacement, spans = _replacement(self.source, part, is_drawn=is_drawn, code=code)
            starts.extend(start for start, _end in spans)
            ends.extend(end for _start, end in spans)
            texts += [raw[last:first], replacement]
            replacements.append((units.to_utf16(first), units.to_utf16(after), replacement))
            last = after
        starts.extend(map(source, rendered.starts[last:]))
        ends.extend(map(source, rendered.ends[last:]))
        return RenderedMap(self.source, "".join((*texts, raw[last:])), starts, ends), replacements


def protect_markdown(source: str) -> ProtectedMarkdown:
    """Protect the formulas of a source, and the escapes that only formulas use."""
    if "$" not in source and "\\" not in source:
        return ProtectedMarkdown(source, source)
    formulas, masked = list(find_formulas(source)), mask_code(source)
    protected: list[tuple[int, int, Formula | None]] = [(formula.start, formula.end, formula) for formula in formulas]
    after = 0
    for formula in [*formulas, None]:
        border = len(source) if formula is None else formula.start
        protected += [
            (match.start(), match.end(), None)
            for match in _PROTECTED_ESCAPE.finditer(masked, after, border)
            if match[1]
        ]
        after = border if formula is None else formula.end
    mark = next((character for code in range(0xE000, 0xF8FF) if (character := chr(code)) not in source), "")
    if not protected or len(protected) > MAX_PROTECTED or not mark:
        return ProtectedMarkdown(source, source)
    pieces: list[str] = []
    parts: list[ProtectedPart] = []
    last = at = 0
    for start, end, part in sorted(protected, key=lambda entry: entry[0]):
        text = f"${mark}$" if part is not None else mark + source[start:end]
        pieces += [source[last:start], text]
        at += start - last
        parts.append(ProtectedPart(start, end, at + (part is not None), part))
        at += len(text)
        last = end
    return ProtectedMarkdown(source, "".join((*pieces, source[last:])), mark, tuple(parts))


def _replacement(source: str, part: ProtectedPart, *, is_drawn: bool, code: bool) -> tuple[str, list[tuple[int, int]]]:
    """Return the text in place of a mark, and the span of the source of each of its characters."""
    if part.formula is None:
        return ("", []) if code else ("\\", [(part.start, part.start + 1)])
    if is_drawn:
        return OBJECT, [(part.start, part.end)]
    text, spans, last = "", [], part.start
    for match in _LINE_END.finditer(source, part.start, part.end):
        text += source[last : match.start()] + " "
        spans += [*_single(last, match.start()), match.span()]
        last = match.end()
    return WidgetTextMap(text + source[last : part.end]).shown, [*spans, *_single(last, part.end)]


def _single(start: int, end: int) -> list[tuple[int, int]]:
    return [(offset, offset + 1) for offset in range(start, end)]
