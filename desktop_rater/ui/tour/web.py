"""The web as the tour needs it: the pages of the sample and nothing else, and a network that can be switched off."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.model.page import Page
from desktop_rater.store.snapshots import listed
from desktop_rater.web import warc
from desktop_rater.web.guard import Guard
from desktop_rater.web.limits import LIMITS
from desktop_rater.web.open_web import Fetched, Web

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.model.progress import Progress


class SampleWeb(Web):
    """Answers with what the store has of the sample's pages, as if it came over the network. Nothing is ever sent.

    Nobody else answers, so that the pictures are the same on a machine with a network and on one without.
    """

    def __init__(self, store: Path, now: Callable[[], datetime]) -> None:
        super().__init__(Guard(resolve=_nobody), LIMITS, time.monotonic, now)
        self._store = store
        self.offline = False

    def open(self, url: str, progress: Progress) -> Fetched:
        """The page as its server would send it."""
        for path in listed(self._store) if not self.offline else ():
            if warc.read(path).url == url:
                read = self.reread(path, progress)
                page = replace(read.page, stored=False)
                return Fetched(page=page, warc=path.read_bytes(), content=read.content)
        return Fetched(page=Page(url=url, final_url=url, state="unreachable", why="There is no network."))


def _nobody(*_asked: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
    raise OSError("Nothing is looked up.")
