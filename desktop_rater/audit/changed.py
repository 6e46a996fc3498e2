"""What a rater changed since a rating was sent back, for the lead who sent it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.difference import Difference, differences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from desktop_rater.audit.audited_task import AuditedTask, Earlier, OfRater
    from desktop_rater.audit.filed import Received


def changed_since(audited: AuditedTask, received: Iterable[Received]) -> dict[str, tuple[Difference, ...]]:
    """Rater → what changed since the lead sent it back: nothing where it came back as it was.

    Raters without an entry were never sent back, or still have it.
    """
    reworks = frozenset(one.sha256 for one in received if one.rework)
    found = ((of, before_return(audited, of, reworks)) for of in audited.raters)
    return {of.rater: differences(earlier.rating, of.rating) for of, earlier in found if earlier is not None}


def before_return(audited: AuditedTask, of: OfRater, reworks: Collection[str]) -> Earlier | None:
    """The rating that was sent back, where another one counts since; of several the latest."""
    returned = {
        verdict.rating
        for (_, rater), verdict in audited.verdicts.items()
        if rater == of.rater and verdict.kind == "returned"
    }
    came_back = of.filed.results in reworks
    earlier = (
        one for one in of.earlier if one.filed.sha256 in returned and (came_back or one.filed.sha256 != of.filed.sha256)
    )
    return next(earlier, None)
