"""Figures of each rater: work done, time, evidence, agreement with the others, with gold, and with themselves."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from desktop_rater.audit.agreement import (
    Judgements,
    QuestionUnits,
    UnitPlace,
    ValueCounts,
    as_figures,
    judgements_by_rater,
    most_differing_by_rater,
    other_counts,
    seeded_random,
)
from desktop_rater.audit.judged_questions import JudgedQuestion, Value
from desktop_rater.audit.report import LabelChanges, RaterFigures, ReportFigure, TimeSpread
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.agreement_figures import OthersAgreement, agreement_with_others
from desktop_rater.stats.bootstrap import percentile, wilson_interval

NO_GOLD = "no gold"
NO_REPEATS = "no repeated tasks"
NO_OTHERS = "no other ratings"
_PICKS = 60_000  # units over all draws of one rater's interval

AcceptedValues = dict[tuple[str, UnitPlace], tuple[Value | None, ...]]
"""Question and place → the correct answers; `None` for each gold answer that leaves it out."""


class ComparisonBasis(NamedTuple):
    """Data that raters are compared with.

    `judgements`: rater → all judgements. `judged`: the questions that are judgements, each once; `dependent`: those
    combined of claims' answers, which count only where both sides have a value. `twice`: groups of tasks with the same
    text. `earlier`: rater → superseded ratings. `scores`: rater → mean score of written
    justifications.
    """

    units: tuple[QuestionUnits, ...]
    judgements: Mapping[str, Judgements]
    chosen: str
    judged: frozenset[str]
    dependent: frozenset[str]
    gold: AcceptedValues
    tolerance: int
    twice: tuple[tuple[str, ...], ...]
    earlier: Mapping[str, Sequence[ReceivedRating]]
    seed: int
    scores: Mapping[str, ReportFigure]


def rater_figures(
    given: Mapping[str, list[ReceivedRating]], models: frozenset[str], basis: ComparisonBasis, only: str = ""
) -> tuple[RaterFigures, ...]:
    """Return the figures of each rater by name, or of one. `given`: rater → effective ratings."""
    against = {units.question.id: _against(units) for units in basis.units}
    chosen = against[basis.chosen].units if basis.chosen in against else None
    differing = most_differing_by_rater(chosen) if chosen is not None else {}
    rows = (
        _of_rater(rater, given[rater], basis, against, model=rater in models)
        for rater in sorted(given)
        if only in {"", rater}
    )
    return tuple(replace(row, differing=differing.get(row.rater, ())) for row in rows)


class _Against(NamedTuple):
    """Question with each rater's units, as numbers of their kinds in `sums`."""

    units: QuestionUnits
    of: Mapping[str, list[int]]
    sums: OthersAgreement


def _against(units: QuestionUnits) -> _Against:
    of: defaultdict[str, list[int]] = defaultdict(list)
    kinds: dict[tuple[Value, ValueCounts], int] = {}
    by_counts: dict[ValueCounts, dict[Value, int]] = {}
    for unit in units.units:
        if unit.counts not in by_counts:
            given = {value: other_counts(unit.counts, value) for value, _ in unit.counts}
            by_counts[unit.counts] = {
                value: kinds.setdefault((value, rest), len(kinds)) for value, rest in given.items() if rest
            }
        here = by_counts[unit.counts]
        if here:
            for rater, value in unit.people.items():
                of[rater].append(here[value])
        for rater, value in unit.models.items() if unit.counts else ():
            of[rater].append(kinds.setdefault((value, unit.counts), len(kinds)))
    return _Against(units, of, agreement_with_others(list(kinds), units.question.measure))


def _of_rater(
    rater: str, ratings: list[ReceivedRating], basis: ComparisonBasis, against: Mapping[str, _Against], *, model: bool
) -> RaterFigures:
    digests = [rating.digest for rating in ratings]
    questions = [units.question for units in basis.units]
    judged = basis.judgements.get(rater, {})
    others, alike = {}, {}
    for name, others_on in against.items():
        figures = _with_others(rater, others_on, basis, intervals=name == basis.chosen)
        alike[name], others[name] = figures["percent"], figures["krippendorff_alpha"]
    return RaterFigures(
        rater=rater,
        model=model,
        tasks=len(ratings),
        skipped=sum(digest.status == "skipped" for digest in digests),
        targets=sum(basis.chosen in values for values in judged.values()),
        per_task=time_spread(digest.seconds for digest in digests if digest.seconds and digest.status != "skipped"),
        per_target=time_spread(seconds for digest in digests for seconds in digest.targets.values() if seconds),
        labels=_labels(questions, judged),
        claims=sum(digest.claims for digest in digests),
        evidence=sum(sum(digest.evidence.values()) for digest in digests),
        unopened=sum(digest.unopened for digest in digests),
        unquoted=sum(digest.unquoted for digest in digests),
        unkept=sum(digest.unkept for digest in digests),
        warnings_left=sum(not warned.let_stand for digest in digests for warned in digest.warnings),
        warnings_let_stand=sum(warned.let_stand for digest in digests for warned in digest.warnings),
        revisions=sum(digest.revisions for digest in digests),
        others=others,
        alike=alike,
        gold=_with_gold({rating.task for rating in ratings if rating.digest.status != "skipped"}, judged, basis),
        repeats=_repeats(judged, basis),
        texts=basis.scores.get(rater, ReportFigure()),
        changed=_changed(basis.earlier.get(rater, ()), judged, basis, questions),
        written=sum(sum(digest.texts.values()) for digest in digests),
    )


