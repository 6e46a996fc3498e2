"""A page from the web: by way of its redirects, each of them through the guard."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from desktop_rater import __version__
from desktop_rater.http.patience import Patience
from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.model.limits import format_time
from desktop_rater.web.answer import Answer, Hop
from desktop_rater.web.limits import LIMITS, WebLimits
from desktop_rater.web.locations import redirected
from desktop_rater.web.trouble import WebError, of_http

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from desktop_rater.model.progress import Progress
    from desktop_rater.web.guard import Guard
    from desktop_rater.web.stream import HopAnswer

# Nothing here tells one rater from another.
_HEADERS = (
    ("User-Agent", f"Mozilla/5.0 (compatible; DesktopRater/{__version__})"),
    ("Accept", "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5"),
    ("Accept-Language", "en,*;q=0.5"),
    ("Accept-Encoding", "identity, gzip"),
)


def fetch(
    url: str,
    *,
    guard: Guard,
    now: datetime,
    progress: Progress,
    limits: WebLimits = LIMITS,
    clock: Callable[[], float] = time.monotonic,
) -> Answer:
    """What the web answers for `url`, whatever its status; `progress` hears how many bytes have come.

    Raises `WebError` where no answer comes that can be kept, and `Cancelled`. An answer of another type than HTML, text
    or PDF has no body: it is not read.
    """
    return _Journey(guard, limits, progress, clock).run(url, format_time(now))


class _Journey:
    def __init__(self, guard: Guard, limits: WebLimits, progress: Progress, clock: Callable[[], float]) -> None:
        self._guard = guard
        self._limits = limits
        self._progress = progress
        self._patience = Patience(progress, clock, limits.total_seconds)
        self._hops: list[Hop] = []
        self._here = ""

    def run(self, url: str, fetched: str) -> Answer:
        self._here = url
        try:
            answer = self._ask()
            while answer.location:
                self._hops.append(
                    Hop(url=self._here, status=answer.status, reason=answer.reason, headers=answer.headers)
                )
                self._here = self._onward(answer.location)
                answer = self._ask()
        except WebError as error:
            error.url = self._here
            error.hops = tuple(self._hops)
            raise
        return Answer(
            url=url,
            final_url=self._here,
            status=answer.status,
            reason=answer.reason,
            headers=answer.headers,
            hops=tuple(self._hops),
            raw=answer.raw,
            body=answer.body,
            fetched=fetched,
        )

    def _ask(self) -> HopAnswer:
        from desktop_rater.web.stream import ask  # noqa: PLC0415 - httpcore is not loaded before the first page

        asked = self._guard.asked(self._here)
        try:
            self._patience.check()
        except HttpTrouble as error:
            raise of_http(error, asked.host) from error
        return ask(
            asked,
            _HEADERS,
            guard=self._guard,
            limits=self._limits,
            patience=self._patience,
            progress=self._progress,
        )

    def _onward(self, location: str) -> str:
        url = redirected(self._here, location)
        # Without cookies the same question gets the same answer.
        if urldefrag(url).url in {urldefrag(hop.url).url for hop in self._hops}:
            raise _astray("The page sends on in a circle.")
        if len(self._hops) > self._limits.redirects:
            raise _astray(f"The page sends on more than {self._limits.redirects} times.")
        return url


def _astray(title: str) -> WebError:
    return WebError(title, "So nothing can be shown.", "Open another address of the page.", state="failed")
