"""A process that indexes a library until it is done or killed: `index_until_killed indexing FOLDER LIFE ROUNDS`.

First it says what is wrong with the index that the one before has left.
"""

import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.values import utc_now
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library.catalogue import INDEX, Library, library_folder, save_library
from desktop_rater.plugins.library.search import search_libraries, skipped_documents, update_library
from tests.torture.material import DOCUMENTS, PASSAGES, write_document
from tests.torture.victim import say


def main() -> None:
    """Do the work once."""
    _, folder, life, rounds = sys.argv[1:]
    say("begun")
    index_documents(Path(folder), life, int(rounds))
    say("ended")


def index_documents(folder: Path, life: str, rounds: int) -> None:
    """Index the documents, and again after some of them were changed or removed."""
    store, docs = folder / "store", folder / "docs"
    library = Library(id="docs", name="Docs", kind="folder", sources=(str(docs),))
    index = library_folder(store, library.id) / INDEX
    save_library(store, library)
    for text in half_indexed(index) if index.exists() else ():
        say("wrong", text)
    patient = replace(WEB_LIMITS, start_seconds=300, parse_seconds=300)  # a traced reader is slow
    with Web(Guard(), patient, time.monotonic, utc_now) as web:
        for number in range(rounds):
            updated = update_library(store, library, web, Progress())
            unread = {place for place, _ in skipped_documents(store, updated)}
            for text in (*half_indexed(index), *other_documents(store, docs, unread)):
                say("wrong", text)
            say("library", updated.documents, updated.passages)
            for changed in range(number, DOCUMENTS, rounds):
                write_document(docs, changed, f"{life}x{number}")
            (docs / f"{(int(life) + number) % DOCUMENTS}.txt").unlink(missing_ok=True)


def half_indexed(index: Path) -> Iterator[str]:
    """Yield the documents that are indexed in part, and passages of none.

    One that could not be read has no passages: a kill may have hit its reader, or the process that was writing it.
    """
    query = """
        SELECT place, fault, count(passages.id), count(words_docsize.id) FROM documents
        LEFT JOIN passages ON document = documents.id LEFT JOIN words_docsize ON words_docsize.id = passages.id
        GROUP BY place
    """
    with closing(sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True)) as db:
        if not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            return  # it was killed when it had created the file
        counts = db.execute(query).fetchall()
        for place, fault, passages, indexed in counts:
            if not passages == indexed == (0 if fault else PASSAGES):
                yield f"{place} has {passages} passages, of which {indexed} can be searched"
        readable = sum(not fault for _, fault, *_ in counts)
        for table in ("passages", "words_docsize"):
            if db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] != readable * PASSAGES:
                yield f"the table {table} has rows of no document"


def other_documents(store: Path, docs: Path, unread: set[str]) -> Iterator[str]:
    """Yield the documents that are not found as they are, once each, and the words of those that are gone."""
    for file in (docs / f"{number}.txt" for number in range(DOCUMENTS)):
        if str(file) in unread:
            continue
        words = file.read_text().partition(" line")[0] if file.exists() else f"document{file.stem}"
        places = [hit.passage.place for hit in search_libraries(store, words) if words in hit.passage.text]
        if places != [str(file)] * (PASSAGES if file.exists() else 0):
            yield f"{words} is found in {places}"


if __name__ == "__main__":
    main()
