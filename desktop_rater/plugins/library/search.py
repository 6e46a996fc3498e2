"""Operations on libraries: add and index them, search them, and read a document of one."""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from time import monotonic
from typing import NamedTuple

from filelock import FileLock, Timeout
from msgspec.structs import replace

from desktop_rater.format.change import CancelCheck, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import LibraryName
from desktop_rater.pages.web_client import FetchedPage, Web
from desktop_rater.plugins.library.catalogue import (
    FOLDER,
    INDEX,
    Library,
    chosen_libraries,
    delete_library,
    library_folder,
    library_id,
    list_libraries,
    save_library,
)
from desktop_rater.plugins.library.index import (
    TERM_LENGTH,
    IndexedPassage,
    Matches,
    count_indexed,
    delete_document,
    delete_index,
    list_faults,
    main_language,
    match_passages,
    open_index,
    put_document,
    terms_beginning_with,
)
from desktop_rater.plugins.library.passages import (
    LibraryDocument,
    TokenTable,
    by_table,
    page_document,
    query_phrases,
    query_words,
)
from desktop_rater.plugins.library.precedents import (
    LEAST_SIMILARITY,
    MOST_CASES,
    SimilarCase,
    read_decided_claim,
    similarity,
)
from desktop_rater.plugins.library.ranking import MODEL, Reranker, load_reranker, query_terms, rank_passages
from desktop_rater.plugins.library.sources import LEFT_OUT, SOURCES, ListedDocument, described, read_dump_line
from desktop_rater.text.comparison import compare_with_tools

_LOCK = "lock"
_SECONDS_OF_WRITING = 0.02  # after which documents are committed
MODEL_FOLDER = "model.d"  # beside the libraries; no library has a dot in its id
_MOST_RERANKED = 50
_PIECE = 500  # documents that are looked up at once
_SIMILAR = 50  # passages among which cases like a claim are looked for
_MOST_CANDIDATES, _LEAST_CANDIDATES = 200, 50  # passages that are ranked: of all libraries, and of each


class FoundPassage(NamedTuple):
    """A passage that matches a query, with its library."""

    library: Library
    passage: IndexedPassage


def add_library(store: Path, library: Library, web: Web, progress: Progress) -> Library:
    """Add a library, and index its documents. Raises `RaterError`, `Cancelled`."""
    library = replace(library, id=library.id or library_id(library.name))
    if any(known.id == library.id for known in list_libraries(store)):
        raise RaterError(
            f"There is a library {library.name!r} already.",
            hint="`library update` indexes it, `library remove` removes it.",
        )
    save_library(store, library)
    try:
        return update_library(store, library, web, progress)
    except RaterError:
        with open_index(library_folder(store, library.id) / INDEX) as db:
            is_empty = count_indexed(db) == (0, 0)
        if is_empty:
            delete_library(store, library)
        raise


def update_library(store: Path, library: Library, web: Web, progress: Progress, *, again: bool = False) -> Library:
    """Index the documents that are new or changed, and remove those that are gone; with `again` index all.

    Documents are committed on the way: they can be searched, and stay if this is stopped. Raises `RaterError`,
    `Cancelled`.
    """
    path, source = library_folder(store, library.id) / INDEX, SOURCES[library.kind]
    with indexing_lock(store, library):
        if again:
            delete_index(path)
        library = described(library, progress)
        own = source.matches(store, library, {}, 0, lambda: progress(0, 0)) if source.matches is not None else None
        with open_index(path) as db:
            if own is None:
                _list_documents(db, store, library, progress)
                save_library(store, replace(library, ready=False))
                _index_listed(db, store, library, web, progress)
            documents, passages = count_indexed(db)
            counts = {
                "documents": own.size if own is not None else documents,
                "passages": passages,
                "skipped": sum(not place.startswith(LEFT_OUT) for place, _ in list_faults(db)),
                "lang": main_language(db) or library.lang,
            }
        library = replace(library, **counts, ready=True)
        save_library(store, library)
    return library


def skipped_documents(store: Path, library: Library) -> list[tuple[str, str]]:
    """Return place and reason of each document that can't be read. Raises `RaterError`."""
    with open_index(library_folder(store, library.id) / INDEX) as db:
        return list_faults(db)


