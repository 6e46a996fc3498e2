"""Asking again: a server that is busy or away is given time, and whoever cancels is heard meanwhile."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from threading import Event
from typing import TYPE_CHECKING

from desktop_rater.http.trouble import HttpTrouble
from desktop_rater.oracle.trouble import KEPT, OracleError, of_http

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_rater.http.plain import Answered
    from desktop_rater.model.progress import Progress

    Wait = Callable[[float, Progress], None]

MOST_TRIES = 8
LONGEST_ASKED_FOR = 900.0  # seconds: a server may ask for so much with Retry-After
LONGEST = 600.0
_AGAIN = frozenset({408, 429, 500, 502, 503, 504, 529})
_PASSING = frozenset({"unreachable", "timeout"})
_SLICE = 0.05
_SPENT = b'"insufficient_quota"'  # OpenAI's word where waiting helps nobody


def wait(seconds: float, progress: Progress) -> None:
    """Let the time pass. Raises `Cancelled` within a moment."""
    nobody = Event()
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        progress(0, 0)
        nobody.wait(min(left, _SLICE))


def patiently(
    send: Callable[[], Answered], host: str, *, progress: Progress, wait: Wait, chance: Callable[[], float]
) -> Answered:
    """What comes in the end. `chance` gives a number in [0, 1). Raises `OracleError` when patience is at its end.

    Waits double each time, and are drawn from the whole of their length, so that many who wait do not come together.
    """
    for turn in range(MOST_TRIES):
        trouble: HttpTrouble | None = None
        answered: Answered | None = None
        try:
            answered = send()
        except HttpTrouble as error:
            if error.kind not in _PASSING:
                raise of_http(error, host) from error
            trouble = error
        if answered is not None and (answered.status not in _AGAIN or _SPENT in answered.body):
            return answered
        if turn < MOST_TRIES - 1:
            wait(_seconds(answered, turn, chance), progress)
    if trouble is not None:
        raise of_http(trouble, host) from trouble
    status = answered.status if answered is not None else 0
    raise OracleError(f"{host} is busy.", f"It answered with status {status} {MOST_TRIES} times.", KEPT)


def _seconds(answered: Answered | None, turn: int, chance: Callable[[], float]) -> float:
    asked_for = None if answered is None else _asked_for(answered.headers)
    if asked_for is None:
        return chance() * min(2.0**turn, LONGEST)
    return min(asked_for, LONGEST_ASKED_FOR)


def _asked_for(headers: Mapping[str, str]) -> float | None:
    """The wait that a server asks for: seconds, or a date, which only its own clock can be held against."""
    words = headers.get("retry-after", "").strip()
    if words.isascii() and words.isdigit() and len(words) < 10:
        return float(words)
    try:
        until, there = (parsedate_to_datetime(one) for one in (words, headers.get("date", "")))
        seconds = (until - there).total_seconds()
    except (ValueError, TypeError, OverflowError):  # no dates, or only one of them names its zone
        return None
    return seconds if seconds >= 0 else None
