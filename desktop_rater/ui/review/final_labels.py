"""The final labels leave as results or as a table, once nothing is open; or what is decided so far."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.progress import Progress
from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.review.place_words import how_many
from desktop_rater.work.adjudicate_results import RESULTS, Final, Wished, adjudicate_results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from desktop_rater.store.store import Store
    from desktop_rater.ui.banner import Banners, Way
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.review.judging import Judging
    from desktop_rater.ui.rooms import Around

BANNER = "final"
BY_ENDING = {".zip": RESULTS, ".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet"}
MOST_NAMED = 5


def _written(store: Store, bundle: str, path: Path, wished: Wished) -> Final:
    return adjudicate_results(store, bundle, path, wished, Progress())


class FinalLabels(QObject):
    """Asks where to; the ending says as what. What is open is said, and can be looked at from there."""

    ended = Signal(object)  # Final, or `None` where it did not work
    ties_wanted = Signal()  # the places that are open are to be listed

    def __init__(
        self,
        around: Around,
        desk: ReviewDesk,
        banners: Banners,
        judging: Judging,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._around, self._desk, self._banners, self._judging = around, desk, banners, judging
        self._waiting: Callable[[], None] | None = None
        judging.said.connect(self._go_on)
        judging.refused.connect(self._go_on)
        desk.bundle_changed.connect(lambda: banners.drop(BANNER))

    def does(self) -> Mapping[str, Callable[[], object]]:
        """What its action does."""
        return {"review_final": self.ask}

    def ask(self) -> None:
        """Choose a file, and write what was decided."""
        bundle = self._desk.bundle
        path = self._around.files.final(self._around.window, f"{bundle}-final.zip") if bundle else None
        if path is not None:
            self._waiting = partial(self._write, bundle, path, so_far=False)
            self._go_on()

    def _go_on(self) -> None:
        """Write once all that was said is stored: what was decided just now belongs to it."""
        if self._waiting is not None and self._judging.is_settled:
            waiting, self._waiting = self._waiting, None
            waiting()

    def _write(self, bundle: str, path: Path, *, so_far: bool) -> None:
        to = BY_ENDING.get(path.suffix.lower())
        if to is None:
            words = self.tr("{name} was not written: its ending has to be one of {endings}.")
            endings = ", ".join(BY_ENDING)
            self._banners.show_banner(BANNER, "block", words.format(name=isolated(path.name), endings=endings))
            self.ended.emit(None)
            return
        wished = Wished(to=to, rater=self._judging.lead.name, partial=so_far)
        self._around.perform.ask(
            _written, bundle, path, wished, done=partial(self._done, bundle, path), failed=self._failed
        )

    def _failed(self, error: Exception) -> None:
        self._banners.show_banner(BANNER, "block", str(error))
        self.ended.emit(None)

    def _done(self, bundle: str, path: Path, found: Final) -> None:
        said = self._written_words(path, found)
        ways: list[Way] = []
        if found.open:
            said += f" {self._open_words(found)}"
            ways.append((self.tr("Show them"), self.ties_wanted.emit))
            if found.decided and not found.written:
                so_far = partial(self._write, bundle, path, so_far=True)
                ways.append((self.tr("Save what is decided"), so_far))
        if found.stays:
            said += f" {self._stays_words(found.stays)}"
        self._banners.show_banner(BANNER, "warn" if found.open or found.stays else "info", said, ways)
        self.ended.emit(found)

    def _written_words(self, path: Path, found: Final) -> str:
        if not found.written:
            return self.tr("Nothing was saved.")
        name = isolated(path.name)
        if found.ratings:
            words = self.tr("1 task is in {name}.") if found.ratings == 1 else self.tr("{n} tasks are in {name}.")
            return words.format(n=spelling.number(found.ratings), name=name)
        words = self.tr("1 decision is in {name}.") if found.decided == 1 else self.tr("{n} decisions are in {name}.")
        return words.format(n=spelling.number(found.decided), name=name)

    def _open_words(self, found: Final) -> str:
        places = {(one.task, one.where) for one in found.open}
        return self.tr("No final label yet: {places}.").format(places=how_many([where for _task, where in places]))

    def _stays_words(self, tasks: tuple[str, ...]) -> str:
        """Why some that are decided are in no results."""
        shown = ", ".join(isolated(one[:60]) for one in tasks[:MOST_NAMED])
        if len(tasks) > MOST_NAMED:
            shown = self.tr("{names} and {n} more").format(names=shown, n=spelling.number(len(tasks) - MOST_NAMED))
        words = self.tr("Left out, as no whole rating says what was decided: {tasks}. Correct one, or save a table.")
        return words.format(tasks=shown)
