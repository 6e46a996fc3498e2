"""Parts of a Markdown source that its rendering leaves out, such as definitions of links and surplus cells of a table.

The destination of a link is left out too, but its tooltip and the list of links show it.
"""

import re
from collections.abc import Iterator, Sequence

from desktop_rater.text.blocks import looks_like_markdown
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

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_SINGLE_BREAK = re.compile(r"(?<=\S)\n(?=\S)")
# Of a text that is not Markdown, what its rendering as Markdown would drop or change.
_LOST = re.compile(r"__\w|\w\*\w[^*\n]*\*\w|~~|\\[!-/:-@\[-`{-~]|^(?: {4}|\t) *\S", re.MULTILINE)


def is_rendered_whole(texts: Sequence[str]) -> bool:
    """Return whether one of these texts is Markdown, and the others lose nothing if they are rendered with it."""
    others = [text for text in texts if not looks_like_markdown(text)]
    return len(others) < len(texts) and not any(_LOST.search(text) for text in others)


def chat_markdown(text: str) -> str:
    """Return Markdown of a chat with its line breaks, as their writers mean them, and with an end of its last fence."""
    fences = _FENCE.findall(text)
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
