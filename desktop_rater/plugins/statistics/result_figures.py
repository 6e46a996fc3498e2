"""Compute the result of an audit from ratings, the drawn sample, and the lead's reviews. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.adjudication import FinalLabel, PlaceQuestion
from desktop_rater.audit.compute_report import ReportInputs, SelectedResults
from desktop_rater.audit.figures import (
    NO_GOLD,
    NO_REPEATS,
    ComparisonBasis,
    Hits,
    as_figure,
    gold_hits,
    repeat_hits,
    share_figure,
    time_spread,
)
from desktop_rater.audit.items import Label, label_at, label_questions
from desktop_rater.audit.question_units import QuestionUnits
from desktop_rater.audit.questions import JudgedQuestion, LabelMethod, Value, judged_questions, plain_value
from desktop_rater.audit.report import ReportFigure, ReportFilter
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.scale_figures import MEASURES, ratings_of
from desktop_rater.plugins.statistics.acceptance import NOTHING_JUDGED, DrawPlan, SampledStratum, draw_plans, error_rate
from desktop_rater.plugins.statistics.result import (
    FIGURES,
    MIN_TASKS,
    STRATA,
    AuditedRater,
    AuditResult,
    BandedFigure,
    DrawStep,
    ErrorResult,
    FigureName,
    GoalState,
    LabelMistake,
    RaterPlace,
    ResultRequest,
    ResultStratum,
    StratumKind,
)
from desktop_rater.stats.cluster_bootstrap import MIN_CLUSTERS, ChanceBand, Floats, Numbers, chance_band, share
from desktop_rater.stats.reliability import rater_offsets
from desktop_rater.translation import N_

NO_SAMPLE = N_("Report", "no random sample is drawn")
NO_FINAL = N_("Report", "no final labels")
NO_BLIND = N_("Report", "no blind answers of the lead")
MOST_PLACES = 50  # listed for each rater
_MOST_STEPS = 40

Place = tuple[str, str]


class _LabelRating(NamedTuple):
    """Label that a person gave at a place; `final`: the final one. `wrong`: by the lead; `right`: the lead's label."""

    place: Place
    rater: str
    label: Label
    week: str
    final: Value | None
    wrong: bool | None
    right: Value | None


def make_result(
    audit: Audit,
    reviews: Reviews,
    labels: Mapping[PlaceQuestion, FinalLabel],
    companions: ReportInputs,
    request: ResultRequest,
    *,
    method: LabelMethod,
    seed: int,
    computed: str,
) -> AuditResult:
    """Compute the result, without the quotes of places."""
    ratings = list(_label_ratings(audit, reviews, labels))
    strata = strata_of_places(audit)
    raters, compared, by_chance = _raters(audit, reviews, ratings, strata, companions, seed)
    depths = label_questions(judged_questions(audit.rubric))
    return AuditResult(
        bundle=audit.bundle,
        title=audit.title,
        seed=seed,
        computed=computed,
        request=request,
        rubric=audit.rubric.ref,
        method=method,
        tasks=len({task for task, _ in strata}),
        places=len(strata),
        ratings=len(ratings),
        errors=_errors(ratings, strata, drawn_places(reviews, strata), request.goal),
        raters=raters,
        names=tuple(name for name in FIGURES if any(name in rater.figures for rater in raters)),
        compared=compared,
        outside=sum(len(rater.outside) for rater in raters),
        by_chance=by_chance,
        questions=tuple(depths.values()),
        scale=_scale(judged_questions(audit.rubric)),
        cautions=audit.cautions,
    )


def _labels_given(audit: Audit) -> Iterator[tuple[ReceivedRating, str, Label]]:
    """Yield the labels that people gave, in an order that does not depend on that of import."""
    depths = label_questions(judged_questions(audit.rubric))
    for key in sorted(audit.ratings):
        rating = audit.ratings[key]
        if rating.rater not in audit.models and rating.digest.status == "complete":
            for where, values in rating.digest.values.items():
                label = label_at(depths, where, values)
                if label is not None:
                    yield rating, where, label


