"""Score what raters wrote: an oracle says what each text says of each point, and a proper rule makes the number."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.audit.justifications import WAYS, Cluster, Text, TextScore, priors, scored
from desktop_rater.audit.report import Figure
from desktop_rater.stats.justification import Said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from desktop_rater.model.progress import Progress
    from desktop_rater.oracle.interface import Answers, Oracle, Point
    from desktop_rater.work.justification_texts import Gathered

DRAWS = 1_000
_OUTSIDE = 25  # of a thousand draws, so many lie outside each end of an interval
LEAST_TEXTS = 2  # of one text there is no interval


class PointScored(msgspec.Struct, frozen=True, kw_only=True):
    """A point with its prior: the share of gold texts that agree, None where none of them says anything."""

    topic: str
    text: str
    quotes: tuple[str, ...]
    prior: float | None
    gold: int


class TextScored(msgspec.Struct, frozen=True, kw_only=True):
    """One text with its scores, None where there is none: `notes` say why. `said` is the answer to each point."""

    cluster: str
    task: str
    where: str
    question: str
    rater: str
    scores: dict[str, float] | None
    said: tuple[Said, ...]
    notes: tuple[str, ...] = ()


class ClusterScored(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a cluster, and of how many gold texts they come."""

    cluster: str
    gold: int
    points: tuple[PointScored, ...]
    notes: tuple[str, ...] = ()


class RaterScored(msgspec.Struct, frozen=True, kw_only=True):
    """The mean over a rater's scored texts. `intervals`: 95 % of a bootstrap over texts; none for a single text."""

    rater: str
    model: bool
    written: int
    scored: int
    scores: dict[str, float] = {}
    intervals: dict[str, tuple[float, float]] = {}

    def figure(self, way: str) -> Figure:
        """The mean by one way, as reports show figures."""
        low, high = self.intervals.get(way, (None, None))
        return Figure(value=self.scores.get(way), low=low, high=high, n=self.scored)


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """All of a run. Raters by name, which is no ranking."""

    bundle: str
    oracle: Literal["hand", "endpoint", "recorded"]
    seed: int
    raters: tuple[RaterScored, ...]
    clusters: tuple[ClusterScored, ...]
    texts: tuple[TextScored, ...]

    @property
    def unscored(self) -> int:
        """How many texts have no score."""
        return sum(one.scores is None for one in self.texts)


def score_justifications(
    gathered: Gathered,
    oracle: Oracle,
    kind: Literal["hand", "endpoint", "recorded"],
    *,
    seed: int,
    progress: Progress,
) -> Scores:
    """Raises what the oracle raises: what it answered until then is kept by itself."""
    clusters, texts = [], []
    for cluster in gathered.clusters:
        found, of_texts = _Scoring(cluster, oracle, progress).done()
        clusters.append(found)
        texts += of_texts
    audit = gathered.audit
    names = [name for name in audit.raters if gathered.written.get(name)]
    return Scores(
        bundle=audit.bundle,
        oracle=kind,
        seed=seed,
        raters=tuple(_rater(name, gathered, texts, seed) for name in names),
        clusters=tuple(clusters),
        texts=tuple(texts),
    )


