"""Validate text scores: replay every source of answers, and compare its scores with the lead's grades."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Caution
from desktop_rater.format.change import Progress
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.report import REPORT_SEED
from desktop_rater.plugins.scoring.client import OracleReply, OracleRequest
from desktop_rater.plugins.scoring.justifications import (
    SCORE_RULES,
    JustificationTexts,
    ScoringOptions,
    WrittenText,
    ask_about_texts,
    gather_justifications,
    score_texts,
)
from desktop_rater.plugins.scoring.manual_scoring import (
    Grades,
    gold_at,
    grade_key,
    load_answers,
    load_grades,
    load_points,
)
from desktop_rater.plugins.scoring.model_oracle import cost_counter
from desktop_rater.plugins.scoring.oracles import HandOracle, ModelOracle, Oracle, grade_request, read_grade
from desktop_rater.plugins.scoring.session import OracleSession, load_replies
from desktop_rater.stats import cluster_bootstrap
from desktop_rater.stats.cluster_bootstrap import Estimate, Floats, Weights, divided
from desktop_rater.stats.scores import PointOpinion
from desktop_rater.store.store import Store
from desktop_rater.translation import N_

_FLAT = 1e-12  # a share of the largest square: smaller variances are those of equal values


def pearson(one: Floats, other: Floats, weights: NDArray[Any]) -> Floats:
    """Return r of each draw. `weights`: (values, draws). NaN where a column has one value only."""
    return _product_moment(one[:, None], other[:, None], weights.astype(np.float64))


def spearman(one: Floats, other: Floats, weights: NDArray[Any]) -> Floats:
    """Return rho of each draw: r of the ranks within the draw."""
    weights = weights.astype(np.float64)
    return _product_moment(_midranks(one, weights), _midranks(other, weights), weights)


def kendall(one: Floats, other: Floats, weights: NDArray[Any]) -> Floats:
    """Return tau-b of each draw: (C - D) / sqrt(pairs that differ in one column x in the other one)."""
    weights = weights.astype(np.float64)
    signs, other_signs = (np.sign(values[:, None] - values[None, :]) for values in (one, other))
    concordant, apart, other_apart = (
        np.einsum("id,id->d", weights, pairs @ weights)
        for pairs in (signs * other_signs, np.abs(signs), np.abs(other_signs))
    )
    return divided(concordant, np.sqrt(apart * other_apart))


Correlation = Callable[[Floats, Floats, NDArray[Any]], Floats]
CORRELATIONS: dict[str, Correlation] = {"spearman": spearman, "pearson": pearson, "kendall": kendall}


def rank_shares(values: Sequence[float]) -> list[float]:
    """Return the rank of each value as a share, from 0 to 1; of equal ones the mean."""
    column = np.asarray(values, dtype=np.float64)
    ranks = _midranks(column, np.ones((len(column), 1)))[:, 0]
    return [float(rank) for rank in (ranks - 0.5) / len(column)]


def _midranks(values: Floats, weights: Floats) -> Floats:
    """Return the rank of each value in each draw, of equal values the mean."""
    distinct, group = np.unique(values, return_inverse=True)
    totals = np.zeros((len(distinct), weights.shape[1]))
    np.add.at(totals, group, weights)
    return (np.cumsum(totals, axis=0) - totals / 2 + 0.5)[group]


def _product_moment(first: Floats, second: Floats, weights: Floats) -> Floats:
    total = weights.sum(axis=0)
    columns = [column - divided((weights * column).sum(axis=0), total) for column in (first, second)]
    spreads = [(weights * column**2).sum(axis=0) for column in columns]
    for column, spread in zip(columns, spreads, strict=True):
        spread[spread <= _FLAT * np.maximum(1, np.abs(column).max(axis=0)) * total] = 0
    return divided((weights * columns[0] * columns[1]).sum(axis=0), np.sqrt(spreads[0] * spreads[1]))


ScoreSource = Literal["hand", "own_points", "model", "grade"]
IntervalUnit = Literal["task", "text"]
TextKey = tuple[str, str, str, str]
"""Task, place, question and rater of a text."""

BASELINE = "grade"  # the rule of the baseline, a model that is asked for a grade
OPINIONS: tuple[PointOpinion, ...] = (1, None, 0)  # order of rows and columns of compared answers


class GradedText(WrittenText, frozen=True, kw_only=True):
    """Text with the lead's grade."""

    grade: float


class SourceScores(msgspec.Struct, frozen=True, kw_only=True):
    """Scores of texts, by rule, from one source of answers.

    `source`: the lead ("hand"), a model that answers the lead's points or finds its own, or a model asked for a grade.
    """

    source: ScoreSource
    model: str = ""
    scores: dict[TextKey, dict[str, float]]


class ComparedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of a model about a text and a point, and that of the lead. `task`: the first with this text."""

    task: str
    where: str
    text: str
    point: str
    lead: PointOpinion
    model: PointOpinion

    @property
    def inverted(self) -> bool:
        """True if one agrees and the other disagrees."""
        return self.lead is not None and self.model is not None and self.lead != self.model


class ScoreCorrelations(msgspec.Struct, frozen=True, kw_only=True):
    """Correlations of one score with the grades, by name as in `stats.correlation`.

    `above`: its Spearman's rho minus that of the `baseline`, a model asked for a grade, over the texts that have both.
    `values`: (number of the text, score). `apart`: (number of the text, how far its rank by score lies above that by
    grade, from -1 to 1), furthest first.
    """

    source: ScoreSource
    model: str
    rule: str
    figures: dict[str, ReportFigure]
    above: ReportFigure | None = None
    baseline: str = ""
    values: tuple[tuple[int, float], ...] = ()
    apart: tuple[tuple[int, float], ...] = ()

    @property
    def name(self) -> tuple[str, str]:
        """The source and its model."""
        return self.source, self.model


class AnswerErrors(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answers to the lead's points, against the lead's: `counts` by lead (rows) and model, as `OPINIONS`.

    `errors`: share of the answers that differ. `inversions`: share of contradictions where both take a side.
    """

    model: str
    counts: tuple[tuple[int, ...], ...]
    texts: int
    errors: ReportFigure
    inversions: ReportFigure
    inverted: tuple[ComparedAnswer, ...]


class RaterCriterion(msgspec.Struct, frozen=True, kw_only=True):
    """Correlations over raters of a `criterion`, such as an exam, with their mean scores: source, model, rule.

    The rule `grade` of the source `hand` is the lead's own grade. `missing`: raters who have a value or texts only.
    """

    criterion: str
    raters: tuple[str, ...]
    missing: tuple[str, ...]
    rows: tuple[ScoreCorrelations, ...]


class ScoreValidation(msgspec.Struct, frozen=True, kw_only=True):
    """Validation of a bundle's text scores. `unit`: what the intervals draw. `to_grade`: number of all texts."""

    bundle: str
    title: str
    seed: int
    computed: str
    unit: IntervalUnit
    texts: tuple[GradedText, ...]
    to_grade: int
    leads: tuple[str, ...]
    rows: tuple[ScoreCorrelations, ...]
    answers: tuple[AnswerErrors, ...]
    cautions: tuple[Caution, ...] = ()
    criterion: RaterCriterion | None = None

    @property
    def tasks(self) -> int:
        return len({text.task for text in self.texts})

    @property
    def raters(self) -> int:
        return len({text.rater for text in self.texts})

    def of(self, name: tuple[str, str]) -> tuple[ScoreCorrelations, ...]:
        """Return the scores of a source, then the baseline that they are compared with."""
        own = tuple(row for row in self.rows if row.name == name)
        baselines = {row.baseline for row in own if row.baseline}
        return own + tuple(row for row in self.rows if row.rule == BASELINE and row.model in baselines)

    def answers_of(self, model: str) -> AnswerErrors | None:
        return next((answers for answers in self.answers if answers.model == model), None)


def best_row(rows: Iterable[ScoreCorrelations]) -> ScoreCorrelations | None:
    """Return the score that follows the grades best by Spearman's rho, which is no baseline."""
    ranked = [row for row in rows if row.rule != BASELINE and row.figures["spearman"].value is not None]
    return max(ranked, key=lambda row: row.figures["spearman"].value or 0, default=None)


def texts_needed(above: ReportFigure) -> int | None:
    """Return about how many texts would tell a score from the baseline, if the difference stays."""
    if above.value is None or above.low is None or above.high is None or above.value <= 0 or above.low > 0:
        return None
    return ceil(above.n * ((above.value - above.low) / above.value) ** 2)


_PAIRS_AND_DRAWS, _LEAST_DRAWS = 600_000, 200  # Kendall's tau-b takes time by the square of the texts


