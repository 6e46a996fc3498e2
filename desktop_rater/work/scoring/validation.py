"""Validate text scores: replay every source of answers, and compare its scores with the lead's grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import msgspec

from desktop_rater.audit.compute_validation import compare_answers, correlate_scores
from desktop_rater.audit.validation import (
    BASELINE,
    ComparedAnswer,
    GradedText,
    IntervalUnit,
    ScoreSource,
    ScoreValidation,
    SourceScores,
    TextKey,
)
from desktop_rater.model.change import Progress
from desktop_rater.model.values import format_time
from desktop_rater.oracle.oracles import HandOracle, ModelOracle, Oracle, grade_request, read_grade
from desktop_rater.oracle.prompts import OracleReply, OracleRequest
from desktop_rater.oracle.session import OracleSession
from desktop_rater.stats.scores import PointOpinion
from desktop_rater.store.store import Store
from desktop_rater.work.audit.report import REPORT_SEED
from desktop_rater.work.scoring.cache import load_replies
from desktop_rater.work.scoring.grades import GradedBy, GradeKey, gold_at, grade_key, load_grades
from desktop_rater.work.scoring.justifications import (
    JustificationTexts,
    ScoringOptions,
    ask_about_texts,
    gather_justifications,
    score_texts,
)
from desktop_rater.work.scoring.manual_scoring import load_answers, load_points
from desktop_rater.work.scoring.oracle import ManualPointsOracle, cost_counter


class ValidationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Request for a validation. `replies`: recorded ones, beside those of the store."""

    options: ScoringOptions = ScoringOptions()
    unit: IntervalUnit = "task"
    seed: int = REPORT_SEED
    replies: Mapping[str, OracleReply] = {}


def load_validation(store: Store, bundle: str, wanted: ValidationRequest, *, now: datetime) -> ScoreValidation:
    """Compute the validation; nothing is sent. Raises `NoGoldTexts` if nothing can be scored, and `StoreDamaged`."""
    gathered = gather_justifications(store, bundle, wanted.options, Progress())
    grades = load_grades(store, bundle)
    replies = load_replies(store, bundle) | dict(wanted.replies)
    sources = _Sources(gathered, HandOracle(load_points(store, bundle), load_answers(store, bundle)), replies, now)
    texts = _graded(gathered, grades)
    given = load_answers(store, bundle)
    audit = gathered.audit
    compared = ((model, list(sources.compared(model, given))) for model in sources.models)
    return ScoreValidation(
        bundle=audit.bundle,
        title=audit.title,
        seed=wanted.seed,
        computed=format_time(now),
        unit=wanted.unit,
        texts=texts,
        to_grade=sum(len(cluster.texts) for cluster in gathered.clusters),
        leads=tuple(sorted({grade.lead for grade in grades.values()})),
        rows=correlate_scores(texts, sources.all(grades), wanted.unit, wanted.seed),
        answers=tuple(compare_answers(model, answers, wanted.unit) for model, answers in compared if answers),
        cautions=audit.cautions,
    )


def _graded(gathered: JustificationTexts, grades: Mapping[GradeKey, GradedBy]) -> tuple[GradedText, ...]:
    return tuple(
        GradedText(
            task=text.task,
            where=text.where,
            question=text.question,
            rater=text.rater,
            text=text.text,
            grade=grades[grade_key(text)].grade,
        )
        for cluster in gathered.clusters
        for text in cluster.texts
        if grade_key(text) in grades
    )


def grade_requests(gathered: JustificationTexts, grades: Mapping[GradeKey, GradedBy]) -> dict[TextKey, OracleRequest]:
    """Return the requests that ask a model for grades, of the texts that the lead has graded."""
    requests = {}
    for cluster in gathered.clusters:
        entry = gathered.audit.rubric.questions.get(cluster.question)
        ask = entry.question.ask if entry is not None else cluster.question
        for text in cluster.texts:
            if grade_key(text) in grades:
                key = text.task, text.where, text.question, text.rater
                requests[key] = grade_request(ask, gold_at(cluster, text), text.text)
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

    def all(self, grades: Mapping[GradeKey, GradedBy]) -> Iterator[SourceScores]:
        """Yield the scores of each source that has any."""
        yield self._scored("hand", "", self._hand)
        for model, session in self._sessions.items():
            if self._has_points:
                yield self._first_scored("own_points", model, [
                    ManualPointsOracle(self._hand, oracle) for oracle in _in_both_ways(session)
                ])  # fmt: skip
            yield self._first_scored("model", model, _in_both_ways(session))
            answers = {
                key: session.cached_answer(request) for key, request in grade_requests(self._gathered, grades).items()
            }
            given = {key: {BASELINE: read_grade(value)} for key, value in answers.items() if value is not None}
            yield SourceScores(source=BASELINE, model=model, scores=given)

    @property
    def _has_points(self) -> bool:
        return any(self._hand.points_of(cluster.id) for cluster in self._gathered.clusters)

    def _first_scored(self, source: ScoreSource, model: str, oracles: Sequence[Oracle]) -> SourceScores:
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
        oracles = [ManualPointsOracle(self._hand, oracle) for oracle in _in_both_ways(self._sessions[model])]
        answers = [list(self._answers(oracle, given)) for oracle in oracles]
        yield from max(answers, key=len)

    def _answers(
        self, oracle: Oracle, given: Mapping[tuple[str, str], Mapping[str, PointOpinion]]
    ) -> Iterator[ComparedAnswer]:
        rule = self._gathered.rule
        for cluster in self._gathered.clusters:
            points = self._hand.points_of(cluster.id)
            if not points:
                continue
            answers, numbers = ask_about_texts(cluster, points, oracle, rule, Progress())
            places = {text.text: text for text in reversed((*cluster.gold, *cluster.texts))}
            for text, positions in answers.items():
                lead = given.get((cluster.id, text), {})
                for index in sorted(numbers[text]) if positions.known else ():
                    point = points[index].text
                    if point in lead:
                        yield ComparedAnswer(
                            task=places[text].task,
                            where=places[text].where,
                            text=text,
                            point=point,
                            lead=lead[point],
                            model=positions.positions[index],
                        )


def _in_both_ways(session: OracleSession) -> list[ModelOracle]:
    """Return oracles that read answers in two orders of the points, and in one."""
    return [ModelOracle(session, twice=True), ModelOracle(session, twice=False)]
