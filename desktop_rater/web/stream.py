"""One hop of a fetch: ask, look at the head, and take the body where somebody can read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.http.clients import Reply, get
from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.http.wire import Wire
from desktop_rater.web.inflate import Body, too_large
from desktop_rater.web.media import kind_of, media_type_of
from desktop_rater.web.trouble import WebError, of_http

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.http.asked import Asked
    from desktop_rater.http.patience import Patience
    from desktop_rater.model.progress import Progress
    from desktop_rater.web.guard import Guard
    from desktop_rater.web.limits import WebLimits

_NEVER_KEPT = frozenset({"set-cookie", "set-cookie2"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LATER = "Try again later, or open another page."
_NO_BODY = frozenset({204, 205, 304})


class HopAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What came from one URL. `location` is where a redirect leads, as it was written; else empty."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    location: str = ""
    raw: bytes = b""
    body: bytes = b""


def ask(
    asked: Asked,
    headers: Sequence[tuple[str, str]],
    *,
    guard: Guard,
    limits: WebLimits,
    patience: Patience,
    progress: Progress,
) -> HopAnswer:
    """Ask one server once. Raises `WebError` and `Cancelled`."""

    def addresses(host: str, port: int) -> list[str]:
        return guard.addresses(host, port, progress=progress, seconds=min(limits.look_up_seconds, patience.left()))

    patience.received = 0
    wire = Wire(
        addresses,
        patience,
        connect_seconds=limits.connect_seconds,
        read_seconds=limits.read_seconds,
        head_bytes=limits.head_bytes,
        most_bytes=limits.wire_bytes,
    )
    trust = guard.trust if asked.scheme == "https" else None
    try:
        with get(asked, headers, wire=wire, trust=trust, proxy=guard.proxy) as reply:
            return _taken(reply, limits, patience)
    except HttpTrouble as error:
        raise of_http(error, asked.host) from error


def _taken(reply: Reply, limits: WebLimits, patience: Patience) -> HopAnswer:
    kept = tuple(pair for pair in reply.headers if pair[0].lower() not in _NEVER_KEPT)
    answer = HopAnswer(status=reply.status, reason=reply.reason, headers=kept)
    location = next(iter(_values(answer, "location")), "")
    if reply.status in _REDIRECTS and location:
        return msgspec.structs.replace(answer, location=location)
    if reply.status < 200:
        raise HttpTrouble("protocol", f"it wants to switch to another protocol (status {reply.status})")
    if reply.status in _NO_BODY or not _is_read(answer):
        return answer
    try:
        body = _body(reply, answer, limits, patience)
        return msgspec.structs.replace(answer, raw=body.raw, body=body.plain())
    except WebError:
        if reply.status < 400:
            raise
        return answer  # that there is no page says more than what is wrong with the words about it


def _body(reply: Reply, answer: HopAnswer, limits: WebLimits, patience: Patience) -> Body:
    announced = next(iter(_values(answer, "content-length")), "")
    if announced.isdigit() and int(announced) > limits.raw_bytes:
        raise too_large(limits.raw_bytes)
    body = Body(_values(answer, "content-encoding"), limits)
    for count, chunk in enumerate(reply.chunks, 1):
        patience.check()
        body.take(chunk)
        if count > limits.crumbs and body.raw_size < count * limits.crumb_bytes:
            raise WebError("The page can't be read.", "It comes in crumbs of a few letters.", _LATER, state="broken")
    return body


def _is_read(answer: HopAnswer) -> bool:
    """Whether the type promises something to read, or says so little that the first bytes must tell."""
    return kind_of(media_type_of(next(iter(_values(answer, "content-type")), ""))) != "other"


def _values(answer: HopAnswer, name: str) -> list[str]:
    return [value for known, value in answer.headers if known.lower() == name]
