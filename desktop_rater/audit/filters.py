"""Filter of the review list, and the flags of ratings that it can select."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median
from typing import Any, Literal

import msgspec

from desktop_rater.audit.digest import Digest, DigestWarning
from desktop_rater.audit.items import (
    Depth,
    DisagreementGroup,
    Flag,
    Label,
    ReviewItem,
    depth_of,
    pack_entries,
)
from desktop_rater.audit.label_rules import entropy_of
from desktop_rater.audit.verdicts import Verdict
from desktop_rater.rubric import Rubric

ItemOrder = Literal["disagreement", "entropy", "certainty", "distance", "labels", "ratings"]
# The figure that items are ordered by, the first of the list having the smallest.
ITEM_FIGURES: dict[ItemOrder, Callable[[ReviewItem], Any]] = {
    "entropy": lambda item: -entropy_of(item.posterior),
    "certainty": lambda item: item.certainty,
    "distance": lambda item: -item.distance,
    "labels": lambda item: -len(item.label_counts.keys() - {None}),
    "ratings": lambda item: -sum(item.label_counts.values()),
}


class ItemFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Filter of the review list; empty fields match everything.

    `reviewed`: only items that are completely reviewed, or not. `rater`, `label` and `flags` have to hold for the same
    rating. `entropy_over`: the entropy of the label is larger, in bits. `most_labels`: so many different labels or
    fewer; 0 for any number. `depth`: the kind of place. `words`: each has to occur in the quote, the ids or a rater's
    name. `order`: by disagreement, or by a figure, those decided by the lead last.
    """

    rater: str = ""
    label: Label | None = None
    flags: frozenset[Flag] = frozenset()
    group: DisagreementGroup | None = None
    reviewed: bool | None = None
    sampled: bool = False
    tied: bool = False
    entropy_over: float | None = None
    most_labels: int = 0
    depth: Depth | None = None
    words: str = ""
    order: ItemOrder = "disagreement"


EVERYTHING = ItemFilter()


def matching_items(items: Iterable[ReviewItem], wanted: ItemFilter) -> tuple[ReviewItem, ...]:
    """Return the items that match the filter, in their order or the one that it wants."""
    if wanted == EVERYTHING:
        return tuple(items)
    words, names = wanted.words.casefold().split(), dict[str, str]()
    matching = (item for item in items if _matches(item, wanted) and _contains_words(item, words, names))
    if wanted.order != "disagreement":
        figure = ITEM_FIGURES[wanted.order]
        return tuple(sorted(matching, key=lambda item: (item.decided, figure(item))))
    return tuple(matching)


def _matches(item: ReviewItem, wanted: ItemFilter) -> bool:
    refused = (
        (wanted.sampled and not item.sampled)
        or (wanted.tied and not item.tied)
        or (wanted.group is not None and item.group != wanted.group)
        or (wanted.reviewed is not None and (item.reviewed == "all") is not wanted.reviewed)
        or (wanted.depth is not None and depth_of(item.where) != wanted.depth)
        or (wanted.entropy_over is not None and entropy_of(item.posterior) <= wanted.entropy_over)
        or (wanted.most_labels and len(item.label_counts.keys() - {None}) > wanted.most_labels)
    )
    if refused:
        return False
    if not (wanted.rater or wanted.label or wanted.flags):
        return True
    return pack_entries(item.entries).matches(wanted.rater, wanted.label, wanted.flags)


def _contains_words(item: ReviewItem, words: list[str], names: dict[str, str]) -> bool:
    """Return whether all words occur in an item. `names`: task → its raters, for the other places of the task."""
    if not words:
        return True
    text = f"{item.quote}\n{item.task}\n{item.where}".casefold()
    others = [word for word in words if word not in text]
    if others and item.task not in names:
        names[item.task] = "\n".join(rating.rater for rating in pack_entries(item.entries).ratings).casefold()
    return all(word in names[item.task] for word in others)


FAST_SHARE = 1 / 3
FEWEST_PLACES = 10  # of a rater, for the median to be meaningful
_RESEARCH = "research_seconds"

# Depth and label: places of one kind take a rater about the same time.
PlaceKind = tuple[Depth, Label]


