"""A fetch as the tests need it: from loopback, with little patience."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.pages.fetch import fetch_response
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebError, WebLimits

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
QUICK = WebLimits(total_seconds=3, look_up_seconds=1, connect_seconds=1, read_seconds=1)


def fetched(url, *, guard=None, certificates="", progress=None, **limits):
    """The answer; what else is named is a limit."""
    return fetch_response(
        url,
        guard=guard or Guard(allow_loopback=True, certificates=certificates),
        limits=replace(QUICK, **limits),
        progress=progress or Progress(),
        now=NOON,
    )


def refusal(url, **more):
    """The trouble in which the same ends."""
    with pytest.raises(WebError) as caught:
        fetched(url, **more)
    return caught.value
