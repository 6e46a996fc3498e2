"""The kinds of value that the formats share, with their bounds."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

Id = Annotated[str, Meta(min_length=1)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]  # "$" alone lets a line feed through
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0)]
Time = Annotated[
    str,
    Meta(
        pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
        description="RFC 3339, UTC, whole seconds",
    ),
]

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def check_time(text: str | None, field: str) -> None:
    """Raise `ValueError` where `text` looks like a time and is none, such as 30 February."""
    if text is None:
        return
    try:
        parse_time(text)
    except ValueError:
        raise ValueError(f"`{field}` is not a time like 2026-11-20T08:00:00Z: {text!r}") from None


def parse_time(text: str) -> datetime:
    """An aware datetime of a time of the formats. Raises `ValueError`."""
    if not _TIME.fullmatch(text):
        raise ValueError(f"not a time: {text!r}")
    return datetime.fromisoformat(text)


def format_time(moment: datetime) -> str:
    """A time of the formats, cut to whole seconds. `moment` must be aware."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def now() -> datetime:
    """The clock that the program hands to its work."""
    return datetime.now(UTC)