@contextmanager
def indexing_lock(store: Path, library: Library) -> Generator[None]:
    """Lock a library against being indexed or removed by another process. Raises `RaterError` if one does so."""
    try:
        with FileLock(library_folder(store, library.id) / _LOCK, timeout=0):
            yield
    except Timeout as error:
        raise RaterError(f"{library.name} is being indexed by another process.", hint="Try again later.") from error


def _list_documents(db: Connection, store: Path, library: Library, progress: Progress) -> None:
    """Put the documents of the source into the temporary table `listed`."""
    db.execute("CREATE TEMP TABLE listed (place TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, fault TEXT NOT NULL)")
    db.execute("BEGIN")
    db.executemany(
        "INSERT OR IGNORE INTO listed VALUES (?, ?, ?)", SOURCES[library.kind].documents(store, library, progress)
    )
    db.execute("COMMIT")


def _index_listed(db: Connection, store: Path, library: Library, web: Web, progress: Progress) -> None:
    """Make the index equal to the table `listed`."""
    (total,) = db.execute("SELECT count(*) FROM listed").fetchone()
    gone = db.execute("SELECT place FROM documents WHERE place NOT IN (SELECT place FROM listed)").fetchall()
    query = """
        SELECT listed.rowid, listed.* FROM listed LEFT JOIN documents USING (place)
        WHERE listed.rowid > ? AND documents.stamp IS NOT listed.stamp ORDER BY listed.rowid LIMIT ?
    """
    with _commits(db) as step:
        for (place,) in gone:
            delete_document(db, place)
            step()
        has_doubles = True  # documents that only a deleted one had represented
        while has_doubles:
            has_doubles, last = False, 0
            while rows := db.execute(query, (last, _PIECE)).fetchall():
                for last, *columns in rows:
                    progress(last, total)
                    listed = ListedDocument(*columns)
                    document, fault = _read_listed(store, library, listed, web, progress)
                    has_doubles |= bool(delete_document(db, listed.place))
                    # One that can't be read is tried again with each update: the reader may have been too slow.
                    put_document(db, document, "" if fault else listed.stamp, fault)
                    step()
    progress(total, total)


@contextmanager
def _commits(db: Connection) -> Generator[Callable[[], None]]:
    """Open a transaction, and yield what begins another after a moment. An exception rolls the last one back."""
    since = monotonic()

    def step() -> None:
        """Commit if this has taken long."""
        nonlocal since
        if monotonic() - since > _SECONDS_OF_WRITING:
            db.execute("COMMIT")
            db.execute("BEGIN IMMEDIATE")
            since = monotonic()

    db.execute("BEGIN IMMEDIATE")
    try:
        yield step
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _read_listed(
    store: Path, library: Library, listed: ListedDocument, web: Web, progress: Progress
) -> tuple[LibraryDocument, str]:
    """Return a document, and why it can't be read if so."""
    empty, fault = LibraryDocument(listed.place, "", "", ""), listed.fault
    if not fault:
        try:
            page = web.read_page(SOURCES[library.kind].read(store, library, listed.place), progress)
            if page.shows:
                return page_document(listed.place, page), ""
            fault = page.why or "It holds no text."
        except RaterError as error:
            fault = str(error)
    return empty, fault


def search_libraries(
    store: Path,
    query: str,
    names: Sequence[str] = (),
    limit: int = 20,
    check: CancelCheck = lambda: None,
    rerank: Reranker | None = None,
) -> list[FoundPassage]:
    """Return the best passages of the named libraries, or of all but precedents, the best first. Raises `RaterError`.

    A library that is being indexed is searched as far as it is. Equal passages come once. `check` is called often, and
    may raise to stop. `rerank` orders the first passages anew; if it is not given, a model in `MODEL_FOLDER` does.
    """
    libraries = [library for library in chosen_libraries(store, names) if names or library.kind != "precedents"]
    languages = Counter(library.lang for library in libraries if library.lang)
    words = query_words(query, next((lang for lang, _ in languages.most_common(1)), ""))
    ranked = _ranked(store, libraries, words, query_phrases(query), limit, check)
    ranked = ranked or _ranked(store, libraries, words, (), limit, check)
    best = {hit.passage.text: hit for hit in sorted(ranked, key=lambda hit: hit.passage.score)}
    hits = sorted(best.values(), key=lambda hit: -hit.passage.score)
    model = store / FOLDER / MODEL_FOLDER
    rerank = rerank or (load_reranker(model) if hits and (model / MODEL).exists() else None)
    return (_reranked(query, hits, rerank) if rerank else hits)[:limit]


