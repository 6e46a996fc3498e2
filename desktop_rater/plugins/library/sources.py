"""Sources of libraries: the documents in them, and the bytes of each as a web server would send them."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from desktop_rater.format.change import CancelCheck, Progress
from desktop_rater.format.errors import RaterError, bundle_errors
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.pages import warc
from desktop_rater.pages.response import WebResponse
from desktop_rater.plugins.library.archives import ARCHIVES, archive_date, list_archives, read_archived
from desktop_rater.plugins.library.catalogue import Library, LibraryKind
from desktop_rater.plugins.library.index import Matches
from desktop_rater.plugins.library.precedents import ENDING, read_decided_claim
from desktop_rater.plugins.library.zim import describe_zim, find_passages, zim_of
from desktop_rater.store.open_store import open_reader
from desktop_rater.store.pages import find_snapshot_row, origins_of_snapshot, recorded_snapshots
from desktop_rater.store.snapshots import snapshot_path
from desktop_rater.text.urls import page_key

MEDIA_TYPES = {
    ".epub": "application/epub+zip",
    ".htm": "text/html",
    ".html": "text/html",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".text": "text/plain",
    ".txt": "text/plain",
    ".xhtml": "application/xhtml+xml",
}
LEFT_OUT = "left out:"  # begins the place of what is no document of an archive, such as redirects
DUMP_KEYS = {"title": "title", "text": "text", "url": "url", "time": "date"}
_MOST_BYTES = 10 * 2**20  # of a document
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?")
_MARKDOWN = "text/markdown; charset=utf-8"
_UNKNOWN_TIME = "1970-01-01T00:00:00Z"


class ListedDocument(NamedTuple):
    """A document of a source. Another `stamp` means another content; with a `fault` it can't be read."""

    place: str
    stamp: str
    fault: str = ""


class Source(NamedTuple):
    """A kind of library: lists the documents of one, and reads one; both may raise `RaterError`.

    `matches` finds passages by the index that the files of a library bring, if they do: those for the terms of a query
    (term → word), at most so many. It calls the last argument often, which may raise to stop.
    `describe` returns what the files say of themselves, by the fields of a library.
    """

    documents: Callable[[Path, Library, Progress], Iterator[ListedDocument]]
    read: Callable[[Path, Library, str], WebResponse]
    matches: Callable[[Path, Library, Mapping[str, str], int, CancelCheck], Matches | None] | None = None
    describe: Callable[[Library, Progress], dict[str, str]] | None = None


def kind_of_paths(paths: Sequence[Path]) -> LibraryKind:
    """Return the kind of library for files and folders. Raises `RaterError` if they belong to different ones."""
    kinds = {
        next((kind for end, kind in ENDINGS.items() if path.name.lower().endswith(end)), "folder") for path in paths
    }
    if len(kinds) > 1:
        names = " and ".join(sorted(kinds))
        raise RaterError(
            "These files can't be in one library.", f"They are of the kinds {names}.", "Add a library of each."
        )
    return kinds.pop()


def described(library: Library, progress: Progress) -> Library:
    """Return a library with what its files say where nothing is known. Raises `RaterError`, `Cancelled`."""
    describe = SOURCES[library.kind].describe
    texts = describe(library, progress) if describe is not None else {}
    return replace(library, **{field: text for field, text in texts.items() if not getattr(library, field)})


def document_url(library: Library, path: str) -> str:
    """Return a valid URL for a document without one: below the library's origin, or at an address that can't exist."""
    origin = library.origin if library.origin.startswith(("http://", "https://")) else ""
    base = origin or f"https://{quote(library.id).replace('%', '-').lower()}.library.invalid"
    return f"{base.rstrip('/')}/{quote(path.lstrip('/'))}"


def response_of(library: Library, url: str, media_type: str, body: bytes, time: str = "") -> WebResponse:
    """Return bytes as the response of a server; they are of the given time, or of the day of the library."""
    if len(body) > _MOST_BYTES:
        raise RaterError("It is too large.", f"It has more than {_MOST_BYTES // 2**20} MB.")
    fetched = next((text for text in (time, library.date) if _TIME.fullmatch(text)), _UNKNOWN_TIME)
    return WebResponse(
        url=url,
        final_url=url,
        status=200,
        headers=(("Content-Type", media_type),),
        raw=body,
        body=body,
        fetched=fetched if "T" in fetched else f"{fetched}T00:00:00Z",
    )


# -- folders


def _files(_store: Path, library: Library, progress: Progress) -> Iterator[ListedDocument]:
    for source in map(Path, library.sources):
        with bundle_errors(source, "read", ""):
            source.stat()  # nothing is forgotten because a disk is not there
        for file in [source] if source.is_file() else sorted(source.rglob("*")):
            progress(0, 0)
            is_hidden = any(part.startswith(".") for part in file.relative_to(source).parts)
            if file.suffix.lower() in MEDIA_TYPES and not is_hidden and file.is_file():
                status = file.stat()
                yield ListedDocument(str(file), f"{status.st_size} {status.st_mtime_ns}")


def _read_file(_store: Path, library: Library, place: str) -> WebResponse:
    file = Path(place)
    bases = [base for base in map(Path, library.sources) if file.is_relative_to(base) and base != file]
    base = bases[0] if bases and len(library.sources) == 1 else (bases[0] if bases else file).parent
    with bundle_errors(file, "read", ""), file.open("rb") as opened:
        body = opened.read(_MOST_BYTES + 1)
    url = document_url(library, file.relative_to(base).as_posix())
    return response_of(library, url, MEDIA_TYPES[file.suffix.lower()], body)


# -- dumps: a JSON object a line, whose place is the file and the offset of the line


