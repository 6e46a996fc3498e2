"""Cleaned HTML in parts that are put into a document one after the other, so that no window waits for a long page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'<(/?)([A-Za-z][A-Za-z0-9]*)((?:[^>"]|"[^"]*")*)>|[^<]+|<')
_START = re.compile(r'\bstart="(\d{1,6})"')
_ENTITY = re.compile(r"&[#A-Za-z0-9]{0,32}$")
_VOID = frozenset({"br", "hr", "wbr", "img", "col"})
# Between the parts of these a cut is not seen; elsewhere only where there is no other way.
_SOFT = frozenset({"div", "section", "article", "main", "ul", "ol", "dl", "blockquote"})
_TAG_COSTS = 8
_AT_LAST = 2


class _Cutter:
    def __init__(self, size: int) -> None:
        self.size = size
        self.written: list[str] = []
        self.length = 0
        self.open: list[tuple[str, str]] = []  # name and tag
        self.items: list[int] = []  # of each open element: how many points it has had

    def tag(self, closing: str, name: str, rest: str) -> None:
        self.length += _TAG_COSTS
        self.written.append(f"<{closing}{name}{rest}>")
        if closing:
            while self.open and any(known == name for known, _tag in self.open):
                self.items.pop()
                if self.open.pop()[0] == name:
                    break
        elif name not in _VOID:
            if name == "li" and self.items:
                self.items[-1] += 1
            self.open.append((name, f"<{name}{rest}>"))
            self.items.append(0)

    def text(self, words: str) -> None:
        self.length += len(words)
        self.written.append(words)

    @property
    def is_due(self) -> bool:
        soft = all(name in _SOFT for name, _tag in self.open)
        return self.length >= (self.size if soft else _AT_LAST * self.size)

    def take(self) -> str:
        part = "".join((*self.written, *(f"</{name}>" for name, _tag in reversed(self.open))))
        again = zip(self.open, self.items, strict=True)
        self.open = [(name, _numbered(tag, had) if name == "ol" else tag) for (name, tag), had in again]
        self.items = [0] * len(self.open)
        self.written = [tag for _name, tag in self.open]
        self.length = 0
        return part


def parts_of(html: str, size: int) -> Iterator[str]:
    """Parts of about `size` characters; each opens and closes what it needs, and numbers go on where they were."""
    cutter = _Cutter(size)
    for token in _TOKEN.finditer(html):
        if token[2] is not None:
            cutter.tag(token[1], token[2].lower(), token[3])
            if cutter.is_due:
                yield cutter.take()
            continue
        words = token.group().replace("<", "&lt;")
        for piece in _pieces(words, size):
            cutter.text(piece)
            if len(words) > size and cutter.is_due:
                yield cutter.take()
    if cutter.length:
        yield cutter.take()


def _pieces(words: str, size: int) -> Iterator[str]:
    """A text in pieces of at most `size`, cut at blanks where there are any and never inside an entity."""
    at = 0
    while len(words) - at > size:
        end = max(words.rfind(" ", at, at + size), words.rfind("\n", at, at + size)) + 1
        if end <= at:
            end = _outside_entity(words, at, at + size)
        yield words[at:end]
        at = end
    yield words[at:]


def _outside_entity(words: str, at: int, end: int) -> int:
    entity = _ENTITY.search(words, max(at, end - 40), end)
    if entity is None:
        return end
    return entity.start() if entity.start() > at else words.find(";", end) + 1 or end


def _numbered(tag: str, had: int) -> str:
    start = _START.search(tag)
    return f'<ol start="{(int(start[1]) if start else 1) + had}">'
