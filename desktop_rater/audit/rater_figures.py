"""Figures of each rater: work done, time, evidence, agreement with the others, with gold, and with themselves."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.agreement import (
    Judgements,
    QuestionUnits,
    UnitPlace,
    ValueCounts,
    as_figure,
    as_figures,
    judgements_by_rater,
    most_differing_by_rater,
    other_counts,
)
from desktop_rater.audit.judged_questions import JudgedQuestion, Value
from desktop_rater.audit.report import LabelChanges, RaterFigures, ReportFigure, TimeSpread
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.bootstrap import percentile
from desktop_rater.stats.cluster_bootstrap import Floats, quantile_interval, share
from desktop_rater.stats.rater_agreement import OthersAgreement, agreement_with_others

NO_GOLD = "no gold"
NO_REPEATS = "no repeated tasks"
NO_OTHERS = "no other ratings"
MOST_SHARES = 30  # of a question with more values, such as a number, shares say nothing

AcceptedValues = dict[tuple[str, UnitPlace], tuple[Value | None, ...]]
"""Question and place → the correct answers; `None` for each gold answer that leaves it out."""

Hits = list[tuple[str, bool]]
"""Comparisons, each with its task, and whether both sides are equal."""


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
    """Question with each rater's units, as numbers of their kinds in `sums`, and the numbers of their tasks."""

    units: QuestionUnits
    of: Mapping[str, list[int]]
    tasks: Mapping[str, list[int]]
    sums: OthersAgreement


def _against(units: QuestionUnits) -> _Against:
    of: defaultdict[str, list[int]] = defaultdict(list)
    tasks: defaultdict[str, list[int]] = defaultdict(list)
    numbers: dict[str, int] = {}
    kinds: dict[tuple[Value, ValueCounts], int] = {}
    by_counts: dict[ValueCounts, dict[Value, int]] = {}
    for unit in units.units:
        if unit.counts not in by_counts:
            given = {value: other_counts(unit.counts, value) for value, _ in unit.counts}
            by_counts[unit.counts] = {
                value: kinds.setdefault((value, rest), len(kinds)) for value, rest in given.items() if rest
            }
        here, task = by_counts[unit.counts], numbers.setdefault(unit.place[0], len(numbers))
        if here:
            for rater, value in unit.people.items():
                of[rater].append(here[value])
                tasks[rater].append(task)
        for rater, value in unit.models.items() if unit.counts else ():
            of[rater].append(kinds.setdefault((value, unit.counts), len(kinds)))
            tasks[rater].append(task)
    return _Against(units, of, tasks, agreement_with_others(list(kinds), units.question.measure))


def _of_rater(
    rater: str, ratings: list[ReceivedRating], basis: ComparisonBasis, against: Mapping[str, _Against], *, model: bool
) -> RaterFigures:
    digests = [rating.digest for rating in ratings]
    questions = [units.question for units in basis.units]
    judged = basis.judgements.get(rater, {})
    labels = _labels(questions, judged)
    others, alike = {}, {}
    for name, others_on in against.items():
        figures = _with_others(rater, others_on)
        alike[name], others[name] = figures["percent"], figures["krippendorff_alpha"]
    return RaterFigures(
        rater=rater,
        model=model,
        tasks=len(ratings),
        skipped=sum(digest.status == "skipped" for digest in digests),
        targets=sum(basis.chosen in values for values in judged.values()),
        per_task=time_spread(
            (rating.task, rating.digest.seconds)
            for rating in ratings
            if rating.digest.seconds and rating.digest.status != "skipped"
        ),
        per_target=time_spread(
            (rating.task, seconds) for rating in ratings for seconds in rating.digest.targets.values() if seconds
        ),
        labels={name: tuple(map(int, counts.sum(axis=0))) for name, counts in labels.items()},
        label_shares={name: _label_shares(counts) for name, counts in labels.items()},
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
        gold=share_figure(
            gold_hits({rating.task for rating in ratings if rating.digest.status != "skipped"}, judged, basis), NO_GOLD
        ),
        repeats=share_figure(repeat_hits(judged, basis), NO_REPEATS),
        texts=basis.scores.get(rater, ReportFigure()),
        changed=_changed(basis.earlier.get(rater, ()), judged, basis, questions),
        written=sum(sum(digest.texts.values()) for digest in digests),
    )


