"""What was sent back leaves as bundles, one for each rater, in a folder that the lead chooses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.work.return_work import ReturnedAll, ReturnedWork, return_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.ui.banner import Banners
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.rooms import Around

BANNER = "returning"
MOST_NAMED = 6  # raters in a banner


class Returning(QObject):
    """Knows the folder and the banner; what goes back is worked out in the store's lane."""

    ended = Signal(object)  # ReturnedAll, or `None` where it did not work

    def __init__(self, around: Around, desk: ReviewDesk, banners: Banners, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around = around
        self._desk = desk
        self._banners = banners

    def does(self) -> Mapping[str, Callable[[], object]]:
        """What its action does."""
        return {"review_return": self.ask}

    def ask(self) -> None:
        """Choose a folder, and write there what is to go back."""
        bundle = self._desk.bundle
        folder = self._around.files.folder(self._around.window) if bundle else None
        if folder is None:
            return
        self._around.perform.perform(
            partial(return_all, now=self._around.now),
            bundle,
            folder,
            done=self._done,
            failed=self._failed,
            progressed=lambda _done, _total: None,
        )

    def _done(self, found: ReturnedAll) -> None:
        self._banners.show_banner(BANNER, "info", self._words(found))
        self.ended.emit(found)

    def _failed(self, error: Exception) -> None:
        self._banners.show_banner(BANNER, "block", str(error))
        self.ended.emit(None)

    def _words(self, found: ReturnedAll) -> str:
        written = found.written
        waiting = any(one.waiting for _, one in written)
        unchanged = sum(len(one.unchanged) for _, one in found.raters)
        said = [self._named(found)] if written else [self.tr("Nothing is to go back.")]
        if waiting:
            said.append(self.tr("Some tasks go back once these have come back."))
        if unchanged == 1:
            said.append(self.tr("1 task came back as it was: it goes again once you say something else to it."))
        elif unchanged:
            words = self.tr("{n} tasks came back as they were: they go again once you say something else to them.")
            said.append(words.format(n=spelling.number(unchanged)))
        return " ".join(said)

    def _named(self, found: ReturnedAll) -> str:
        written = found.written
        raters = [self._of(rater, one) for rater, one in written[:MOST_NAMED]]
        if len(written) > MOST_NAMED:
            raters.append(self.tr("{n} more").format(n=spelling.number(len(written) - MOST_NAMED)))
        one, many = self.tr("1 bundle is in {folder}: {raters}."), self.tr("{n} bundles are in {folder}: {raters}.")
        words = one if len(written) == 1 else many
        folder = isolated(found.folder.name or str(found.folder))
        return words.format(n=spelling.number(len(written)), folder=folder, raters=", ".join(raters))

    def _of(self, rater: str, one: ReturnedWork) -> str:
        tasks = len(one.rework.tasks) if one.rework is not None else 0
        words = self.tr("1 task to {rater}") if tasks == 1 else self.tr("{n} tasks to {rater}")
        return words.format(n=spelling.number(tasks), rater=isolated(rater[:60]))
