"""What shows while a task is fetched: the last one stays, dimmed, and after a moment a line says what is coming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_rater.ui.direction import isolated

if TYPE_CHECKING:
    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.main_window import MainWindow

PATIENCE_MS = 300  # what comes sooner needs no word


class Opening(QObject):
    """Nothing flickers: most tasks are there long before the line is."""

    def __init__(self, desk: Desk, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._task = ""
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(PATIENCE_MS)
        self.timer.timeout.connect(self._say)
        desk.opening.connect(self._wait)
        desk.settled.connect(self._settle)

    def _wait(self, task: str) -> None:
        self._task = task
        self.timer.start()

    def _say(self) -> None:
        words = self.tr("Opening {task} …").format(task=isolated(self._task[:80]))
        self._window.form_pane.banners.show_banner("opening", "info", words)
        for pane in (self._window.text_pane, self._window.form_pane.form):
            pane.setEnabled(False)

    def _settle(self) -> None:
        self.timer.stop()
        self._window.form_pane.banners.drop("opening")
        for pane in (self._window.text_pane, self._window.form_pane.form):
            pane.setEnabled(True)
