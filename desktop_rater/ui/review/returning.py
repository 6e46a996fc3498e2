"""What was sent back leaves as bundles, one for each rater: by the hub, or in a folder that the lead chooses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

from desktop_rater.ui import spelling
from desktop_rater.ui.direction import isolated
from desktop_rater.work.return_by_hub import ReturnedByHub, return_by_hub
from desktop_rater.work.return_work import ReturnedAll, ReturnedWork, return_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.ui.banner import Banners
    from desktop_rater.ui.review.desk import ReviewDesk
    from desktop_rater.ui.rooms import Around

    Returns: TypeAlias = tuple[tuple[str, ReturnedWork], ...]

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
        """By the hub where there is one; else choose a folder, and write there what is to go back."""
        bundle = self._desk.bundle
        hub = self._around.hub
        if bundle and hub is not None and hub.hub is not None:
            self._by_hub(bundle)
            return
        self._ask_folder(bundle)

    def _by_hub(self, bundle: str) -> None:
        self._around.perform.perform(
            partial(return_by_hub, now=self._around.now),
            bundle,
            done=self._queued,
            failed=self._failed,
            progressed=lambda _done, _total: None,
        )

    def _ask_folder(self, bundle: str) -> None:
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

    def _queued(self, found: ReturnedByHub) -> None:
        """It goes at once, where the hub answers."""
        hub = self._around.hub
        place = self.tr("the outbox for {hub}").format(hub=isolated(found.hub_title))
        files = self.tr("Write files instead …"), partial(self._ask_folder, self._desk.bundle)
        words = self._words(found.raters, found.queued, place)
        self._banners.show_banner(BANNER, "info", words, [files] if found.queued else [])
        self.ended.emit(found)
        if found.queued and hub is not None:
            hub.exchange.sync(at_once=True)

    def _done(self, found: ReturnedAll) -> None:
        place = isolated(found.folder.name or str(found.folder))
        self._banners.show_banner(BANNER, "info", self._words(found.raters, found.written, place))
        self.ended.emit(found)

    def _failed(self, error: Exception) -> None:
        self._banners.show_banner(BANNER, "block", str(error))
        self.ended.emit(None)

    def _words(self, raters: Returns, written: Returns, place: str) -> str:
        waiting = any(one.waiting for _, one in written)
        unchanged = sum(len(one.unchanged) for _, one in raters)
        said = [self._named(written, place)] if written else [self.tr("Nothing is to go back.")]
        if waiting:
            said.append(self.tr("Some tasks go back once these have come back."))
        if unchanged == 1:
            said.append(self.tr("1 task came back as it was: it goes again once you say something else to it."))
        elif unchanged:
            words = self.tr("{n} tasks came back as they were: they go again once you say something else to them.")
            said.append(words.format(n=spelling.number(unchanged)))
        return " ".join(said)

    def _named(self, written: Returns, place: str) -> str:
        raters = [self._of(rater, one) for rater, one in written[:MOST_NAMED]]
        if len(written) > MOST_NAMED:
            raters.append(self.tr("{n} more").format(n=spelling.number(len(written) - MOST_NAMED)))
        one, many = self.tr("1 bundle is in {folder}: {raters}."), self.tr("{n} bundles are in {folder}: {raters}.")
        words = one if len(written) == 1 else many
        return words.format(n=spelling.number(len(written)), folder=place, raters=", ".join(raters))

    def _of(self, rater: str, one: ReturnedWork) -> str:
        tasks = len(one.rework.tasks) if one.rework is not None else 0
        words = self.tr("1 task to {rater}") if tasks == 1 else self.tr("{n} tasks to {rater}")
        return words.format(n=spelling.number(tasks), rater=isolated(rater[:60]))
