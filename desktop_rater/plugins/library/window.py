"""The libraries in the window: searches for a claim, also ahead for the next targets; adding and removing libraries."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from msgspec.structs import replace
from PySide6.QtCore import QDate, QObject
from PySide6.QtWidgets import QVBoxLayout

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.rating import LibraryName
from desktop_rater.plugins.library.catalogue import (
    FOLDER,
    INDEX,
    Library,
    delete_library,
    library_folder,
    library_id,
    list_libraries,
)
from desktop_rater.store.connection import connect_reader
from desktop_rater.text.quotes import Span, find_best_passage, find_word_spans, search_words
from desktop_rater.text.untrusted import BIDI_CONTROLS, CONTROLS
from desktop_rater.ui.pages.reader_view import claim_or_quote
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.layouts import fill

if TYPE_CHECKING:
    from desktop_rater.app.assembly import Application
    from desktop_rater.plugins.library.index import IndexedPassage
    from desktop_rater.plugins.library.search import FoundPassage
    from desktop_rater.text.comparison import ComparedValue

AHEAD = 5  # targets whose claims are searched while the one before them is rated
AFTER_MOVING_MS, AFTER_OPENING_MS = 150, 1_500
POLL_SECONDS = 0.3
NICE = 10
_BELOW_NORMAL = 0x4000  # of Windows: less urgent than the window
REMOVE_BANNER, DIALOG_WIDTH = "remove_library", 480
NAMED = ("date", "licence", "origin")  # what a rater says of a library beside its name
MAX_RESULTS, MAX_COMPARED = 20, 300  # passages that are listed, and that exact words are looked for in
MAX_QUERY, MAX_EXCERPT = 300, 400  # characters
_MARKS = '"“”„«»'
_EXACT = re.compile(f"[{_MARKS}]([^{_MARKS}]+)[{_MARKS}]")
_CONTROLS = re.compile(f"[{CONTROLS}{BIDI_CONTROLS}]")
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
    """Return the words of a claim as a query: without quotation marks and invisible controls, and not too long."""
    query = " ".join(re.sub(f"[{_MARKS}]", " ", _CONTROLS.sub("", claim)).split())
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
    from desktop_rater.text.comparison import later_than  # noqa: PLC0415 - as in `_hits`

    days = [(later_than(claim, library.date), library) for library in libraries]
    return [(day, library) for day, library in days if day is not None]


def _hits(store: Path, query: str, libraries: Sequence[Library], progress: Progress) -> list[FoundPassage]:
    """Return the best passages that have the exact words of a query, if it has any in quotation marks."""
    from desktop_rater.plugins.library.search import search_libraries  # noqa: PLC0415 - few raters have libraries

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
    from desktop_rater.text.comparison import compare_with_tools  # noqa: PLC0415 - as in `_hits`

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


class LibraryCommands(QObject):
    """Knows the libraries, and searches them for the claims of the current target and of the next ones."""

    def __init__(self, application: Application) -> None:
        super().__init__(application.window)
        self._application, self._window = application, application.window
        self._session, self._perform = application.session, application.perform
        self.store: Path = application.reader.folder
        self.libraries: tuple[Library, ...] = ()
        self._answers: dict[tuple[object, ...], LibraryAnswer] = {}  # of the open task
        self._running: Progress | None = None
        self._indexing: dict[str, Progress] = {}  # by id of the library
        self._view: Any = None
        self.is_online = is_online
        self._line = LinkButton("", "Alt L", name="library_line", clicked=self.search)
        self._line.hide()
        self._ahead = DelayedCall(self, AFTER_MOVING_MS, self.look_ahead)
        self._links = DelayedCall(self, AFTER_OPENING_MS, self._fetch_links)
        if (self.store / FOLDER).is_dir():
            self.read_libraries(resume=not self._perform.read_only)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "search_libraries": self.search,
            "add_library": self.add_file,
            "add_library_folder": self.add_folder,
            "remove_library": self.ask_removal,
        }

    @property
    def view(self) -> Any:
        """The search, a `views.LibrarySearch`, made when it is first shown."""
        if self._view is None:
            from desktop_rater.plugins.library.views import LibrarySearch  # noqa: PLC0415 - only when it is used

            self._view = LibrarySearch(self._application, self)
            self._window.preview.add_view(self._view)
            self._view.show_libraries()
        return self._view

    def search(self) -> None:
        """Search the libraries for the current claim, or else for the quote of the target."""
        if self._session.task is not None:
            self._window.preview.show_view(self.view)
            self.view.begin()

    # -- the libraries

    @property
    def ready(self) -> tuple[Library, ...]:
        """The libraries that can be searched."""
        return tuple(library for library in self.searched if library.ready)

    @property
    def searched(self) -> tuple[Library, ...]:
        """The libraries of documents: precedents are never found before the rater's own answer."""
        return tuple(library for library in self.libraries if library.kind != "precedents")

    def read_libraries(self, *, resume: bool = False) -> None:
        """Read which libraries there are; go on with those of which the indexing was interrupted."""
        self._perform.fetch(lambda _progress: list_libraries(self.store), done=partial(self._show_libraries, resume))

    def _show_libraries(self, resume: bool, libraries: list[Library]) -> None:
        self.libraries = tuple(libraries)
        for library in libraries if resume else ():
            if not library.ready:
                self.add(library)
        self._answers.clear()
        if self.ready and self._line.parent() is None:
            self._begin()
        self._line.setVisible(bool(self.ready))
        self.look_ahead()
        if self._view is not None:
            self._view.show_libraries()

    def _begin(self) -> None:
        """Follow the rater, now that there is something to search."""
        session = self._session
        fill(cast("QVBoxLayout", self._window.form_pane.form.evidence.layout()), self._line)
        session.opened.connect(self._ahead.start)
        session.place_changed.connect(self._ahead.start)
        session.leaving.connect(self._stop)
        session.opened.connect(self._links.start)
        self._links.start()

    # -- evidence first

    def known_answer(self, query: str, claim: str, libraries: Sequence[Library]) -> LibraryAnswer | None:
        """Return the answer to a query that was searched ahead, if it was."""
        return self._answers.get((query, claim, *(library.id for library in libraries)))

    def look_ahead(self) -> None:
        """Search for the claim at hand, then for those of the next targets, one after the other."""
        claims = list(self._coming_claims()) if self._session.task is not None and self.ready else []
        keys = [(query_of(claim), claim, *(library.id for library in self.ready)) for claim in claims]
        if keys:
            self._show_line(self._answers.get(keys[0]))
        key = next((key for key in keys if key[0] and key not in self._answers), None)
        if key is None or self._running is not None:
            return

        def done(answer: LibraryAnswer) -> None:
            self._running, self._answers[key] = None, answer
            self.look_ahead()

        work = partial(search_for_claim, self.store, key[0], key[1], self.ready)
        self._running = self._perform.fetch(work, done=done, failed=self._stop)

    def _coming_claims(self) -> Iterator[str]:
        """Yield the claim at hand and the claims of the next targets, or the quote of a target without claims."""
        session, names = self._session, self._session.target_order
        yield claim_or_quote(session)
        here = names.index(session.place.target) + 1 if session.place.target in names else 0
        task = session.task
        for target in filter(None, map(task.target, names[here : here + AHEAD]) if task is not None else ()):
            yield from [claim.text for claim in session.rating.claims.get(target.id, ())] or [target.quote or ""]

    def _show_line(self, answer: LibraryAnswer | None) -> None:
        """Show how many passages were found for the claim at hand; none of them is taken."""
        text = self.tr("Search the libraries")
        if answer is not None:
            text = self.tr("Passages in the libraries: {n}").format(n=formatting.number(len(answer.results)))
        self._line.set_label(text)

    def _stop(self, _error: Exception | None = None) -> None:
        """Forget the answers of a task that is left, and stop searching for more."""
        if self._running is not None:
            self._perform.cancel(self._running)
        self._running = None
        self._answers.clear()

    def _fetch_links(self) -> None:
        """Fetch the links of the open task where there is a network, without a word."""
        if not self._perform.read_only and self.is_online():
            self._window.parts["link_prefetch"].fetch_of_task(quiet=True)

    # -- adding and removing

    def add_folder(self) -> None:
        self._add_path(self._application.context.files.folder(self._window, self.tr("Add a folder as a library")))

    def add_file(self) -> None:
        filters = self.tr("Documents and archives (*.zim *.warc *.warc.gz *.wacz *.jsonl *.epub *.pdf);;All files (*)")
        self._add_path(self._application.context.files.open_file(self._window, self.tr("Add a library"), filters))

    def _add_path(self, path: Path | None) -> None:
        if path is not None:
            self._perform.fetch(partial(library_of_path, path), done=self._ask)

    def _ask(self, library: Library) -> None:
        """Ask for the name, the day, the licence and the origin of a library that is to be added."""
        from desktop_rater.plugins.library.views import FieldsDialog  # noqa: PLC0415 - only when it is used

        fields = {
            "name": (self.tr("Name"), library.name),
            "date": (self.tr("Day of its content, such as 2026-03-01"), library.date),
            "licence": (self.tr("Licence"), library.licence),
            "origin": (self.tr("Where it was published, such as a web address"), library.origin),
        }
        names = self.tr("Add a library"), self.tr("Add")
        dialog = FieldsDialog(self._window, "add_library", names, fields, partial(self._add_named, library))
        dialog.open_with(DIALOG_WIDTH)

    def _add_named(self, library: Library, texts: dict[str, str]) -> str:
        """Add a library with what a rater said of it; return what is wrong with that, or nothing."""
        if not texts["name"] or any(other.id == library_id(texts["name"]) for other in self.libraries):
            return self.tr("Give it a name that no other library has.")
        if texts["date"] and not QDate.fromString(texts["date"], "yyyy-MM-dd").isValid():
            return self.tr("The day is not of the form 2026-03-01.")
        self.add(replace(library, **texts))
        return ""

    def add(self, library: Library) -> None:
        """Index documents as a library, in a process of its own, which a later start continues."""
        name, key, banners = library.name, library_id(library.name), self._window.banners
        banner_key, ways = f"library {key}", [(self.tr("Stop"), partial(self.stop, key))]
        if key in self._indexing:
            return

        def show(count: int, _total: int) -> None:
            text = self.tr("{library} is being indexed: {n} documents so far. Stopped, it goes on at the next start.")
            text = text.format(library=isolated(name), n=formatting.number(count))
            banner = banners.banner(banner_key) or banners.show_banner(banner_key, "info", text, ways)
            banner.label.setText(text)

        def ended(error: Exception | None) -> None:
            self._indexing.pop(key, None)
            text = self.tr("{library} can be searched now.").format(library=isolated(name))
            banners.show_banner(banner_key, "warn" if error else "info", str(error) if error else text)
            self.read_libraries()

        show(0, 0)
        work = partial(index_in_process, self.store, library)
        self._indexing[key] = self._perform.fetch(work, done=ended, failed=ended, progressed=show)

    def stop(self, key: str) -> None:
        """Stop indexing a library; the next start goes on, unless it is removed."""
        self._window.banners.drop(f"library {key}")
        if key in self._indexing:
            self._perform.cancel(self._indexing.pop(key))
            self.read_libraries()

    def ask_removal(self) -> None:
        """Ask which library to remove."""
        ways = [(isolated(library.name), partial(self.remove, library)) for library in self.libraries]
        text = self.tr("Remove which library? Its index is deleted; the files that it was made of stay.")
        text = text if ways else self.tr("There is no library on this computer.")
        self._window.banners.show_banner(REMOVE_BANNER, "info", text, ways)

    def remove(self, library: Library) -> None:
        """Remove a library with its index."""
        self.stop(library.id)
        work = partial(remove_when_idle, self.store, library)
        self._perform.fetch(work, done=lambda _none: self.read_libraries())


