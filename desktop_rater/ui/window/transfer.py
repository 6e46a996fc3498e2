"""Import of bundles, export of results, and the files that were chosen or dropped."""

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.format.change import Change, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.hub_names import fingerprint
from desktop_rater.operations.bundles.revisions import BundleChanged, bring_bundle_back, go_to_revision
from desktop_rater.operations.rating.open_task import UnfinishedTasks, unfinished_tasks
from desktop_rater.paths import sample_bundle_path
from desktop_rater.store.bundles import has_unindexed
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import file_name
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.rating.task_stops import is_unanswered
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.banners import BannerAction, Banners
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.labels import isolated
from desktop_rater.ui.window.bundle_dialogs import HiddenWorkQuestion, change_text, reopened_text
from desktop_rater.ui.window.file_dialogs import FileChoice, open_in_browser
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.screens import LEAD, RATE, REVIEW, START, Screens

if TYPE_CHECKING:
    from desktop_rater.format.signing import SigningKey
    from desktop_rater.operations.bundles.import_bundle import ImportedBundle
    from desktop_rater.operations.rating.export import ExportedResults, UnexportedTask
    from desktop_rater.ui.window.signing import ResultsSigner


MAX_NAMED = 3


class Transfer(QObject):
    """Runs one import or export at a time, and shows the result in a banner."""

    bundle_imported = Signal(object)  # ImportedBundle
    failed = Signal(object)  # the exception
    import_ended = Signal()
    export_ended = Signal()

    def __init__(
        self,
        perform: WorkRunner,
        session: Session,
        desk: TaskLoader,
        banners: Banners,
        files: FileChoice,
        rater: str,
        *,
        now: Callable[[], datetime],
        parent: MainWindow,
    ) -> None:
        super().__init__(parent)
        self.perform = perform
        self._session = session
        self._desk = desk
        self._banners = banners
        self.files = files
        self._rater = rater
        self._now = now
        self._window = parent
        session.rating_changed.connect(self._drop_result)
        self._running: Progress | None = None

    @property
    def signer(self) -> "ResultsSigner":
        return self._window.parts["signer"]

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def open_sample(self, name: str = "sample") -> None:
        """Import a bundle that comes with the program, and open it."""
        self.import_bundle(sample_bundle_path(name))

    def import_bundle(self, path: Path, *, accept_close: bool = False, replace: bool = False) -> None:
        from desktop_rater.operations.bundles.import_bundle import import_bundle  # noqa: PLC0415 - only when it is used

        work = partial(import_bundle, accept_close=accept_close, replace=replace, now=self._now)
        self._begin(self.tr("Importing {name}").format(name=isolated(path.name)))
        self._running = self.perform.perform(
            work,
            path,
            done=lambda imported: self._imported(path, imported),
            failed=lambda error: self._not_imported(path, error, accept_close=accept_close),
            progressed=lambda done, total: self._progressed(path.name, done, total),
        )

    def _not_imported(self, path: Path, error: Exception, *, accept_close: bool) -> None:
        """Ask about a bundle that would hide work; until then the next import waits."""
        from desktop_rater.operations.bundles.import_bundle import HidesWork  # noqa: PLC0415 - only when it is used

        if not isinstance(error, HidesWork):
            self._failed(error)
            return
        self._running = None
        self._banners.drop("transfer")
        confirm = partial(self.import_bundle, path, accept_close=accept_close, replace=True)
        question = HiddenWorkQuestion(self._window, error, confirm)
        question.rejected.connect(self.import_ended)
        question.ask()

    def change_bundle(self, work: Callable[..., BundleChanged], bundle: str) -> None:
        """Go to another revision, put a bundle away or bring it back, and show the result."""

        def show(changed: BundleChanged) -> None:
            self._banners.show_banner("transfer", "info", change_text(changed))

        self.perform.perform(partial(work, now=self._now), bundle, done=show, failed=self._failed)

    def choose_results(self) -> None:
        """Ask for a file name and export; where tasks are unfinished, say so first."""
        if self._desk.bundle:
            self._session.pause_typing()
            self._session.saver.when_settled(self._read_unfinished)

    def _read_unfinished(self, saved: bool) -> None:
        if saved:
            arrived = partial(self._found_unfinished, self._desk.bundle)
            self.perform.ask(unfinished_tasks, self._desk.bundle, self._rater, MAX_NAMED, done=arrived)
        else:
            self._refuse_unsaved()

    def _found_unfinished(self, bundle: str, unfinished: UnfinishedTasks) -> None:
        if bundle != self._desk.bundle:
            return
        if not unfinished.count:
            self._ask_name()
            return
        first = unfinished.first[0]
        actions: list[BannerAction] = [(self.tr("Go to the first task"), lambda: self._go_to(first))]
        text = self.tr("Not exported: no task is finished yet.")
        if unfinished.finished:
            text = self.tr("Not exported: {what}").format(what=self._unfinished_text(unfinished))
            actions.append((self.tr("Export finished tasks…"), lambda: self._ask_name(partial_too=True)))
        self._banners.show_banner("transfer", "block", text, actions)
        self.export_ended.emit()

    def _ask_name(self, *, partial_too: bool = False) -> None:
        path = self.files.results(self._window, file_name(self._desk.bundle, self._rater, ending=".results.zip"))
        if path is not None:
            self.export_to(path, partial_too=partial_too)

    def _go_to(self, task: str) -> None:
        """Open a task at its first problem."""
        self._desk.open_task(task)
        session = self._session
        if session.task is not None and session.task.id == task and session.outcome.blocking:
            session.refused.emit()

    def export_to(self, path: Path, *, partial_too: bool = False) -> None:
        self._session.pause_typing()
        # Pending answers would be queued after the export, so the export waits for them.
        self._session.saver.when_settled(lambda saved: self._export(path, partial_too=partial_too, saved=saved))

    def _export(self, path: Path, *, partial_too: bool, saved: bool) -> None:
        if not saved:
            self._refuse_unsaved()
            return
        self._begin(self.tr("Exporting to {name}").format(name=isolated(path.name)))
        self._running = self.signer.fetch_key(lambda key: self._pack(path, key, partial_too=partial_too))

    def _refuse_unsaved(self) -> None:
        text = self.tr("Not exported: the latest answers are not saved yet. Try again once they are saved.")
        self._banners.show_banner("transfer", "block", text)
        self.export_ended.emit()

    def _pack(self, path: Path, key: "SigningKey | None", *, partial_too: bool) -> None:
        from desktop_rater.operations.rating.export import export_results  # noqa: PLC0415 - only when it is used

        work = partial(export_results, partial=partial_too, key=key, now=self._now)
        self._running = self.perform.perform(
            work,
            self._desk.bundle,
            self._rater,
            path,
            done=lambda exported: self._exported(path, exported, partial_too=partial_too),
            failed=self._failed,
            progressed=lambda done, total: self._progressed(path.name, done, total),
        )

    def _drop_result(self) -> None:
        """Remove the message of a successful transfer once the rater continues."""
        banner = self._banners.banner("transfer")
        if banner is not None and banner.kind == "info" and self._running is None:
            self._banners.drop("transfer")

    def _begin(self, text: str) -> None:
        self._banners.drop("trouble")
        self._banners.show_banner("transfer", "info", text, [(self.tr("Cancel"), self._cancel)])

    def _cancel(self) -> None:
        if self._running is not None:
            self.perform.cancel(self._running)
        self._banners.drop("transfer")

    def _progressed(self, name: str, done: int, total: int) -> None:
        banner = self._banners.banner("transfer")
        if banner is not None and total and banner.kind == "info" and len(banner.buttons) == 1:
            text = self.tr("{name}: {done} of {total}")
            numbers = {"done": formatting.number(done), "total": formatting.number(total)}
            banner.label.setText(text.format(name=isolated(name), **numbers))

    def _failed(self, error: Exception) -> None:
        self._running = None
        self.failed.emit(error)
        self._banners.drop("transfer")
        self.show_failures([error])
        self.import_ended.emit()
        self.export_ended.emit()

    def show_failures(self, errors: Sequence[Exception]) -> None:
        """Show why files were not imported or exported, at most three of many."""
        shown = errors if len(errors) <= MAX_NAMED else errors[: MAX_NAMED - 1]
        texts = [str(error) if isinstance(error, RaterError) else self.tr("Unexpected error.") for error in shown]
        if len(shown) < len(errors):
            texts.append(self.tr("{n} more files failed.").format(n=formatting.number(len(errors) - len(shown))))
        self._banners.show_banner("trouble", "block", "\n".join(texts))

    def _imported(self, path: Path, imported: "ImportedBundle") -> None:
        self._running = None
        self.bundle_imported.emit(imported)
        close_matches = [item for item in imported.left_out if "--accept-close" in item.why]
        text = self._import_summary(path, imported)
        actions: list[BannerAction] = []
        if imported.left_out:
            count = len(imported.left_out)
            omission = self.tr("1 was left out: ") if count == 1 else self.tr("{n} were left out: ")
            text += f" {omission.format(n=formatting.number(count))}"
            text += "; ".join(item.why.partition("; ")[0] for item in imported.left_out[:MAX_NAMED])
            text += "." if count <= MAX_NAMED else self.tr(", and more.")
        if imported.ignored:
            text += " " + self.tr("Ignored: {what}").format(what="; ".join(imported.ignored[:MAX_NAMED]))
            text += "." if len(imported.ignored) <= MAX_NAMED else self.tr(", and more.")
        if imported.effect.reopened:
            text += " " + reopened_text(imported.effect.reopened)
        if not imported.stored:
            again = partial(self.import_bundle, path, replace=True)
            actions.append((self.tr("Import revision {n} anyway").format(n=imported.revision), again))
        previous = imported.effect.current if imported.outcome == "imported" else imported.revision
        if imported.stored and previous not in {0, imported.current}:
            label = self.tr("Go to revision {n}").format(n=previous)
            work = partial(go_to_revision, revision=previous)
            actions.append((label, lambda: self.change_bundle(work, imported.id)))
        if imported.put_away:
            text += " " + self.tr("The bundle is put away.")
            actions.append((self.tr("Bring it back"), lambda: self.change_bundle(bring_bundle_back, imported.id)))
        if close_matches:
            actions.append((self.tr("Accept close matches"), lambda: self.import_bundle(path, accept_close=True)))
        self._banners.show_banner(
            "transfer", "warn" if imported.left_out or imported.ignored else "info", text, actions
        )
        if imported.id != self._desk.bundle and not imported.put_away:
            self._desk.open_bundle(imported.id)
        self.import_ended.emit()

    def _import_summary(self, path: Path, imported: "ImportedBundle") -> str:
        if imported.outcome != "imported":
            text = self.tr("{name}: nothing to import, {bundle} is already in the store.")
            if not imported.stored:
                text = self.tr("{name}: not imported, since revision {current} of {bundle} is in the store.")
        else:
            text = self.tr("{name}: imported {n} tasks of {bundle}, revision {revision}.")
            if imported.imported == 1:
                text = self.tr("{name}: imported 1 task of {bundle}, revision {revision}.")
        count = formatting.number(imported.imported)
        numbers = {"n": count, "revision": imported.revision, "current": imported.current}
        return text.format(name=isolated(path.name), bundle=imported.id, **numbers)

    def _exported(self, path: Path, exported: "ExportedResults", *, partial_too: bool) -> None:
        self._running = None
        if exported.written:
            rating_count = exported.complete + exported.skipped
            text = (
                self.tr("Exported 1 rating to {name} in {folder}.")
                if rating_count == 1
                else self.tr("Exported {n} ratings to {name} in {folder}.")
            )
            place = {"name": isolated(path.name), "folder": isolated(str(path.absolute().parent))}
            text = text.format(n=formatting.number(rating_count), **place)
            if exported.stays:
                count = len(exported.stays)
                remaining = self.tr("1 unfinished task was not exported.")
                if count > 1:
                    remaining = self.tr("{n} unfinished tasks were not exported.")
                text += " " + remaining.format(n=formatting.number(count))
            if exported.altered:
                count = len(exported.altered)
                altered = self.tr("1 stored page was omitted: it has been altered on the disk.")
                if count > 1:
                    altered = self.tr("{n} stored pages were omitted: they have been altered on the disk.")
                text += " " + altered.format(n=formatting.number(count))
            if exported.key:
                text += " " + self.tr("Signed with your key {key}.").format(key=fingerprint(exported.key))
            self._banners.drop("all_done")  # its button offers to export
            warns = exported.stays or exported.altered
            self._banners.show_banner("transfer", "warn" if warns else "info", text, [self._show_in_folder(path)])
            self.signer.show_notice()
        else:
            self._refused(path, exported, partial_too=partial_too)
        self.export_ended.emit()

    def _show_in_folder(self, path: Path) -> BannerAction:
        return self.tr("Show in folder"), partial(open_in_browser, path.absolute().parent.as_uri())

    def _refused(self, path: Path, exported: "ExportedResults", *, partial_too: bool) -> None:
        stays = exported.stays
        first = stays[0].task if stays else None
        actions: list[BannerAction] = [(self.tr("Go to the first task"), lambda: self._go_to(first) if first else None)]
        if partial_too:
            text = self.tr("Not exported: no task is finished yet.")
        else:
            text = self.tr("Not exported: {what}").format(what=self._refusal(stays))
            actions.append((self.tr("Export finished tasks"), lambda: self.export_to(path, partial_too=True)))
        self._banners.show_banner("transfer", "block", text, actions)

    def _unfinished_text(self, unfinished: UnfinishedTasks) -> str:
        """Return which tasks are unfinished, or answered and blocked by problems."""
        count, named = unfinished.count, ", ".join(task[:60] for task in unfinished.first)
        if count > len(unfinished.first):
            more = formatting.number(count - len(unfinished.first))
            named = self.tr("{tasks} and {n} more").format(tasks=named, n=more)
        single, several = self.tr("1 task is not finished: {tasks}."), self.tr("{n} tasks are not finished: {tasks}.")
        if unfinished.blocked == count:
            single, several = self.tr("problems block 1 task: {tasks}."), self.tr("problems block {n} tasks: {tasks}.")
        return (single if count == 1 else several).format(n=formatting.number(count), tasks=named)

    def _refusal(self, stays: "tuple[UnexportedTask, ...]") -> str:
        """Return the reason for refusing: unfinished tasks, or else the problems of finished ones."""
        named = ", ".join(stay.task[:60] for stay in stays[:MAX_NAMED])
        if len(stays) > MAX_NAMED:
            named = self.tr("{tasks} and {n} more").format(tasks=named, n=formatting.number(len(stays) - MAX_NAMED))
        problems = [[problem for problem in stay.problems if not is_unanswered(problem)] for stay in stays]
        if all(problems):
            count = sum(map(len, problems))
            text = (
                self.tr("1 blocking problem in {tasks}.")
                if count == 1
                else self.tr("{n} blocking problems in {tasks}.")
            )
        else:
            count = len(stays)
            text = self.tr("1 task is not finished: {tasks}.")
            if count > 1:
                text = self.tr("{n} tasks are not finished: {tasks}.")
        return text.format(n=formatting.number(count), tasks=named)


