"""Bundles in, results out."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFileDialog

from desktop_rater.model.signature import fingerprint
from desktop_rater.model.trouble import RaterError
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.moves import is_open
from desktop_rater.work.export_results import Exported, export_results
from desktop_rater.work.import_bundle import Imported, import_bundle
from desktop_rater.work.self_test import practice_bundle, sample_bundle

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from PySide6.QtWidgets import QWidget

    from desktop_rater.bundle.signing import SigningKey
    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.banner import Banners, Way
    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.signing.signer import Signer
    from desktop_rater.work.export_results import Stays

MOST_NAMED = 3


class FileChoice(Protocol):
    """How the rater names a file; tests and the tour answer by themselves."""

    def bundles(self, parent: QWidget) -> tuple[Path, ...]: ...

    def folder(self, parent: QWidget) -> Path | None: ...

    def report(self, parent: QWidget, suggested: str) -> Path | None: ...

    def results(self, parent: QWidget, suggested: str) -> Path | None: ...

    def final(self, parent: QWidget, suggested: str) -> Path | None: ...

    def backup(self, parent: QWidget) -> Path | None: ...

    def hub(self, parent: QWidget) -> Path | None: ...

    def certificates(self, parent: QWidget) -> Path | None: ...


class FileDialogs:
    """The system's dialogs."""

    def bundles(self, parent: QWidget) -> tuple[Path, ...]:
        """The bundles to import, or the results to look at."""
        names, _ = QFileDialog.getOpenFileNames(
            parent,
            QCoreApplication.translate("FileDialogs", "Open bundles or results"),
            "",
            QCoreApplication.translate("FileDialogs", "Bundles and results (*.zip);;All files (*)"),
        )
        return tuple(map(Path, names))

    def folder(self, parent: QWidget) -> Path | None:
        """The folder where results lie."""
        name = QFileDialog.getExistingDirectory(
            parent, QCoreApplication.translate("FileDialogs", "Open a folder of results")
        )
        return Path(name) if name else None

    def report(self, parent: QWidget, suggested: str) -> Path | None:
        """Where a report goes; the ending says as what."""
        name, _ = QFileDialog.getSaveFileName(
            parent,
            QCoreApplication.translate("FileDialogs", "Save the report"),
            suggested,
            QCoreApplication.translate("FileDialogs", "Reports (*.html *.csv);;All files (*)"),
        )
        return Path(name) if name else None

    def results(self, parent: QWidget, suggested: str) -> Path | None:
        """Where the results go."""
        name, _ = QFileDialog.getSaveFileName(
            parent,
            QCoreApplication.translate("FileDialogs", "Export results"),
            suggested,
            QCoreApplication.translate("FileDialogs", "Results (*.zip)"),
        )
        if not name:
            return None
        return Path(name) if Path(name).suffix else Path(f"{name}.zip")

    def final(self, parent: QWidget, suggested: str) -> Path | None:
        """Where the final labels go; the ending says as what."""
        name, _ = QFileDialog.getSaveFileName(
            parent,
            QCoreApplication.translate("FileDialogs", "Save the final labels"),
            suggested,
            QCoreApplication.translate("FileDialogs", "Results and tables (*.zip *.csv *.jsonl *.parquet)"),
        )
        return Path(name) if name else None

    def backup(self, parent: QWidget) -> Path | None:
        """The backup to restore."""
        name, _ = QFileDialog.getOpenFileName(
            parent,
            QCoreApplication.translate("FileDialogs", "Restore a backup"),
            "",
            QCoreApplication.translate("FileDialogs", "Backups (*.zip *.sqlite3);;All files (*)"),
        )
        return Path(name) if name else None

    def hub(self, parent: QWidget) -> Path | None:
        """The folder that is a hub."""
        name = QFileDialog.getExistingDirectory(
            parent, QCoreApplication.translate("FileDialogs", "Choose the folder of the hub")
        )
        return Path(name) if name else None

    def certificates(self, parent: QWidget) -> Path | None:
        """A file with certificates of one's own."""
        name, _ = QFileDialog.getOpenFileName(
            parent,
            QCoreApplication.translate("FileDialogs", "Choose a file with certificates"),
            "",
            QCoreApplication.translate("FileDialogs", "Certificates (*.pem *.crt *.cer);;All files (*)"),
        )
        return Path(name) if name else None


