"""ZIM files, as Kiwix offers them: read and searched by a child process, since libzim is under the GPL."""

import atexit
import re
import sys
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.strict_json import prepared_type
from desktop_rater.pages.page_reader import PageReader, ReaderEnded, ReaderProcess
from desktop_rater.pages.response import MIB, WEB_LIMITS, WebResponse
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.index import IndexedPassage, Matches
from desktop_rater.plugins.library.passages import LibraryDocument, page_document, split_passages
from desktop_rater.text.urls import page_key

_MODULE = "desktop_rater.plugins.library.zim_child"
_MEMORY = 2048 * MIB
_START_SECONDS, _ANSWER_SECONDS = 60, 20
_FOUND, _READ = 20, 6  # articles that the index finds, and those of them whose passages are ranked
_KEPT = 200  # articles that were read, for the next queries
_WIKI = re.compile(
    r"(?:https?://)?((?:[a-z0-9-]+\.){1,2}(?:wik(?:ipedia|tionary|ivoyage|ibooks|iquote|isource|inews|iversity)\.org))/?"
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_OLD_NAMESPACE = "A/"

# Codes of ISO 639-3 that a file has instead of those of BCP 47.
_LANGUAGES = {
    "ara": "ar", "ces": "cs", "dan": "da", "deu": "de", "ell": "el", "eng": "en", "fin": "fi", "fra": "fr", "heb": "he",
    "hin": "hi", "hun": "hu", "ind": "id", "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "nor": "no", "pol": "pl",
    "por": "pt", "ron": "ro", "rus": "ru", "spa": "es", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi",
    "zho": "zh",
}  # fmt: skip

T = TypeVar("T")


class ZimFile:
    """A ZIM file and the process that reads it, which is started when it is needed. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._process: ReaderProcess | None = None
        self._metadata: dict[str, str] = {}
        self._documents: dict[str, LibraryDocument] = {}

    @property
    def child(self) -> int:
        """Return the id of the process; 0 if there is none."""
        return self._process.pid if self._process is not None and self._process.is_alive else 0

    def metadata(self, progress: Progress) -> dict[str, str]:
        """Return its metadata; `index` is one of the keys if it has an index of its own. Raises `RaterError`."""
        self._metadata = self._metadata or self._ask(progress, dict[str, str], "describe")
        return self._metadata

    def articles(self, progress: Progress) -> Iterator[tuple[str, int]]:
        """Yield path and size of each article. Raises `RaterError`, `Cancelled`."""
        start, count = 0, 1
        while start < count:
            kind = tuple[int, int, list[tuple[str, int]]]
            start, count, articles = self._ask(progress, kind, "list_articles", start)
            yield from articles

    def read(self, path: str, library: Library, progress: Progress) -> WebResponse:
        """Read an article, or the one that it leads to. Raises `RaterError`, `Cancelled`."""
        kind = tuple[str, str, str, bytes]
        path, _, media_type, body = self._ask(progress, kind, "read", path, WEB_LIMITS.inflated_bytes)
        url = article_url(library, self.metadata(progress), path)
        day = library.date if _DAY.fullmatch(library.date) else "1970-01-01"
        return WebResponse(
            url=url,
            final_url=url,
            status=200,
            headers=(("Content-Type", media_type),),
            raw=body,
            body=body,
            fetched=f"{day}T00:00:00Z",
        )

    def search(self, words: Sequence[str], progress: Progress) -> tuple[int, dict[str, int], list[str]]:
        """Search by its own index: the number of articles, that with each word, and the paths of the best, in order."""
        return self._ask(progress, tuple[int, dict[str, int], list[str]], "search", words, _FOUND)

    def document(self, path: str, library: Library, progress: Progress) -> LibraryDocument:
        """Read an article as a document, once. Raises `RaterError`, `Cancelled`."""
        if path not in self._documents:
            page = _reader().read(self.read(path, library, progress), progress=progress)
            self._documents[path] = page_document(path, page)
            if len(self._documents) > _KEPT:
                del self._documents[next(iter(self._documents))]
        return self._documents[path]

    def _ask(self, progress: Progress, kind: type[T], *request: object) -> T:
        with self._lock:
            try:
                if self._process is None or not self._process.is_alive:
                    if self._process is not None:
                        self._process.kill()  # closes the pipes of one that died
                    self._process = ReaderProcess(_command(self.path), _START_SECONDS)
                    weakref.finalize(self, self._process.kill)  # at the latest when the program ends
                frame = msgspec.msgpack.encode(request)
                frame = self._process.exchange(frame, _ANSWER_SECONDS, lambda: progress(0, 0))
                fault, answer = msgspec.msgpack.decode(frame, type=prepared_type(tuple[str, msgspec.Raw]))
                if not fault:
                    return msgspec.msgpack.decode(answer, type=prepared_type(kind))
            except ReaderEnded as ended:
                late = f"It gave no answer within {_ANSWER_SECONDS} s"
                fault = late if ended.late else "The process that reads it ended: it took too much memory, or failed"
            except (OSError, msgspec.DecodeError) as error:
                fault = str(error)
        raise RaterError(f"{self.path.name} can't be read.", f"{fault.rstrip('.')}.", "Download the file again.")


@cache
def _reader() -> PageReader:
    reader = PageReader()
    atexit.register(reader.close)
    return reader


@lru_cache(maxsize=8)
def _opened(path: Path, _size: int, _changed: int) -> ZimFile:
    return ZimFile(path)


def open_zim(path: Path) -> ZimFile:
    """Return a ZIM file; the same object while the file does not change. Raises `RaterError`."""
    if find_spec("libzim") is None:
        hint = "Install it with pip install 'desktop-rater[zim]'. The packaged program can't read ZIM files."
        raise RaterError(f"{path.name} can't be read.", "ZIM files need the package libzim, which is missing.", hint)
    try:
        status = path.stat()
    except OSError as error:
        raise RaterError(f"{path.name} can't be read.", f"{error.strerror}.", f"It should be at {path}.") from error
    return _opened(path, status.st_size, status.st_mtime_ns)


def zim_of(library: Library) -> ZimFile:
    """Return the ZIM file of a library. Raises `RaterError`."""
    if len(library.sources) != 1:
        raise RaterError(f"{library.name} can't be used.", "A library of this kind has one ZIM file.")
    return open_zim(Path(library.sources[0]))


def describe_zim(library: Library, progress: Progress) -> dict[str, str]:
    """Return what the file says of itself, by the fields of a library. Raises `RaterError`, `Cancelled`."""
    metadata = zim_of(library).metadata(progress)
    language = metadata.get("Language", "").partition(",")[0]
    return {
        "date": "".join(_DAY.findall(metadata.get("Date", ""))[:1]),
        "licence": metadata.get("License", ""),
        "origin": metadata.get("Source", "") or metadata.get("Creator", ""),
        "lang": _LANGUAGES.get(language, language),
    }


def article_url(library: Library, metadata: dict[str, str], path: str) -> str:
    """Return the address of an article: on the wiki that it was made from, or else one that leads nowhere."""
    path = path.removeprefix(_OLD_NAMESPACE)
    wiki = _WIKI.fullmatch(metadata.get("Source", ""))
    if wiki:
        return f"https://{wiki[1]}/wiki/{quote(path)}"
    url = f"https://{quote(path, safe='/?=&:')}"  # of a crawled site: its paths are addresses
    if "zimit" in metadata.get("Scraper", "") + metadata.get("Tags", "") and page_key(url) is not None:
        return url
    return f"https://{library.id}.library.invalid/{quote(path)}"


def find_passages(library: Library, terms: Mapping[str, str], most: int, progress: Progress) -> Matches | None:
    """Return the passages of the articles that the file's own index finds best; none without such an index.

    `terms`: term of the query → word. Its frequencies are those of articles. Raises `RaterError`, `Cancelled`.
    """
    file = zim_of(library)
    if "index" not in file.metadata(progress):
        return None
    count, frequencies, paths = file.search(list(terms.values()), progress)
    passages = []
    for document in (file.document(path, library, progress) for path in paths[:_READ]):
        for start, end, heading in split_passages(document):
            text = document.text[start:end]
            passages.append(
                IndexedPassage(document.place, document.url, document.title, heading, text, start, end, 0.0)
            )
    words = [word.casefold() for word in terms.values()]
    passages.sort(key=lambda passage: -sum(word in passage.text.casefold() for word in words))
    return Matches(count, {term: frequencies[word] for term, word in terms.items()}, passages[:most])


def _command(path: Path) -> list[str]:
    isolation = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, isolation, "-X", "utf8", "-m", _MODULE, str(path), str(_MEMORY)]
