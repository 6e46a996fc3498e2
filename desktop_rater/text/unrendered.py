"""Parts of a Markdown source that its rendering leaves out, such as definitions of links and surplus cells of a table.

The destination of a link is left out too, but its tooltip and the list of links show it.
"""

import re
from collections.abc import Iterator

from desktop_rater.text.markdown_offsets import RenderedMap

_DESTINATION = r"\s*(?:<[^<>\n]*>|(?:[^\s()\\]|\\.|\([^()\s]*\))*)\s*"
# The tail of a link up to its title, or the label of its definition, which is left out itself.
_LINK_TAIL = re.compile(rf"^[`*_~]*\](?:\({_DESTINATION}|\[[^\[\]\n]*\])")
_LIST_MARK = re.compile(r"^([ \t>]*)(?:[-+*]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?(?=\s|\Z)")
_WORDS = re.compile(r"[^\s*_~`#>\[\]!|\\+\-=.:()<\"']")
_EDGES = " \t|>`~*_#"
_LINK = re.compile(rf"!?\[((?:[^\[\]\\]|\\.){{0,1000}})\](?:\({_DESTINATION}(?:\"[^\"]*\"\s*)?\)|\[[^\[\]\n]*\])")
_STRONG = re.compile(r"(\*\*|__|~~|(?<!`)`{1,3}(?!`))(?=\S)([^\n]{1,1000}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*_\\])([*_])(?=[^\s*_])([^*_\n]{1,1000})(?<=\S)\1(?![\w*_])")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


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
            rest = gap.removeprefix("](") if is_picture else _LINK_TAIL.sub("", gap)
            lines = rest.split("\n")
            if before.strip(" \t>"):
                parts += [lines.pop(0)]
            parts += [_LIST_MARK.sub(r"\1", line) for line in lines]
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