def strata_of_places(audit: Audit) -> dict[Place, StratumKind]:
    """Return the stratum of each place with a label."""
    given: dict[Place, list[Label]] = {}
    for rating, where, label in _labels_given(audit):
        given.setdefault((rating.task, where), []).append(label)
    return {
        place: "one" if len(labels) == 1 else "agree" if len(set(labels)) == 1 else "differ"
        for place, labels in given.items()
    }


def drawn_places(reviews: Reviews, strata: Mapping[Place, StratumKind]) -> frozenset[Place] | None:
    """Return the places that were drawn at random; `None` if none were. All of them may be judged without a draw."""
    sample = reviews.sample
    if sample is not None and sample.is_random:
        return frozenset(place for place in sample.places if place in strata)
    return None


def _label_ratings(
    audit: Audit, reviews: Reviews, labels: Mapping[PlaceQuestion, FinalLabel]
) -> Iterator[_LabelRating]:
    depths = label_questions(judged_questions(audit.rubric))
    nothing = FinalLabel(None)
    for rating, where, label in _labels_given(audit):
        final = labels.get((rating.task, where, label.question), nothing).value
        own = reviews.owns.get(rating.task)
        own_label = label_at(depths, where, own.values.get(where, {})) if own is not None else None
        decision = reviews.finals.get((rating.task, where, label.question))
        decided = decision is not None and not decision.by
        right = plain_value(decision.value) if decision is not None and not decision.by else None
        right = right if decided else own_label.value if own_label is not None else None
        verdict = reviews.verdict(rating.task, where, rating.rater)
        wrong = None if right is None else label.value != right
        if verdict is not None and verdict.rating == rating.sha256:
            wrong = verdict.kind != "accepted"
            right = label.value if not wrong else right
        yield _LabelRating((rating.task, where), rating.rater, label, _week(rating.digest.changed), final, wrong, right)


def _week(changed: str) -> str:
    """Return the week of a time, such as 2026-W47; empty without a time."""
    if not changed:
        return ""
    year, week, _day = date.fromisoformat(changed[:10]).isocalendar()
    return f"{year}-W{week:02}"


# -- errors in all work


def sampled_strata(
    ratings: Iterable[_LabelRating], strata: Mapping[Place, StratumKind], drawn: frozenset[Place]
) -> list[SampledStratum]:
    """Return the strata with the judged ratings at drawn places, those with ratings only."""
    by_kind: dict[StratumKind, list[_LabelRating]] = {kind: [] for kind in STRATA}
    tasks: dict[str, int] = {}
    numbers: dict[Place, int] = {}
    for rating in ratings:
        by_kind[strata[rating.place]].append(rating)
        tasks.setdefault(rating.place[0], len(tasks))
        numbers.setdefault(rating.place, len(numbers))
    made = []
    for kind, of_kind in by_kind.items():
        judged = [rating for rating in of_kind if rating.place in drawn and rating.wrong is not None]
        places = {rating.place for rating in of_kind}
        made.append(
            SampledStratum(
                name=kind,
                ratings=len(of_kind),
                places=len(places),
                drawn=len(places & drawn),
                judged=len({rating.place for rating in judged}),
                tasks=np.array([tasks[rating.place[0]] for rating in judged], dtype=np.intp),
                at=np.array([numbers[rating.place] for rating in judged], dtype=np.intp),
                wrong=np.array([rating.wrong for rating in judged], dtype=np.bool_),
            )
        )
    return [stratum for stratum in made if stratum.ratings]


