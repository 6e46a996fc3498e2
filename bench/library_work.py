"""Search of a large library for claims, beside a bare FTS5 query for any of the same words in the same index.

The library has 50 passages for each task of the run: `python -m bench library` with 100,000 tasks 5,000,000. Its words
are drawn by Zipf's law from 400,000, the first 100 of which stand for stop words. A claim takes eight words of a
passage. Each side is measured in a process of its own, with the file in the system's cache as it comes.
"""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.child import measured
from bench.figures import Samples
from desktop_rater.plugins.library.catalogue import INDEX, Library, library_folder, save_library
from desktop_rater.plugins.library.index import open_index, put_document
from desktop_rater.plugins.library.passages import LibraryDocument
from desktop_rater.plugins.library.search import search_libraries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.workload import Workload

_PASSAGES = 50  # for each task
_IN_DOCUMENT, _WORDS = 10, 85  # passages of a document, words of a passage
_VOCABULARY, _STOP_WORDS = 400_000, 100
_AT_ONCE = 1_000  # documents in a transaction
_CLAIMS, _IN_CLAIM, _FIRST = 60, 8, 20


def claims(workload: Workload) -> dict[str, Samples]:
    """Measure the milliseconds to the first results of each claim, and the peak of memory."""
    store = str(_library(workload))
    ours, bare = (measured(f"bench.library_work:search_{side}", store) for side in ("all", "bare"))
    samples = {name: Samples(ours.result[name], bare.result[name]) for name in ours.result}
    return {**samples, "megabytes": Samples([ours.megabytes], [bare.megabytes])}


def search_all(store: str) -> dict[str, list[float]]:
    """Search for each claim as the window does."""
    return _clocked(store, lambda claim: search_libraries(Path(store), claim, limit=_FIRST))


def search_bare(store: str) -> dict[str, list[float]]:
    """Search for any of the words of each claim, and read the passages."""
    query = """
        SELECT text FROM passages WHERE id IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?)
    """
    with closing(_open(store)) as db:
        return _clocked(store, lambda claim: db.execute(query, (" OR ".join(claim.split()), _FIRST)).fetchall())


def _clocked(store: str, search: Callable[[str], object]) -> dict[str, list[float]]:
    """Return the milliseconds for each claim."""
    spent: list[float] = []
    for claim in _claims(store):
        started = time.perf_counter()
        search(claim)
        spent.append((time.perf_counter() - started) * 1_000)
    return {"first": spent}


def _open(store: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{library_folder(Path(store), 'large') / INDEX}?mode=ro", uri=True)


def _claims(store: str) -> list[str]:
    """Return words of passages, without stop words, as claims."""
    dice = random.Random(2)  # noqa: S311 - no secret
    with closing(_open(store)) as db:
        (size,) = db.execute("SELECT max(id) FROM passages").fetchone()
        texts = [
            db.execute("SELECT text FROM passages WHERE id = ?", (dice.randint(1, size),)).fetchone()[0]
            for _ in range(_CLAIMS)
        ]
    stop_words = set(_vocabulary()[:_STOP_WORDS])
    return [" ".join(dice.sample(sorted(set(text.split()) - stop_words), _IN_CLAIM)) for text in texts]


def _vocabulary() -> list[str]:
    dice = random.Random(1)  # noqa: S311 - no secret
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        words["".join(dice.choices(syllables, k=dice.randint(2, 5)))] = None
    return list(words)


def _library(workload: Workload) -> Path:
    """Return a store with the library, which is made if it is not there; a partial one is continued."""
    passages = workload.tasks * _PASSAGES
    store = workload.folder / f"library-{passages}"
    library = Library(id="large", name="large", kind="folder", ready=True)
    save_library(store, library)
    with open_index(library_folder(store, library.id) / INDEX) as db:
        (made,) = db.execute("SELECT count(*) FROM documents").fetchone()
        vocabulary = _vocabulary()
        weights = np.array(list(accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY))))
        for first in range(made, passages // _IN_DOCUMENT, _AT_ONCE):
            _add_documents(db, first, vocabulary, weights / weights[-1])
    return store


def _add_documents(db: sqlite3.Connection, first: int, vocabulary: Sequence[str], weights: np.ndarray) -> None:
    dice = np.random.default_rng(first)
    drawn = weights.searchsorted(dice.random((_AT_ONCE, _IN_DOCUMENT, _WORDS)))
    db.execute("BEGIN")
    for number, ranks in enumerate(drawn.tolist(), first):
        lines = [" ".join([vocabulary[rank] for rank in line]) for line in ranks]
        title = " ".join(lines[0].split()[:3])
        document = LibraryDocument(f"{number}", f"https://library.example/{number}", title, "\n".join(lines))
        put_document(db, document, "1")
    db.execute("COMMIT")
