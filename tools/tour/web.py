"""The web of the tour: the sample's stored pages, over a network that can be switched off."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.page import Page
from desktop_rater.pages import warc
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import FetchedPage, Web
from desktop_rater.store.snapshots import list_snapshots


class SampleWeb(Web):
    """Answers with the sample's pages from the store as if they came over the network. Nothing is ever sent.

    The pictures are therefore the same on a machine without a network.
    """

    def __init__(self, store: Path, now: Callable[[], datetime]) -> None:
        super().__init__(Guard(resolve=_nobody), WEB_LIMITS, time.monotonic, now)
        self._store = store
        self.offline = False

    def open(self, url: str, progress: Progress) -> FetchedPage:
        """Return the page as its server would send it."""
        for path in list_snapshots(self._store) if not self.offline else ():
            if warc.read_snapshot(path).url == url:
                read = self.reread(path, progress)
                page = replace(read.page, stored=False)
                return FetchedPage(page=page, warc=path.read_bytes(), content=read.content)
        return FetchedPage(page=Page(url=url, final_url=url, state="unreachable", why="There is no network."))


def _nobody(*_asked: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
    raise OSError("Nothing is looked up.")