class FlagSubject(msgspec.Struct, frozen=True, kw_only=True):
    """A rating at one place. `usual`: the rater's median seconds there; `missed`: no gold answer of the task agrees."""

    digest: Digest
    where: str
    label: Label | None
    missed: bool = False
    verdict: Verdict | None = None
    outdated: bool = False
    seconds: float | None = None
    usual: float | None = None
    forked: bool = False


class FlagBasis(msgspec.Struct, frozen=True, kw_only=True):
    """Parts of the rubric that flags depend on; a label that only closes a place needs no evidence."""

    research_rules: frozenset[str]
    evidence_at: Depth | None
    labels: dict[Depth, str]


def flag_basis(rubric: Rubric, labels: dict[Depth, str]) -> FlagBasis:
    """Collect the basis of flags. `labels`: the question that is the label of each depth."""
    table = rubric.file.evidence
    return FlagBasis(
        research_rules=frozenset(
            rule.id for rule in rubric.file.rules if _RESEARCH in {*_names(rule.require), *_names(rule.when)}
        ),
        evidence_at=table.per if table is not None else None,
        labels=labels,
    )


def _names(condition: Any) -> Iterator[str]:
    if isinstance(condition, dict):
        for name, part in condition.items():
            yield name
            yield from _names(part)
    elif isinstance(condition, list | tuple):
        for part in condition:
            yield from _names(part)


def seconds_at(digest: Digest, where: str) -> float | None:
    """Return active seconds at a place; `None` if not recorded. A response has those of its task."""
    depth, _, name = where.partition("/")
    seconds = digest.targets.get(name) if depth == "targets" else digest.seconds
    return seconds or None


def usual_seconds(spent: Iterable[tuple[PlaceKind, float]]) -> dict[PlaceKind, float]:
    """Return one rater's median seconds for each kind with enough places."""
    by_kind: dict[PlaceKind, list[float]] = {}
    for kind, seconds in spent:
        by_kind.setdefault(kind, []).append(seconds)
    return {kind: median(some) for kind, some in by_kind.items() if len(some) >= FEWEST_PLACES}


def flags_of(seen: FlagSubject, basis: FlagBasis) -> frozenset[Flag]:
    """Return the flags of one rating at one place."""
    warnings, depth = _warnings(seen), depth_of(seen.where)
    flags: set[Flag] = {"warning"} if warnings else set()
    if any(warning.let_stand for warning in warnings):
        flags.add("acknowledged")
    if any(warning.rule in basis.research_rules for warning in warnings) or (
        seen.seconds is not None and seen.usual is not None and seen.seconds < FAST_SHARE * seen.usual
    ):
        flags.add("too-fast")
    is_labeled = seen.digest.values.get(seen.where, {}).get(basis.labels.get(depth, "")) is not None
    if is_labeled and depth == basis.evidence_at and not seen.digest.evidence.get(seen.where):
        flags.add("no-evidence")
    if seen.where in seen.digest.unkept_at:
        flags.add("evidence-dead")
    if seen.verdict is not None and seen.verdict.kind == "returned":
        flags.add("returned")
    more: tuple[tuple[Flag, bool], ...] = (
        ("without-research", bool(seen.digest.unresearched and seen.where in seen.digest.unresearched)),
        ("gold-missed", seen.missed), ("forked", seen.forked), ("outdated", seen.outdated),
        ("library-only", seen.where in (seen.digest.library_only or ())),
    )  # fmt: skip
    return frozenset(flags.union(flag for flag, is_set in more if is_set))


def _warnings(seen: FlagSubject) -> Sequence[DigestWarning]:
    if not seen.digest.warnings:
        return ()
    inside = f"{seen.where}/"
    warnings = [
        warning for warning in seen.digest.warnings if warning.where == seen.where or warning.where.startswith(inside)
    ]
    deeper = [place for place in seen.digest.values if place.startswith(inside)] if warnings else []
    # Exclude places whose id merely begins with this one's.
    return [
        candidate
        for candidate in warnings
        if not any(candidate.where == place or candidate.where.startswith(f"{place}/") for place in deeper)
    ]
