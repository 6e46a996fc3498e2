"""Where in a task something is: what `where` says in a problem, in parts."""

from __future__ import annotations

from msgspec import Struct


class Place(Struct, frozen=True):
    """Ids; `None` where it does not go so deep. All `None` is the task itself."""

    response: str | None = None
    target: str | None = None
    claim: str | None = None
    evidence: str | None = None


TASK = Place()
