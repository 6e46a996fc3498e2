"""The libraries in the window: searches ahead for the next targets, and adding and removing libraries."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QVBoxLayout

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.plugins.library.catalogue import (
    FOLDER,
    INDEX,
    Library,
    delete_library,
    library_folder,
    library_id,
    list_libraries,
)
from desktop_rater.plugins.library.research import LibraryAnswer, query_of, search_for_claim
from desktop_rater.store.connection import connect_reader
from desktop_rater.ui.pages.reader_view import claim_or_quote
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.widgets.layouts import fill

if TYPE_CHECKING:
    from desktop_rater.app.assembly import Application
    from desktop_rater.plugins.library.views import LibrarySearch

AHEAD = 5  # targets whose claims are searched while the one before them is rated
AFTER_MOVING_MS, AFTER_OPENING_MS = 150, 1_500
POLL_SECONDS = 0.3
NICE = 10
_BELOW_NORMAL = 0x4000  # of Windows: less urgent than the window
REMOVE_BANNER = "remove_library"


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
        self._view: LibrarySearch | None = None
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
    def view(self) -> LibrarySearch:
        """The search, made when it is first shown."""
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
        return tuple(library for library in self.libraries if library.ready)

    def read_libraries(self, *, resume: bool = False) -> None:
        """Read which libraries there are; go on with those of which the indexing was interrupted."""
        self._perform.fetch(lambda _progress: list_libraries(self.store), done=partial(self._show_libraries, resume))

    def _show_libraries(self, resume: bool, libraries: list[Library]) -> None:
        self.libraries = tuple(libraries)
        for library in libraries if resume else ():
            if not library.ready:
                self.add(library.name, library.sources)
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
            self.add(path.name.partition(".")[0] or path.name, (str(path),))

    def add(self, name: str, sources: Sequence[str]) -> None:
        """Index documents as a library, in a process of its own, which a later start continues."""
        key, banners = library_id(name), self._window.banners
        banner_key, ways = f"library {key}", [(self.tr("Stop"), partial(self.stop, key))]
        if key in self._indexing:
            return

        def show(count: int, _total: int) -> None:
            text = self.tr("{library} is being indexed: {n} documents so far")
            text = text.format(library=isolated(name), n=formatting.number(count))
            banner = banners.banner(banner_key) or banners.show_banner(banner_key, "info", text, ways)
            banner.label.setText(text)

        def ended(error: Exception | None) -> None:
            self._indexing.pop(key, None)
            text = self.tr("{library} can be searched now.").format(library=isolated(name))
            banners.show_banner(banner_key, "warn" if error else "info", str(error) if error else text)
            self.read_libraries()

        show(0, 0)
        work = partial(index_in_process, self.store, name, sources)
        self._indexing[key] = self._perform.fetch(work, done=ended, failed=ended, progressed=show)

    def stop(self, key: str) -> None:
        """Stop indexing a library; the next start goes on, unless it is removed."""
        self._window.banners.drop(f"library {key}")
        if key in self._indexing:
            self._perform.cancel(self._indexing.pop(key))
            text = self.tr("Indexing was stopped. It goes on at the next start, unless the library is removed.")
            self._window.banners.show_banner(f"library {key}", "info", text)
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
        self._window.banners.drop(f"library {library.id}")
        work = partial(delete_library, self.store, library)
        self._perform.fetch(lambda _progress: work(), done=lambda _none: self.read_libraries())


def index_in_process(store: Path, name: str, sources: Sequence[str], progress: Progress) -> None:
    """Index a library in a process of its own, so that the window never waits. Raises `RaterError`, `Cancelled`."""
    program = [sys.executable, *([] if getattr(sys, "frozen", False) else ["-X", "utf8", "-m", "desktop_rater"])]
    known = any(library.id == library_id(name) for library in list_libraries(store))
    order = ["update", name] if known else ["add", name, *sources]
    process = subprocess.Popen(  # noqa: S603 - our own program
        [*program, "--store", str(store), "library", *order],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        creationflags=subprocess.CREATE_NO_WINDOW | _BELOW_NORMAL if sys.platform == "win32" else 0,
    )
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    errors, index = None, library_folder(store, library_id(name)) / INDEX
    try:
        while errors is None:
            try:
                _, errors = process.communicate(timeout=POLL_SECONDS)
            except subprocess.TimeoutExpired:
                progress(_documents_so_far(index), 0)
    finally:
        process.kill()
        process.wait()
    if not any(library.id == library_id(name) and library.ready for library in list_libraries(store)):
        raise RaterError("The library was not indexed.", errors.decode("utf-8", "replace").strip())


def _documents_so_far(index: Path) -> int:
    """Return the number of documents in an index that another process writes, which counts none of its rows."""
    with suppress(sqlite3.Error), closing(connect_reader(index).conn) as db:
        return db.execute("SELECT coalesce(max(id), 0) FROM documents").fetchone()[0]
    return 0


def is_online() -> bool:
    """Return whether the system reports a network."""
    from PySide6.QtNetwork import QNetworkInformation  # noqa: PLC0415 - it asks the system, which may take a while

    known = QNetworkInformation.loadBackendByFeatures(QNetworkInformation.Feature.Reachability)
    return known and QNetworkInformation.instance().reachability() == QNetworkInformation.Reachability.Online
