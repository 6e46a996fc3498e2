"""The index of a library: its documents and passages in SQLite, searched by FTS5."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from desktop_rater.plugins.library.passages import Document, query_words, split_passages

_TABLES = """
    CREATE TABLE IF NOT EXISTS documents (
        id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, url TEXT NOT NULL, title TEXT NOT NULL, lang TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS passages (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        first INTEGER NOT NULL, last INTEGER NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, heading, text, tokenize = 'porter unicode61');
"""


class IndexedPassage(NamedTuple):
    """A passage of an index that matches a query; a higher score is better."""

    place: str
    url: str
    title: str
    heading: str
    text: str
    start: int
    end: int
    score: float


def add_documents(path: Path, documents: Iterable[Document]) -> tuple[int, int]:
    """Add documents to an index that is created if necessary; return the numbers of documents and passages."""
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(_TABLES)
        for document in documents:
            values = (document.place, document.url, document.title, document.lang)
            cursor = db.execute("INSERT INTO documents (place, url, title, lang) VALUES (?, ?, ?, ?)", values)
            for passage in split_passages(document):
                text = document.text[passage.start : passage.end]
                row = (cursor.lastrowid, passage.start, passage.end, passage.heading, text)
                added = db.execute(
                    "INSERT INTO passages (document, first, last, heading, text) VALUES (?, ?, ?, ?, ?)", row
                )
                searched = (added.lastrowid, document.title, passage.heading, text)
                db.execute("INSERT INTO words (rowid, title, heading, text) VALUES (?, ?, ?, ?)", searched)
        (count,) = db.execute("SELECT count(*) FROM documents").fetchone()
        (parts,) = db.execute("SELECT count(*) FROM passages").fetchone()
    return count, parts


def search_index(path: Path, query: str, limit: int = 20) -> list[IndexedPassage]:
    """Return the best passages of an index for the words of a query."""
    words = " OR ".join(f'"{word}"' for word in query_words(query))
    if not words:
        return []
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        rows = db.execute(
            """
            SELECT place, url, documents.title, passages.heading, passages.text, first, last, -bm25(words)
            FROM words JOIN passages ON passages.id = words.rowid JOIN documents ON documents.id = document
            WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?
            """,
            (words, limit),
        )
        return [IndexedPassage(*row) for row in rows]
