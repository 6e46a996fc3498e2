"""Import of raters' results, and the bundle whose results are open."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from desktop_rater.audit.results import Audit
from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.hooks import hook, resolve
from desktop_rater.operations.audit import load_audit
from desktop_rater.operations.audit.import_results import ImportedResults
from desktop_rater.operations.audit.listed_places import open_results
from desktop_rater.operations.audit.review import ReviewChange
from desktop_rater.operations.hub.collect import import_collected
from desktop_rater.store.store import Store
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.window.jobs import WorkRunner


class AuditedBundle(QObject):
    """The open bundle. Of several requests the last one counts; `loaded` is emitted again after each reload."""

    listed = Signal()
    opening = Signal()  # another bundle was requested
    loaded = Signal()  # `audit` is new
    reviewed = Signal(object)  # ReviewChange: a verdict or decision changed
    imported = Signal(object)  # ImportedResults: results were imported

    def __init__(self, perform: WorkRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self.bundles: tuple[str, ...] = ()
        self.bundle = ""
        self.audit: Audit | None = None
        self.is_listed = False
        self._latest = LatestRequest()
        perform.changed.connect(self._changed)

    def start(self) -> None:
        """List the bundles with results, and open the first unless one is open."""
        self._perform.ask(load_audit.audited_bundles, done=self._show_list)

    def open(self, bundle: str) -> None:
        if bundle != self.bundle:
            others = dict.fromkeys(name for name in (self.bundle, *self.bundles) if name not in {"", bundle})
            self._open(bundle, tuple(others))

    def _open(self, bundle: str, others: tuple[str, ...]) -> None:
        """Open a bundle; if it can't be read, the first of the others that can."""
        self.bundle, self.audit = bundle, None
        self.opening.emit()
        self._load(others)

    def add_imported(self, opened: ImportedResults) -> None:
        """Handle imported results: open one of their bundles, unless the current one is among them."""
        if opened.audits and self.bundle not in opened.audits:
            self.open(min(opened.audits))
        self.imported.emit(opened)

    def _load(self, others: tuple[str, ...] = ()) -> None:
        def load(audit: Audit) -> None:
            self.audit = audit
            self.loaded.emit()

        def failed(error: Exception) -> None:
            if isinstance(error, RaterError):
                self._perform.failed.emit(error)
                if others:
                    self._open(others[0], others[1:])

        self._latest.replace()
        self._perform.ask(
            load_audit.load_packed_audit, self.bundle, done=self._latest.only(load), failed=self._latest.only(failed)
        )

    def _show_list(self, bundles: list[str]) -> None:
        self.bundles, self.is_listed = tuple(bundles), True
        self.listed.emit()
        if not self.bundle and bundles:
            self.open(bundles[0])

    def _changed(self, change: Change) -> None:
        if isinstance(change, ReviewChange) and not change.recounts:  # no rating was added or removed
            self.reviewed.emit(change)
            return
        if change.audits:
            self.start()
        if self.bundle in change.audits:
            self._load()


BANNER = "results"


class ResultsReader(Protocol):
    """Reader of results that are no results zips, made for one import."""

    def choose(self, paths: Sequence[Path]) -> list[Path]:
        """Return those paths that it reads in one import."""
        ...

    def read(
        self, store: Store, paths: list[Path], *, audit: str, lead: str, now: datetime, progress: Progress
    ) -> ImportedResults:
        """Import the results into a store; `audit` is the open bundle. Raises `RaterError`, or `Cancelled`."""
        ...

    def show(self, imported: ImportedResults, banners: Banners) -> None:
        """Show what was imported, if more than the results themselves is to be said, in the banner `BANNER`."""
        ...


class ResultsImporter(QObject):
    """Imports one batch at a time; further batches wait."""

    ended = Signal(object)  # ImportedResults, or `None` on failure
    wanted = Signal()  # the results page is to be shown

    def __init__(
        self, perform: WorkRunner, audited: AuditedBundle, banners: Banners, lead: str, now: Callable[[], datetime]
    ) -> None:
        super().__init__(audited)
        self._perform = perform
        self._audited = audited
        self._banners = banners
        self._lead = lead
        self._now = now
        self._running: Progress | None = None
        self._waiting: list[Path] = []
        self._collected = ""  # the project whose results wait to be imported
        self.last: ImportedResults | None = None

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def import_files(self, paths: Sequence[Path]) -> None:
        """Check files and folders, and store the valid results."""
        if self._running is not None:
            self._waiting += paths
            return
        for place in hook("results").values():
            reader: ResultsReader = resolve(place)()
            if chosen := reader.choose(paths):
                self._waiting = [path for path in paths if path not in chosen]
                read = partial(reader.read, audit=self._audited.bundle, lead=self._lead, now=self._now())
                self._run(read, chosen, partial(self._read_by, reader))
                return
        self._run(partial(open_results, lead=self._lead, now=self._now()), list(paths), self._imported)

    def _read_by(self, reader: ResultsReader, imported: ImportedResults) -> None:
        self._imported(imported)
        reader.show(imported, self._banners)

    def import_collected(self, project: str) -> None:
        """Import results fetched from a hub. As this starts by itself, a banner reports it."""
        if self._running is not None:
            self._collected = project
            return
        self._run(partial(import_collected, lead=self._lead, now=self._now), project, self._collected_imported)

    def _run(self, work: Callable[..., ImportedResults], source: object, on_done: Callable[..., None]) -> None:
        text = self.tr("Checking the results …")
        self._banners.show_banner(BANNER, "info", text, [(self.tr("Cancel"), self._cancel)])
        self._running = self._perform.perform(
            work, source, done=on_done, failed=self._failed, progressed=self._progressed
        )

    def _cancel(self) -> None:
        if self._running is not None:
            self._perform.cancel(self._running)
            self._running = None
            self._audited.start()  # completed results stay
            self._run_next()

    def _progressed(self, done: int, total: int) -> None:
        banner = self._banners.banner(BANNER)
        if banner is not None and total and self._running is not None:
            text = self.tr("Checking the results: {done} of {total}")
            banner.label.setText(text.format(done=formatting.number(done), total=formatting.number(total)))

    def _imported(self, opened: ImportedResults) -> None:
        self._running = None
        self._banners.drop(BANNER)
        self.last = opened
        self._audited.add_imported(opened)
        self.ended.emit(opened)
        self._run_next()

    def _collected_imported(self, opened: ImportedResults) -> None:
        self._running = None
        self._banners.drop(BANNER)
        self.last = opened
        if opened.took or opened.refused:
            self._banners.show_banner(
                BANNER, "info", self._collected_text(opened), [(self.tr("Show"), partial(self._show, opened))]
            )
        self.ended.emit(opened)
        self._run_next()

    def _collected_text(self, opened: ImportedResults) -> str:
        took, refused = len(opened.took), len(opened.refused)
        text = self.tr("Results received from the hub: {n}.").format(n=formatting.number(took))
        if not refused:
            return text
        also = self.tr("Refused: {n}.").format(n=formatting.number(refused))
        return f"{text} {also}"

    def _show(self, opened: ImportedResults) -> None:
        self.wanted.emit()
        self._audited.add_imported(opened)

    def _failed(self, error: Exception) -> None:
        self._running = None
        self._banners.show_banner(BANNER, "block", str(error))
        self.ended.emit(None)
        self._run_next()

    def _run_next(self) -> None:
        waiting, self._waiting = self._waiting, []
        collected, self._collected = self._collected, ""
        if waiting:
            self.import_files(waiting)
        if collected:
            self.import_collected(collected)