def _lines(_store: Path, library: Library, progress: Progress) -> Iterator[ListedDocument]:
    for file in map(Path, library.sources):
        with bundle_errors(file, "read", ""), file.open("rb") as opened:
            size, offset, number = file.stat().st_size, 0, 0
            while line := opened.readline(_MOST_BYTES + 1):
                progress(offset, size)
                number += 1
                start, offset = offset, offset + len(line)
                while len(line) > _MOST_BYTES and not line.endswith(b"\n"):
                    line = opened.readline(_MOST_BYTES + 1)
                    offset += len(line)
                if line.strip():
                    stamp = hashlib.blake2b(line, digest_size=16).hexdigest()
                    yield ListedDocument(f"{file}#{start}", stamp, _fault_of_line(library, line, number))


def read_dump_line(place: str) -> bytes:
    """Read the line of a place, a file and an offset. Raises `RaterError`."""
    path, _, offset = place.rpartition("#")
    with bundle_errors(path, "read", ""), Path(path).open("rb") as opened:
        opened.seek(int(offset))
        return opened.readline(_MOST_BYTES + 1)


def _fault_of_line(library: Library, line: bytes, number: int) -> str:
    try:
        if library.kind == "precedents":
            read_decided_claim(line)
            return ""
        return "" if _record(library, line).get("text") else f"Line {number:,} has no text."
    except RaterError as error:
        return f"Line {number:,}: {error.title} {error.message}".strip()


def _record(library: Library, line: bytes) -> dict[str, str]:
    """Return the title, text, URL and time of a line, as far as it has them. Raises `RaterError`."""
    try:
        record = msgspec.json.decode(line, type=prepared_type(dict[str, Any]))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RaterError("It is not a JSON object.", str(error)) from error
    keys = DUMP_KEYS | library.keys
    return {name: value for name, key in keys.items() if isinstance(value := record.get(key), str)}


def _read_line(_store: Path, library: Library, place: str) -> WebResponse:
    file, _, offset = Path(place).name.rpartition("#")
    record = _record(library, read_dump_line(place))
    title, url = record.get("title", ""), record.get("url", "")
    text = f"# {' '.join(title.split())}\n\n{record.get('text', '')}" if title else record.get("text", "")
    url = url if page_key(url) else document_url(library, f"{file}/{offset}")
    return response_of(library, url, _MARKDOWN, text.encode("utf-8", "replace"), record.get("time", ""))


def _read_precedent(_store: Path, library: Library, place: str) -> WebResponse:
    claim = read_decided_claim(read_dump_line(place))
    # The place keeps equal claims of several tasks apart, since an index has each text once.
    texts = (claim.text, *(f"- {text}" for text in claim.claims), " ".join(claim.place))
    parts = [f"# {claim.title or claim.text}", *texts]
    url = document_url(library, "/".join(claim.place))
    return response_of(library, url, _MARKDOWN, "\n\n".join(parts).encode("utf-8", "replace"), claim.decided)


# -- pages that were read before, or that bundles brought; not those of raters' results


def _stored_pages(store: Path, _library: Library, progress: Progress) -> Iterator[ListedDocument]:
    newest: dict[str, tuple[str, str]] = {}
    opened = open_reader(store)
    if opened is None:
        return
    with opened:
        for sha256 in sorted(recorded_snapshots(opened)):
            progress(0, 0)
            row, origins = find_snapshot_row(opened, sha256), origins_of_snapshot(opened, sha256, "")
            from_results = bool(origins) and all(origin.kind == "results" for origin in origins)
            if row is not None and not row.media_type.startswith("image/") and not from_results:
                key = page_key(row.final_url) or row.final_url
                newest[key] = max(newest.get(key, ("", "")), (row.fetched, sha256))
    yield from (ListedDocument(sha256, sha256) for _, sha256 in newest.values())


def _read_stored_page(store: Path, _library: Library, place: str) -> WebResponse:
    path = snapshot_path(store, place)
    if path is None:
        raise RaterError("The stored page does not exist any more.")
    return warc.read_snapshot(path)


# -- web archives, whose pages have the place that the archive gives them, and ZIM files


def _archived(_store: Path, library: Library, progress: Progress) -> Iterator[ListedDocument]:
    archived, left_out, faults = list_archives(map(Path, library.sources), progress)
    yield from (ListedDocument(page.place, page.stamp) for page in archived)
    for sentence in (*faults, *(f"{LEFT_OUT} {sentence}" for sentence in left_out)):
        place, _, reason = sentence.rpartition(": ") if sentence.startswith(LEFT_OUT) else sentence.partition(": ")
        yield ListedDocument(place, sentence, reason)


def _articles(_store: Path, library: Library, progress: Progress) -> Iterator[ListedDocument]:
    yield from (ListedDocument(path, str(size)) for path, size in zim_of(library).articles(progress))


SOURCES: dict[LibraryKind, Source] = {
    "archive": Source(
        _archived,
        lambda _store, _library, place: read_archived(place),
        describe=lambda library, _progress: {"date": archive_date(map(Path, library.sources))},
    ),
    "zim": Source(
        _articles,
        lambda _store, library, place: zim_of(library).read(place, library, Progress()),
        lambda _store, library, terms, most, check: find_passages(
            library, terms, most, Progress(lambda _done, _total: check())
        ),
        describe_zim,
    ),
    "folder": Source(_files, _read_file),
    "dump": Source(_lines, _read_line),
    "precedents": Source(_lines, _read_precedent),
    "pages": Source(_stored_pages, _read_stored_page),
}
ENDINGS: dict[str, LibraryKind] = {
    ENDING: "precedents",
    ".jsonl": "dump",
    ".ndjson": "dump",
    ".zim": "zim",
    **dict.fromkeys(ARCHIVES, "archive"),
}
