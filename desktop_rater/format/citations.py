"""Citations of documents in a response, and the passages they refer to.

Those that a document lists in `cited`, and [doc1], [1, 2], [name.pdf], 【1†name】, a title, a URL. A name takes
precedence over a number: if a document is called "2", [2] is that one, else the second.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, islice
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from desktop_rater.format.task import Document
from desktop_rater.text.urls import find_links, page_key

MAX_CITATIONS = 2_000
MAX_CITING_TEXT = 200_000
MAX_CITATION_LABEL = 300
_LEAST_TITLE = 10
_MOST_LOOKED_FOR = 50

_BRACKETS = re.compile(
    rf"\[(?P<square>[^\[\]\n]{{1,{MAX_CITATION_LABEL}}})\]|【(?P<black>[^【】\n]{{1,{MAX_CITATION_LABEL}}})】"
)
_TARGET = re.compile(r"\((?P<url>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)[^()\n]*\)")
_NUMBERS = re.compile(r"\^?\d{1,4}(?:\s*[,;–-]\s*\^?\d{1,4})*")
_NUMBERED = re.compile(r"(?:doc|document|source|ref|context|passage)s?[\s_#:.-]*(?=\d)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_DAGGER = re.compile(r"(?:\d+:)?(?P<number>\d+)\s*†\s*(?P<name>.*)")
_PAGE = re.compile(r"[#?].*$")
_ENDING = re.compile(r"\.[A-Za-z]{2,5}$")
_FILE_LIKE = re.compile(r"(?=.*[^\W\d_]).*[^\s][._#/][^\s].*")
_SPACE = re.compile(r"\s+")


class Citation(Struct, frozen=True):
    """A citation: code points of the response, half open; `document` counts from 0; `label` is its bare text.

    `passage`: the cited text, of a place that the document lists; its span is what is supported rather than a label.
    """

    start: int
    end: int
    document: int
    label: str = ""
    passage: str | None = None


def find_citations(text: str, documents: Sequence[Document], response: str = "") -> list[Citation]:
    """Return the citations of a response in order, at most `MAX_CITATIONS`; only listed places may overlap."""
    if not documents:
        return []
    text = text[:MAX_CITING_TEXT]
    names = _Names(documents)
    candidates = [*_bracket_citations(text, names), *_url_citations(text, names), *_title_citations(text, documents)]
    listed = _listed_citations(text, documents, response)
    starts = [citation.start for citation in listed]
    ends = list(accumulate((citation.end for citation in listed), max))  # the greatest so far
    chosen: list[Citation] = []
    # Of overlapping ones the earlier counts, and of two with the same start the longer one.
    for citation in sorted(candidates, key=lambda citation: (citation.start, -citation.end)):
        before = bisect_left(starts, citation.end)
        taken_until = max(ends[before - 1] if before else 0, chosen[-1].end if chosen else 0)
        if citation.start >= taken_until:
            chosen.append(citation)
    return sorted([*listed, *chosen], key=lambda citation: citation.start)[:MAX_CITATIONS]


def _listed_citations(text: str, documents: Sequence[Document], response: str) -> list[Citation]:
    """Return the first citations that the documents list, in order of their start.

    A quote that is not at its offsets is where it first occurs.
    """
    listed = ((index, place) for index, document in enumerate(documents) for place in document.cited)
    places = ((index, place) for index, place in listed if place.response == response and place.quote)
    citations = []
    for index, place in islice(places, MAX_CITATIONS):
        start = place.start if text.startswith(place.quote, place.start) else text.find(place.quote)
        if start >= 0:
            citations.append(Citation(start, start + len(place.quote), index, passage=place.passage))
    return sorted(citations, key=lambda citation: citation.start)


class _Names:
    """Names by which each document may be cited."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._by_name: dict[str, int] = {}
        self._by_page: dict[str, int] = {}
        self._looked_for: dict[str, int | None] = {}
        for kind in (_own_names, _short_names):
            for index, document in enumerate(documents):
                for name in kind(document):
                    if name:
                        self._by_name.setdefault(name, index)
        for index, document in enumerate(documents):
            page = page_key(document.url)
            if page is not None:
                self._by_page.setdefault(page, index)

    def named(self, label: str) -> int | None:
        """Return the document of that name or address."""
        document = self._by_name.get(_plain(label))
        if document is None:
            document = self.at_page(label)
        return self._mentioned(label) if document is None else document

    def numbered(self, number: str, first: int = 1) -> int | None:
        """Return the document of that number; a document with that id takes precedence over the position."""
        document = self._by_name.get(number)
        index = int(number) - first
        return document if document is not None else index if 0 <= index < len(self._documents) else None

    def at_page(self, url: str) -> int | None:
        page = page_key(url.strip())
        return self._by_page.get(page) if page is not None else None

    def _mentioned(self, label: str) -> int | None:
        """Return the document whose text contains a file name: it may have been joined of several files."""
        if not _FILE_LIKE.fullmatch(label) or len(self._looked_for) >= _MOST_LOOKED_FOR:
            return self._looked_for.get(label)
        if label not in self._looked_for:
            self._looked_for[label] = next(
                (index for index, document in enumerate(self._documents) if label in document.text), None
            )
        return self._looked_for[label]


def _own_names(document: Document) -> Iterator[str]:
    return map(_plain, (document.id, document.title, document.url))


def _short_names(document: Document) -> Iterator[str]:
    """Yield names without page and suffix; a name shared by several documents refers to the first."""
    last = unquote(_path(document.url).rstrip("/").rsplit("/", 1)[-1])
    for name in (document.title, last):
        bare = _PAGE.sub("", name)
        yield from (_plain(name), _plain(bare), _plain(_ENDING.sub("", bare)))


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:  # not a valid URL
        return ""


