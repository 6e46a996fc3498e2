"""What a rater changed since a rating was sent back, or since the one before, for the lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.audit.following import Following
from desktop_rater.model.difference import Difference, differences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.audit.audited_task import AuditedTask, Earlier, OfRater
    from desktop_rater.audit.filed import Received


def changed_since(audited: AuditedTask, received: Iterable[Received]) -> dict[str, tuple[Difference, ...]]:
    """Rater → what is another since the lead sent it back, else since the rating before.

    Nothing of those who changed nothing; a rater who was never sent back, or still has it, has no entry then.
    """
    zips = {one.sha256: one for one in received}
    following = Following(zips.values())
    found = {}
    for of in audited.raters:
        before = _before(audited, of, zips, following)
        if before is not None:
            found[of.rater] = differences(before.rating, of.rating)
    return found


def _before(audited: AuditedTask, of: OfRater, zips: dict[str, Received], following: Following) -> Earlier | None:
    """The rating to compare with: the latest that was sent back, where what counts came after it; else the latest."""
    returned = {
        verdict.rating
        for (_, rater), verdict in audited.verdicts.items()
        if rater == of.rater and verdict.kind == "returned"
    }
    earlier = sorted(of.earlier, key=lambda one: following.depth(one.filed.results), reverse=True)
    came_back = of.filed.results in zips and zips[of.filed.results].rework
    others = [one for one in earlier if one.filed.sha256 != of.filed.sha256]
    sent_back = [one for one in (earlier if came_back else others) if one.filed.sha256 in returned]
    return next(iter((*sent_back, *others)), None)