def _errors(
    ratings: Sequence[_LabelRating],
    strata: Mapping[Place, StratumKind],
    sample: frozenset[Place] | None,
    goal: float,
) -> ErrorResult:
    # Without a random sample only a judgement on every rating says something about all work.
    every = bool(ratings) and all(rating.wrong is not None for rating in ratings)
    drawn = sample if sample is not None else frozenset(strata) if every else frozenset()
    sampled = sampled_strata(ratings, strata, drawn)
    rate = error_rate(sampled)
    why = NO_SAMPLE if sample is None and not every else rate.why
    state: GoalState = ""
    if rate.upper is not None and rate.lower is not None:
        state = "shown" if rate.upper < goal else "refuted" if rate.lower > goal else "open"
    plans = list(draw_plans(sampled)) if sampled else []
    enough = next((plan for plan in plans if plan.bound < goal), None)
    seen = [rating for rating in ratings if rating.place in drawn]
    mistakes = Counter((rating.label.value, rating.right) for rating in seen if rating.wrong)
    return ErrorResult(
        figure=ReportFigure(
            value=rate.value, low=rate.low, high=rate.high, n=rate.judged, tasks=rate.tasks, why=why
        ),
        lower=rate.lower,
        bound=rate.upper,
        wrong=rate.wrong,
        goal=goal,
        state=state,
        strata=tuple(
            ResultStratum(
                kind=kind, places=of.places, ratings=of.ratings, drawn=of.drawn, judged=len(of.wrong),
                wrong=int(of.wrong.sum()),
            )
            for kind in STRATA for of in sampled if of.name == kind
        ),
        waiting=sum(rating.wrong is None for rating in seen),
        steps=tuple(_step(plan, sampled) for plan in _steps_shown(plans, enough)),
        enough=_step(enough, sampled) if enough is not None else None,
        mistakes=tuple(
            LabelMistake(given=given, right=right if right != given else None, count=count)
            for (given, right), count in sorted(mistakes.items(), key=lambda item: (-item[1], str(item[0])))
        ),
    )  # fmt: skip


