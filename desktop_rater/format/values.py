"""Value types that the formats share, with their bounds; places in a task, and answers."""

import re
from datetime import UTC, date, datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

from desktop_rater.format.strict_json import OpenStruct

Id = Annotated[str, Meta(min_length=1)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]  # "$" alone accepts a trailing line feed
Count = Annotated[int, Meta(ge=0)]
MAX_SECONDS = 2**53  # as of whole numbers in files; sums of what is bounded stay finite
Seconds = Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0, le=MAX_SECONDS)]
Time = Annotated[
    str,
    Meta(
        pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", description="RFC 3339, UTC, whole seconds"
    ),
]

Day = Annotated[str, Meta(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2})?$", description="a day, or empty if it is unknown")]

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def check_time(text: str | None, field: str) -> None:
    """Raise `ValueError` if `text` looks like a time but is not valid, such as 30 February."""
    if text is None:
        return
    try:
        parse_time(text)
    except ValueError:
        raise ValueError(f"`{field}` is not a time like 2026-11-20T08:00:00Z: {text!r}") from None


def check_day(text: str, field: str) -> None:
    """Raise `ValueError` if `text` is neither empty nor a valid day, such as 2026-11-31."""
    try:
        is_day = not text or date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_day = False
    if not is_day:
        raise ValueError(f"`{field}` is not a day like 2026-11-20: {text!r}")


def parse_time(text: str) -> datetime:
    """Return a time of the formats as an aware datetime. Raises `ValueError`."""
    if not _TIME.fullmatch(text):
        raise ValueError(f"not a time: {text!r}")
    return datetime.fromisoformat(text)


def format_time(moment: datetime) -> str:
    """Format an aware datetime as a time of the formats, cut to whole seconds."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def utc_now() -> datetime:
    """Return the current time; the clock that is passed to the work functions."""
    return datetime.now(UTC)


class Place(Struct, frozen=True):
    """Ids of a place; `None` below its level. All `None` is the task itself."""

    response: str | None = None
    target: str | None = None
    claim: str | None = None
    evidence: str | None = None


TASK_PLACE = Place()


MAX_ROWS, MAX_ROW_LENGTH, MAX_DOCUMENT = 50, 1_000, 10_000


class AnswerRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Row of the answer to a question of kind `list`: its text, one of the choices, and numbers of documents."""

    text: Annotated[str, Meta(max_length=MAX_ROW_LENGTH)]
    choice: str | None = None
    documents: Annotated[tuple[Annotated[int, Meta(ge=1, le=MAX_DOCUMENT)], ...], Meta(max_length=MAX_ROWS)] = ()


class Answers(OpenStruct, frozen=True, kw_only=True):
    """Question id → value, for the task, for each response and for each target."""

    task: dict[str, Any] = {}
    responses: dict[str, dict[str, Any]] = {}
    targets: dict[str, dict[str, Any]] = {}
