"""Requests to servers: their addresses, time limits, errors, responses and retries."""

import ipaddress
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Literal, NamedTuple
from urllib.parse import quote, urlsplit

from desktop_rater.format.change import Progress
from desktop_rater.format.values import parse_time
from desktop_rater.text.urls import DEFAULT_PORTS, authority

HttpErrorKind = Literal[
    "unreachable",  # no connection, or it was interrupted
    "certificate",  # the server could not prove its identity
    "timeout",
    "protocol",  # the response is not HTTP
    "too_large",
]


class HttpError(Exception):
    """A failed exchange. `kind` tells in which way; the text is a short reason for the user."""

    def __init__(self, kind: HttpErrorKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: HttpErrorKind = kind


def os_error_reason(error: OSError) -> str:
    """Return the system's error text without numbers and module names: "connection refused"."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]


WAIT_SLICE = 0.05
"""Seconds. The longest wait without a check for cancellation."""


class ExchangeLimits(NamedTuple):
    """Limits in seconds and bytes. `read_seconds`: the longest silence; `most_bytes` includes the head."""

    connect_seconds: float
    read_seconds: float
    head_bytes: int
    most_bytes: int


class Deadline:
    """One deadline for all steps of an exchange; each step may have a shorter one of its own.

    With `bytes_per_second` given, transferred bytes extend the deadline, but never to more than `seconds` from now: a
    slow trickle does not get the time that a large file takes. `progress` is called at each check with the number of
    bytes received or sent, and the total if it is known; it raises `Cancelled`.
    """

    def __init__(
        self, progress: Progress, clock: Callable[[], float], seconds: float, bytes_per_second: float = math.inf
    ) -> None:
        self._progress = progress
        self._clock = clock
        self._seconds = seconds
        self._end = clock() + seconds
        self._moved = 0
        self._rate = bytes_per_second
        self._next_report = clock()
        self.received = 0
        self.sent = 0
        self.whole = 0

    def left(self) -> float:
        """Return the seconds until the deadline; not negative."""
        return max(self._end - self._clock(), 0)

    def check(self) -> None:
        """Raise `Cancelled`, or `HttpError` when the time is over. Cheap: a page may arrive in a million pieces."""
        now = self._clock()
        moved = self.received + self.sent
        self._end = min(self._end + (moved - self._moved) / self._rate, now + self._seconds)
        self._moved = moved
        if now >= self._end:
            raise HttpError("timeout", "the time limit was exceeded")
        if now >= self._next_report:
            self._next_report = now + WAIT_SLICE
            done = max(self.received, self.sent)
            self._progress(min(done, self.whole or done), self.whole)

    def slices(self, seconds: float, late: str) -> Iterator[float]:
        """Yield short waits. After `seconds`, raise `HttpError` with the reason `late`."""
        end = self._clock() + seconds
        while True:
            self.check()
            left = end - self._clock()
            if left <= 0:
                raise HttpError("timeout", late)
            yield max(min(WAIT_SLICE, left, self.left()), 0.001)


_MOST_CHARACTERS = 2_000


class RequestUrl(NamedTuple):
    """A parsed URL. `scheme` is http or https, `host` ASCII without brackets, `target` path and query as sent."""

    scheme: str
    host: str
    port: int
    target: bytes

    @property
    def authority(self) -> str:
        """Return the host, and the port if it is not the default, as in the header Host."""
        return authority(self.scheme, self.host, self.port)


def parse_base_url(url: str, *, allow_loopback: bool) -> RequestUrl:
    """Parse a configured base address. Raises `ValueError` whose text says why it can't be used.

    `allow_loopback`: http is accepted if the host is this computer.
    """
    if len(url) > _MOST_CHARACTERS or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError("It is not a valid address: it must consist of ASCII characters without spaces")
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("Its port is invalid") from None
    if "@" in parts.netloc:
        raise ValueError("It contains a user name or a password; remove them from the address")
    if parts.query or parts.fragment:
        raise ValueError("It has a query or a fragment; remove it from the base address")
    if not host or parts.scheme not in DEFAULT_PORTS:
        raise ValueError("It must begin with https:// and contain a host")
    if parts.scheme == "http" and not (allow_loopback and (host == "localhost" or is_loopback(host))):
        raise ValueError("It must begin with https://, otherwise texts would be sent unencrypted")
    target = quote(parts.path.rstrip("/"), safe="%/~!$&'()*+,;=:@-._")
    return RequestUrl(parts.scheme, host, port or DEFAULT_PORTS[parts.scheme], target.encode("ascii"))


def is_loopback(address: str) -> bool:
    """Return whether `address` is a numeric address of this computer itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class StreamedResponse(NamedTuple):
    """A response with any status. `chunks` is the body without the framing; errors may come up while it is read.

    `raw_headers` are decoded as Latin-1; `headers` are the same with names in lower case, the last one of each name.
    """

    status: int
    reason: str
    raw_headers: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    chunks: Iterable[bytes]


MAX_TRIES = 8
MAX_RETRY_WAIT = 600.0  # seconds
MAX_RETRY_AFTER = 895.0
"""Seconds that a server may ask for. A stored time more than 15 minutes ahead means that the clock was changed."""
_YEARS = range(1970, 2200)  # years of a plausible clock, even if it is wrong

WaitFunction = Callable[[float, Progress], None]


def retry_wait(doublings: int, requested: float | None, chance: float) -> float:
    """Return the seconds to wait: random, up to 2 to the power of `doublings`. `chance` is in [0, 1).

    Clients that lost a server at the same time must not all return at the same time. The time requested by the server
    is always respected.
    """
    delay = chance * min(MAX_RETRY_WAIT, 2.0 ** min(doublings, 30))
    return delay if requested is None else max(delay, min(max(requested, 0.0), MAX_RETRY_AFTER))


def parse_retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds from now that the header Retry-After asks for; `None` if it is missing or invalid.

    A date is by the server's own clock, as in the header Date; without that header `now` is used, if given.
    """
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - only when a server sends a time

    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal():
        return min(float(text[:9]), MAX_RETRY_AFTER)
    since = parse_http_date(headers.get("date", "")) or now
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if since is None:
        return None
    until = until if until.tzinfo is not None else until.replace(tzinfo=UTC)
    return min(max((until - since).total_seconds(), 0.0), MAX_RETRY_AFTER)


def parse_http_date(text: str) -> datetime | None:
    """Parse a time of an HTTP header; `None` if invalid, without a time zone or out of range."""
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - only when a server sends a time

    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo and moment.year in _YEARS else None


def next_try_time(tries: int, requested: float | None, now: datetime, chance: float) -> datetime:
    """Return the time of the next try, rounded up to whole seconds, so as not to be before the requested time."""
    return now + timedelta(seconds=retry_wait(tries, requested, chance), microseconds=999_999)


def seconds_until(moment: str, now: datetime) -> float:
    """Return the seconds until a stored time, 0 if it has passed or is further ahead than any wait."""
    try:
        left = (parse_time(moment) - now).total_seconds()
    except ValueError:
        return 0.0
    return left if 0 < left <= MAX_RETRY_AFTER + 1 else 0.0


def wait_for(seconds: float, progress: Progress, stop: Event | None = None) -> None:
    """Wait for a time, or until `stop` is set. Raises `Cancelled` promptly."""
    stop = stop or Event()
    end = time.monotonic() + seconds
    while not stop.is_set() and (left := end - time.monotonic()) > 0:
        progress(0, 0)
        stop.wait(min(left, WAIT_SLICE))