class Transfer(QObject):
    """Imports and exports one at a time, and says in a banner what came of it."""

    import_ended = Signal()
    export_ended = Signal()

    def __init__(
        self,
        perform: Perform,
        session: Session,
        desk: Desk,
        banners: Banners,
        files: FileChoice,
        signer: Signer,
        *,
        now: Callable[[], datetime],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.signer = signer
        self.perform = perform
        self._session = session
        self._desk = desk
        self._banners = banners
        self.files = files
        self._rater = signer.rater
        self._now = now
        self._window = parent
        session.rating_changed.connect(self._answered)
        self._running: Progress | None = None

    @property
    def is_running(self) -> bool:
        """Whether an import or an export is under way."""
        return self._running is not None

    def open_sample(self) -> None:
        """Import the bundle that comes with the program."""
        self.take_in(sample_bundle())

    def open_practice(self) -> None:
        """Import the bundle for practice that comes with the program."""
        self.take_in(practice_bundle())

    def take_in(self, path: Path, *, accept_close: bool = False) -> None:
        """Import a bundle."""
        work = partial(import_bundle, accept_close=accept_close, now=self._now)
        self._begin(self.tr("Importing {name}").format(name=isolated(path.name)))
        self._running = self.perform.perform(
            work,
            path,
            done=lambda imported: self._imported(path, imported),
            failed=self._failed,
            progressed=lambda done, total: self._progressed(path.name, done, total),
        )

    def choose_results(self) -> None:
        """Ask where to, and export."""
        if not self._desk.bundle:
            return
        path = self.files.results(self._window, f"{self._desk.bundle}.{self._rater}.results.zip")
        if path is not None:
            self.send_out(path)

    def send_out(self, path: Path, *, partial_too: bool = False) -> None:
        """Export the results of the bundle on the desk."""
        self._session.pause_typing()
        # What waits to be saved comes after an export in the store's lane: the export has to wait for it.
        self._session.saver.when_settled(lambda saved: self._export(path, partial_too=partial_too, saved=saved))

    def _export(self, path: Path, *, partial_too: bool, saved: bool) -> None:
        if not saved:
            words = self.tr("Not exported: the last answers are not saved yet.")
            self._banners.show_banner("transfer", "block", words)
            self.export_ended.emit()
            return
        self._begin(self.tr("Exporting to {name}").format(name=isolated(path.name)))
        self._running = self.signer.look(lambda key: self._pack(path, key, partial_too=partial_too))

    def _pack(self, path: Path, key: SigningKey | None, *, partial_too: bool) -> None:
        work = partial(export_results, partial=partial_too, key=key)
        self._running = self.perform.perform(
            work,
            self._desk.bundle,
            self._rater,
            path,
            done=lambda exported: self._exported(path, exported, partial_too=partial_too),
            failed=self._failed,
            progressed=lambda done, total: self._progressed(path.name, done, total),
        )

    def _answered(self) -> None:
        """What went well was seen by then."""
        banner = self._banners.banner("transfer")
        if banner is not None and banner.kind == "info" and self._running is None:
            self._banners.drop("transfer")

    def _begin(self, words: str) -> None:
        self._banners.drop("trouble")
        self._banners.show_banner("transfer", "info", words, [(self.tr("Cancel"), self._cancel)])

    def _cancel(self) -> None:
        if self._running is not None:
            self.perform.cancel(self._running)
        self._banners.drop("transfer")

    def _progressed(self, name: str, done: int, total: int) -> None:
        banner = self._banners.banner("transfer")
        if banner is not None and total and banner.kind == "info" and len(banner.buttons) == 1:
            words = self.tr("{name}: {done} of {total}")
            spelt = {"done": spelling.number(done), "total": spelling.number(total)}
            banner.label.setText(words.format(name=isolated(name), **spelt))

    def _failed(self, error: Exception) -> None:
        self._running = None
        self._banners.drop("transfer")
        self._banners.show_banner("trouble", "block", str(error) if _is_known(error) else self.tr("That did not work."))
        self.import_ended.emit()
        self.export_ended.emit()

    def _imported(self, path: Path, imported: Imported) -> None:
        self._running = None
        close = [one for one in imported.left_out if "--accept-close" in one.why]
        words = self._imported_words(path, imported)
        ways: list[Way] = []
        if imported.left_out:
            count = len(imported.left_out)
            out = self.tr("1 was left out: ") if count == 1 else self.tr("{n} were left out: ")
            words += f" {out.format(n=spelling.number(count))}"
            words += "; ".join(one.why.partition("; ")[0] for one in imported.left_out[:MOST_NAMED])
            words += "." if count <= MOST_NAMED else self.tr(", and more.")
        if imported.ignored:
            words += " " + self.tr("Ignored: {what}").format(what="; ".join(imported.ignored[:MOST_NAMED]))
            words += "." if len(imported.ignored) <= MOST_NAMED else self.tr(", and more.")
        if close:
            ways.append((self.tr("Take close matches too"), lambda: self.take_in(path, accept_close=True)))
        self._banners.show_banner("transfer", "warn" if imported.left_out or imported.ignored else "info", words, ways)
        if imported.id != self._desk.bundle:
            self._desk.open_bundle(imported.id)
        self.import_ended.emit()

    def _imported_words(self, path: Path, imported: Imported) -> str:
        if imported.outcome != "imported":
            words = self.tr("{name}: nothing to do, the store has {bundle} already.")
        else:
            words = self.tr("{name}: {n} tasks of {bundle} revision {revision} are in the store.")
            if imported.imported == 1:
                words = self.tr("{name}: 1 task of {bundle} revision {revision} is in the store.")
        count = spelling.number(imported.imported)
        return words.format(name=isolated(path.name), n=count, bundle=imported.id, revision=imported.revision)

    def _exported(self, path: Path, exported: Exported, *, partial_too: bool) -> None:
        self._running = None
        if exported.written:
            gone = exported.complete + exported.skipped
            words = self.tr("1 rating is in {name}.") if gone == 1 else self.tr("{n} ratings are in {name}.")
            words = words.format(n=spelling.number(gone), name=isolated(path.name))
            if exported.stays:
                count = len(exported.stays)
                stay = self.tr("1 task stays here: it is not finished.")
                if count > 1:
                    stay = self.tr("{n} tasks stay here: they are not finished.")
                words += " " + stay.format(n=spelling.number(count))
            if exported.altered:
                words += " " + self._left_out(len(exported.altered))
            if exported.key:
                words += " " + self.tr("Signed with your key {key}.").format(key=fingerprint(exported.key))
            self._banners.drop("all_done")  # which offers to export
            warns = exported.stays or exported.altered
            self._banners.show_banner("transfer", "warn" if warns else "info", words)
            self.signer.say()
        else:
            self._refused(path, exported, partial_too=partial_too)
        self.export_ended.emit()

    def _left_out(self, count: int) -> str:
        one = self.tr("1 stored page was altered on the disk and is not in it.")
        several = self.tr("{n} stored pages were altered on the disk and are not in it.")
        return one if count == 1 else several.format(n=spelling.number(count))

    def _refused(self, path: Path, exported: Exported, *, partial_too: bool) -> None:
        stays = exported.stays
        first = stays[0].task if stays else None
        ways: list[Way] = [(self.tr("Go to the first"), lambda: self._desk.open_task(first) if first else None)]
        if partial_too:
            words = self.tr("Not exported: no task is finished yet.")
        else:
            words = self.tr("Not exported: {what}").format(what=self._why(stays))
            ways.append((self.tr("Export what is finished"), lambda: self.send_out(path, partial_too=True)))
        self._banners.show_banner("transfer", "block", words, ways)

    def _why(self, stays: tuple[Stays, ...]) -> str:
        """What keeps the results here: unfinished tasks, or else the problems of finished ones."""
        named = ", ".join(one.task[:60] for one in stays[:MOST_NAMED])
        if len(stays) > MOST_NAMED:
            named = self.tr("{tasks} and {n} more").format(tasks=named, n=spelling.number(len(stays) - MOST_NAMED))
        real = [[problem for problem in one.problems if not is_open(problem)] for one in stays]
        if all(real):
            count = sum(map(len, real))
            words = self.tr("1 problem blocks in {tasks}.") if count == 1 else self.tr("{n} problems block in {tasks}.")
        else:
            count = len(stays)
            words = self.tr("1 task is not finished: {tasks}.")
            if count > 1:
                words = self.tr("{n} tasks are not finished: {tasks}.")
        return words.format(n=spelling.number(count), tasks=named)


def _is_known(error: Exception) -> bool:
    return isinstance(error, RaterError)