def time_spread(numbers: Iterable[float]) -> TimeSpread | None:
    """Return median and percentiles; `None` without numbers."""
    ordered = sorted(numbers)
    if not ordered:
        return None
    median, low, high = (percentile(ordered, share) for share in (0.5, 0.1, 0.9))
    return TimeSpread(median=median, low=low, high=high, n=len(ordered))


def _labels(questions: Sequence[JudgedQuestion], judged: Judgements) -> dict[str, tuple[int, ...]]:
    counts = {question.id: dict.fromkeys((look.id for look in question.looks), 0) for question in questions}
    for values in judged.values():
        for name, value in values.items():
            if value in counts[name]:
                counts[name][value] += 1
    return {name: tuple(of_values.values()) for name, of_values in counts.items() if of_values}


def _with_others(rater: str, against: _Against, basis: ComparisonBasis, *, intervals: bool) -> dict[str, ReportFigure]:
    units = against.of.get(rater, [])
    if not units:
        return dict.fromkeys(("percent", "krippendorff_alpha"), ReportFigure(why=NO_OTHERS))
    random = seeded_random(basis.seed, against.units.question.id, rater) if intervals else None
    return as_figures(against.sums.figures(units, random, _PICKS), len(units))


def share_figure(hits: int, of: int, why: str) -> ReportFigure:
    """Return a share with its interval, or the reason if there is nothing to count."""
    if not of:
        return ReportFigure(why=why)
    low, high = wilson_interval(hits, of)
    return ReportFigure(value=hits / of, low=low, high=high, n=of)


def _with_gold(tasks: set[str], judged: Judgements, basis: ComparisonBasis) -> ReportFigure:
    steps = {units.question.id: units.question.step for units in basis.units}
    hits = total = 0
    for (name, place), right in basis.gold.items():
        if place[0] in tasks and name in basis.judged:
            own = _judgement(judged, name, place)
            if own is None and (None in right or name in basis.dependent):
                continue
            total += 1
            hits += own is not None and any(
                correct is not None and is_near(own, correct, steps[name] * basis.tolerance) for correct in right
            )
    return share_figure(hits, total, NO_GOLD)


def _judgement(judged: Judgements, name: str, place: UnitPlace) -> Value | None:
    return judged[place].get(name) if place in judged else None


def is_near(first: Value, second: Value, most: float) -> bool:
    """Return whether two values are equal, or two numbers differ by at most `most`."""
    if isinstance(first, float) and isinstance(second, float):
        return abs(first - second) <= most + 1e-9
    return first == second


def _repeats(judged: Judgements, basis: ComparisonBasis) -> ReportFigure:
    """Compare each task with the next one of the same text, over all places judged in at least one of them."""
    compared = {task for group in basis.twice for task in group}
    by_task: dict[str, dict[tuple[str, str], Value]] = {}
    for (task, where), values in judged.items() if compared else ():
        if task in compared:
            own = {(name, where): value for name, value in values.items() if name in basis.judged}
            by_task.setdefault(task, {}).update(own)
    hits = total = 0
    for group in basis.twice:
        rated = [by_task[task] for task in group if by_task.get(task)]
        for first, second in pairwise(rated):
            for key in first.keys() | second.keys():
                if key[0] not in basis.dependent or (key in first and key in second):
                    total += 1
                    hits += first.get(key) == second.get(key)
    return share_figure(hits, total, NO_REPEATS)


def _changed(
    earlier: Sequence[ReceivedRating], judged: Judgements, basis: ComparisonBasis, questions: Sequence[JudgedQuestion]
) -> LabelChanges:
    if not earlier:
        return LabelChanges()
    before = {
        (name, place): value
        for own in judgements_by_rater(earlier, questions).values()
        for place, values in own.items()
        for name, value in values.items()
    }
    tasks = {task for (task, _), values in judged.items() if values}
    keys = [
        (name, place)
        for name, place in before
        if name in basis.judged
        and place[0] in tasks
        and (name not in basis.dependent or _judgement(judged, name, place) is not None)
    ]
    same = sum(_judgement(judged, name, place) == before[name, place] for name, place in keys)
    return LabelChanges(same=same, total=len(keys))