class _Columns:
    """Values and drawn weights of all texts or raters; scores are correlated on those that have one.

    `ids`: the cluster of each, by which it is drawn; `tasks`: the task of each text, none of raters.
    """

    def __init__(self, values: Sequence[float], ids: Sequence[str], tasks: Sequence[str], unit: str, seed: int) -> None:
        self._grades = np.array(values, dtype=np.float64)
        self._tasks = tasks
        self._unit = unit
        self._clusters = np.unique(ids, return_inverse=True)[1]
        self._weights: Weights = cluster_bootstrap.draw_weights(seed, sorted(set(ids)))

    def correlate(self, name: str, scores: Mapping[int, float]) -> ReportFigure:
        column = _column(scores)
        return self._figure(list(scores), lambda at, weights: CORRELATIONS[name](self._grades[at], column, weights))

    def difference(self, scores: Mapping[int, float], baseline: Mapping[int, float]) -> ReportFigure:
        """Return the difference of two Spearman correlations on the texts that have both scores."""
        common = [index for index in scores if index in baseline]
        columns = [_column({index: values[index] for index in common}) for values in (scores, baseline)]
        rho = CORRELATIONS["spearman"]

        def above(at: list[int], weights: Floats) -> Floats:
            score_rho, baseline_rho = (rho(self._grades[at], column, weights) for column in columns)
            return score_rho - baseline_rho

        return self._figure(common, above)

    def _figure(self, at: list[int], correlate: Callable[[list[int], Floats], Floats]) -> ReportFigure:
        tasks = len({self._tasks[index] for index in at}) if self._tasks else 0
        value = float(correlate(at, np.ones((len(at), 1)))[0]) if len(at) > 1 else np.nan
        if not np.isfinite(value):
            return ReportFigure(n=len(at), tasks=tasks, why=N_("Report", "all grades or all scores are the same"))
        clusters = self._clusters[at]
        distinct = np.unique(clusters)
        drawn, acceleration = np.zeros(0), 0.0
        if len(distinct) >= cluster_bootstrap.MIN_CLUSTERS:
            draws = max(_LEAST_DRAWS, _PAIRS_AND_DRAWS // len(at))
            drawn = correlate(at, self._weights[clusters, :draws].astype(np.float64))
            without = (clusters[:, None] != distinct[None, :draws]).astype(np.float64)
            acceleration = cluster_bootstrap.acceleration_of(correlate(at, without))
        estimate = cluster_bootstrap.estimate_from_draws(value, drawn, len(distinct), acceleration)
        return _as_figure(estimate, self._unit, n=len(at), tasks=tasks)


def _column(scores: Mapping[int, float]) -> Floats:
    return np.array(list(scores.values()), dtype=np.float64)


def correlate_scores(
    texts: Sequence[GradedText], sources: Iterable[SourceScores], unit: IntervalUnit, seed: int
) -> tuple[ScoreCorrelations, ...]:
    """Return the correlations of each source's scores with the grades; sources without a graded text are left out."""
    if not texts:
        return ()
    tasks = [text.task for text in texts]
    ids = tasks if unit == "task" else ["\n".join(text.key) for text in texts]
    columns = _Columns([text.grade for text in texts], ids, tasks, unit, seed)
    given = [source for source in sources if any(text.key in source.scores for text in texts)]
    baselines = {source.model: _by_text(texts, source, BASELINE) for source in given if source.source == "grade"}
    rows = []
    for source in given:
        baseline = source.model if source.model in baselines else next(iter(baselines), "")
        for rule in (BASELINE,) if source.source == "grade" else SCORE_RULES:
            scores = _by_text(texts, source, rule)
            compared = rule != BASELINE and bool(baselines)
            rows.append(
                ScoreCorrelations(
                    source=source.source,
                    model=source.model,
                    rule=rule,
                    figures={name: columns.correlate(name, scores) for name in CORRELATIONS},
                    above=columns.difference(scores, baselines[baseline]) if compared else None,
                    baseline=baseline if compared else "",
                    values=tuple(scores.items()),
                    apart=_apart(texts, scores),
                )
            )
    return tuple(rows)


def _by_text(texts: Sequence[GradedText], source: SourceScores, rule: str) -> dict[int, float]:
    return {index: source.scores[text.key][rule] for index, text in enumerate(texts) if text.key in source.scores}


def _apart(texts: Sequence[GradedText], scores: Mapping[int, float]) -> tuple[tuple[int, float], ...]:
    by_score = rank_shares(list(scores.values()))
    by_grade = rank_shares([texts[index].grade for index in scores])
    apart = [(index, score - grade) for index, score, grade in zip(scores, by_score, by_grade, strict=True)]
    return tuple(sorted(apart, key=lambda entry: (-abs(entry[1]), entry[0])))


def compare_answers(model: str, answers: Sequence[ComparedAnswer], unit: IntervalUnit) -> AnswerErrors:
    """Return the errors of a model's answers."""
    counts = [[0] * len(OPINIONS) for _ in OPINIONS]
    for answer in answers:
        counts[OPINIONS.index(answer.lead)][OPINIONS.index(answer.model)] += 1
    sided = [answer for answer in answers if answer.lead is not None and answer.model is not None]
    inverted = tuple(answer for answer in answers if answer.inverted)
    return AnswerErrors(
        model=model,
        counts=tuple(map(tuple, counts)),
        texts=len({answer.text for answer in answers}),
        errors=_share(answers, [answer.lead != answer.model for answer in answers], unit),
        inversions=_share(sided, [answer.inverted for answer in sided], unit),
        inverted=inverted,
    )


def _share(answers: Sequence[ComparedAnswer], true: Sequence[bool], unit: IntervalUnit) -> ReportFigure:
    if not answers:
        return ReportFigure(why=N_("Report", "no answer takes a side"))
    clusters: dict[str, list[bool]] = {}
    for answer, is_true in zip(answers, true, strict=True):
        clusters.setdefault(answer.task if unit == "task" else answer.text, []).append(is_true)
    parts, wholes = (
        np.array([measure(values) for values in clusters.values()], dtype=np.float64) for measure in (sum, len)
    )
    share = cluster_bootstrap.share(parts, wholes)
    tasks = len({answer.task for answer in answers})
    return _as_figure(share, unit, n=len(answers), tasks=tasks)


def correlate_raters(
    criterion: str,
    values: Mapping[str, float],
    texts: Sequence[GradedText],
    sources: Iterable[SourceScores],
    seed: int,
) -> RaterCriterion:
    """Return the correlations of raters' values with the mean of their grades, and of their scores by each source.

    All texts with a score count, graded or not. Intervals draw raters.
    """
    means: dict[tuple[ScoreSource, str, str], dict[str, list[float]]] = {}
    for text in texts:
        means.setdefault(("hand", "", BASELINE), {}).setdefault(text.rater, []).append(text.grade)
    for source in sources:
        for (*_place, rater), scores in source.scores.items():
            for rule, score in scores.items():
                means.setdefault((source.source, source.model, rule), {}).setdefault(rater, []).append(score)
    scored = {rater for by_rater in means.values() for rater in by_rater}
    raters = sorted(scored & values.keys())
    columns = _Columns([values[rater] for rater in raters], raters, (), "rater", seed)
    rows = []
    for (source, model, rule), by_rater in means.items():
        mean = {at: float(np.mean(by_rater[rater])) for at, rater in enumerate(raters) if rater in by_rater}
        figures = {name: columns.correlate(name, mean) for name in CORRELATIONS}
        rows.append(
            ScoreCorrelations(source=source, model=model, rule=rule, figures=figures, values=tuple(mean.items()))
        )
    missing = tuple(sorted(scored ^ values.keys()))
    return RaterCriterion(criterion=criterion, raters=tuple(raters), missing=missing, rows=tuple(rows))


def _as_figure(estimate: Estimate, unit: str, *, n: int, tasks: int) -> ReportFigure:
    why = estimate.why if unit == "task" else estimate.why.replace("task", unit)
    return ReportFigure(value=estimate.value, low=estimate.low, high=estimate.high, n=n, tasks=tasks, why=why)


def load_validation(
    store: Store,
    bundle: str,
    options: ScoringOptions,
    *,
    now: datetime,
    unit: IntervalUnit = "task",
    seed: int = REPORT_SEED,
    replies: Mapping[str, OracleReply] = {},
    criterion: tuple[str, Mapping[str, float]] | None = None,
) -> ScoreValidation:
    """Compute the validation; nothing is sent. `replies`: recorded ones, beside those of the store.

    `criterion`: its name, and the value of each rater.

    Raises `NoGoldTexts` if nothing can be scored, and `StoreDamaged`.
    """
    gathered = gather_justifications(store, bundle, options, Progress())
    grades = load_grades(store, bundle)
    given = load_answers(store, bundle)
    hand = HandOracle(load_points(store, bundle), given)
    sources = _Sources(gathered, hand, load_replies(store, bundle) | dict(replies), now)
    texts = _graded(gathered, grades)
    audit = gathered.audit
    compared = ((model, list(sources.compared(model, given))) for model in sources.models)
    scored = list(sources.all(grades))
    return ScoreValidation(
        bundle=audit.bundle,
        title=audit.title,
        seed=seed,
        computed=format_time(now),
        unit=unit,
        texts=texts,
        to_grade=sum(len(cluster.texts) for cluster in gathered.clusters),
        leads=tuple(sorted({lead for _, lead in grades.values()})),
        rows=correlate_scores(texts, scored, unit, seed),
        answers=tuple(compare_answers(model, answers, unit) for model, answers in compared if answers),
        cautions=audit.cautions,
        criterion=correlate_raters(*criterion, texts, scored, seed) if criterion is not None else None,
    )


def _graded(gathered: JustificationTexts, grades: Grades) -> tuple[GradedText, ...]:
    return tuple(
        GradedText(**structs.asdict(text), grade=grades[grade_key(text)][0])
        for cluster in gathered.clusters
        for text in cluster.texts
        if grade_key(text) in grades
    )


def grade_requests(gathered: JustificationTexts, grades: Grades) -> dict[TextKey, OracleRequest]:
    """Return the requests that ask a model for grades, of the texts that the lead has graded."""
    requests = {}
    for cluster in gathered.clusters:
        entry = gathered.audit.rubric.questions.get(cluster.question)
        ask = entry.question.ask if entry is not None else cluster.question
        for text in cluster.texts:
            if grade_key(text) in grades:
                requests[text.key] = grade_request(ask, gold_at(cluster, text), text.text)
    return requests


class _Sources:
    """Sources of answers about the texts of a bundle: the lead, and each model whose replies are stored."""

    def __init__(
        self, gathered: JustificationTexts, hand: HandOracle, replies: Mapping[str, OracleReply], now: datetime
    ) -> None:
        self._gathered = gathered
        self._hand = hand
        self._sessions: dict[str, OracleSession] = {
            model: cost_counter(model, replies, lambda: now)
            for model in sorted({reply.model for reply in replies.values() if reply.about in {"answer", BASELINE}})
        }
        self.models = tuple(self._sessions)

    def all(self, grades: Grades) -> Iterator[SourceScores]:
        """Yield the scores of each source that has any."""
        yield self._scored("hand", "", self._hand)
        for model, session in self._sessions.items():
            if any(self._hand.points_of(cluster.id) for cluster in self._gathered.clusters):
                yield self._best_scored("own_points", model, _in_both_ways(session, self._hand))
            yield self._best_scored("model", model, _in_both_ways(session))
            answers = {
                key: session.cached_answer(request) for key, request in grade_requests(self._gathered, grades).items()
            }
            given = {key: {BASELINE: read_grade(value)} for key, value in answers.items() if value is not None}
            yield SourceScores(source=BASELINE, model=model, scores=given)

    def _best_scored(self, source: ScoreSource, model: str, oracles: Sequence[Oracle]) -> SourceScores:
        scored = [self._scored(source, model, oracle) for oracle in oracles]
        return max(scored, key=lambda scores: len(scores.scores))

    def _scored(self, source: ScoreSource, model: str, oracle: Oracle) -> SourceScores:
        _clusters, texts = score_texts(self._gathered, oracle, Progress())
        scores = {
            (text.task, text.where, text.question, text.rater): text.scores for text in texts if text.scores is not None
        }
        return SourceScores(source=source, model=model, scores=scores)

    def compared(
        self, model: str, given: Mapping[tuple[str, str], Mapping[str, PointOpinion]]
    ) -> Iterator[ComparedAnswer]:
        """Yield the answers of a model to the lead's points about texts that the lead has answered too."""
        oracles = _in_both_ways(self._sessions[model], self._hand)
        yield from max((list(self._answers(oracle, given)) for oracle in oracles), key=len)

    def _answers(
        self, oracle: Oracle, given: Mapping[tuple[str, str], Mapping[str, PointOpinion]]
    ) -> Iterator[ComparedAnswer]:
        for cluster in self._gathered.clusters:
            points = self._hand.points_of(cluster.id)
            if not points:
                continue
            answers = ask_about_texts(cluster, points, oracle, Progress())
            places = {text.text: text for text in reversed((*cluster.gold, *cluster.texts))}
            for text, positions in answers.items():
                lead = given.get((cluster.id, text), {})
                for point, position in zip(points, positions.positions, strict=True) if positions.known else ():
                    if point.text in lead:
                        yield ComparedAnswer(
                            task=places[text].task,
                            where=places[text].where,
                            text=text,
                            point=point.text,
                            lead=lead[point.text],
                            model=position,
                        )


def _in_both_ways(session: OracleSession, hand: HandOracle | None = None) -> list[ModelOracle]:
    """Return oracles that read answers in two orders of the points and in one, by either kind of summary."""
    return [
        ModelOracle(session, twice=twice, hand=hand, one_request=one_request)
        for one_request in (False, True)
        for twice in (True, False)
    ]
