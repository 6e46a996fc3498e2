"""Chosen or dropped files: bundles to rate and, for a QA lead, the results of raters."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject

from desktop_rater.store.store import Store
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.preferences import Preferences
from desktop_rater.ui.window.screens import LEAD, RATE, REVIEW, START, Screens
from desktop_rater.ui.window.transfer import Transfer

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


def _sort_files(_store: Store, paths: Sequence[Path]) -> SortedFiles:
    """Separate bundles from all other paths: opening results reports files that are invalid."""
    from desktop_rater.bundle.archive import zip_kind  # noqa: PLC0415 - only when it is used

    # No error for a name that is too long, or on a share whose server is away: opening it reports the reason.
    bundles = tuple(path for path in paths if os.path.isfile(path) and zip_kind(path) == "bundle")  # noqa: PTH113
    return bundles, tuple(path for path in paths if path not in bundles)