def time_spread(seconds: Iterable[tuple[str, float]]) -> TimeSpread | None:
    """Return median and percentiles of seconds, each with its task; `None` without any."""
    tasks, numbers = zip(*seconds, strict=True) if (seconds := list(seconds)) else ((), ())
    if not numbers:
        return None
    result = quantile_interval(np.array(numbers, dtype=np.float64), tasks)
    ordered = sorted(numbers)
    median, low, high = (percentile(ordered, at) for at in (0.5, 0.1, 0.9))
    return TimeSpread(
        median=median,
        low=low,
        high=high,
        n=len(ordered),
        tasks=result.clusters,
        median_low=result.low,
        median_high=result.high,
        why=result.why,
    )


def _labels(questions: Sequence[JudgedQuestion], judged: Judgements) -> dict[str, Floats]:
    """Return how often each value was given, (tasks, values), for each question with a fixed set of values."""
    columns = {key: column for column, key in enumerate((of.id, look.id) for of in questions for look in of.looks)}
    tasks: dict[str, int] = {}
    rows: list[int] = []
    given: list[int] = []
    known: dict[int, list[int]] = {}  # most places have the same values as many others
    for (task, _), values in judged.items():
        at_place = known.get(id(values))
        if at_place is None:
            at_place = known[id(values)] = [columns[key] for key in values.items() if key in columns]
        rows += [tasks.setdefault(task, len(tasks))] * len(at_place)
        given += at_place
    counts = (
        np.bincount(
            np.array(rows, dtype=np.intp) * len(columns) + np.array(given, dtype=np.intp),
            np.ones(len(rows)),
            len(tasks) * len(columns),
        )
        .astype(np.float64)
        .reshape(len(tasks), len(columns))
    )
    ends = np.cumsum([len(question.looks) for question in questions])
    parts = zip(questions, np.split(counts, ends[:-1], axis=1), strict=True) if questions else ()
    return {question.id: part for question, part in parts if question.looks}


def _label_shares(counts: Floats) -> tuple[ReportFigure, ...]:
    if counts.shape[1] > MOST_SHARES:
        return ()
    wholes = counts.sum(axis=1)
    return tuple(as_figure(share(parts, wholes), int(wholes.sum())) for parts in counts.T)


def _with_others(rater: str, against: _Against) -> dict[str, ReportFigure]:
    units = against.of.get(rater, [])
    if not units:
        return dict.fromkeys(("percent", "krippendorff_alpha"), ReportFigure(why=NO_OTHERS))
    return as_figures(against.sums.figures(units, against.tasks[rater]), len(units))


def share_figure(hits: Iterable[tuple[str, bool]], why: str) -> ReportFigure:
    """Return the share of hits, each with its task; the reason if there is nothing to count."""
    by_task: dict[str, list[int]] = {}
    for task, hit in hits:
        counts = by_task.setdefault(task, [0, 0])
        counts[0] += hit
        counts[1] += 1
    if not by_task:
        return ReportFigure(why=why)
    parts, wholes = np.array([*by_task.values()], dtype=np.float64).T
    return as_figure(share(parts, wholes), int(wholes.sum()))


def gold_hits(tasks: set[str], judged: Judgements, basis: ComparisonBasis) -> Hits:
    """Compare the judgements of these tasks with gold."""
    steps = {units.question.id: units.question.step for units in basis.units}
    hits: Hits = []
    for (name, place), right in basis.gold.items():
        if place[0] in tasks and name in basis.judged:
            own = _judgement(judged, name, place)
            if own is None and (None in right or name in basis.dependent):
                continue
            near = own is not None and any(
                correct is not None and is_near(own, correct, steps[name] * basis.tolerance) for correct in right
            )
            hits.append((place[0], near))
    return hits


def _judgement(judged: Judgements, name: str, place: UnitPlace) -> Value | None:
    return judged[place].get(name) if place in judged else None


def is_near(first: Value, second: Value, most: float) -> bool:
    """Return whether two values are equal, or two numbers differ by at most `most`."""
    if isinstance(first, float) and isinstance(second, float):
        return abs(first - second) <= most + 1e-9
    return first == second


def repeat_hits(judged: Judgements, basis: ComparisonBasis) -> Hits:
    """Compare each task with the next one of the same text, over all places judged in at least one of them."""
    compared = {task for group in basis.twice for task in group}
    by_task: dict[str, dict[tuple[str, str], Value]] = {}
    for (task, where), values in judged.items() if compared else ():
        if task in compared:
            own = {(name, where): value for name, value in values.items() if name in basis.judged}
            by_task.setdefault(task, {}).update(own)
    hits: Hits = []
    for group in basis.twice:
        rated = [by_task[task] for task in group if by_task.get(task)]
        for first, second in pairwise(rated):
            hits += [
                (group[0], first.get(key) == second.get(key))
                for key in first.keys() | second.keys()
                if key[0] not in basis.dependent or (key in first and key in second)
            ]
    return hits


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