class _Scoring:
    """One cluster."""

    def __init__(self, cluster: Cluster, oracle: Oracle, progress: Progress) -> None:
        self._cluster = cluster
        self._oracle = oracle
        self._progress = progress

    def done(self) -> tuple[ClusterScored, list[TextScored]]:
        cluster = self._cluster
        golden = [one.text for one in cluster.gold]
        summary = self._oracle.summarise(cluster.id, golden, self._progress)
        points = summary.points
        if not points:
            bare = ClusterScored(cluster=cluster.id, gold=len(golden), points=(), notes=summary.notes)
            return bare, [self._without(one, "Not scored: there are no points.") for one in cluster.texts]
        # A text that several wrote alike is asked about once.
        different = list(dict.fromkeys([*golden, *(one.text for one in cluster.texts)]))
        answers = dict(zip(different, self._oracle.answer(cluster.id, points, different, self._progress), strict=True))
        unknown = [one for one in golden if not answers[one].known]
        known = [(one, answers[one.text].said) for one in cluster.gold if answers[one.text].known]
        notes = (*summary.notes, *_of_gold(answers, golden))
        if unknown:
            notes = (*notes, f"Gold texts of which nobody has said what they say: {len(unknown):,}.")
        shares = priors([said for _, said in known]) if known else (None,) * len(points)
        found = ClusterScored(
            cluster=cluster.id,
            gold=len(golden),
            points=tuple(_point(point, shares[at], at, known) for at, point in enumerate(points)),
            notes=notes,
        )
        return found, self._texts(points, known, answers)

    def _texts(
        self, points: Sequence[Point], known: list[tuple[Text, tuple[Said, ...]]], answers: dict[str, Answers]
    ) -> list[TextScored]:
        topics = [one.topic for one in points]
        by_rater = {
            rater: _priors_without(rater, known, len(points)) for rater in {one.rater for one in self._cluster.texts}
        }
        found = []
        for text in self._cluster.texts:
            answer = answers[text.text]
            if not answer.known:
                found.append(self._without(text, *answer.notes))
                continue
            score = scored(topics, known, text, answer.said, by_rater)
            notes = (
                answer.notes if score is not None else (*answer.notes, "Not scored: no gold text to hold it against.")
            )
            found.append(self._with(text, answer.said, score, notes))
        return found

    def _without(self, text: Text, *notes: str) -> TextScored:
        return self._with(text, (), None, notes)

    def _with(self, text: Text, said: tuple[Said, ...], score: TextScore | None, notes: tuple[str, ...]) -> TextScored:
        return TextScored(
            cluster=self._cluster.id,
            task=text.task,
            where=text.where,
            question=text.question,
            rater=text.rater,
            scores=None if score is None else {way: float(getattr(score, way)) for way in WAYS},
            said=said,
            notes=notes,
        )


def _priors_without(rater: str, known: list[tuple[Text, tuple[Said, ...]]], points: int) -> tuple[Fraction | None, ...]:
    others = [said for one, said in known if not one.rater or one.rater != rater]
    return priors(others) if others else (None,) * points


def _point(point: Point, share: Fraction | None, at: int, known: list[tuple[Text, tuple[Said, ...]]]) -> PointScored:
    return PointScored(
        topic=point.topic,
        text=point.text,
        quotes=point.quotes,
        prior=None if share is None else float(share),
        gold=sum(said[at] is not None for _, said in known),
    )


def _of_gold(answers: dict[str, Answers], golden: list[str]) -> tuple[str, ...]:
    noted = [note for one in dict.fromkeys(golden) for note in answers[one].notes if answers[one].known]
    return tuple(f"Of a gold text: {note}" for note in noted)


def _rater(name: str, gathered: Gathered, texts: list[TextScored], seed: int) -> RaterScored:
    own = [one.scores for one in texts if one.rater == name and one.scores is not None]
    return RaterScored(
        rater=name,
        model=name in gathered.audit.models,
        written=gathered.written[name],
        scored=len(own),
        scores={way: _mean([one[way] for one in own]) for way in WAYS} if own else {},
        intervals=_intervals(name, own, seed),
    )


def _intervals(name: str, own: list[dict[str, float]], seed: int) -> dict[str, tuple[float, float]]:
    """Percentiles of a bootstrap over texts (Efron 1979), drawn for each rater alike whoever else is there."""
    if len(own) < LEAST_TEXTS:
        return {}
    random = Random(f"{seed}\n{name}")  # noqa: S311 - draws of a bootstrap
    count = range(len(own))
    drawn = [random.choices(count, k=len(own)) for _ in range(DRAWS)]
    ends = {}
    for way in WAYS:
        values = [one[way] for one in own]
        means = sorted(sum(map(values.__getitem__, places)) / len(own) for places in drawn)
        ends[way] = means[_OUTSIDE], means[-1 - _OUTSIDE]
    return ends


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
