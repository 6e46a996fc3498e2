"""Fetch a page from the web, through its redirects, each checked by the guard."""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from urllib.parse import urldefrag

import msgspec

from desktop_rater import __version__
from desktop_rater.format.change import Progress
from desktop_rater.format.values import format_time
from desktop_rater.http.request import Deadline, ExchangeLimits, HttpError, RequestUrl, StreamedResponse
from desktop_rater.http.transport import CancellableTransport
from desktop_rater.pages.decoding import BodyDecoder, media_kind, page_too_large, parse_media_type
from desktop_rater.pages.guard import Guard, redirect_target
from desktop_rater.pages.response import WEB_LIMITS, Redirect, WebError, WebLimits, WebResponse, web_error_from_http

_NEVER_KEPT = frozenset({"set-cookie", "set-cookie2"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LATER = "Try again later, or open another page."
PICTURE_TYPES = frozenset({"image/png", "image/jpeg", "image/webp"})
_NO_BODY = frozenset({204, 205, 304})


class HopResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Response of one URL. `location` is the target of a redirect, unchanged; else empty."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    location: str = ""
    raw: bytes = b""
    body: bytes = b""


def send_request(
    url: RequestUrl,
    headers: Sequence[tuple[str, str]],
    *,
    guard: Guard,
    limits: WebLimits,
    deadline: Deadline,
    progress: Progress,
    picture: bool = False,
) -> HopResponse:
    """Send one request, for a page or a `picture`. Raises `WebError` and `Cancelled`."""

    def addresses(host: str, port: int) -> list[str]:
        return guard.addresses(host, port, progress=progress, seconds=min(limits.look_up_seconds, deadline.left()))

    deadline.received = 0
    trust = guard.trust if url.scheme == "https" else None
    try:
        with CancellableTransport(addresses, trust, proxy=guard.proxy) as transport:
            transport.backend.begin(
                deadline,
                ExchangeLimits(limits.connect_seconds, limits.read_seconds, limits.head_bytes, limits.wire_bytes),
            )
            with transport.stream("GET", url, headers) as response:
                return _read_response(response, limits, picture=picture)
    except HttpError as error:
        raise web_error_from_http(error, url.host) from error


def _read_response(response: StreamedResponse, limits: WebLimits, *, picture: bool) -> HopResponse:
    headers = tuple(pair for pair in response.raw_headers if pair[0].lower() not in _NEVER_KEPT)
    hop = HopResponse(status=response.status, reason=response.reason, headers=headers)
    location = next(iter(_values(hop, "location")), "")
    if response.status in _REDIRECTS and location:
        return msgspec.structs.replace(hop, location=location)
    if response.status < 200:
        raise HttpError("protocol", f"it wants to switch to another protocol (status {response.status})")
    # A type so unspecific that the first bytes must decide is read too.
    media_type = parse_media_type(next(iter(_values(hop, "content-type")), ""))
    unread = media_type not in PICTURE_TYPES if picture else media_kind(media_type) == "other"
    if response.status in _NO_BODY or unread:
        return hop
    try:
        body = _read_body(response, hop, limits)
        return msgspec.structs.replace(hop, raw=body.raw, body=body.plain())
    except WebError:
        if response.status < 400:
            raise
        return hop  # the error status matters more than a fault in its body


def _read_body(response: StreamedResponse, hop: HopResponse, limits: WebLimits) -> BodyDecoder:
    announced = next(iter(_values(hop, "content-length")), "")
    if announced.isdigit() and int(announced) > limits.raw_bytes:
        raise page_too_large(limits.raw_bytes)
    body = BodyDecoder(_values(hop, "content-encoding"), limits)
    for count, chunk in enumerate(response.chunks, 1):
        body.take(chunk)
        if count > limits.crumbs and body.raw_size < count * limits.crumb_bytes:
            raise WebError("The page can't be read.", "It is sent in very small pieces.", _LATER, state="broken")
    return body


def _values(hop: HopResponse, name: str) -> list[str]:
    return [value for key, value in hop.headers if key.lower() == name]


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
