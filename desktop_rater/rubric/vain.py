"""What stands in a rubric and can never matter, or can never be met: slips that no single condition shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from desktop_rater.rubric.condition import ALWAYS, Condition
from desktop_rater.rubric.worlds import holds, worlds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_rater.rubric.compiled import Deciding, Rubric, Ruling


class Remark(NamedTuple):
    """Something to look at: the rubric loads all the same. An empty `table` is the whole rubric."""

    table: str
    index: int
    reason: str


def remarks_of_conditions(rubric: Rubric) -> Iterator[Remark]:
    """Of questions, decisions and rules whose conditions stand in each other's way."""
    for index, one in enumerate(rubric.file.questions):
        asking = rubric.questions[one.id]
        required = asking.required
        if required is None or required is ALWAYS:
            continue
        found = worlds(rubric, (asking.relevant, required))
        if found is not None and not any(holds(asking.relevant, world) and holds(required, world) for world in found):
            yield Remark("questions", index, "never required: where `required` holds, it is not asked")
    yield from _of_decisions(rubric)
    yield from _of_rules(rubric)


def _of_decisions(rubric: Rubric) -> Iterator[Remark]:
    by_id = {one.row.id: one for scope in rubric.deciding.values() for one in scope}
    before: dict[str, list[Deciding]] = {}
    for index, row in enumerate(rubric.file.decide):
        one = by_id[row.id]
        earlier = before.setdefault(row.sets, [])
        reason = _never_decides(rubric, one, earlier)
        if reason:
            yield Remark("decide", index, reason)
        earlier.append(one)


def _never_decides(rubric: Rubric, one: Deciding, earlier: list[Deciding]) -> str:
    asked = rubric.questions[one.row.sets].relevant
    known = [other for other in earlier if not _speaks_of_claims(other.when)]
    found = worlds(rubric, (asked, one.when, *(other.when for other in known)))
    if found is None:
        return ""
    here = [world for world in found if holds(asked, world) and holds(one.when, world)]
    if not here:
        return f"never decides: where `when` holds, {one.row.sets!r} is not asked"
    first = [next((other.row.id for other in known if holds(other.when, world)), None) for world in here]
    if None in first:
        return ""
    names = ", ".join(sorted({repr(name) for name in first}))
    return f"never decides: wherever it holds, an earlier decision does too: {names}"


def _of_rules(rubric: Rubric) -> Iterator[Remark]:
    by_id = {one.rule.id: one for scope in rubric.ruling.values() for one in scope}
    for index, rule in enumerate(rubric.file.rules):
        reason = _never_useful(rubric, by_id[rule.id])
        if reason:
            yield Remark("rules", index, reason)


def _never_useful(rubric: Rubric, one: Ruling) -> str:
    if one.require is None:
        return ""
    found = worlds(rubric, (one.when, one.require))
    if found is None:
        return ""
    met = [holds(one.require, world) for world in found if holds(one.when, world)]
    if all(met):
        return "never breaks: wherever `when` holds, `require` does too"
    if not any(met):
        return "can't be mended: where `when` holds, `require` never can; without `require` it says the same"
    return ""


def _speaks_of_claims(condition: Condition) -> bool:
    return condition.some_claim is not None or any(map(_speaks_of_claims, condition.alternatives))
