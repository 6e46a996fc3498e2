"""Files that are chosen or dropped: bundles to rate, and for a QA lead the results of raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.bundle.kind import kind_of
from desktop_rater.ui.rooms import LEAD, RATE, REVIEW

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop_rater.store.store import Store
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.preferences import Preferences
    from desktop_rater.ui.rooms import Rooms
    from desktop_rater.ui.transfer import Transfer

Sorted = tuple[tuple["Path", ...], tuple["Path", ...]]  # bundles, results


class FilesIn(QObject):
    """Where tasks are rated, a bundle is imported; where results are looked at, it tells what was to be rated."""

    def __init__(self, window: MainWindow, transfer: Transfer, rooms: Rooms, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._transfer = transfer
        self._rooms = rooms
        self._preferences = preferences
        self._waiting: list[Path] = []
        window.dropped.connect(self.take)
        transfer.import_ended.connect(self._import_next)

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"import": self.choose, "open_results": self.choose, "open_folder": self.choose_folder}

    def choose(self) -> None:
        """Ask for files."""
        self.take(self._transfer.files.bundles(self._window))

    def choose_folder(self) -> None:
        """Ask for a folder of results."""
        folder = self._transfer.files.folder(self._window)
        if folder is not None:
            self.take((folder,))

    def take(self, paths: Sequence[Path]) -> None:
        """Take files and folders in."""
        if not paths:
            return
        if self._preferences.now.role == LEAD and REVIEW in self._rooms.offered:
            self._transfer.perform.ask(_sorted, tuple(paths), done=self._sorted)
        else:
            self._import(paths)

    def _sorted(self, found: Sorted) -> None:
        bundles, results = found
        if self._rooms.name != RATE:  # there a bundle is the lead's own copy
            bundles, results = (), (*bundles, *results)
        if bundles:
            self._import(bundles)
        if results:
            self._rooms.go(REVIEW)
            self._rooms.around.results.take(results)

    def _import(self, paths: Sequence[Path]) -> None:
        self._waiting += paths
        if not self._transfer.is_running:
            self._import_next()

    def _import_next(self) -> None:
        if self._waiting:
            self._transfer.take_in(self._waiting.pop(0))


def _sorted(_store: Store, paths: Sequence[Path]) -> Sorted:
    """The bundles, and all else: what opens results says what is wrong with a file that is none."""
    bundles = tuple(path for path in paths if path.is_file() and kind_of(path) == "bundle")
    return bundles, tuple(path for path in paths if path not in bundles)
