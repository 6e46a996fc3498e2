"""HTML as a tree, with its elements indexed by name: one pass instead of a search for each."""

import warnings
from dataclasses import dataclass

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning


@dataclass(frozen=True)
class HtmlTree:
    """A parsed page. `depth` is its actual depth, which no scan can tell beforehand."""

    root: BeautifulSoup
    depth: int
    elements: dict[str, list[Tag]]

    def all(self, *names: str) -> list[Tag]:
        """Return the elements of these names; those of one name in document order."""
        return [tag for name in names for tag in self.elements.get(name, ())]

    def first(self, name: str) -> Tag | None:
        return next(iter(self.elements.get(name, ())), None)


def parse_html(html: str) -> HtmlTree:
    """Parse with lxml. Its HTML parser expands no custom entities, and opens no files."""
    with warnings.catch_warnings():
        # XHTML is read as HTML on purpose, see above.
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        root = BeautifulSoup(html, "lxml")
    elements: dict[str, list[Tag]] = {}
    deepest = 0
    stack: list[tuple[Tag, int]] = [(root, 0)]
    while stack:
        tag, depth = stack.pop()
        deepest = max(deepest, depth)
        elements.setdefault(tag.name, []).append(tag)
        stack += [(child, depth + 1) for child in reversed(tag.contents) if isinstance(child, Tag)]
    return HtmlTree(root, deepest, elements)
