"""Sample places for a lead: all, a share, a share of each stratum, or all that missed the gold. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Literal

import msgspec

from desktop_rater.audit.items import Flag, ItemFilter, ReviewItem, matching_items
from desktop_rater.format.strict_json import canonical_json
from desktop_rater.stats.bootstrap import proportional_counts, seed_sort_keys

SamplingMethod = Literal["all", "share", "stratified", "gold-misses"]
StratifyBy = Literal["disagreement", "label", "rater"]
SAMPLING_METHODS: tuple[SamplingMethod, ...] = ("all", "share", "stratified", "gold-misses")
STRATIFY_KEYS: tuple[StratifyBy, ...] = ("disagreement", "label", "rater")


class SampleStratum(msgspec.Struct, frozen=True):
    """One stratum: the number of its places, and how many were drawn."""

    name: str
    places: int
    drawn: int


class ReviewSample(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Sample with the parameters to reproduce it. `places`: (task, where), out of `of` places.

    `flags`, `rater`: the only places that were drawn from, those where a rating, or one of the rater, has all flags.
    """

    how: SamplingMethod
    seed: int = 0
    share: float | None = None
    by: StratifyBy | None = None
    flags: tuple[Flag, ...] = ()
    rater: str = ""
    places: tuple[tuple[str, str], ...] = ()
    of: int = 0
    strata: tuple[SampleStratum, ...] = ()
    lead: str = ""
    changed: str = ""

    @cached_property
    def _drawn(self) -> frozenset[tuple[str, str]]:
        return frozenset(self.places)

    def has(self, task: str, where: str) -> bool:
        """Return whether a place is in the sample; of all places also one that was added later."""
        return (self.how == "all" and not self.is_limited) or (task, where) in self._drawn

    @property
    def is_limited(self) -> bool:
        """Return whether only some places were drawn from."""
        return bool(self.flags or self.rater)

    @property
    def is_random(self) -> bool:
        """Return whether it stands for all places: drawn at random from them."""
        return self.how in {"share", "stratified"} and not self.is_limited


class SampleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of a sample, as in `ReviewSample`. `share` of the places, rounded up; `by` only if stratified."""

    how: SamplingMethod
    seed: int = 0
    share: float | None = None
    by: StratifyBy | None = None
    flags: tuple[Flag, ...] = ()
    rater: str = ""


def sample_places(items: Sequence[ReviewItem], wanted: SampleRequest) -> ReviewSample:
    """Draw places, in list order."""
    items = matching_items(items, ItemFilter(rater=wanted.rater, flags=frozenset(wanted.flags)))
    strata: list[SampleStratum] = []
    match wanted.how:
        case "all":
            chosen = set(range(len(items)))
        case "gold-misses":
            chosen = {
                index for index, item in enumerate(items) if any("gold-missed" in entry.flags for entry in item.entries)
            }
        case "share":
            chosen = _first(items, range(len(items)), _count(len(items), wanted.share), wanted.seed)
        case "stratified":
            chosen, strata = _stratified(items, wanted)
    return ReviewSample(
        how=wanted.how,
        seed=wanted.seed,
        share=wanted.share,
        by=wanted.by,
        flags=wanted.flags,
        rater=wanted.rater,
        places=tuple((item.task, item.where) for index, item in enumerate(items) if index in chosen),
        of=len(items),
        strata=tuple(strata),
    )


def extend_sample(
    sample: ReviewSample | None, strata: Mapping[tuple[str, str], str], counts: Mapping[str, int]
) -> ReviewSample:
    """Draw more places in the order of the seed, until each stratum has its count; those drawn at random before stay.

    `strata`: place → name of its stratum, for all places; `counts`: stratum → places in all.
    """
    before = sample if sample is not None and sample.is_random else ReviewSample(how="stratified")
    chosen = set(before.places) & strata.keys()
    for name, count in counts.items():
        of_stratum = [place for place, stratum in strata.items() if stratum == name]
        left = sorted(set(of_stratum) - chosen, key=lambda place: _sort_hash(before.seed, *place))
        chosen |= set(left[: max(0, count - len(chosen.intersection(of_stratum)))])
    sizes, drawn = Counter(strata.values()), Counter(strata[place] for place in chosen)
    return ReviewSample(
        how="stratified",
        seed=before.seed,
        share=len(chosen) / len(strata),
        by="disagreement",
        places=tuple(place for place in strata if place in chosen),
        of=len(strata),
        strata=tuple(SampleStratum(name, size, drawn[name]) for name, size in sizes.items()),
    )


def _count(places: int, share: float | None) -> int:
    """Return the number of places for a share, rounded up: at least one if the share is not zero."""
    exact = Fraction(str(share or 0)) * places
    return min(places, -(-exact.numerator // exact.denominator))


def _stratified(items: Sequence[ReviewItem], wanted: SampleRequest) -> tuple[set[int], list[SampleStratum]]:
    """Draw by the largest remainder of each stratum; a place of several raters is drawn for one and counts there."""
    kinds = _strata_of(items, wanted)
    sizes = [len(places) for _, places in kinds]
    chosen: set[int] = set()
    strata = []
    given = proportional_counts(sizes, _count(len(items), wanted.share)) if items else []
    for (name, places), count in zip(kinds, given, strict=True):
        drawn = _first(items, places, count, wanted.seed)
        chosen |= drawn
        strata.append(SampleStratum(name, len(places), len(drawn)))
    return chosen, strata


def _strata_of(items: Sequence[ReviewItem], wanted: SampleRequest) -> list[tuple[str, list[int]]]:
    """Assign each place to exactly one stratum, so that shares add up; independent of the order of the places."""
    kinds: dict[str, list[int]] = {}
    load: dict[str, int] = {}
    for index in sorted(range(len(items)), key=lambda index: (items[index].task, items[index].where)):
        name = _stratum_name(items[index], wanted, load)
        load[name] = load.get(name, 0) + 1
        kinds.setdefault(name, []).append(index)
    if wanted.by == "disagreement":
        return sorted(kinds.items(), key=lambda kind: items[kind[1][0]].group.rank)
    return sorted(kinds.items())


def _stratum_name(item: ReviewItem, wanted: SampleRequest, load: dict[str, int]) -> str:
    match wanted.by:
        case "label":
            labels = [entry.label for entry in item.entries if entry.label is not None and not entry.model]
            turns = {label: _sort_hash(wanted.seed, item.task, item.where, str(label.value)) for label in labels}
            most_given = max(labels, key=lambda label: (labels.count(label), turns[label]), default=None)
            return "" if most_given is None else str(most_given.value)
        case "rater":
            # The rater with the fewest places so far; the seed breaks ties.
            given = [entry for entry in item.entries if entry.label is not None]
            raters = [entry.rater for entry in given if not entry.model] or [entry.rater for entry in given]
            turn = {name: _sort_hash(wanted.seed, item.task, item.where, name) for name in raters}
            return min(raters, key=lambda name: (load.get(name, 0), turn[name]), default="")
    return item.group.words


def _first(items: Sequence[ReviewItem], places: Iterable[int], count: int, seed: int) -> set[int]:
    by_turn = sorted(places, key=lambda index: _sort_hash(seed, items[index].task, items[index].where))
    return set(by_turn[:count])


def _sort_hash(seed: int, *names: str) -> bytes:
    return seed_sort_keys(seed, (canonical_json(list(names)).decode(),))[0]