def _reranked(query: str, hits: list[FoundPassage], rerank: Reranker) -> list[FoundPassage]:
    """Return the first passages in the order of a model, and the others after them; all have new scores."""
    first, rest = hits[:_MOST_RERANKED], hits[_MOST_RERANKED:]
    texts = [f"{hit.passage.title}. {hit.passage.text}" for hit in first]
    scores = rerank(query, texts, [hit.passage.score for hit in first])
    scored = [hit._replace(passage=hit.passage._replace(score=score)) for hit, score in zip(first, scores, strict=True)]
    lowest = min(scores, default=0)
    below = [hit._replace(passage=hit.passage._replace(score=lowest - rank)) for rank, hit in enumerate(rest, 1)]
    return [*sorted(scored, key=lambda hit: -hit.passage.score), *below]


def _ranked(
    store: Path,
    libraries: Sequence[Library],
    words: Sequence[str],
    phrases: Sequence[str],
    limit: int,
    check: CancelCheck,
) -> list[FoundPassage]:
    """Return the passages that may answer a query, with their scores, in no order."""
    most = max(limit, _LEAST_CANDIDATES, _MOST_CANDIDATES // max(1, len(libraries)))
    hits: list[FoundPassage] = []
    for table, in_table in by_table(words).items():
        terms = query_terms(table, in_table)
        for word in in_table if table == "grams" else ():
            if len(word) < TERM_LENGTH:
                paths = (library_folder(store, library.id) / INDEX for library in libraries)
                terms |= {term: term for path in paths for term in terms_beginning_with(path, word, check)}
        matches = [_matches(store, library, table, terms, phrases, most, check) for library in libraries]
        for library, passages in zip(libraries, rank_passages(table, matches), strict=True):
            hits += [FoundPassage(library, passage) for passage in passages]
    return hits


def _matches(
    store: Path,
    library: Library,
    table: TokenTable,
    terms: Mapping[str, str],
    phrases: Sequence[str],
    most: int,
    check: CancelCheck,
) -> Matches:
    own = SOURCES[library.kind].matches
    matches = own(store, library, terms, most, check) if own is not None else None
    path = library_folder(store, library.id) / INDEX
    return matches if matches is not None else match_passages(path, table, terms, phrases, most, check)


def find_cases(
    store: Path,
    claim: str,
    libraries: Sequence[Library],
    rubric: str,
    check: CancelCheck = lambda: None,
    besides: Collection[tuple[str, str, str]] = (),
    least: float = LEAST_SIMILARITY,
) -> list[SimilarCase]:
    """Return the decided claims most like a claim, by the same rubric in any version; at most `MOST_CASES`.

    `besides`: bundle, task and place of decisions that don't count; `least`: their similarity. Raises `RaterError`.
    """
    names = [library.id for library in libraries]
    hits = search_libraries(store, claim, names, _SIMILAR, check) if names and claim.strip() else []
    cases: dict[tuple[str, str, str], SimilarCase] = {}
    for library, passage in hits:
        decided = read_decided_claim(read_dump_line(passage.place))
        likeness = max(similarity(claim, text, library.lang) for text in (decided.text, *decided.claims))
        is_same_rubric = decided.rubric.partition("@")[0] == rubric.partition("@")[0]
        if likeness >= least and is_same_rubric and decided.place not in besides:
            compared = compare_with_tools(claim, ["\n".join((decided.text, *decided.claims))])
            values = tuple(value for value in compared if value.finding != "found")
            cases.setdefault(decided.place, SimilarCase(library, decided, passage.place, likeness, values))
    return sorted(cases.values(), key=lambda case: -case.similarity)[:MOST_CASES]


def read_document(store: Path, library: Library, place: str, web: Web, progress: Progress) -> FetchedPage:
    """Read a document as a page, with the snapshot to store. Raises `RaterError`, `Cancelled`."""
    response = SOURCES[library.kind].read(store, library, place)
    named = replace(response, library=LibraryName(name=library.name, date=library.date))
    return web.read_response(named, progress)
