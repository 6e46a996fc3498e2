"""Searches of the libraries for a claim: the passages, their words of the claim, and the values that they lack."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import LibraryName
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.index import IndexedPassage
from desktop_rater.plugins.library.search import FoundPassage, search_libraries
from desktop_rater.text.comparison import ComparedValue, compare_with_tools, later_than
from desktop_rater.text.quotes import Span, find_best_passage, find_word_spans, search_words

MAX_RESULTS, MAX_COMPARED = 20, 300  # passages that are listed, and that exact words are looked for in
MAX_QUERY, MAX_EXCERPT = 300, 400  # characters
_MARKS = '"“”„«»'
_EXACT = re.compile(f"[{_MARKS}]([^{_MARKS}]+)[{_MARKS}]")
_WHITE = re.compile(r"\s")


class PassageResult(NamedTuple):
    """A passage for a claim. `quote`: the span of its text that speaks most of the claim; `values`: those to look at.

    `excerpt` is the text from there on, in one line; `words` are the words of the query in it. All are code points.
    """

    library: Library
    passage: IndexedPassage
    quote: Span
    excerpt: str
    words: tuple[Span, ...]
    values: tuple[ComparedValue, ...]


class LibraryAnswer(NamedTuple):
    """The passages for a query, the best first, the libraries that were searched, and those that have none."""

    results: tuple[PassageResult, ...] = ()
    searched: tuple[Library, ...] = ()
    without: tuple[Library, ...] = ()


def library_name(library: Library) -> LibraryName:
    """Return a library as evidence and the research record name it."""
    return LibraryName(name=library.name, date=library.date)


def query_of(claim: str) -> str:
    """Return the words of a claim as a query: without quotation marks, and not too long."""
    query = " ".join(re.sub(f"[{_MARKS}]", " ", claim).split())
    return query if len(query) <= MAX_QUERY else query[:MAX_QUERY].rpartition(" ")[0]


def search_for_claim(
    store: Path, query: str, claim: str, libraries: Sequence[Library], progress: Progress
) -> LibraryAnswer:
    """Search libraries, and compare the passages with a claim. Raises `RaterError`, `Cancelled`."""
    if not libraries:
        return LibraryAnswer()
    hits = _hits(store, query, libraries, progress)
    with_hits = {hit.library.id for hit in hits}
    rest = [library for library in libraries if library.id not in with_hits]
    without = tuple(library for library in rest if not hits or not _hits(store, query, [library], progress))
    words = search_words(query)
    results = []
    for hit in hits:
        progress(len(results), len(hits))
        results.append(_result(hit, claim, words))
    return LibraryAnswer(tuple(results), tuple(libraries), without)


def days_beyond(claim: str, libraries: Sequence[Library]) -> list[tuple[str, Library]]:
    """Return each library that ends before a day of a claim, after that day as the claim has it."""
    days = [(later_than(claim, library.date), library) for library in libraries]
    return [(day, library) for day, library in days if day is not None]


def _hits(store: Path, query: str, libraries: Sequence[Library], progress: Progress) -> list[FoundPassage]:
    """Return the best passages that have the exact words of a query, if it has any in quotation marks."""
    exact = [_plain(words) for words in _EXACT.findall(query)]
    names = [library.id for library in libraries]
    limit = MAX_COMPARED if exact else MAX_RESULTS
    hits = search_libraries(store, query, names, limit, lambda: progress(0, 0))
    if exact:
        texts = [_plain(f"{hit.passage.title} {hit.passage.heading} {hit.passage.text}") for hit in hits]
        hits = [hit for hit, text in zip(hits, texts, strict=True) if all(words in text for words in exact)]
    return hits[:MAX_RESULTS]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _result(hit: FoundPassage, claim: str, words: frozenset[str]) -> PassageResult:
    passage = hit.passage
    text = passage.text
    lead = len(passage.heading) if text.startswith(passage.heading) else 0
    start, end = find_best_passage(text, words) or (len(text) - len(text[lead:].lstrip()), len(text.rstrip()))
    excerpt = _WHITE.sub(" ", text[start : start + max(MAX_EXCERPT, end - start)].rstrip())
    # As the output of a tool that names its subject: so a value that differs is told from one that is missing.
    output = {"title": passage.title, passage.title: f"{passage.heading}\n{text}"}
    values = [value for value in compare_with_tools(claim, [output]) if value.finding != "found"]
    values.sort(key=lambda value: value.finding != "differs")
    spans = tuple(find_word_spans(excerpt, words))
    return PassageResult(hit.library, passage, (start, end), excerpt, spans, tuple(values))
