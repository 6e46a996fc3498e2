"""The index of a library: its documents and passages in SQLite, searched by FTS5.

Passages in a script with blanks are in the table `words`, by the stems of words; those in Chinese, Japanese, Korean or
Thai are in `grams`, by groups of three characters. The index can be built again from its sources, so a commit need not
reach the disk at once; WAL keeps the file whole.
"""

import hashlib
import re
import sqlite3
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from desktop_rater.files import retry_while_open
from desktop_rater.format.change import CancelCheck
from desktop_rater.format.errors import RaterError
from desktop_rater.plugins.library.passages import LibraryDocument, TokenTable, is_unspaced, split_passages
from desktop_rater.store.connection import connect_reader, database_uri, interruptible

_VERSION = 1
_SCHEMA = """
    CREATE TABLE documents (
        id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, content BLOB NOT NULL,
        url TEXT NOT NULL, title TEXT NOT NULL, lang TEXT NOT NULL, fault TEXT NOT NULL
    ) STRICT;
    CREATE INDEX documents_by_content ON documents (content);
    CREATE TABLE passages (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
        tokens TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX passages_by_document ON passages (document);
    CREATE VIRTUAL TABLE words USING fts5 (title, heading, text, content = '', tokenize = 'porter unicode61');
    CREATE VIRTUAL TABLE grams USING fts5 (title, heading, text, content = '', tokenize = 'trigram');
    CREATE VIRTUAL TABLE gram_terms USING fts5vocab (grams, 'row');
"""
_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "mmap_size = 0",
)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
TOKENIZERS: dict[TokenTable, str] = {"words": "porter unicode61", "grams": "trigram"}
# Passages that FTS5 ranks, since it reads all of them; those with a more frequent word are estimated.
_MOST_RANKED = 15_000
_MOST_TERMS = 50  # that stand for a word shorter than a term
TERM_LENGTH = 3  # in the table `grams`


class IndexedPassage(NamedTuple):
    """A passage of an index that matches a query; a higher score is better."""

    place: str
    url: str
    title: str
    heading: str
    text: str
    start: int
    end: int
    score: float = 0.0


class Matches(NamedTuple):
    """Passages of a library that may answer a query, with the numbers that a ranking needs.

    `size`: passages of the library; `frequencies`: term of the query → number of passages with it.
    """

    size: int
    frequencies: dict[str, int]
    passages: list[IndexedPassage]


@contextmanager
def open_index(path: Path) -> Generator[sqlite3.Connection]:
    """Open an index to write; create it if necessary, or again if it is of another version or damaged."""
    try:
        db = _connected(path)
    except sqlite3.DatabaseError:
        delete_index(path)
        db = _connected(path)
    try:
        yield db
    except sqlite3.Error as error:
        raise _damaged(path, error) from error
    finally:
        db.close()


def _connected(path: Path) -> sqlite3.Connection:
    """Connect to an index. Raises `sqlite3.DatabaseError` if it is damaged or of another version."""
    db = sqlite3.connect(f"{database_uri(path.absolute())}?mode=rwc", uri=True, isolation_level=None)
    try:
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        if not _version(db):
            db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT")
    except BaseException:
        db.close()
        raise
    return db


def _version(db: sqlite3.Connection) -> int:
    """Return the version of an index; 0 for an empty file. Raises `sqlite3.DatabaseError` for another than ours."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version not in {0, _VERSION}:
        raise sqlite3.DatabaseError(f"it has version {version} and not {_VERSION}")
    return version


def delete_index(path: Path) -> None:
    """Delete an index with the files that SQLite has beside it."""
    for end in ("", "-wal", "-shm"):
        retry_while_open(path.with_name(path.name + end).unlink, missing_ok=True)


def _damaged(path: Path, error: sqlite3.Error) -> RaterError:
    return RaterError(
        "The index of a library can't be used.",
        f"{path}: {error}.",
        "If it is damaged, `library update --again` builds it again.",
    )


def put_document(db: sqlite3.Connection, document: LibraryDocument, stamp: str, fault: str = "") -> None:
    """Add a document with its passages; one that can't be read has a `fault`. Equal texts have passages once."""
    title, text = (_UNSTORABLE.sub("\ufffd", part) for part in (document.title, document.text))
    content = b"" if fault else hashlib.sha256(text.encode()).digest()
    is_double = db.execute("SELECT 1 FROM documents WHERE content = ? AND fault = ''", (content,)).fetchone()
    added = db.execute(
        "INSERT INTO documents (place, stamp, content, url, title, lang, fault) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (document.place, stamp, content, document.url, title, document.lang, fault),
    )
    for passage in () if fault or is_double else split_passages(document):
        part, heading = text[passage.start : passage.end], _UNSTORABLE.sub("\ufffd", passage.heading)
        table: TokenTable = "grams" if is_unspaced(part) else "words"
        row = (added.lastrowid, passage.start, passage.end, table, heading, part)
        stored = db.execute(
            "INSERT INTO passages (document, first, last, tokens, heading, text) VALUES (?, ?, ?, ?, ?, ?)", row
        )
        values = (stored.lastrowid, title, heading, part)
        db.execute(f"INSERT INTO {table} (rowid, title, heading, text) VALUES (?, ?, ?, ?)", values)  # noqa: S608


