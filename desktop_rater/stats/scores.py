"""Scores of texts: token F1, a proper scoring rule for justifications, and recall of the points of a gold text.

The rule for one point is V-shaped around the prior; the ways to combine points into a text's score are those of
ElicitationGPT (arXiv 2406.09363) and ASR (arXiv 2507.06221). Scores are fractions, so that tied points stay tied.
"""

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def token_f1(response: str, reference: str) -> float:
    """Return F1 from 0, no shared word, to 1, the same words equally often.

    "The capital of Japan is Tokyo." and "Tokyo is Japan's capital, known for its blend of traditional culture and
    technological advancements." give 8/19.
    """
    response_words, reference_words = normalized_words(response), normalized_words(reference)
    shared = (Counter(response_words) & Counter(reference_words)).total()
    return 2 * shared / (len(response_words) + len(reference_words)) if shared else 0.0


def normalized_words(text: str) -> list[str]:
    """Split a text into lower-case words, without ASCII punctuation (it is removed, not replaced) or articles."""
    plain = text.lower().translate(_NO_PUNCTUATION)
    return _ARTICLE.sub(" ", plain).split()


PointOpinion = Literal[0, 1] | None
"""Position of a text on a point: 0 disagrees, 1 agrees, `None` says nothing."""

PriorRule = Literal["observed", "smoothed"]
OracleValues = Literal["ternary", "binary"]

HALF = Fraction(1, 2)
MAX_SCORED_TOPICS = 2  # AFV and AFMV use this many topics, those with the most points


class ScoringRule(NamedTuple):
    """Way to turn the gold texts' positions into truths and priors.

    `values`: with "binary" a gold text that is silent on a point counts as disagreeing, as in ElicitationGPT. `priors`:
    the observed share k / n of agreement, or the smoothed one (k + 1/2) / (n + 1), which is never 0 or 1
    (Krichevsky and Trofimov 1981).
    """

    priors: PriorRule = "observed"
    values: OracleValues = "ternary"

    def truth(self, position: PointOpinion) -> PointOpinion:
        return 0 if position is None and self.values == "binary" else position

    def prior(self, positions: Iterable[PointOpinion]) -> Fraction | None:
        """Return the prior of a point; `None` if no gold text takes a position."""
        truths = [truth for truth in map(self.truth, positions) if truth is not None]
        if not truths:
            return None
        return (
            Fraction(sum(truths), len(truths))
            if self.priors == "observed"
            else Fraction(2 * sum(truths) + 1, 2 * len(truths) + 2)
        )


class RulePoint(NamedTuple):
    """A summary point. `prior` in [0, 1]: the share that agrees of the gold texts that mention it."""

    topic: str
    prior: Fraction
    report: PointOpinion
    truth: PointOpinion


class ScoringRuleScores(NamedTuple):
    """Scores of a text, all in [0, 1]. `points` is the score of each point, in order."""

    points: tuple[Fraction, ...]
    av: Fraction
    amv: Fraction
    afv: Fraction
    afmv: Fraction
    mv: Fraction


def point_score(prior: Fraction, report: PointOpinion, truth: PointOpinion) -> Fraction:
    """Return the score of one point by the V-shaped rule.

    With a prior p of at most 1/2 and a truth t, a report above p scores 1/2 + 1/2 (t - p) / (1 - p), one below it 1/2 -
    1/2 (t - p) / (1 - p), one at it 1/2; for p above 1/2 the same with 1 - p, 1 - r and 1 - t. A missing report counts
    as the prior. A missing truth gives the expectation under the prior: 1/2 for each report.
    """
    if report is None or truth is None:
        return HALF
    if prior > HALF:
        prior, report, truth = 1 - prior, _other(report), _other(truth)
    if report == prior:
        return HALF
    swing = HALF * (truth - prior) / (1 - prior)
    return HALF + swing if report > prior else HALF - swing


def expected_score(point: RulePoint) -> Fraction:
    """Return the score of a point if the report is right: the boldness of the report."""
    return point_score(point.prior, point.report, point.report)


def score_text(points: Sequence[RulePoint]) -> ScoringRuleScores:
    """Return the score of a text by each of the ways. Raises `ValueError` without points.

    AV is the mean over all points. MV (max-over-separate) takes the one point whose own expected score is highest, the
    first of equal ones; it never looks at the truth. AMV is the mean of the topics' MV. AFV is the mean of the means,
    AFMV of the MVs, of the two topics with the most points, the first of equal ones.
    """
    if not points:
        raise ValueError("a score needs a point")
    topics: dict[str, list[RulePoint]] = {}
    for point in points:
        topics.setdefault(point.topic, []).append(point)
    first = sorted(topics.values(), key=len, reverse=True)[:MAX_SCORED_TOPICS]  # equal ones keep their order
    return ScoringRuleScores(
        points=tuple(_point_value(point) for point in points),
        av=_mean(map(_point_value, points)),
        amv=_mean(map(_boldest_score, topics.values())),
        afv=_mean(_mean(map(_point_value, topic)) for topic in first),
        afmv=_mean(map(_boldest_score, first)),
        mv=_boldest_score(points),
    )


def recall_score(reports: Iterable[PointOpinion], truths: Iterable[PointOpinion]) -> Fraction:
    """Return the mean over the points on which the truth takes a position: agreement 1, silence 1/2, contradiction 0.

    It is 1/2 without such points. Unlike the V-shaped rule it needs no prior, and so is not proper: guesses can pay.
    """
    pairs = [(report, truth) for report, truth in zip(reports, truths, strict=True) if truth is not None]
    values = [HALF if report is None else Fraction(report == truth) for report, truth in pairs]
    return _mean(values) if values else HALF


def _point_value(point: RulePoint) -> Fraction:
    return point_score(point.prior, point.report, point.truth)


def _boldest_score(points: Sequence[RulePoint]) -> Fraction:
    """Return the score of the point with the boldest report: max-over-separate."""
    return _point_value(max(points, key=expected_score))


def _mean(values: Iterable[Fraction]) -> Fraction:
    every = list(values)
    return sum(every, Fraction(0)) / len(every)


def _other(opinion: Literal[0, 1]) -> Literal[0, 1]:
    return 0 if opinion else 1