SortedFiles = tuple[tuple["Path", ...], tuple["Path", ...]]  # bundles, results


class IncomingFiles(QObject):
    """Imports bundles on the rating screen; on the others, bundles are opened together with the results."""

    def __init__(
        self,
        window: MainWindow,
        transfer: Transfer,
        screens: Screens,
        preferences: Preferences,
        open_results: Callable[[Sequence[Path]], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._transfer = transfer
        self._screens = screens
        self._preferences = preferences
        self._open_results = open_results
        self._pending: list[Path] = []
        self._refused: list[Exception] = []  # since the first file of those that were opened together
        window.dropped.connect(self.open_files)
        transfer.failed.connect(self._refused.append)
        transfer.import_ended.connect(self._import_next)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"import": self.choose, "open_results": self.choose, "open_folder": self.choose_folder}

    def choose(self) -> None:
        self.open_files(self._transfer.files.bundles(self._window))

    def choose_folder(self) -> None:
        folder = self._transfer.files.folder(self._window)
        if folder is not None:
            self.open_files((folder,))

    def open_files(self, paths: Sequence[Path]) -> None:
        if not paths:
            return
        if self._preferences.now.role == LEAD and REVIEW in self._screens.offered:
            self._transfer.perform.ask(_sort_files, tuple(paths), done=self._sort_files)
        else:
            self._import(paths)

    def _sort_files(self, groups: SortedFiles) -> None:
        bundles, results = groups
        if self._screens.name not in {START, RATE}:  # on other screens a bundle is the lead's own copy
            bundles, results = (), (*bundles, *results)
        if bundles:
            self._import(bundles)
        if results:
            self._open_results(results)

    def _import(self, paths: Sequence[Path]) -> None:
        self._pending += paths
        if not self._transfer.is_running:
            self._refused.clear()
            self._import_next()

    def _import_next(self) -> None:
        if self._pending:
            self._transfer.import_bundle(self._pending.pop(0))
            return
        # The import of each further file has dropped the message about those before.
        if self._refused and (len(self._refused) > 1 or self._window.banners.text("trouble") is None):
            self._transfer.show_failures(self._refused)
        self._refused.clear()


INDEX_DELAY_MS = 500  # by then the first task of an imported bundle is open: both at once would hold up the window


class SearchIndexer(QObject):
    """Completes the search index of large bundles after an import, between the answers, or at the next start."""

    def __init__(self, perform: WorkRunner, window: MainWindow) -> None:
        super().__init__(window)
        self._perform = perform
        self._running: Progress | None = None
        self._pause = DelayedCall(self, INDEX_DELAY_MS, lambda: perform.ask(has_unindexed, done=self._index))
        window.closed.connect(self._stop)
        if not perform.read_only:
            perform.changed.connect(self._follow)
            self._pause.start()  # where the last run was interrupted

    def _follow(self, change: Change) -> None:
        if change.bundles:
            self._pause.start()

    def _index(self, needed: bool) -> None:
        if needed and self._running is None:
            from desktop_rater.operations.bundles.import_bundle import index_bundles  # noqa: PLC0415 - only when it is used

            self._running = self._perform.perform(
                index_bundles, done=self._ended, failed=self._failed, progressed=lambda _done, _total: None
            )

    def _ended(self, _result: object) -> None:
        self._running = None

    def _failed(self, error: Exception) -> None:
        self._running = None
        if isinstance(error, RaterError):
            self._perform.failed.emit(error)

    def _stop(self) -> None:
        self._pause.stop()
        if self._running is not None:
            self._perform.cancel(self._running)


def _sort_files(_store: Store, paths: Sequence[Path]) -> SortedFiles:
    """Separate bundles from all other paths: opening results reports files that are invalid."""
    from desktop_rater.format.archive import zip_kind  # noqa: PLC0415 - only when it is used

    # No error for a name that is too long, or on a share whose server is away: opening it reports the reason.
    bundles = tuple(path for path in paths if os.path.isfile(path) and zip_kind(path) == "bundle")  # noqa: PTH113
    return bundles, tuple(path for path in paths if path not in bundles)
