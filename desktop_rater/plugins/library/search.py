"""What users do with libraries: add, search, and read a document of one."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.pages.response import WebResponse
from desktop_rater.pages.web_client import FetchedPage, Web
from desktop_rater.plugins.library.catalogue import (
    INDEX,
    Library,
    chosen_libraries,
    library_folder,
    library_id,
    list_libraries,
    save_library,
)
from desktop_rater.plugins.library.index import IndexedPassage, add_documents, search_index
from desktop_rater.plugins.library.passages import Document

_MEDIA_TYPES = {
    ".htm": "text/html",
    ".html": "text/html",
    ".md": "text/markdown; charset=utf-8",
    ".pdf": "application/pdf",
    ".txt": "text/plain; charset=utf-8",
}


class FoundPassage(NamedTuple):
    """A passage that matches a query, with its library."""

    library: Library
    passage: IndexedPassage


def add_library(store: Path, library: Library, web: Web, progress: Progress) -> Library:
    """Add a library, and index its documents. Raises `RaterError`, `Cancelled`."""
    library = replace(library, id=library.id or library_id(library.name))
    if any(known.id == library.id for known in list_libraries(store)):
        raise RaterError(f"There is a library {library.name!r} already.", hint="`library remove` removes it.")
    save_library(store, library)
    files = [Path(source) for source in library.sources]
    files = [file for path in files for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
    documents = []
    for file in files:
        if file.suffix.lower() in _MEDIA_TYPES:
            page = read_document(store, library, str(file), web, progress).page
            headings: dict[int, str] = {}
            text = page.whole_text or page.text
            documents.append(Document(str(file), page.url, page.title or file.name, text, page.lang, headings))
    folder = library_folder(store, library.id)
    count, passages = add_documents(folder / INDEX, documents)
    library = replace(library, documents=count, passages=passages, ready=True)
    save_library(store, library)
    return library


def search_libraries(store: Path, query: str, names: Sequence[str] = (), limit: int = 20) -> list[FoundPassage]:
    """Return the best passages of the named libraries, or of all, the best first. Raises `RaterError`."""
    found = [
        FoundPassage(library, passage)
        for library in chosen_libraries(store, names)
        if library.ready
        for passage in search_index(library_folder(store, library.id) / INDEX, query, limit)
    ]
    return sorted(found, key=lambda hit: -hit.passage.score)[:limit]


def read_document(store: Path, library: Library, place: str, web: Web, progress: Progress) -> FetchedPage:
    """Read a document as a page, with the snapshot to store. Raises `RaterError`, `Cancelled`."""
    del store
    file = Path(place)
    body = file.read_bytes()
    url = f"https://{library.id}.library.invalid/{quote(file.name)}"
    response = WebResponse(
        url=url,
        final_url=url,
        status=200,
        headers=(("Content-Type", _MEDIA_TYPES[file.suffix.lower()]),),
        raw=body,
        body=body,
        fetched=f"{library.date}T00:00:00Z" if library.date else "1970-01-01T00:00:00Z",
    )
    return web.read_response(response, progress)