def library_of_path(path: Path, progress: Progress) -> Library:
    """Return a file or folder as a library that can be added, with what it says of itself. Raises `Cancelled`."""
    from desktop_rater.plugins.library.sources import described, kind_of_paths  # noqa: PLC0415 - as in `_hits`

    name, kind = path.name.partition(".")[0] or path.name, kind_of_paths([path])
    library = Library(id="", name=name, kind=kind, sources=(str(path),))
    with suppress(RaterError):  # indexing will name it
        library = described(library, progress)
    return library


def index_in_process(store: Path, library: Library, progress: Progress) -> None:
    """Index a library in a process of its own, so that the window never waits. Raises `RaterError`, `Cancelled`."""
    program = [sys.executable, *([] if getattr(sys, "frozen", False) else ["-X", "utf8", "-m", "desktop_rater"])]
    name = library_id(library.name)
    exists = any(row.id == name for row in list_libraries(store))
    options = [f"--{field}={text}" for field in NAMED if (text := getattr(library, field))]
    order = ["update", library.name] if exists else ["add", *options, "--", library.name, *library.sources]
    index = library_folder(store, name) / INDEX
    with subprocess.Popen(  # noqa: S603 - our own program
        [*program, "--store", str(store), "library", *order],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        creationflags=subprocess.CREATE_NO_WINDOW | _BELOW_NORMAL if sys.platform == "win32" else 0,
    ) as process:
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        errors = None
        try:
            while errors is None:
                try:
                    _, errors = process.communicate(timeout=POLL_SECONDS)
                except subprocess.TimeoutExpired:
                    progress(_documents_so_far(index), 0)
        finally:
            process.kill()
    if not any(row.id == name and row.ready for row in list_libraries(store)):
        raise RaterError("The library was not indexed.", errors.decode("utf-8", "replace").strip())


def remove_when_idle(store: Path, library: Library, progress: Progress) -> None:
    """Remove a library with its index as soon as no process is indexing it. Raises `Cancelled`."""
    from desktop_rater.plugins.library.search import indexing_lock  # noqa: PLC0415 - as above

    while library_folder(store, library.id).exists():
        progress(0, 0)
        with suppress(RaterError), indexing_lock(store, library):
            delete_library(store, library)
            return
        sleep(POLL_SECONDS)


def _documents_so_far(index: Path) -> int:
    """Return the number of documents in an index that another process writes, which counts none of its rows."""
    with suppress(sqlite3.Error), closing(connect_reader(index)) as db:
        return db.execute("SELECT coalesce(max(id), 0) FROM documents").fetchone()[0]
    return 0


def is_online() -> bool:
    """Return whether the system reports a network."""
    from PySide6.QtNetwork import QNetworkInformation  # noqa: PLC0415 - it asks the system, which may take a while

    loaded = QNetworkInformation.loadBackendByFeatures(QNetworkInformation.Feature.Reachability)
    return loaded and QNetworkInformation.instance().reachability() == QNetworkInformation.Reachability.Online
