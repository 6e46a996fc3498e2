"""The figures of each rater: work done, time, evidence, agreement with the others, with gold, and with oneself."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from desktop_rater.audit.agreeing import as_figures, differing_of_raters, less, seeded
from desktop_rater.audit.judged import Judged, Value
from desktop_rater.audit.report import Changed, Figure, OfRater, Spread
from desktop_rater.audit.units import Counts, Judgements, Place, Units, said_by
from desktop_rater.stats.spread import percentile, wilson
from desktop_rater.stats.with_others import with_others

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop_rater.audit.filed import Filed
    from desktop_rater.stats.with_others import WithOthers

NO_GOLD = "no gold"
NO_REPEATS = "none repeated"
NO_OTHERS = "no other ratings"
_PICKS = 60_000  # units over all draws of one rater's interval

Gold = dict[tuple[str, Place], tuple[Value | None, ...]]
"""Question and place → the answers that count as right; `None` where one of several gold answers leaves it out."""


class Basis(NamedTuple):
    """What raters are compared with. `said`: rater → all judgements.

    `judged`: the questions that are judgements, each once.

    `twice`: tasks in groups that have the same text. `earlier`: rater → ratings that others took the place of.
    `steps`: question → how far apart two steps of its scale are. `scores`: rater → mean score of what was written.
    """

    units: tuple[Units, ...]
    said: Mapping[str, Judgements]
    chosen: str
    judged: frozenset[str]
    gold: Gold
    tolerance: int
    twice: tuple[tuple[str, ...], ...]
    earlier: Mapping[str, Sequence[Filed]]
    seed: int
    scores: Mapping[str, Figure]


def of_raters(
    given: Mapping[str, list[Filed]], models: frozenset[str], basis: Basis, only: str = ""
) -> tuple[OfRater, ...]:
    """A row for each rater, by name, or for one. `given`: rater → the ratings that count."""
    against = {units.question.id: _against(units) for units in basis.units}
    chosen = against[basis.chosen].units if basis.chosen in against else None
    differing = differing_of_raters(chosen) if chosen is not None else {}
    rows = (
        _of_rater(rater, given[rater], basis, against, model=rater in models)
        for rater in sorted(given)
        if only in {"", rater}
    )
    return tuple(replace(one, differing=differing.get(one.rater, ())) for one in rows)


class _Against(NamedTuple):
    """A question, and rater → that rater's units by the numbers of their kinds in `sums`."""

    units: Units
    of: Mapping[str, list[int]]
    sums: WithOthers


def _against(units: Units) -> _Against:
    of: defaultdict[str, list[int]] = defaultdict(list)
    kinds: dict[tuple[Value, Counts], int] = {}
    for unit in units.units:
        given = {value: less(unit.counts, value) for value, _ in unit.counts}
        here = {value: kinds.setdefault((value, rest), len(kinds)) for value, rest in given.items() if rest}
        for rater, value in unit.people.items():
            if value in here:
                of[rater].append(here[value])
        for rater, value in unit.models.items() if unit.counts else ():
            of[rater].append(kinds.setdefault((value, unit.counts), len(kinds)))
    return _Against(units, of, with_others(list(kinds), units.question.measure))


