"""HTML as a tree, with its elements sorted by name: one pass where looking for each would be twenty."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning


@dataclass(frozen=True)
class Tree:
    """`depth` is how deep it really goes, which no scan can tell beforehand."""

    root: BeautifulSoup
    depth: int
    elements: dict[str, list[Tag]]

    def all(self, *names: str) -> list[Tag]:
        """The elements of these names; those of one name in the order of the page."""
        return [tag for name in names for tag in self.elements.get(name, ())]

    def first(self, name: str) -> Tag | None:
        """The first element of that name."""
        return next(iter(self.elements.get(name, ())), None)


def parsed(html: str) -> Tree:
    """Parse with lxml. Its HTML parser knows no entities of a page's own, and opens no files."""
    with warnings.catch_warnings():
        # XHTML is read as HTML on purpose, see above.
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        root = BeautifulSoup(html, "lxml")
    elements: dict[str, list[Tag]] = {}
    deepest = 0
    waiting: list[tuple[Tag, int]] = [(root, 0)]
    while waiting:
        tag, depth = waiting.pop()
        deepest = max(deepest, depth)
        elements.setdefault(tag.name, []).append(tag)
        waiting += [(child, depth + 1) for child in reversed(tag.contents) if isinstance(child, Tag)]
    return Tree(root, deepest, elements)
