"""Documents as passages of 60 to 120 words, and the words of a query."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_WORDS, LEAST_WORDS = 120, 60
_WORD = re.compile(r"\w+")


class Document(NamedTuple):
    """A document of a library.

    `place` identifies it in the library: the path of a file, a URL, the path of an article. `url`: valid, for evidence.
    `text` has a block a line; `headings`: offset of a line that is a heading → its text.
    """

    place: str
    url: str
    title: str
    text: str
    lang: str = ""
    headings: dict[int, str] = {}


class Passage(NamedTuple):
    """A part of a document's text, from `start` to `end` in code points, below a heading."""

    start: int
    end: int
    heading: str = ""


def split_passages(document: Document) -> Iterator[Passage]:
    """Yield the passages of a document, which end at lines where possible."""
    start, words, offset, heading = 0, 0, 0, ""
    for line in document.text.splitlines(keepends=True):
        count = len(_WORD.findall(line))
        heading_here = document.headings.get(offset)
        if words and (words + count > MOST_WORDS or (words >= LEAST_WORDS and heading_here is not None)):
            yield Passage(start, offset, heading)
            start, words = offset, 0
        if heading_here is not None:
            heading = heading_here
        words += count
        offset += len(line)
    if words:
        yield Passage(start, offset, heading)


def query_words(query: str) -> list[str]:
    """Return the words of a query, each once."""
    return list(dict.fromkeys(_WORD.findall(query.casefold())))