def delete_document(db: sqlite3.Connection, place: str) -> list[str]:
    """Delete a document with its passages; return the places of its doubles, which are to be indexed in its stead."""
    row = db.execute("SELECT id, title, content, fault FROM documents WHERE place = ?", (place,)).fetchone()
    if row is None:
        return []
    number, title, content, fault = row
    passages = db.execute("SELECT id, tokens, heading, text FROM passages WHERE document = ?", (number,)).fetchall()
    for key, table, heading, text in passages:
        values = ("delete", key, title, heading, text)
        db.execute(f"INSERT INTO {table} ({table}, rowid, title, heading, text) VALUES (?, ?, ?, ?, ?)", values)  # noqa: S608
    db.execute("DELETE FROM passages WHERE document = ?", (number,))
    db.execute("DELETE FROM documents WHERE id = ?", (number,))
    if not passages or fault:
        return []
    query = "UPDATE documents SET stamp = '' WHERE content = ? AND fault = '' RETURNING place"
    return [double for (double,) in db.execute(query, (content,)).fetchall()]


def count_indexed(db: sqlite3.Connection) -> tuple[int, int]:
    """Return the numbers of documents and passages."""
    (documents,) = db.execute("SELECT count(*) FROM documents WHERE fault = ''").fetchone()
    (passages,) = db.execute("SELECT count(*) FROM passages").fetchone()
    return documents, passages


def main_language(db: sqlite3.Connection) -> str:
    """Return the language that most documents state; empty if none does."""
    query = "SELECT lang FROM documents WHERE lang <> '' GROUP BY lang ORDER BY count(*) DESC LIMIT 1"
    return next((lang for (lang,) in db.execute(query)), "")


def list_faults(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return place → reason of each document that can't be read."""
    return db.execute("SELECT place, fault FROM documents WHERE fault <> '' ORDER BY place").fetchall()


def match_passages(
    path: Path, table: TokenTable, terms: Mapping[str, str], phrases: Sequence[str], most: int, check: CancelCheck
) -> Matches:
    """Return the passages that match a query best, at most so many; `terms`: term → word. Raises `RaterError`.

    `phrases` have to occur. While the words of a query occur in few passages, FTS5 ranks all these. Otherwise it ranks
    those with the rarer words, and others are added if they have several of the frequent ones. None without an index.
    """
    with _reading(path, check) as db:
        return _matches(db, table, terms, phrases, most) if db is not None else Matches(0, dict.fromkeys(terms, 0), [])


def terms_beginning_with(path: Path, beginning: str, check: CancelCheck) -> list[str]:
    """Return terms of characters that begin with fewer than there are in a term. Raises `RaterError`."""
    with _reading(path, check) as db:
        query = "SELECT term FROM gram_terms WHERE term >= ? AND term < ? LIMIT ?"
        values = beginning, f"{beginning}\U0010ffff", _MOST_TERMS
        return [term for (term,) in db.execute(query, values)] if db is not None else []


@contextmanager
def _reading(path: Path, check: CancelCheck) -> Generator[sqlite3.Connection | None]:
    """Open an index to search it, if there is one that is not empty; `check` may raise to stop that."""
    if not path.exists():
        yield None
        return
    try:
        with closing(connect_reader(path)) as db, interruptible(db, check):
            yield db if _version(db) else None  # it may have been created just now
    except sqlite3.Error as error:
        raise _damaged(path, error) from error


def _matches(
    db: sqlite3.Connection, table: TokenTable, terms: Mapping[str, str], phrases: Sequence[str], most: int
) -> Matches:
    (size,) = db.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()
    frequencies = {term: _frequency(db, table, _quoted(word), size) for term, word in terms.items()}
    by_rarity = sorted((term for term in terms if frequencies[term]), key=lambda term: frequencies[term])
    totals = accumulate(frequencies[term] for term in by_rarity)
    rare = sum(total <= _MOST_RANKED for total in totals)
    words, required = (
        [_quoted(terms[term]) for term in by_rarity],
        "".join(f" AND {_quoted(phrase)}" for phrase in phrases),
    )
    keys = _keys(db, table, f"({' OR '.join(words[:rare])}){required}", "ORDER BY rank", most) if rare else {}
    for count in range(len(words), rare + bool(rare), -1):
        if len(keys) < most:
            keys |= _keys(db, table, f"({' AND '.join(words[rare:count])}){required}", "", most)
    return Matches(size, frequencies, list(_passages(db, list(keys)[:most])))


def _keys(db: sqlite3.Connection, table: TokenTable, expression: str, order: str, most: int) -> dict[int, None]:
    query = f"SELECT rowid FROM {table} WHERE {table} MATCH ? {order} LIMIT ?"  # noqa: S608 - constants
    return dict.fromkeys(key for (key,) in db.execute(query, (expression, most)))


def _frequency(db: sqlite3.Connection, table: TokenTable, word: str, size: int) -> int:
    """Return the number of passages with a word; of a frequent one, an estimate by the first passages with it."""
    query = f"SELECT count(*), max(rowid) FROM (SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?)"  # noqa: S608
    count, last = db.execute(query, (word, _MOST_RANKED)).fetchone()
    return count if count < _MOST_RANKED else max(count, count * size // last)


def _passages(db: sqlite3.Connection, keys: Sequence[int]) -> Iterator[IndexedPassage]:
    query = """
        SELECT place, url, title, heading, text, first, last
        FROM passages JOIN documents ON documents.id = document WHERE passages.id = ?
    """
    for key in keys:
        for row in db.execute(query, (key,)):
            yield IndexedPassage(*row)


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace('"', '""'))
