"""Retries: exponential backoff with jitter, the header Retry-After, and waits that can be cancelled."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from threading import Event

from desktop_rater.http.deadline import WAIT_SLICE
from desktop_rater.model.change import Progress
from desktop_rater.model.values import parse_time

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
