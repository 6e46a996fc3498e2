"""Compute the validation of text scores: correlations with the lead's grades, and errors of a model's answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from desktop_rater.audit.justifications import SCORE_RULES
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.validation import (
    BASELINE,
    OPINIONS,
    AnswerErrors,
    ComparedAnswer,
    GradedText,
    IntervalUnit,
    ScoreCorrelations,
    SourceScores,
)
from desktop_rater.stats import bootstrap
from desktop_rater.stats.bootstrap import Estimate, Floats, Weights
from desktop_rater.stats.correlation import CORRELATIONS, rank_shares

_PAIRS_AND_DRAWS, _LEAST_DRAWS = 600_000, 200  # Kendall's tau-b takes time by the square of the texts


class _Columns:
    """Grades and drawn weights of all texts; scores are correlated on those that have one."""

    def __init__(self, texts: Sequence[GradedText], unit: IntervalUnit, seed: int) -> None:
        self._grades = np.array([text.grade for text in texts], dtype=np.float64)
        self._tasks = [text.task for text in texts]
        self._unit = unit
        ids = self._tasks if unit == "task" else ["\n".join(text.key) for text in texts]
        self._clusters = np.unique(ids, return_inverse=True)[1]
        self._weights: Weights = bootstrap.draw_weights(seed, sorted(set(ids)))

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
        tasks = len({self._tasks[index] for index in at})
        value = float(correlate(at, np.ones((len(at), 1)))[0]) if len(at) > 1 else np.nan
        if not np.isfinite(value):
            return ReportFigure(n=len(at), tasks=tasks, why="all grades or all scores are the same")
        clusters = self._clusters[at]
        distinct = np.unique(clusters)
        drawn, acceleration = np.zeros(0), 0.0
        if len(distinct) >= bootstrap.MIN_CLUSTERS:
            draws = max(_LEAST_DRAWS, _PAIRS_AND_DRAWS // len(at))
            drawn = correlate(at, self._weights[clusters, :draws].astype(np.float64))
            without = (clusters[:, None] != distinct[None, :draws]).astype(np.float64)
            acceleration = bootstrap.acceleration_of(correlate(at, without))
        estimate = bootstrap.estimate_from_draws(value, drawn, len(distinct), acceleration)
        return _as_figure(estimate, self._unit, n=len(at), tasks=tasks)


def _column(scores: Mapping[int, float]) -> Floats:
    return np.array(list(scores.values()), dtype=np.float64)


def correlate_scores(
    texts: Sequence[GradedText], sources: Iterable[SourceScores], unit: IntervalUnit, seed: int
) -> tuple[ScoreCorrelations, ...]:
    """Return the correlations of each source's scores with the grades; sources without a graded text are left out."""
    if not texts:
        return ()
    columns = _Columns(texts, unit, seed)
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
        return ReportFigure(why="no answer takes a side")
    clusters: dict[str, list[bool]] = {}
    for answer, is_true in zip(answers, true, strict=True):
        clusters.setdefault(answer.task if unit == "task" else answer.text, []).append(is_true)
    parts, wholes = (
        np.array([measure(values) for values in clusters.values()], dtype=np.float64) for measure in (sum, len)
    )
    share = bootstrap.share(parts, wholes)
    tasks = len({answer.task for answer in answers})
    return _as_figure(share, unit, n=len(answers), tasks=tasks)


def _as_figure(estimate: Estimate, unit: IntervalUnit, *, n: int, tasks: int) -> ReportFigure:
    why = estimate.why.replace("task", "text") if unit == "text" else estimate.why
    return ReportFigure(value=estimate.value, low=estimate.low, high=estimate.high, n=n, tasks=tasks, why=why)
