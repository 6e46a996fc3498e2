"""Blocks of a text, inside which sentences are searched: paragraphs, list items, headings, table rows, code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_LINE = re.compile("([^\r\n\u2028\u2029]*)(?:\r\n|[\r\n\u2028\u2029]|$)")
# At most three digits: "1986. A good year" is not a list item. "1.Like this" counts as one.
_LIST_MARK = r"(?:(?:[-*+\u2022\u25aa\u25e6\u2013]|\d{1,3}[.)])(?:\s+|$)|\d{1,3}\.(?=[^\W\d_]))"
_PLAIN_MARKS = re.compile(rf"\s*((?:{_LIST_MARK})*+)")
_MARKDOWN_MARKS = re.compile(rf"\s*((?:{_LIST_MARK}|\[[ xX]\]\s+|#{{1,6}}(?:\s+|$)|>\s*|\|\s*)*+)")
_FENCE = re.compile(r"[\s>]*(`{3,}|~{3,})([^`]*)")
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


@dataclass(frozen=True)
class TextBlock:
    """A part of a text, code points `start` to `end`, half open; `whole` if it is not to be split into sentences."""

    start: int
    end: int
    whole: bool = False


@dataclass(frozen=True)
class _Line:
    start: int
    text: str


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
            current = replace(current, end=block.end)
            continue
        if current:
            yield current
        current = block
    if current:
        yield current


def _parts(text: str, *, markdown: bool) -> Iterator[tuple[TextBlock, bool]]:
    """Yield the non-empty lines and fences, each with whether it continues the one before."""
    lines = _lines(text)
    before = ""
    for line in lines:
        fence = _FENCE.fullmatch(line.text) if markdown else None
        if fence:
            yield _fenced(lines, fence[1]), False
            before = ""
            continue
        marks = _marks(line.text, markdown=markdown)
        content = _content(line.text, marks, markdown=markdown)
        if content:
            start = line.start + marks.end()
            yield TextBlock(start, start + len(content)), not marks[1] and _wraps(before, content)
        before = line.text if {"#", "|"}.isdisjoint(marks[1]) else ""  # a heading or a table row is not continued


def _lines(text: str) -> Iterator[_Line]:
    return (_Line(match.start(), match[1]) for match in _LINE.finditer(text) if match.group())


def _fenced(lines: Iterator[_Line], fence: str) -> TextBlock:
    """Return the block between a fence and its partner, or the end of the text; consumes those lines."""
    start = end = 0
    for line in lines:
        closing = _FENCE.fullmatch(line.text)
        if closing and closing[1].startswith(fence) and not closing[2].strip():
            break
        start = start if end else line.start
        end = line.start + len(line.text)
    return TextBlock(start, end, whole=True)


def _marks(line: str, *, markdown: bool) -> re.Match[str]:
    marks = (_MARKDOWN_MARKS if markdown else _PLAIN_MARKS).match(line)
    assert marks is not None, "both patterns match the empty text"
    return marks


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
