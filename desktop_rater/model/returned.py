"""What a QA lead says to a task that goes back to its rater, and the rating that was sent back."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from desktop_rater.model.kept import Kept
from desktop_rater.model.limits import Id, Time, check_time
from desktop_rater.model.rating import Rating

MOST_COMMENTS = 1_000
LONGEST_COMMENT = 20_000  # characters


class Comment(Kept, frozen=True, kw_only=True):
    """What is said at one place: `task`, or like `responses/a` or `targets/s1`; `claim` is one of that target."""

    where: Id
    reason: str = ""
    comment: Annotated[str, Meta(max_length=LONGEST_COMMENT)] = ""
    claim: Id | None = None


class Returned(Kept, frozen=True, kw_only=True):
    """`rating` is the leaving form in which the rating came to the lead; the rater starts from it again."""

    by: str = ""
    at: Time | None = None
    comments: Annotated[tuple[Comment, ...], Meta(min_length=1, max_length=MOST_COMMENTS)]
    rating: Rating

    def __post_init__(self) -> None:
        check_time(self.at, "at")
