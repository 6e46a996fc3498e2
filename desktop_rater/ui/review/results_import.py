"""Import of raters' results, and the bundle whose results are open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QGuiApplication

from desktop_rater.audit.results import Audit
from desktop_rater.hooks import hook, resolve
from desktop_rater.model.change import Change, Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.model.opened_files import is_source
from desktop_rater.store.store import Store
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.work.audit import load_audit
from desktop_rater.work.audit.import_results import ImportedResults
from desktop_rater.work.audit.open_results import open_results
from desktop_rater.work.audit.review import ReviewChange
from desktop_rater.work.hub.collect import import_collected

if TYPE_CHECKING:
    from desktop_rater.work.audit.import_annotations import ImportedAnnotations

translate = QCoreApplication.translate


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

LOSSES = {
    "file": QT_TRANSLATE_NOOP("Losses", "files without records"),
    "record": QT_TRANSLATE_NOOP("Losses", "records that can’t be read"),
    "no_rater": QT_TRANSLATE_NOOP("Losses", "annotations without a rater"),
    "no_task": QT_TRANSLATE_NOOP("Losses", "annotations without a task"),
    "unknown_task": QT_TRANSLATE_NOOP("Losses", "annotations of other tasks"),
    "unknown_question": QT_TRANSLATE_NOOP("Losses", "answers to unknown questions"),
    "unknown_label": QT_TRANSLATE_NOOP("Losses", "labels that answer no question"),
    "unknown_place": QT_TRANSLATE_NOOP("Losses", "answers about unknown places"),
    "wrong_value": QT_TRANSLATE_NOOP("Losses", "answers that are not offered"),
    "not_asked": QT_TRANSLATE_NOOP("Losses", "answers to questions that are not asked there"),
    "repeated": QT_TRANSLATE_NOOP("Losses", "repeated answers"),
    "prediction": QT_TRANSLATE_NOOP("Losses", "predictions of models"),
    "relation": QT_TRANSLATE_NOOP("Losses", "relations between spans"),
    "other": QT_TRANSLATE_NOOP("Losses", "results of other kinds"),
    "unreadable_time": QT_TRANSLATE_NOOP("Losses", "times that can’t be read"),
    "number": QT_TRANSLATE_NOOP("Losses", "numbers that can’t be read"),
    "empty": QT_TRANSLATE_NOOP("Losses", "annotations without an answer"),
}
"""Kind of loss of an import → its title."""


class ResultsReader(Protocol):
    """Reader of results that are no results zips, made for one import."""

    def choose(self, paths: Sequence[Path]) -> list[Path]:
        """Return those paths that it reads in one import."""
        ...

    def read(self, store: Store, paths: list[Path], *, lead: str, now: datetime, progress: Progress) -> ImportedResults:
        """Import the results into a store. Raises `RaterError`, or `Cancelled`."""
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
                self._run(partial(reader.read, lead=self._lead, now=self._now()), chosen, self._imported)
                return
        sources = [path for path in paths if is_source(path)]
        if sources:
            self._waiting = [path for path in paths if path not in sources]
            self._import_annotations(sources)
            return
        self._run(partial(open_results, lead=self._lead, now=self._now()), list(paths), self._imported)

    def _import_annotations(self, paths: Sequence[Path]) -> None:
        """Import what people answered in other tools about the tasks of the open bundle."""
        from desktop_rater.bundle.annotations import AnnotationFiles  # noqa: PLC0415 - only when it is used
        from desktop_rater.work.audit.import_annotations import (  # noqa: PLC0415 - only when it is used
            AnnotationImport,
            import_annotations,
        )

        wanted = AnnotationImport(files=AnnotationFiles(paths=tuple(paths)), audit=self._audited.bundle)
        self._run(partial(import_annotations, lead=self._lead, now=self._now()), wanted, self._annotations_imported)

    def _annotations_imported(self, imported: ImportedAnnotations) -> None:
        self._imported(imported)
        text = self.tr("Imported: {ratings} ratings of {raters} raters.")
        numbers = {"ratings": imported.ratings, "raters": imported.raters}
        parts = [text.format(**{name: formatting.number(number) for name, number in numbers.items()})]
        losses = [
            f"{translate('Losses', LOSSES[kind])} ({formatting.number(loss['count'])})"
            for kind, loss in imported.losses.items()
        ]
        if losses:
            parts.append(self.tr("Not taken: {list}.").format(list=", ".join(losses)))
        broken = sum(bool(results.broken) for results in imported.took)
        if broken:
            parts.append(self.tr("Raters whose ratings break a rule: {n}.").format(n=formatting.number(broken)))
        copied = partial(self._copy_losses, imported)
        actions = [(self.tr("Copy the details"), copied)] if imported.losses else []
        self._banners.show_banner(BANNER, "warn" if imported.losses or broken else "info", " ".join(parts), actions)

    def _copy_losses(self, imported: ImportedAnnotations) -> None:
        lines = [
            line
            for loss in imported.losses.values()
            for line in (
                f"{formatting.number(loss['count'])} {loss['why']}",
                *(f"  {example}" for example in loss["examples"]),
            )
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))

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