def _of_rater(
    rater: str, ratings: list[Filed], basis: Basis, against: Mapping[str, _Against], *, model: bool
) -> OfRater:
    digests = [one.digest for one in ratings]
    questions = [units.question for units in basis.units]
    said = basis.said.get(rater, {})
    others, alike = {}, {}
    for name, one in against.items():
        figures = _with_others(rater, one, basis, intervals=name == basis.chosen)
        alike[name], others[name] = figures["percent"], figures["krippendorff_alpha"]
    return OfRater(
        rater=rater,
        model=model,
        tasks=len(ratings),
        skipped=sum(one.status == "skipped" for one in digests),
        targets=sum(name == basis.chosen for name, _ in said),
        per_task=spread(one.seconds for one in digests if one.seconds and one.status != "skipped"),
        per_target=spread(seconds for one in digests for seconds in one.targets.values() if seconds),
        labels=_labels(questions, said),
        claims=sum(one.claims for one in digests),
        evidence=sum(sum(one.evidence.values()) for one in digests),
        unopened=sum(one.unopened for one in digests),
        unquoted=sum(one.unquoted for one in digests),
        unkept=sum(one.unkept for one in digests),
        warnings_left=sum(not warned.let_stand for one in digests for warned in one.warnings),
        warnings_let_stand=sum(warned.let_stand for one in digests for warned in one.warnings),
        revisions=sum(one.revisions for one in digests),
        others=others,
        alike=alike,
        gold=_with_gold({one.task for one in ratings if one.digest.status != "skipped"}, said, basis),
        repeats=_repeats(said, basis),
        texts=basis.scores.get(rater, Figure()),
        changed=_changed(basis.earlier.get(rater, ()), said, basis, questions),
        written=sum(sum(one.texts.values()) for one in digests),
    )


def spread(numbers: Iterable[float]) -> Spread | None:
    """Median and percentiles; `None` of no number."""
    ordered = sorted(numbers)
    if not ordered:
        return None
    median, low, high = (percentile(ordered, share) for share in (0.5, 0.1, 0.9))
    return Spread(median=median, low=low, high=high, n=len(ordered))


def _labels(questions: Sequence[Judged], said: Judgements) -> dict[str, tuple[int, ...]]:
    counts = {question.id: dict.fromkeys((look.id for look in question.looks), 0) for question in questions}
    for (name, _), value in said.items():
        if value in counts[name]:
            counts[name][value] += 1
    return {name: tuple(of_values.values()) for name, of_values in counts.items() if of_values}


def _with_others(rater: str, against: _Against, basis: Basis, *, intervals: bool) -> dict[str, Figure]:
    units = against.of.get(rater, [])
    if not units:
        return dict.fromkeys(("percent", "krippendorff_alpha"), Figure(why=NO_OTHERS))
    random = seeded(basis.seed, against.units.question.id, rater) if intervals else None
    return as_figures(against.sums.figures(units, random, _PICKS), len(units))


def share(hits: int, of: int, why: str) -> Figure:
    """A share with its interval; without anything to count, why not."""
    if not of:
        return Figure(why=why)
    low, high = wilson(hits, of)
    return Figure(value=hits / of, low=low, high=high, n=of)


def _with_gold(tasks: set[str], said: Judgements, basis: Basis) -> Figure:
    steps = {units.question.id: units.question.step for units in basis.units}
    hits = total = 0
    for (name, place), right in basis.gold.items():
        if place[0] in tasks and name in basis.judged:
            own = said.get((name, place))
            if own is None and None in right:
                continue
            total += 1
            hits += own is not None and any(
                one is not None and near(own, one, steps[name] * basis.tolerance) for one in right
            )
    return share(hits, total, NO_GOLD)


def near(one: Value, other: Value, most: float) -> bool:
    """Whether two values are the same, or two numbers no further apart."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= most + 1e-9
    return one == other


def _repeats(said: Judgements, basis: Basis) -> Figure:
    """Each task beside the next one of the same text: what was judged in one of them at least."""
    by_task: dict[str, dict[tuple[str, str], Value]] = {}
    for (name, (task, where)), value in said.items():
        if name in basis.judged:
            by_task.setdefault(task, {})[name, where] = value
    hits = total = 0
    for group in basis.twice:
        rated = [by_task[task] for task in group if task in by_task]
        for one, other in pairwise(rated):
            for key in one.keys() | other.keys():
                total += 1
                hits += one.get(key) == other.get(key)
    return share(hits, total, NO_REPEATS)


def _changed(earlier: Sequence[Filed], said: Judgements, basis: Basis, questions: Sequence[Judged]) -> Changed:
    before = {key: value for own in said_by(earlier, questions).values() for key, value in own.items()}
    tasks = {place[0] for _, place in said}
    keys = [key for key in before if key[0] in basis.judged and key[1][0] in tasks]
    return Changed(same=sum(said.get(key) == before[key] for key in keys), total=len(keys))
