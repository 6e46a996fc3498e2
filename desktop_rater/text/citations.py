"""Where a response names the documents it was written from: [doc1], [1, 2], [name.pdf], 【1†name】, a title, a URL.

A name counts before a number: where a document is called "2", [2] is that one, else the second.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from desktop_rater.text.links import links_in
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_rater.model.task import Document

MOST = 2_000
LONGEST_TEXT = 200_000
LONGEST_LABEL = 300
_LEAST_TITLE = 10
_MOST_LOOKED_FOR = 50

_BRACKETS = re.compile(rf"\[(?P<square>[^\[\]\n]{{1,{LONGEST_LABEL}}})\]|【(?P<black>[^【】\n]{{1,{LONGEST_LABEL}}})】")
_TARGET = re.compile(r"\((?P<url>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)[^()\n]*\)")
_NUMBERS = re.compile(r"\^?\d{1,4}(?:\s*[,;–-]\s*\^?\d{1,4})*")
_NUMBERED = re.compile(r"(?:doc|document|source|ref|context|passage)s?[\s_#:.-]*(?=\d)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_DAGGER = re.compile(r"(?:\d+:)?(?P<number>\d+)\s*†\s*(?P<name>.*)")
_PAGE = re.compile(r"[#?].*$")
_ENDING = re.compile(r"\.[A-Za-z]{2,5}$")
_FILE_LIKE = re.compile(r"(?=.*[^\W\d_]).*[^\s][._#/][^\s].*")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Citation:
    """Code points of the response, half open; `document` counts from 0; `label` is what stands there, bare."""

    start: int
    end: int
    document: int
    label: str = ""


def citations(text: str, documents: Sequence[Document]) -> list[Citation]:
    """The citations of a response in order, without overlaps; at most `MOST` of them."""
    if not documents:
        return []
    text = text[:LONGEST_TEXT]
    names = _Names(documents)
    found = [*_bracketed(text, names), *_addresses(text, names), *_titles(text, documents)]
    kept: list[Citation] = []
    # Of two that overlap the earlier one, and of two that begin together the longer one.
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept[:MOST]


class _Names:
    """What each document may be called."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._by_name: dict[str, int] = {}
        self._by_page: dict[str, int] = {}
        self._looked_for: dict[str, int | None] = {}
        for kind in (_own_names, _short_names):
            for at, document in enumerate(documents):
                for name in kind(document):
                    if name:
                        self._by_name.setdefault(name, at)
        for at, document in enumerate(documents):
            page = page_of(document.url)
            if page is not None:
                self._by_page.setdefault(page, at)

    def named(self, label: str) -> int | None:
        """The document of that name or address."""
        found = self._by_name.get(_plain(label))
        if found is None:
            found = self.at_page(label)
        return self._mentioned(label) if found is None else found

    def numbered(self, number: str, first: int = 1) -> int | None:
        """The document of that number; a document whose id it is goes before the one that stands there."""
        found = self._by_name.get(number)
        at = int(number) - first
        return found if found is not None else at if 0 <= at < len(self._documents) else None

    def at_page(self, url: str) -> int | None:
        page = page_of(url.strip())
        return self._by_page.get(page) if page is not None else None

    def _mentioned(self, label: str) -> int | None:
        """The document in whose text a name of a file stands: several may have been put together to one."""
        if not _FILE_LIKE.fullmatch(label) or len(self._looked_for) >= _MOST_LOOKED_FOR:
            return self._looked_for.get(label)
        if label not in self._looked_for:
            within = (at for at, one in enumerate(self._documents) if label in one.text)
            self._looked_for[label] = next(within, None)
        return self._looked_for[label]


def _own_names(document: Document) -> Iterator[str]:
    yield _plain(document.id)
    yield _plain(document.title)
    yield _plain(document.url)


def _short_names(document: Document) -> Iterator[str]:
    """Without the page and the ending: a name that several documents share is that of the first."""
    last = unquote(_path(document.url).rstrip("/").rsplit("/", 1)[-1])
    for name in (document.title, last):
        bare = _PAGE.sub("", name)
        yield from (_plain(name), _plain(bare), _plain(_ENDING.sub("", bare)))


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:  # what stands there is no address
        return ""


def _plain(name: str) -> str:
    return _SPACE.sub(" ", name).strip().strip("[]【】").strip().casefold()


def _bracketed(text: str, names: _Names) -> Iterator[Citation]:
    for match in _BRACKETS.finditer(text):
        label = match["square"] or match["black"]
        start, end = match.span()
        link = _TARGET.match(text, end) if match["square"] else None
        if link is not None:
            found = names.at_page(link["url"])
            if found is not None:
                yield Citation(start, link.end(), found, label)
            continue
        found = names.named(label.removeprefix("^"))
        if found is not None:
            yield Citation(start, end, found, label)
            continue
        yield from _counted(label, start, end, names)


def _counted(label: str, start: int, end: int, names: _Names) -> Iterator[Citation]:
    """One number, several, or names with commas between them."""
    dagger = _DAGGER.fullmatch(label)
    if dagger is not None:
        number = names.numbered(dagger["number"], first=0 if ":" in label.partition("†")[0] else 1)
        found = names.named(dagger["name"])
        found = number if found is None else found
        if found is not None:
            yield Citation(start, end, found, label)
        return
    numbers = _NUMBERED.sub("", label)
    if not _NUMBERS.fullmatch(numbers.strip()):
        yield from _listed(label, start + 1, names)
        return
    digits = list(_NUMBER.finditer(label))
    for digit in digits:
        found = names.numbered(digit[0].lstrip("0") or "0")
        if found is not None:
            where = (start, end) if len(digits) == 1 else (start + 1 + digit.start(), start + 1 + digit.end())
            yield Citation(*where, found, digit[0])


def _listed(label: str, start: int, names: _Names) -> Iterator[Citation]:
    if "," not in label and ";" not in label:
        return
    for part in re.finditer(r"[^,;]+", label):
        name = part[0].strip()
        found = names.named(name)
        if found is not None:
            at = start + part.start() + part[0].index(name)
            yield Citation(at, at + len(name), found, name)


def _addresses(text: str, names: _Names) -> Iterator[Citation]:
    after = 0
    for link in links_in(text):
        at = text.find(link, after)
        after = at + len(link)
        found = names.at_page(link)
        if found is not None:
            yield Citation(at, after, found, link)


def _titles(text: str, documents: Sequence[Document]) -> Iterator[Citation]:
    """A title of two words or more, to the letter."""
    for at, document in enumerate(documents[:MOST]):
        title = document.title.strip()
        if len(title) < _LEAST_TITLE or not _SPACE.search(title):
            continue
        start = text.find(title)
        while start >= 0:
            end = start + len(title)
            if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
                yield Citation(start, end, at, title)
            start = text.find(title, end)
