"""Fetches links beforehand, those of the task or of the whole bundle, and says in a banner how far it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.ui import spelling
from desktop_rater.work.gather_evidence import keep
from desktop_rater.work.prefetch import Links, Prefetched, links_to_fetch, prefetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.banner import Banners
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.preview.link_watch import LinkWatch
    from desktop_rater.ui.session import Session
    from desktop_rater.web.open_web import Fetched, Web

BANNER = "links"


class LinkFetching(QObject):
    """One run at a time. What has come is stored, whenever it is stopped; the next run goes on behind it."""

    ended = Signal()
    _came = Signal(object)  # Fetched, from the thread that fetches

    def __init__(self, perform: Perform, session: Session, web: Web, banners: Banners, watch: LinkWatch) -> None:
        super().__init__(banners)
        self._perform = perform
        self._session = session
        self._web = web
        self._banners = banners
        self._watch = watch
        self._running: Progress | None = None
        self._bundle = ""
        self._storing = 0  # pages on their way to the store
        self._ended: Prefetched | None = None  # what came of a run whose last pages are on their way there
        self._came.connect(self._keep)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {"fetch_task_links": self.fetch_of_task, "fetch_bundle_links": self.fetch_of_bundle}

    def fetch_of_task(self) -> None:
        """Fetch the links of the task at hand that are not stored yet."""
        if self._session.task is not None:
            self._find(self._session.task.id)

    def fetch_of_bundle(self) -> None:
        """Fetch those of every task of the bundle."""
        if self._session.bundle:
            self._find("")

    def stop(self) -> None:
        """Fetch no more."""
        if self._running is not None:
            self._perform.cancel(self._running)
            self._end()

    def _find(self, task: str) -> None:
        if self._running is not None:
            self._session.hinted.emit(self.tr("Links are being fetched already."))
            return
        self._bundle = self._session.bundle
        find = partial(links_to_fetch, task_id=task)
        self._running = self._perform.ask(find, self._bundle, done=self._fetch, failed=self._failed)

    def _fetch(self, links: Links) -> None:
        if not links.urls:
            self._end()
            words = self.tr("Every link is stored already.") if links.known else self.tr("No link is to be fetched.")
            self._banners.show_banner(BANNER, "info", words)
            return
        self._say(0, len(links.urls))
        home = self._came.emit

        def work(progress: Progress) -> Prefetched:
            return prefetch(links.urls, self._web, home, progress=progress)

        self._running = self._perform.fetch(work, done=self._fetched, failed=self._failed, progressed=self._say)

    def _keep(self, fetched: Fetched) -> None:
        """A page has come; the list is told when it is stored."""
        self._storing += 1
        self._perform.perform(keep, fetched, self._bundle, done=lambda _kept: self._stored(), failed=self._not_stored)

    def _stored(self) -> None:
        self._storing -= 1
        self._watch.read()
        self._tell()

    def _not_stored(self, error: Exception) -> None:
        self._storing -= 1
        if isinstance(error, RaterError):
            self._banners.trouble(error)
        self._tell()

    def _say(self, done: int, total: int) -> None:
        if self._running is None:
            return  # it was stopped, and this was on its way
        words = self.tr("Fetching links: {n} of {total}").format(n=spelling.number(done), total=spelling.number(total))
        banner = self._banners.banner(BANNER)
        if banner is not None and banner.buttons:
            banner.label.setText(words)
        else:
            self._banners.show_banner(BANNER, "info", words, [(self.tr("Stop"), self.stop)])

    def _fetched(self, came: Prefetched) -> None:
        self._ended = came
        self._tell()

    def _tell(self) -> None:
        """Say what came of a run, once the last of its pages is stored."""
        came = self._ended
        if came is None or self._storing:
            return
        self._end()
        words = self.tr("1 page is stored.") if came.fetched == 1 else self.tr("{n} pages are stored.")
        words = words.format(n=spelling.number(came.fetched))
        if came.missing:
            count = len(came.missing)
            more = self.tr("1 link shows no page.") if count == 1 else self.tr("{n} links show no page.")
            words = f"{words} {more.format(n=spelling.number(count))}"
        self._banners.show_banner(BANNER, "warn" if came.missing else "info", words)

    def _failed(self, error: Exception) -> None:
        self._end()
        if isinstance(error, RaterError):
            self._banners.trouble(error)

    def _end(self) -> None:
        self._running = self._ended = None
        self._banners.drop(BANNER)
        self.ended.emit()
