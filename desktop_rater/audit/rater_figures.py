"""Figures of each rater: work done, time, evidence, agreement with the others, with gold, and with themselves."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.agreement import as_figure, as_figures, most_differing_by_rater
from desktop_rater.audit.judged_questions import JudgedQuestion, Value
from desktop_rater.audit.question_units import (
    Judgements,
    QuestionUnits,
    RowsByRater,
    UnitPlace,
    UnitRows,
    judgements_by_rater,
)
from desktop_rater.audit.report import LabelChanges, RaterFigures, ReportFigure, TimeSpread
from desktop_rater.audit.results import ReceivedRating
from desktop_rater.stats.cluster_bootstrap import Floats, Indices, compact, quantile_interval, share
from desktop_rater.stats.rater_agreement import OthersAgreement

NO_GOLD = "no gold"
NO_REPEATS = "no repeated tasks"
NO_OTHERS = "no other ratings"
NOBODY_WAITS: Callable[[int], None] = lambda _done: None  # noqa: E731 - the default of `advanced`
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

    questions: tuple[JudgedQuestion, ...]
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


class AnswerRows(NamedTuple):
    """Answers of a rater: the number of the task of each, of the value, and of the kind beside the others or -1.

    `repeats`: how many there are of each, by default one.
    """

    task: Indices
    value: Indices
    kind: Indices
    repeats: Indices | None = None

    @property
    def times(self) -> Indices:
        return np.ones(len(self.task), dtype=np.intp) if self.repeats is None else self.repeats


class RaterAnswers(NamedTuple):
    """Figures of a rater's answers to a question: how many, and how they agree with the others.

    `labels`: the count of each value that the question offers, `None` if it offers none, and `shares` the shares.
    """

    judged: int
    figures: Mapping[str, ReportFigure]
    labels: tuple[int, ...] | None = None
    shares: tuple[ReportFigure, ...] = ()


def rater_figures(
    given: Mapping[str, list[ReceivedRating]],
    models: frozenset[str],
    basis: ComparisonBasis,
    only: str = "",
    advanced: Callable[[int], None] = NOBODY_WAITS,
) -> tuple[RaterFigures, ...]:
    """Return the figures of each rater by name, or of one. `given`: rater → effective ratings.

    `advanced` is called with the number of ratings that are counted.
    """
    against = {units.question.id: _against(units) for units in basis.units}
    chosen = against[basis.chosen].units if basis.chosen in against else None
    differing = most_differing_by_rater(chosen) if chosen is not None else {}
    rows, done = [], 0
    for rater in sorted(given) if not only else [only] if only in given else []:
        advanced(done)
        answers = {name: others.answers(rater) for name, others in against.items()}
        row = figures_of_rater(rater, given[rater], basis, answers, model=rater in models)
        rows.append(replace(row, differing=differing.get(rater, ())))
        done += len(given[rater])
    return tuple(rows)


@dataclass(frozen=True, eq=False)
class _Against:
    """Question with each rater's units, as numbers of their kinds in `sums`, and the numbers of their tasks."""

    units: QuestionUnits
    numbers: Mapping[str, int]
    people: RowsByRater
    models: RowsByRater
    sums: OthersAgreement

    def answers(self, rater: str) -> RaterAnswers:
        """Return the figures of a rater's answers."""
        rows, kinds = self._of(rater)
        task = self.units.task[rows.unit]
        return rater_answers(self.units.question, self.units.values, self.sums, AnswerRows(task, rows.value, kinds))

    def _of(self, rater: str) -> tuple[UnitRows, Indices]:
        """Return a rater's judgements, and the kind of each beside the others, -1 without others."""
        number = self.numbers.get(rater, -1)
        rows, kinds = self.people.of(number)
        return (rows, kinds) if len(rows) else self.models.of(number)


def _against(units: QuestionUnits) -> _Against:
    compared = units.compared
    others, sizes = compared.others, compared.sizes
    sums = OthersAgreement(
        units.values,
        units.question.measure,
        compared.own,
        compared.alike / sizes,
        others.kind,
        others.value,
        others.count / sizes[others.kind],
    )
    numbers = {rater: number for number, rater in enumerate(units.raters)}
    return _Against(
        units, numbers, RowsByRater(units.people, compared.people), RowsByRater(units.models, compared.models), sums
    )


