"""The action that makes tasks of a file. The editor of maps, with all converters, is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.translation import N_
from desktop_rater.ui.window.action_row import ALWAYS, FILE, RATE, START, action, section

if TYPE_CHECKING:
    from desktop_rater.app.assembly import Application
    from desktop_rater.plugins.convert.window.map_editor import MapEditor


ROWS = section(FILE, ALWAYS, f"{RATE} {START}")(
    action("map_file", N_("Actions", "Make tasks of a file…"), repeats=False, after="import")
)


class MappingCommands(QObject):
    """Opens the editor for a chosen file, or a dropped one that is no annotation of an audit."""

    def __init__(self, application: Application) -> None:
        super().__init__(application.window)
        self._window = application.window
        self._perform = application.perform
        self._transfer = application.transfer
        self._editor: MapEditor | None = None
        take_dropped = application.lead_screens.import_dropped
        self._window.sources_dropped.connect(lambda paths: take_dropped(paths) or self.open_files(paths))

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"map_file": self.ask}

    def ask(self) -> None:
        filters = self.tr("Records (*.jsonl *.json *.csv *.tsv *.parquet *.xlsx *.gz);;All files (*)")
        path = self._transfer.files.open_file(self._window, self.tr("Choose a file of records"), filters)
        if path is not None:
            self.open_files((path,))

    def open_files(self, paths: Sequence[Path]) -> None:
        if self._editor is None:
            from desktop_rater.plugins.convert.window.map_editor import MapEditor  # noqa: PLC0415

            self._editor = MapEditor(self._window, self._perform, self._transfer)
        self._editor.open_files(paths)