def _plain(name: str) -> str:
    return _SPACE.sub(" ", name).strip().strip("[]【】").strip().casefold()


def _bracket_citations(text: str, names: _Names) -> Iterator[Citation]:
    for match in _BRACKETS.finditer(text):
        label = match["square"] or match["black"]
        start, end = match.span()
        link = _TARGET.match(text, end) if match["square"] else None
        document = names.named(label.removeprefix("^")) if link is None else names.at_page(link["url"])
        if document is not None:
            yield Citation(start, end if link is None else link.end(), document, label)
        elif link is None:
            yield from _number_citations(label, start, end, names)


def _number_citations(label: str, start: int, end: int, names: _Names) -> Iterator[Citation]:
    dagger = _DAGGER.fullmatch(label)
    if dagger is not None:
        number = names.numbered(dagger["number"], first=0 if ":" in label.partition("†")[0] else 1)
        document = names.named(dagger["name"])
        document = number if document is None else document
        if document is not None:
            yield Citation(start, end, document, label)
        return
    numbers = _NUMBERED.sub("", label)
    if not _NUMBERS.fullmatch(numbers.strip()):
        yield from _list_citations(label, start + 1, names)
        return
    digits = list(_NUMBER.finditer(label))
    for digit in digits:
        document = names.numbered(digit[0].lstrip("0") or "0")
        if document is not None:
            span = (start, end) if len(digits) == 1 else (start + 1 + digit.start(), start + 1 + digit.end())
            yield Citation(*span, document, digit[0])


def _list_citations(label: str, start: int, names: _Names) -> Iterator[Citation]:
    for part in re.finditer(r"[^,;]+", label):
        name = part[0].strip()
        document = names.named(name)
        if document is not None:
            begin = start + part.start() + part[0].index(name)
            yield Citation(begin, begin + len(name), document, name)


def _url_citations(text: str, names: _Names) -> Iterator[Citation]:
    after = 0
    for link in find_links(text):
        start = text.find(link, after)
        after = start + len(link)
        document = names.at_page(link)
        if document is not None:
            yield Citation(start, after, document, link)


def _title_citations(text: str, documents: Sequence[Document]) -> Iterator[Citation]:
    """Yield literal occurrences of titles of two words or more."""
    for index, document in enumerate(documents[:MAX_CITATIONS]):
        title = document.title.strip()
        if len(title) < _LEAST_TITLE or not _SPACE.search(title):
            continue
        start = text.find(title)
        while start >= 0:
            end = start + len(title)
            if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
                yield Citation(start, end, index, title)
            start = text.find(title, end)


Span = tuple[int, int]
WordSet = frozenset[str]
MAX_CITED_CHARACTERS = 200_000  # of a document
_FEW = 2  # fewer words are not enough: [1][2] cite the same words
_SHARES = 0.2, 0.05  # the document is known, so with no good match the best weak one counts
_PART = 8_000  # for a document joined of several, each after its name


def citing_words(text: str, cited: Sequence[Citation], *, markdown: bool = False) -> list[tuple[WordSet, ...]]:
    """Return the words each citation may refer to: since the last citation, then the sentence's; without the labels."""
    if not cited:
        return []
    from desktop_rater.text.quotes import search_words  # noqa: PLC0415 - only where something is cited
    from desktop_rater.text.sentences import split_sentences  # noqa: PLC0415 - as above

    bare = list(text[: max(citation.end for citation in cited) + _PART])
    for citation in (citation for citation in cited if citation.passage is None):
        bare[citation.start : citation.end] = " " * (citation.end - citation.start)
    blanked = "".join(bare)
    spans = split_sentences(blanked, markdown=markdown)
    starts = [start for start, _end in spans]
    words_of_sentence = cache(lambda span: search_words(blanked[slice(*span)]))
    result: list[tuple[WordSet, ...]] = []
    since = 0
    for citation in cited:
        start, end = sentence = _sentence_of(blanked, spans, starts, citation.start)
        if citation.passage is None:
            near = search_words(blanked[max(start, since, citation.start - _PART) : min(end, citation.start)])
        else:
            near = search_words(blanked[citation.start : min(citation.end, citation.start + _PART)])
        if len(near) >= _FEW:
            since = citation.end
        result.append(tuple(words for words in dict.fromkeys((near, words_of_sentence(sentence))) if words))
    return result


def cited_passage(text: str, tried: Sequence[WordSet], label: str = "", passage: str | None = None) -> Span | None:
    """Return the place of `passage`, else the sentence that best matches the first of `tried` that matches any.

    It is first looked for after `label`.
    """
    from desktop_rater.text.quotes import find_best_passage  # noqa: PLC0415 - as above

    text = text[:MAX_CITED_CHARACTERS]
    if passage and passage in text:
        return text.index(passage), text.index(passage) + len(passage)
    position = text.find(label) if label and not label.isdigit() else -1
    begin = position + len(label)
    places = ((begin, text[begin : begin + _PART]), (0, text)) if position >= 0 else ((0, text),)
    for share in _SHARES:
        for words in tried:
            for first, part in places:
                span = find_best_passage(part, words, share)
                if span is not None:
                    return first + span[0], first + span[1]
    return None


def _sentence_of(text: str, spans: Sequence[Span], starts: Sequence[int], offset: int) -> Span:
    """Return the sentence around an offset, else the one before it; at the start of a line the one after it."""
    before = bisect_right(starts, offset) - 1
    if before < 0:
        return spans[0] if spans else (0, 0)
    start, end = spans[before]
    begins_line = offset >= end and "\n" in text[end:offset]
    if begins_line and before + 1 < len(spans) and "\n" not in text[offset : starts[before + 1]]:
        return spans[before + 1]
    return start, end
