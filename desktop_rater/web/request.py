"""One request of a fetch: send it, check the head, and receive the body if it can be read."""

from collections.abc import Sequence

import msgspec

from desktop_rater.http.deadline import Deadline, ExchangeLimits
from desktop_rater.http.errors import HttpError
from desktop_rater.http.request_url import RequestUrl
from desktop_rater.http.response import StreamedResponse
from desktop_rater.http.transport import CancellableTransport
from desktop_rater.model.change import Progress
from desktop_rater.web.decoding import BodyDecoder, media_kind, page_too_large, parse_media_type
from desktop_rater.web.errors import WebError, web_error_from_http
from desktop_rater.web.guard import Guard
from desktop_rater.web.limits import WebLimits

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
