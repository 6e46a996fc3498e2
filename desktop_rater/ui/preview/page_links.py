"""The links of a page in the order in which they are read, for the keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock, QTextDocument


@dataclass(frozen=True)
class Anchor:
    """A link between two positions of a document."""

    first: int
    last: int
    url: str


def anchor_after(document: QTextDocument, position: int) -> Anchor | None:
    """The first link that begins at a position or behind it."""
    block = document.findBlock(min(position, document.characterCount() - 1))
    while block.isValid():
        found = next((one for one in _anchors(block) if one.first >= position), None)
        if found is not None:
            return found
        block = block.next()
    return None


def anchor_before(document: QTextDocument, position: int) -> Anchor | None:
    """The last link that ends at a position or before it."""
    block = document.findBlock(position)
    while block.isValid():
        found = [one for one in _anchors(block) if one.last <= position]
        if found:
            return found[-1]
        block = block.previous()
    return None


def _anchors(block: QTextBlock) -> Iterator[Anchor]:
    """Words of one link that look different, as bold ones do, are one link all the same."""
    known: Anchor | None = None
    at = block.begin()
    while not at.atEnd():
        fragment = at.fragment()
        form, first = fragment.charFormat(), fragment.position()
        url = form.anchorHref() if form.isAnchor() else ""
        if known is not None and (known.url, known.last) == (url, first):
            known = Anchor(known.first, first + fragment.length(), url)
        else:
            if known is not None:
                yield known
            known = Anchor(first, first + fragment.length(), url) if url else None
        at += 1
    if known is not None:
        yield known
