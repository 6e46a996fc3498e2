"""Edit the map of a file: read it, try the map while it is edited, and write and import the bundle."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.opened_files import BUNDLE
from desktop_rater.operations import rubrics
from desktop_rater.plugins.convert.maps import RecordMap, apply_map
from desktop_rater.plugins.convert.run import (
    count_mapped,
    find_map,
    make_mapped_bundle,
    map_names,
    read_map_sample,
    save_map,
)
from desktop_rater.plugins.convert.window.dialog import MappingDialog
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.ui.window.transfer import Transfer


class MapEditor(QObject):
    """Does what the dialog asks for."""

    def __init__(self, window: MainWindow, perform: WorkRunner, transfer: Transfer) -> None:
        super().__init__(window)
        self._perform = perform
        self._transfer = transfer
        self._paths: tuple[Path, ...] = ()
        self._records: tuple[dict[str, Any], ...] = ()
        self._map = RecordMap(fields={})
        self._here = 0
        self._running: Progress | None = None
        self._latest = LatestRequest()
        self._dialog = dialog = MappingDialog(window, map_names(), rubrics.builtin_ids())
        dialog.record_wanted.connect(self._step)
        dialog.map_changed.connect(self._try_map)
        dialog.settled.connect(self._count)
        dialog.make_wanted.connect(self._make)
        dialog.save_wanted.connect(self._save)
        dialog.open_wanted.connect(self._open_map)
        dialog.rubric_wanted.connect(lambda name: self._show_map(replace(self._map, rubric=name)))
        dialog.left.connect(self._stop)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open the dialog with the map that is proposed for these files."""
        self._paths, self._records, self._here = tuple(paths), (), 0
        self._dialog.begin(self._paths[0])
        self._read(None)

    # -- reading and trying

    def _read(self, record_map: RecordMap | None) -> None:
        self._fetch(lambda _progress: read_map_sample(self._paths, record_map), self._show_sample)

    def _show_sample(self, sample: tuple[RecordMap, tuple[dict[str, Any], ...]]) -> None:
        record_map, self._records = sample
        self._here = 0
        self._dialog.say(self.tr("Nothing is written before the tasks are made."))
        self._show_map(record_map)

    def _show_map(self, record_map: RecordMap) -> None:
        """Show a map that was not typed here."""
        try:
            rubric = rubrics.find_rubric(record_map.default_rubric)
        except RaterError as error:
            self._dialog.say(str(error), "block")
            return
        self._map = record_map
        self._show_record()
        self._dialog.show_map(record_map, rubric)
        self._try_map(record_map)
        self._count()

    def _show_record(self) -> None:
        if self._records:
            self._dialog.show_record(self._records[self._here], self._here + 1, len(self._records))

    def _step(self, steps: int) -> None:
        if self._records:
            self._here = (self._here + steps) % len(self._records)
            self._show_record()
            self._dialog.show_uses(self._map)
            self._show_task()

    def _try_map(self, record_map: RecordMap) -> None:
        """Apply an edited map to the record that is shown."""
        relabelled = (record_map.take, record_map.labels) != (self._map.take, self._map.labels)
        self._map = record_map
        if relabelled:
            self._dialog.show_map(record_map, rubrics.find_rubric(record_map.default_rubric))
        self._dialog.show_uses(record_map)
        self._show_task()

    def _show_task(self) -> None:
        if self._records:
            self._dialog.show_task(apply_map(self._map, self._records[self._here], id_=self.tr("(numbered)")))

    def _count(self) -> None:
        self._dialog.show_counts(None)
        work = partial(count_mapped, self._paths, self._map)
        self._fetch(work, self._dialog.show_counts, progressed=lambda _done, _total: None)

    # -- writing

    def _open_map(self, name: str) -> None:
        if not name:
            path = self._transfer.files.open_file(self._dialog, self.tr("Open a map"), self.tr("Maps (*.toml)"))
            if path is None:
                return
            name = str(path)
        try:
            self._read(find_map(name))
        except RaterError as error:
            self._dialog.say(str(error), "block")

    def _save(self) -> None:
        suggested = f"{self._paths[0].stem}.map.toml"
        path = self._transfer.files.save_file(
            self._dialog, self.tr("Save the map"), suggested, self.tr("Maps (*.toml)")
        )
        if path is None:
            return
        try:
            save_map(self._map, path)
        except OSError as error:
            self._dialog.say(self.tr("The map is not saved: {why}").format(why=error.strerror or error), "block")
            return
        self._dialog.show_saved(path.name)

    def _make(self) -> None:
        suggested = f"{self._paths[0].name.partition('.')[0]}{BUNDLE}"
        path = self._transfer.files.save_file(
            self._dialog, self.tr("Save the bundle"), suggested, self.tr("Bundles (*.rater *.zip)")
        )
        if path is None:
            return
        self._dialog.say(self.tr("Making {name} …").format(name=path.name))
        work = partial(make_mapped_bundle, self._paths, self._map, path)
        self._fetch(work, lambda _made: self._made(path), progressed=lambda _done, _total: None)

    def _made(self, path: Path) -> None:
        self._dialog.accept()
        self._transfer.import_bundle(path)

    # -- work in the background

    def _fetch(self, work: Callable[..., Any], done: Callable[[Any], None], **more: Any) -> None:
        """Run work without the store; its outcome counts unless other work has begun, or the dialog was closed."""
        self._stop()

        def end(show: Callable[[Any], None], outcome: Any) -> None:
            self._running = None
            show(outcome)

        only = self._latest.only
        self._running = self._perform.fetch(
            work, done=only(partial(end, done)), failed=only(partial(end, self._failed)), **more
        )

    def _failed(self, error: Exception) -> None:
        if isinstance(error, RaterError):
            self._dialog.say(" ".join(str(error).split()), "block")

    def _stop(self) -> None:
        self._latest.replace()
        running, self._running = self._running, None
        if running is not None:
            self._perform.cancel(running)
