"""What can be said of HTML before it is parsed, in one pass: how much there is of it, and how deep it goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.model.page import PageState

_TAG = re.compile(r"<(?:!--|(/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})[^\s/>]*)")
# A name, perhaps with a value; an open quote goes on to the end. Never goes back over what it took.
_ATTRIBUTE = re.compile(r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"'][^\s>]*+)?)?""")
_TAG_END = re.compile(r"([\s/]*+)>?")
# Pictures inside an attribute (`data:`) may well be large.
_LONGEST_TAG = 512 * 1024
# The parser takes the square of it.
_MOST_ATTRIBUTES = 256
# These close themselves when the next one opens, so counting them would call an old page deep. What they nest in
# (lists, tables) is counted.
_CLOSE_THEMSELVES = """
a area base basefont bgsound body br col colgroup dd dt embed frame head hr html img input keygen li link meta optgroup
option p param rp rt source tbody td tfoot th thead tr track wbr
"""
_UNCOUNTED = frozenset(_CLOSE_THEMSELVES.split())
# No tags stand in these, whatever their text looks like.
_RAW_ENDS = {
    name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp", "iframe")
}
_COMMENT_END = re.compile("--!?>")


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    closes: bool
    attributes: int
    size: int


def trouble_in(html: str, *, elements: int, depth: int) -> tuple[PageState, str] | None:
    """Why `html` is not parsed at all: the state, and a sentence. None where nothing speaks against it."""
    count = nested = 0
    for tag in _tags(html):
        if tag.closes:
            nested -= tag.name not in _UNCOUNTED and nested > 0
            continue
        count += 1
        nested += tag.name not in _UNCOUNTED
        if nested > depth:
            return "broken", too_deep(depth)
        if count > elements:
            return "too_large", f"The page has more than {elements:,} elements, which is more than the reader takes."
        if tag.attributes > _MOST_ATTRIBUTES or tag.size > _LONGEST_TAG:
            why = f"A tag of the page has {tag.attributes:,} attributes in {tag.size:,} characters, too many to read."
            return "broken", why
    return None


def too_deep(depth: int) -> str:
    """The sentence about a page that nests more than `depth`."""
    return f"The page nests its elements more than {depth} deep, which no page for people does."


def _tags(html: str) -> Iterator[_Found]:
    """The tags that stand in `html`; one that closes itself comes twice."""
    start = _TAG.search(html)
    while start:
        after = start.end()
        if start[2]:
            tag, after, is_empty = _read(html, start)
            yield tag
            if is_empty and not tag.closes:
                yield _Found(tag.name, closes=True, attributes=0, size=0)
            raw = None if tag.closes or is_empty else _RAW_ENDS.get(tag.name)
        else:
            raw = _COMMENT_END
        if raw is not None:
            end = raw.search(html, after)
            if end is None:
                return
            after = end.start() if start[2] else end.end()
        start = _TAG.search(html, after)


def _read(html: str, start: re.Match[str]) -> tuple[_Found, int, bool]:
    """The tag that begins at `start`, where it ends, and whether it closes itself."""
    attributes, at = 0, start.end()
    while found := _ATTRIBUTE.match(html, at):
        attributes += 1
        at = found.end()
    end = _TAG_END.match(html, at)
    assert end is not None, "the pattern matches the empty text"
    tag = _Found(start[2].lower(), closes=bool(start[1]), attributes=attributes, size=end.end() - start.start())
    return tag, end.end(), end[1].endswith("/")