def _steps_shown(plans: Sequence[DrawPlan], enough: DrawPlan | None) -> list[DrawPlan]:
    """Return the steps from now to half as far again as needed, or to all places."""
    last = len(plans) if enough is None else min(len(plans), max(2, plans.index(enough) * 3 // 2 + 1))
    skip = -(-last // _MOST_STEPS) or 1
    return [plan for at, plan in enumerate(plans[:last]) if at % skip == 0 or at == last - 1 or plan is enough]


def _step(plan: DrawPlan, sampled: Sequence[SampledStratum]) -> DrawStep:
    kinds = {kind: count for stratum, count in zip(sampled, plan.places, strict=True) for kind in STRATA
             if kind == stratum.name}  # fmt: skip
    return DrawStep(places=sum(plan.places), by_stratum=kinds, bound=plan.bound)


# -- raters


class _Cells(NamedTuple):
    """Sums of one figure in each task of each rater: rater → (parts, wholes)."""

    of: dict[str, tuple[Floats, Floats]]
    figures: dict[str, ReportFigure]
    share: bool = True


def _raters(
    audit: Audit,
    reviews: Reviews,
    ratings: Sequence[_LabelRating],
    strata: Mapping[Place, StratumKind],
    companions: ReportInputs,
    seed: int,
) -> tuple[tuple[AuditedRater, ...], int, float]:
    """Return the raters, how many of their figures were compared, and how many of these lie outside by chance."""
    selected = SelectedResults(audit, ReportFilter(), companions, seed)
    by_rater: dict[str, list[_LabelRating]] = {rater: [] for rater in selected.people}
    for rating in ratings:
        by_rater[rating.rater].append(rating)
    drawn = drawn_places(reviews, strata)
    cells: dict[FigureName, _Cells] = {}
    if drawn is not None and any(rating.wrong is not None and rating.place in drawn for rating in ratings):
        cells["errors"] = _error_cells(by_rater, strata, sampled_strata(ratings, strata, drawn), drawn)
    cells |= dict(_cells(by_rater, reviews, audit, selected))
    bands = _Bands(cells, seed)
    alike = Counter((rating.place, rating.label) for rating in ratings)
    rows, compared, by_chance = [], 0, 0.0
    for rater, own in by_rater.items():
        received = selected.given[rater]
        figures: dict[FigureName, BandedFigure] = {}
        many = len({rating.place[0] for rating in own}) >= MIN_TASKS
        for name, of_figure in cells.items():
            if rater in of_figure.figures:
                figures[name], outside = bands.banded(name, rater, compare=many)
                compared += outside is not None
                by_chance += outside or 0
        rows.append(_rater(rater, received, own, figures, alike))
    return tuple(rows), compared, by_chance


class _Bands:
    """Bands of chance, computed once for each figure and number of tasks."""

    def __init__(self, cells: Mapping[FigureName, _Cells], seed: int) -> None:
        self._cells = cells
        self._seed = seed
        self._pools = {
            name: tuple(np.concatenate(sums) for sums in zip(*of_figure.of.values(), strict=True))
            for name, of_figure in cells.items()
        }
        self._bands: dict[tuple[FigureName, int], ChanceBand] = {}

    def banded(self, name: FigureName, rater: str, *, compare: bool) -> tuple[BandedFigure, float | None]:
        """Return a rater's figure with its band, and the chance of lying outside; `None` if it is not compared."""
        figure = self._cells[name].figures[rater]
        low, high = figure.low, figure.high
        if not compare or low is None or high is None or figure.tasks < MIN_CLUSTERS or len(self._cells[name].of) < 2:
            return BandedFigure(figure=figure), None
        if (name, figure.tasks) not in self._bands:
            parts, wholes = self._pools[name]
            is_share = self._cells[name].share
            self._bands[name, figure.tasks] = chance_band(parts, wholes, figure.tasks, self._seed, share=is_share)
        band = self._bands[name, figure.tasks]
        outside = high < band.low or low > band.high
        return BandedFigure(figure=figure, band=(band.low, band.high), outside=outside), band.outside


def _cells(
    by_rater: Mapping[str, Sequence[_LabelRating]], reviews: Reviews, audit: Audit, selected: SelectedResults
) -> Iterator[tuple[FigureName, _Cells]]:
    """Yield the figures that any rater has, with their sums by task."""
    basis = selected.basis()
    depths = label_questions(judged_questions(audit.rubric))
    blind = {
        (task, where): label
        for task, own in reviews.owns.items() if own.own.blind
        for where, values in own.values.items() if (label := label_at(depths, where, values)) is not None
    }  # fmt: skip

    def final_hits(rater: str) -> Hits:
        return [(row.place[0], row.label.value == row.final) for row in by_rater[rater] if row.final is not None]

    def blind_hits(rater: str) -> Hits:
        return [(row.place[0], row.label == blind[row.place]) for row in by_rater[rater] if row.place in blind]

    def with_gold(rater: str) -> Hits:
        tasks = {rating.task for rating in selected.given[rater] if rating.digest.status != "skipped"}
        return gold_hits(tasks, basis.judgements.get(rater, {}), basis)

    def repeats(rater: str) -> Hits:
        return repeat_hits(basis.judgements.get(rater, {}), basis)

    shares: dict[FigureName, tuple[Callable[[str], Hits], str]] = {
        "final": (final_hits, NO_FINAL),
        "blind": (blind_hits, NO_BLIND),
        "gold": (with_gold, NO_GOLD),
        "repeats": (repeats, NO_REPEATS),
    }
    for name, (hits_of, why) in shares.items():
        hits = {rater: given for rater in by_rater if (given := hits_of(rater))}
        if hits:
            figures = {rater: share_figure(hits.get(rater, []), why) for rater in by_rater}
            yield name, _Cells({rater: _sums(given) for rater, given in hits.items()}, figures)
    offsets = _offsets(basis, _scale(judged_questions(audit.rubric)))
    if offsets is not None:
        yield "offset", offsets


def _sums(hits: Hits) -> tuple[Floats, Floats]:
    tasks = {task: number for number, task in enumerate(dict.fromkeys(task for task, _ in hits))}
    return _by_task([tasks[task] for task, _ in hits], [hit for _, hit in hits])


def _by_task(tasks: Sequence[int] | Numbers, values: Sequence[float] | Floats) -> tuple[Floats, Floats]:
    """Sum values by the number of their task; return the sums and how many they are."""
    sums, counts = np.bincount(tasks, values), np.bincount(tasks)
    return sums.astype(np.float64), counts.astype(np.float64)


def _error_cells(
    by_rater: Mapping[str, Sequence[_LabelRating]],
    strata: Mapping[Place, StratumKind],
    sampled: Sequence[SampledStratum],
    drawn: frozenset[Place],
) -> _Cells:
    """Return how much of each rater's work is wrong: judged ratings, weighted by all ratings of their stratum."""
    weights = {stratum.name: stratum.ratings / len(stratum.wrong) for stratum in sampled if len(stratum.wrong)}
    cells, figures = {}, {}
    for rater, own in by_rater.items():
        judged = [rating for rating in own if rating.place in drawn and rating.wrong is not None]
        tasks = {task: number for number, task in enumerate(dict.fromkeys(rating.place[0] for rating in judged))}
        figures[rater] = ReportFigure(why=NOTHING_JUDGED)
        if judged:
            at = [tasks[rating.place[0]] for rating in judged]
            weight = np.array([weights[strata[rating.place]] for rating in judged])
            wrong = np.array([bool(rating.wrong) for rating in judged])
            parts, wholes = np.bincount(at, weight * wrong), np.bincount(at, weight)
            cells[rater] = parts, wholes
            figures[rater] = as_figure(share(parts, wholes), len(judged))
    return _Cells(cells, figures)


def _scale(questions: Sequence[JudgedQuestion]) -> JudgedQuestion | None:
    """Return the scale that severity is measured on: the main question, or the first with steps."""
    scales = [question for question in questions if question.measure in MEASURES]
    return next((question for question in scales if question.main), next(iter(scales), None))


def _offsets(basis: ComparisonBasis, scale: JudgedQuestion | None) -> _Cells | None:
    """Return how many steps more each rater gives than the others would at the same places."""
    units = next((units for units in basis.units if scale is not None and units.question.id == scale.id), None)
    if units is None or len(units.shared) == 0:
        return None
    return _offset_cells(units)


def _offset_cells(units: QuestionUnits) -> _Cells | None:
    ratings = ratings_of(units, shared=True)
    rows = rater_offsets(ratings)
    if any(row.offset.value is None for row in rows):
        return None
    offsets = np.array([row.offset.value for row in rows], dtype=np.float64)
    about = ratings.value - offsets[ratings.rater]
    left = about - (np.bincount(ratings.unit, about) / ratings.unit_sizes)[ratings.unit]
    cells: dict[str, tuple[Floats, Floats]] = {}
    for number, row in enumerate(rows):
        own = ratings.rater == number
        _, tasks = np.unique(ratings.cluster[own], return_inverse=True)
        cells[row.rater] = _by_task(tasks, left[own])
    figures = {row.rater: as_figure(row.offset, row.ratings) for row in rows}
    return _Cells(cells, figures, share=False)


def _rater(
    rater: str,
    received: Sequence[ReceivedRating],
    own: Sequence[_LabelRating],
    figures: dict[FigureName, BandedFigure],
    alike: Counter[tuple[Place, Label]],
) -> AuditedRater:
    by_week: dict[str, list[tuple[str, bool]]] = {}
    for rating in own:
        if rating.week and rating.final is not None:
            by_week.setdefault(rating.week, []).append((rating.place[0], rating.label.value == rating.final))
    differing = [rating for rating in own if rating.final is not None and rating.label.value != rating.final]
    behind = (row for row in own if row.wrong or (row.final is not None and row.label.value != row.final))
    listed = sorted(behind, key=lambda row: not row.wrong)
    per_target = time_spread([rating.digest.targets.values() for rating in received])
    per_task = time_spread([[rating.digest.seconds] for rating in received])
    return AuditedRater(
        rater=rater,
        tasks=len({row.place[0] for row in own}),
        ratings=len(own),
        figures=figures,
        weeks=tuple((week, share_figure(hits, NO_FINAL)) for week, hits in sorted(by_week.items())),
        per_target=per_target is not None,
        time=per_target or per_task,
        differing=len(differing),
        shared=sum(alike[row.place, row.label] > 1 for row in differing),
        places=tuple(
            RaterPlace(
                task=row.place[0], where=row.place[1], quote="", question=row.label.question, own=row.label.value,
                final=row.final, wrong=row.wrong, alike=alike[row.place, row.label] - 1,
            )
            for row in listed[:MOST_PLACES]
        ),
    )  # fmt: skip


def with_place_quotes(result: AuditResult, quote: Callable[[str, str], str]) -> AuditResult:
    """Return the result with the quote of each place; `quote` returns that of a task and a place in it."""
    raters = (
        replace(rater, places=tuple(replace(place, quote=quote(place.task, place.where)) for place in rater.places))
        for rater in result.raters
    )
    return replace(result, raters=tuple(raters))
