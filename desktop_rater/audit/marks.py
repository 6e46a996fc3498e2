"""What a lead may want to see of a rating at a place: one predicate for each mark. Pure.

*Too fast* is less than a third of the rater's own median over the places of the same depth that got the same label,
once there are ten of them, since some labels take longer than others; or a warning by a rule that asks for
`research_seconds`, which is the time that the guideline names. *Evidence dead* is evidence of which no page came with
the results, so that nobody can see what the rater saw.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.disagreement import Depth, Label, depth_of
from desktop_rater.audit.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from desktop_rater.audit.digest import Warned
    from desktop_rater.audit.items import Flag
    from desktop_rater.rubric import Rubric

FAST_SHARE = 1 / 3
FEWEST_PLACES = 10  # of a rater, before the median says something
_RESEARCH = "research_seconds"

# Places that take a rater about the same time: the depth and the label that was given.
Kind = tuple[Depth, Label]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """One rating at one place, with what is known around it.

    `usual`: the rater's median of seconds for such a place. `missed`: no gold answer of the task says the same there.
    """

    digest: Digest
    where: str
    label: Label | None
    missed: bool = False
    verdict: Verdict | None = None
    outdated: bool = False
    seconds: float | None = None
    usual: float | None = None
    forked: bool = False


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """What of the rubric marks rest on: rules about the time spent, where evidence hangs, and the labels in question.

    A label that only closes a place, such as "not factual", rests on no evidence.
    """

    research_rules: frozenset[str]
    evidence_at: Depth | None
    labels: dict[Depth, str]


def basis_of(rubric: Rubric, labels: dict[Depth, str]) -> Basis:
    """`labels`: the rubric's question that is the label of each depth."""
    table = rubric.file.evidence
    return Basis(
        research_rules=frozenset(
            rule.id for rule in rubric.file.rules if _RESEARCH in {*_names(rule.require), *_names(rule.when)}
        ),
        evidence_at=table.per if table is not None else None,
        labels=labels,
    )


def _names(condition: Any) -> Iterator[str]:
    """Every name that a condition asks, at any depth."""
    if isinstance(condition, dict):
        for name, part in condition.items():
            yield name
            yield from _names(part)
    elif isinstance(condition, list | tuple):
        for part in condition:
            yield from _names(part)


def seconds_at(digest: Digest, where: str) -> float | None:
    """Active seconds at a place; `None` where none were noted. A response has those of its task."""
    depth, _, name = where.partition("/")
    seconds = digest.targets.get(name) if depth == "targets" else digest.seconds
    return seconds or None


def usual_seconds(spent: Iterable[tuple[Kind, float]]) -> dict[Kind, float]:
    """The median of one rater's places of each kind that has enough of them."""
    by_kind: dict[Kind, list[float]] = {}
    for kind, seconds in spent:
        by_kind.setdefault(kind, []).append(seconds)
    return {kind: median(some) for kind, some in by_kind.items() if len(some) >= FEWEST_PLACES}


def marks_of(seen: Seen, basis: Basis) -> frozenset[Flag]:
    """The marks of one rating at one place."""
    return frozenset(name for name, holds in MARKS.items() if holds(seen, basis))


def _warnings(seen: Seen) -> Sequence[Warned]:
    if not seen.digest.warnings:
        return ()
    inside = f"{seen.where}/"
    there = [one for one in seen.digest.warnings if one.where == seen.where or one.where.startswith(inside)]
    deeper = [place for place in seen.digest.values if place.startswith(inside)] if there else []
    # The id of another place may begin like this one's.
    return [
        one for one in there if not any(one.where == place or one.where.startswith(f"{place}/") for place in deeper)
    ]


def _is_warned(seen: Seen, _basis: Basis) -> bool:
    return bool(_warnings(seen))


def _is_acknowledged(seen: Seen, _basis: Basis) -> bool:
    return any(one.let_stand for one in _warnings(seen))


def _is_too_fast(seen: Seen, basis: Basis) -> bool:
    if any(one.rule in basis.research_rules for one in _warnings(seen)):
        return True
    return seen.seconds is not None and seen.usual is not None and seen.seconds < FAST_SHARE * seen.usual


def _has_no_evidence(seen: Seen, basis: Basis) -> bool:
    depth = depth_of(seen.where)
    if depth != basis.evidence_at or seen.digest.evidence.get(seen.where):
        return False
    return seen.digest.values.get(seen.where, {}).get(basis.labels.get(depth, "")) is not None


def _is_dead(seen: Seen, _basis: Basis) -> bool:
    return seen.where in seen.digest.unkept_at


def _is_returned(seen: Seen, _basis: Basis) -> bool:
    return seen.verdict is not None and seen.verdict.kind == "returned"


def _misses_gold(seen: Seen, _basis: Basis) -> bool:
    return seen.missed


def _is_forked(seen: Seen, _basis: Basis) -> bool:
    return seen.forked


def _is_outdated(seen: Seen, _basis: Basis) -> bool:
    return seen.outdated


MARKS: dict[Flag, Callable[[Seen, Basis], bool]] = {
    "warning": _is_warned,
    "acknowledged": _is_acknowledged,
    "too-fast": _is_too_fast,
    "no-evidence": _has_no_evidence,
    "evidence-dead": _is_dead,
    "returned": _is_returned,
    "gold-missed": _misses_gold,
    "forked": _is_forked,
    "outdated": _is_outdated,
}