def figures_of_rater(
    rater: str,
    ratings: Sequence[ReceivedRating],
    basis: ComparisonBasis,
    answers: Mapping[str, RaterAnswers],
    *,
    model: bool,
) -> RaterFigures:
    """Return all figures of a rater but the units that differ. `answers`: question → figures of the answers."""
    digests = [rating.digest for rating in ratings]
    warnings = [warning for digest in digests for warning in digest.warnings]
    judged = basis.judgements.get(rater, {})
    return RaterFigures(
        rater=rater,
        model=model,
        tasks=len(ratings),
        skipped=sum(digest.status == "skipped" for digest in digests),
        targets=answers[basis.chosen].judged if basis.chosen in answers else 0,
        per_task=time_spread([[digest.seconds] if digest.status != "skipped" else [] for digest in digests]),
        per_target=time_spread([digest.targets.values() for digest in digests]),
        labels={name: given.labels for name, given in answers.items() if given.labels is not None},
        label_shares={name: given.shares for name, given in answers.items() if given.labels is not None},
        claims=sum(digest.claims for digest in digests),
        evidence=sum(sum(digest.evidence.values()) for digest in digests if digest.evidence),
        unopened=sum(digest.unopened for digest in digests),
        unquoted=sum(digest.unquoted for digest in digests),
        unkept=sum(digest.unkept for digest in digests),
        warnings_left=sum(not warning.let_stand for warning in warnings),
        warnings_let_stand=sum(warning.let_stand for warning in warnings),
        revisions=sum(digest.revisions for digest in digests),
        others={name: given.figures["krippendorff_alpha"] for name, given in answers.items()},
        alike={name: given.figures["percent"] for name, given in answers.items()},
        gold=share_figure(
            gold_hits({rating.task for rating in ratings if rating.digest.status != "skipped"}, judged, basis), NO_GOLD
        ),
        repeats=share_figure(repeat_hits(judged, basis), NO_REPEATS),
        texts=basis.scores.get(rater, ReportFigure()),
        changed=_changed(basis.earlier.get(rater, ()), judged, basis),
        written=sum(sum(digest.texts.values()) for digest in digests if digest.texts),
    )


def time_spread(seconds: Sequence[Collection[float]]) -> TimeSpread | None:
    """Return median and percentiles of the seconds above 0 of each task; `None` without any."""
    tasks = np.repeat(np.arange(len(seconds)), [len(of_task) for of_task in seconds])
    numbers = np.fromiter(chain.from_iterable(seconds), np.float64, len(tasks))
    tasks, numbers = tasks[numbers > 0], numbers[numbers > 0]
    if not len(numbers):
        return None
    result = quantile_interval(numbers, tasks)
    median, low, high = np.quantile(numbers, (0.5, 0.1, 0.9)).tolist()
    return TimeSpread(
        median=median,
        low=low,
        high=high,
        n=len(numbers),
        tasks=result.clusters,
        median_low=result.low,
        median_high=result.high,
        why=result.why,
    )


def rater_answers(
    question: JudgedQuestion, values: Sequence[Value], sums: OthersAgreement, rows: AnswerRows
) -> RaterAnswers:
    """Return the figures of a rater's answers. `values`: those numbered in the rows; `sums`: of their kinds."""
    times, shared = rows.times, rows.kind >= 0
    figures = dict.fromkeys(("percent", "krippendorff_alpha"), ReportFigure(why=NO_OTHERS))
    if shared.any():
        repeats = None if rows.repeats is None else times[shared]
        computed = sums.figures(rows.kind[shared], rows.task[shared], repeats)
        figures = as_figures(computed, int(times[shared].sum()))
    if not question.looks:
        return RaterAnswers(int(times.sum()), figures)
    looks = {look.id: column for column, look in enumerate(question.looks)}
    columns = np.array([*(looks.get(value, -1) for value in values), -1], dtype=np.intp)[rows.value]
    used, tasks = compact(rows.task)
    offered = columns >= 0
    cells = tasks[offered] * len(looks) + columns[offered]
    counts = np.bincount(cells, times[offered], len(used) * len(looks)).reshape(-1, len(looks)).astype(np.float64)
    return RaterAnswers(int(times.sum()), figures, tuple(map(int, counts.sum(axis=0))), _label_shares(counts))


def _label_shares(counts: Floats) -> tuple[ReportFigure, ...]:
    if counts.shape[1] > MOST_SHARES:
        return ()
    wholes = counts.sum(axis=1)
    return tuple(as_figure(share(parts, wholes), int(wholes.sum())) for parts in counts.T)


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
    steps = {question.id: question.step for question in basis.questions}
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


def _changed(earlier: Sequence[ReceivedRating], judged: Judgements, basis: ComparisonBasis) -> LabelChanges:
    if not earlier:
        return LabelChanges()
    before = {
        (name, place): value
        for own in judgements_by_rater(earlier, basis.questions).values()
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
