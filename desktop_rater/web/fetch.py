"""Fetch a page from the web, through its redirects, each checked by the guard."""

import time
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urldefrag

from desktop_rater import __version__
from desktop_rater.http.deadline import Deadline
from desktop_rater.http.errors import HttpError
from desktop_rater.model.change import Progress
from desktop_rater.model.values import format_time
from desktop_rater.web.errors import WebError, web_error_from_http
from desktop_rater.web.guard import Guard, redirect_target
from desktop_rater.web.limits import WEB_LIMITS, WebLimits
from desktop_rater.web.request import HopResponse
from desktop_rater.web.response import Redirect, WebResponse

# The same for every rater.
_HEADERS = (
    ("User-Agent", f"Mozilla/5.0 (compatible; DesktopRater/{__version__})"),
    ("Accept", "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5"),
    ("Accept-Language", "en,*;q=0.5"),
    ("Accept-Encoding", "identity, gzip"),
)
_PICTURE_HEADERS = (_HEADERS[0], ("Accept", "image/png,image/jpeg,image/webp"), *_HEADERS[2:])


def fetch_response(
    url: str,
    *,
    guard: Guard,
    now: datetime,
    progress: Progress,
    limits: WebLimits = WEB_LIMITS,
    clock: Callable[[], float] = time.monotonic,
    picture: bool = False,
) -> WebResponse:
    """Return the web's response for `url`, whatever its status; `progress` gets the number of bytes received.

    Raises `WebError` if there is no response worth keeping, and `Cancelled`. The body of a response that is not HTML,
    text or PDF, or with `picture` not PNG, JPEG or WebP, is not read.
    """
    return _PageFetch(guard, limits, progress, clock, picture=picture).run(url, format_time(now))


class _PageFetch:
    def __init__(
        self, guard: Guard, limits: WebLimits, progress: Progress, clock: Callable[[], float], *, picture: bool
    ) -> None:
        self._picture = picture
        self._guard = guard
        self._limits = limits
        self._progress = progress
        self._deadline = Deadline(progress, clock, limits.total_seconds)
        self._hops: list[Redirect] = []
        self._url = ""

    def run(self, url: str, fetched: str) -> WebResponse:
        self._url = url
        try:
            response = self._request()
            while response.location:
                self._hops.append(
                    Redirect(url=self._url, status=response.status, reason=response.reason, headers=response.headers)
                )
                self._url = self._next_url(response.location)
                response = self._request()
        except WebError as error:
            error.url = self._url
            error.hops = tuple(self._hops)
            raise
        return WebResponse(
            url=url,
            final_url=self._url,
            status=response.status,
            reason=response.reason,
            headers=response.headers,
            hops=tuple(self._hops),
            raw=response.raw,
            body=response.body,
            fetched=fetched,
        )

    def _request(self) -> HopResponse:
        from desktop_rater.web.request import send_request  # noqa: PLC0415 - httpx is not loaded before the first page

        parsed = self._guard.parse_allowed(self._url)
        try:
            self._deadline.check()
        except HttpError as error:
            raise web_error_from_http(error, parsed.host) from error
        return send_request(
            parsed,
            _PICTURE_HEADERS if self._picture else _HEADERS,
            guard=self._guard,
            limits=self._limits,
            deadline=self._deadline,
            progress=self._progress,
            picture=self._picture,
        )

    def _next_url(self, location: str) -> str:
        url = redirect_target(self._url, location)
        # Without cookies the same request gets the same response.
        if urldefrag(url).url in {urldefrag(hop.url).url for hop in self._hops}:
            raise _redirect_error("The page redirects in a loop.")
        if len(self._hops) > self._limits.redirects:
            raise _redirect_error(f"The page redirects more than {self._limits.redirects} times.")
        return url


def _redirect_error(title: str) -> WebError:
    return WebError(title, "The page can't be shown.", "Open another address of the page.", state="failed")
