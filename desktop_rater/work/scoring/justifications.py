"""Score raters' texts: an oracle tells what each text says about each point, and a proper scoring rule scores it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.audit.justifications import (
    SCORE_RULES,
    ClusterBy,
    JustificationScore,
    TextCluster,
    WrittenText,
    clusters,
    priors,
    score_justification,
    texts_in_rating,
)
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.model.change import Progress
from desktop_rater.model.errors import RaterError
from desktop_rater.stats.scores import PointOpinion
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import audit_gold, language_of, load_audit

if TYPE_CHECKING:
    from desktop_rater.oracle.oracles import Oracle, OraclePoint, TextPositions


_STEP = 50


class NoGoldTexts(RaterError):
    """There is no gold text to compare with."""


class ScoringOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options. `trusted`: raters whose texts also count as gold. `questions`, `raters`: filters; empty means all."""

    by: ClusterBy = "bundle"
    trusted: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()


class JustificationTexts(msgspec.Struct, frozen=True, kw_only=True):
    """Texts to score. `written`: rater → number of texts, scored or not. `language`: the bundle's."""

    audit: Audit
    clusters: tuple[TextCluster, ...]
    written: dict[str, int]
    language: str


def gather_justifications(store: Store, bundle: str, options: ScoringOptions, progress: Progress) -> JustificationTexts:
    """Collect the texts. Raises `RaterError` if there is no gold text."""
    audit = load_audit(store, bundle)
    _check_names(audit, options)
    written: list[WrittenText] = []
    for index, (task, rater) in enumerate(sorted(audit.ratings)):
        if index % _STEP == 0:
            progress(index, len(audit.ratings))
        filed = audit.ratings[task, rater]
        if filed.digest.texts or rater in options.trusted:
            rating = received.received_rating(store, filed.results, task).rating
            written += texts_in_rating(audit.rubric, rating, rater)
    golden = [text for text in _gold(store, bundle, audit) if _asked_for(text, options)]
    golden += [text for text in written if text.rater in options.trusted and _asked_for(text, options)]
    if not golden:
        raise NoGoldTexts(
            "There are no gold texts to compare with.",
            f"Neither the gold answers of {bundle!r} nor those of trusted raters contain texts.",
            "Open the lead's copy of the bundle with its gold, or name raters with --trust.",
        )
    scored = [
        text for text in written if _asked_for(text, options) and (not options.raters or text.rater in options.raters)
    ]
    counts = {rater: sum(text.rater == rater for text in scored) for rater in audit.raters}
    return JustificationTexts(
        audit=audit,
        clusters=clusters(golden, scored, options.by),
        written=counts,
        language=language_of(store, audit) or "en",
    )


def _gold(store: Store, bundle: str, audit: Audit) -> Iterator[WrittenText]:
    for _, ratings in sorted(audit_gold(store, bundle).items()):
        for rating in ratings:
            yield from texts_in_rating(audit.rubric, rating, "")


def _asked_for(text: WrittenText, options: ScoringOptions) -> bool:
    return not options.questions or text.question in options.questions


def _check_names(audit: Audit, options: ScoringOptions) -> None:
    unknown = [name for name in (*options.trusted, *options.raters) if name not in audit.raters]
    if unknown:
        names = ", ".join(audit.raters)
        raise RaterError(f"There are no results of the rater {unknown[0]!r}.", f"Raters with results: {names}.")
    for name in options.questions:
        if name not in audit.rubric.questions or audit.rubric.questions[name].question.kind != "text":
            texts = [
                question_id for question_id, entry in audit.rubric.questions.items() if entry.question.kind == "text"
            ]
            raise RaterError(f"{name!r} is not a text question.", f"Text questions: {', '.join(texts) or 'none'}.")


BOOTSTRAP_DRAWS = 1_000
_OUTSIDE = 25  # draws beyond each end of a 95 % interval
MIN_TEXTS = 2  # fewer texts have no interval


class ScoredPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A point with its prior: the share of gold texts that agree, None if none takes a position."""

    topic: str
    text: str
    quotes: tuple[str, ...]
    prior: float | None
    gold: int


class ScoredText(msgspec.Struct, frozen=True, kw_only=True):
    """One text with its scores, None if there are none (see `notes`). `said`: the answer to each point."""

    cluster: str
    task: str
    where: str
    question: str
    rater: str
    scores: dict[str, float] | None
    said: tuple[PointOpinion, ...]
    notes: tuple[str, ...] = ()


class ScoredCluster(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a cluster, and the number of gold texts they come from."""

    cluster: str
    gold: int
    points: tuple[ScoredPoint, ...]
    notes: tuple[str, ...] = ()


class ScoredRater(msgspec.Struct, frozen=True, kw_only=True):
    """Means over a rater's scored texts. `intervals`: 95 % bootstrap over texts; none for a single text."""

    rater: str
    model: bool
    written: int
    scored: int
    scores: dict[str, float] = {}
    intervals: dict[str, tuple[float, float]] = {}

    def figure(self, method: str) -> ReportFigure:
        low, high = self.intervals.get(method, (None, None))
        return ReportFigure(value=self.scores.get(method), low=low, high=high, n=self.scored)


class JustificationScores(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a run. Raters are sorted by name, which is no ranking."""

    bundle: str
    oracle: Literal["hand", "endpoint", "recorded"]
    seed: int
    raters: tuple[ScoredRater, ...]
    clusters: tuple[ScoredCluster, ...]
    texts: tuple[ScoredText, ...]

    @property
    def unscored(self) -> int:
        return sum(text.scores is None for text in self.texts)


def score_justifications(
    gathered: JustificationTexts,
    oracle: Oracle,
    kind: Literal["hand", "endpoint", "recorded"],
    *,
    seed: int,
    progress: Progress,
) -> JustificationScores:
    """Score the texts. Raises what the oracle raises; answers received until then are stored."""
    clusters, texts = [], []
    for cluster in gathered.clusters:
        cluster_scores, of_texts = _ClusterScoring(cluster, oracle, progress).done()
        clusters.append(cluster_scores)
        texts += of_texts
    audit = gathered.audit
    names = [name for name in audit.raters if gathered.written.get(name)]
    return JustificationScores(
        bundle=audit.bundle,
        oracle=kind,
        seed=seed,
        raters=tuple(_rater(name, gathered, texts, seed) for name in names),
        clusters=tuple(clusters),
        texts=tuple(texts),
    )


class _ClusterScoring:
    def __init__(self, cluster: TextCluster, oracle: Oracle, progress: Progress) -> None:
        self._cluster = cluster
        self._oracle = oracle
        self._progress = progress

    def done(self) -> tuple[ScoredCluster, list[ScoredText]]:
        cluster = self._cluster
        golden = [entry.text for entry in cluster.gold]
        summary = self._oracle.summarise(cluster.id, golden, self._progress)
        points = summary.points
        if not points:
            empty = ScoredCluster(cluster=cluster.id, gold=len(golden), points=(), notes=summary.notes)
            return empty, [self._without(entry, "Not scored: there are no points.") for entry in cluster.texts]
        # Ask only once about identical texts.
        different = list(dict.fromkeys([*golden, *(entry.text for entry in cluster.texts)]))
        answers = dict(zip(different, self._oracle.answer(cluster.id, points, different, self._progress), strict=True))
        unanswered = [entry for entry in golden if not answers[entry].known]
        gold_answers = [(entry, answers[entry.text].positions) for entry in cluster.gold if answers[entry.text].known]
        known = [answers[text] for text in dict.fromkeys(golden) if answers[text].known]
        notes = (*summary.notes, *(f"Of a gold text: {note}" for answer in known for note in answer.notes))
        if unanswered:
            notes = (*notes, f"{len(unanswered):,} gold texts have not been answered.")
        shares = (
            priors([answers_of_text for _, answers_of_text in gold_answers]) if gold_answers else (None,) * len(points)
        )
        cluster_scores = ScoredCluster(
            cluster=cluster.id,
            gold=len(golden),
            points=tuple(
                ScoredPoint(
                    topic=point.topic,
                    text=point.text,
                    quotes=point.quotes,
                    prior=None if share is None else float(share),
                    gold=sum(said[index] is not None for _, said in gold_answers),
                )
                for index, (point, share) in enumerate(zip(points, shares, strict=True))
            ),
            notes=notes,
        )
        return cluster_scores, self._texts(points, gold_answers, answers)

    def _texts(
        self,
        points: Sequence[OraclePoint],
        gold_answers: list[tuple[WrittenText, tuple[PointOpinion, ...]]],
        answers: dict[str, TextPositions],
    ) -> list[ScoredText]:
        topics = [entry.topic for entry in points]
        by_rater = {
            rater: _priors_without(rater, gold_answers, len(points))
            for rater in {entry.rater for entry in self._cluster.texts}
        }
        scored_texts = []
        for text in self._cluster.texts:
            answer = answers[text.text]
            if not answer.known:
                scored_texts.append(self._without(text, *answer.notes))
                continue
            score = score_justification(topics, gold_answers, text, answer.positions, by_rater)
            notes = (
                answer.notes
                if score is not None
                else (*answer.notes, "Not scored: there is no gold text to compare with.")
            )
            scored_texts.append(self._with(text, answer.positions, score, notes))
        return scored_texts

    def _without(self, text: WrittenText, *notes: str) -> ScoredText:
        return self._with(text, (), None, notes)

    def _with(
        self,
        text: WrittenText,
        answers: tuple[PointOpinion, ...],
        score: JustificationScore | None,
        notes: tuple[str, ...],
    ) -> ScoredText:
        return ScoredText(
            cluster=self._cluster.id,
            task=text.task,
            where=text.where,
            question=text.question,
            rater=text.rater,
            scores=None if score is None else {method: float(getattr(score, method)) for method in SCORE_RULES},
            said=answers,
            notes=notes,
        )


def _priors_without(
    rater: str, gold_answers: list[tuple[WrittenText, tuple[PointOpinion, ...]]], points: int
) -> tuple[Fraction | None, ...]:
    other_answers = [answers for text, answers in gold_answers if not text.rater or text.rater != rater]
    return priors(other_answers) if other_answers else (None,) * points


def _rater(name: str, gathered: JustificationTexts, texts: list[ScoredText], seed: int) -> ScoredRater:
    own = [entry.scores for entry in texts if entry.rater == name and entry.scores is not None]
    return ScoredRater(
        rater=name,
        model=name in gathered.audit.models,
        written=gathered.written[name],
        scored=len(own),
        scores={method: sum(entry[method] for entry in own) / len(own) for method in SCORE_RULES} if own else {},
        intervals=_intervals(name, own, seed),
    )


def _intervals(name: str, own: list[dict[str, float]], seed: int) -> dict[str, tuple[float, float]]:
    """Return bootstrap percentiles over texts (Efron 1979), seeded per rater and thus independent of the others."""
    if len(own) < MIN_TEXTS:
        return {}
    random = Random(f"{seed}\n{name}")  # noqa: S311 - draws of a bootstrap
    count = range(len(own))
    drawn = [random.choices(count, k=len(own)) for _ in range(BOOTSTRAP_DRAWS)]
    ends = {}
    for method in SCORE_RULES:
        values = [scores[method] for scores in own]
        means = sorted(sum(map(values.__getitem__, places)) / len(own) for places in drawn)
        ends[method] = means[_OUTSIDE], means[-1 - _OUTSIDE]
    return ends
