"""The process that reads one ZIM file, by libzim: a package under the GPL, which no other module imports.

`python -m desktop_rater.plugins.library.zim_child FILE MEMORY`. It opens the file, then drops what else it could do.
A request is a list, the name of a method of `_Archive` and its arguments; an answer is an error, or an empty text, and
the result.
"""

import math
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from libzim.reader import Archive, Entry, set_cluster_cache_max_size
from libzim.search import Query, Searcher

from desktop_rater.format.strict_json import prepared_type
from desktop_rater.pages.page_reader import CHILD_READY, read_frame, write_frame
from desktop_rater.pages.sandbox import restrict_process

_CACHE = 64 * 1024 * 1024
_LONGEST_METADATA = 4096
_ARTICLES = ("text/html", "text/plain", "text/markdown", "application/pdf", "application/xhtml+xml")
_OLD_NAMESPACE = "A/"  # of articles, in a file of the older form
_PER_FRAME = 1_000
_MOST_WORDS = 10
_STEM = 4  # letters of a word that its other forms share
_PART = 800  # characters of an article, about a passage
_LONGEST_ARTICLE = 2 * 1024 * 1024
_MARKUP = re.compile("<[^<>]*>")


class _Archive:
    """A ZIM file that is open, with its searcher if it has an index of its own."""

    def __init__(self, path: str) -> None:
        set_cluster_cache_max_size(_CACHE)
        self._archive = Archive(Path(path))
        self._searcher = Searcher(self._archive) if self._archive.has_fulltext_index else None
        if self._searcher is not None:  # it opens all that it needs with the first search
            list(self._searcher.search(Query().set_query("a")).getResults(0, 1))

    def describe(self) -> dict[str, str]:
        """Return the metadata that is text; an entry "index" if it has an index of its own."""
        metadata = {"index": "1"} if self._searcher is not None else {}
        for key in self._archive.metadata_keys:
            value = bytes(self._archive.get_metadata(key))
            if len(value) <= _LONGEST_METADATA and not key.startswith("Illustration"):
                metadata[key] = value.decode("utf-8", "replace").strip()
        return metadata

    def list_articles(self, start: int) -> tuple[int, int, list[tuple[str, int]]]:
        """Return the next start, the number of entries, and the path and size of some articles; at the end none."""
        # In a file of the newer form the entries of its users come first.
        count = self._archive.entry_count
        end = min(start + _PER_FRAME, count)
        entries = (self._archive._get_entry_by_id(number) for number in range(start, end))  # noqa: SLF001 - there is no other way to all
        return end, count, [(entry.path, entry.get_item().size) for entry in entries if self._is_article(entry)]

    def read(self, path: str, most: int) -> tuple[str, str, str, bytes]:
        """Return path, title, media type and content of an article, or of the one that it leads to."""
        item = self._archive.get_entry_by_path(path).get_item()
        if item.size > most:
            raise ValueError(f"The article has {item.size:,} bytes; {most:,} are read at most")
        return item.path, item.title, item.mimetype, bytes(item.content)

    def search(self, words: list[str], wanted: int) -> tuple[int, dict[str, int], list[str]]:
        """Return the number of articles, that with each word, and the paths of those with a part with most words.

        They are among the articles with all words; if these are too few, among those with fewer words too.
        """
        assert self._searcher is not None, "it has an index of its own"
        counts = {word: self._searcher.search(Query().set_query(word)).getEstimatedMatches() for word in words}
        rare_first = sorted((word for word in words if counts[word]), key=lambda word: counts[word])[:_MOST_WORDS]
        paths: dict[str, None] = {}
        for size in range(len(rare_first), 0, -1):  # without the most common words first
            for first in range(len(rare_first) - size + 1):
                if len(paths) < wanted:
                    query = Query().set_query(" ".join(rare_first[first : first + size]))
                    paths |= dict.fromkeys(self._searcher.search(query).getResults(0, wanted))
        count = self._archive.article_count
        weights = {word[: max(_STEM, len(word) - 3)]: math.log1p(count / counts[word]) for word in rare_first}
        return count, counts, sorted(list(paths)[:wanted], key=lambda path: -self._best_part(path, weights))

    def _best_part(self, path: str, weights: dict[str, float]) -> float:
        """Return the weights of the words that the best part of an article has, together."""
        item = self._archive.get_entry_by_path(path).get_item()
        content = bytes(item.content) if item.size <= _LONGEST_ARTICLE else b""
        text = _MARKUP.sub(" ", content.decode("utf-8", "replace")).casefold()
        parts = (text[start : start + _PART] for start in range(0, len(text), _PART // 2))
        return max((sum(weights[stem] for stem in weights if stem in part) for part in parts), default=0)

    def _is_article(self, entry: Entry) -> bool:
        if entry.is_redirect or not (self._archive.has_new_namespace_scheme or entry.path.startswith(_OLD_NAMESPACE)):
            return False
        return entry.get_item().mimetype.partition(";")[0].strip().lower() in _ARTICLES


def main(path: str, memory: str) -> int:
    """Answer requests until the parent closes the pipe."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of the library must not get between the frames
    archive, fault = None, ""
    try:
        archive = _Archive(path)
    except Exception as error:  # noqa: BLE001 - whatever it raises for a damaged file
        fault = _reason(error)
    restrict_process(int(memory))
    write_frame(answers, CHILD_READY)
    while frame := read_frame(requests):
        name, *arguments = msgspec.msgpack.decode(frame, type=prepared_type(list[Any]))
        write_frame(answers, msgspec.msgpack.encode(_answer(archive, name, arguments) if archive else (fault, None)))
    return 0


def _answer(archive: _Archive, name: str, arguments: Iterable[Any]) -> tuple[str, Any]:
    try:
        return "", getattr(archive, name)(*arguments)
    except Exception as error:  # noqa: BLE001 - as above
        return _reason(error), None


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
