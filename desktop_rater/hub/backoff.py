"""How long to wait before something is tried once more: longer each time, never all at once, and as the hub asks."""

from __future__ import annotations

import re
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from desktop_rater.model.limits import parse_time

if TYPE_CHECKING:
    from datetime import datetime

MOST_TRIES = 8
LONGEST = 600.0  # seconds
LONGEST_ASKED = 895.0  # what a hub may ask for; a moment a quarter of an hour ahead is taken for a clock that was set


def wait_for(tries: int, asked: float | None, chance: float) -> float:
    """Seconds to wait after so many tries, of which the last one failed. `chance` is in [0, 1).

    Where many laptops lost one hub at one moment, they must not all come back at one moment: so anything up to twice
    the time before is as good. What the hub asked for is waited for in any case.
    """
    drawn = chance * min(LONGEST, 2.0 ** min(tries, 30))
    return drawn if asked is None else max(drawn, min(max(asked, 0.0), LONGEST_ASKED))


def retry_after(text: str, now: datetime) -> float | None:
    """What a header `Retry-After` asks for, in seconds from now: a number, or a date by the hub's clock.

    `None` where it says nothing that can be read.
    """
    text = text.strip()
    if re.fullmatch(r"[0-9]+", text):
        return min(float(text[:9]), LONGEST_ASKED)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return min(max((moment - now).total_seconds(), 0.0), LONGEST_ASKED)


def next_try(tries: int, asked: float | None, now: datetime, chance: float) -> datetime:
    """The moment of the next try. It is kept in whole seconds, so rather one later than before what the hub asked."""
    return now + timedelta(seconds=wait_for(tries, asked, chance), microseconds=999_999)


def seconds_until(moment: str, now: datetime) -> float:
    """How long it is until a kept moment, 0 where it has come.

    No wait is longer than what a hub may ask for: one that is was noted by a clock that was set since.
    """
    try:
        left = (parse_time(moment) - now).total_seconds()
    except ValueError:
        return 0.0
    return left if 0 < left <= LONGEST_ASKED + 1 else 0.0
