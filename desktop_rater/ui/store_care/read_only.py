"""A window that may only look: it says why, offers nothing that would write, and notices when it may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rater.store.lock import is_held

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from PySide6.QtGui import QAction

    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.store_care.stores import Stores

EVERY_MS = 3_000
WRITES = (
    "import",
    "open_results",
    "open_folder",
    "sample",
    "practice",
    "export",
    "back_up",
    "restore",
    "fetch_task_links",
    "fetch_bundle_links",
)
BANNER = "read_only"


class ReadOnly(QObject):
    """Nothing at all where the window can write."""

    writing_wanted = Signal()

    def __init__(self, window: MainWindow, folder: Path, stores: Stores, actions: Mapping[str, QAction]) -> None:
        super().__init__(window)
        self._window = window
        self._folder = folder
        self.why = stores.why
        self.timer = QTimer(self)
        self.timer.setInterval(EVERY_MS)
        self.timer.timeout.connect(self.look)
        if not self.why:
            return
        for name in WRITES:
            actions[name].setEnabled(False)
        window.header.show_standing(self.tr("Read-only"), self.why)
        window.banners.show_banner(BANNER, "warn", self.why, [(self.tr("Try to write"), self.try_to_write)])
        if stores.taken:
            self.timer.start()

    def look(self) -> None:
        """See whether the other program is gone."""
        try:
            held = is_held(self._folder)
        except OSError:  # it can't be found out from here; the way to try stays open
            return
        if not held:
            self.timer.stop()
            words = self.tr("The other program is gone. This window can write now.")
            self._window.banners.show_banner(BANNER, "info", words, [(self.tr("Write here"), self.try_to_write)])

    def try_to_write(self) -> None:
        """Open the window anew: it says by itself where that is still not possible."""
        self.writing_wanted.emit()
