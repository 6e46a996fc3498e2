"""A score for a rater's text by a proper rule: nobody gains by padding, flattery or a guess fixed beforehand.

The rule for one point is V-shaped around the prior, the ways to a text's score are those of ElicitationGPT
(arXiv 2406.09363) and ASR (arXiv 2507.06221). An oracle only says what a text says of a point; the number comes from
here. All is computed in fractions: 0.1 is a tenth, so two points that are tied stay tied.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Said = Literal[0, 1] | None
"""What a text says of a point: it disagrees, it agrees, or it says nothing."""

HALF = Fraction(1, 2)
MOST_TOPICS = 2  # of so many topics, those with the most points, AFV and AFMV are made


class Point(NamedTuple):
    """A summary point. `prior` lies in [0, 1]: the share of the gold texts that agree, of those that say something."""

    topic: str
    prior: Fraction
    report: Said
    truth: Said


class TextScore(NamedTuple):
    """All in [0, 1]. `points` is the score of each point, in their order."""

    points: tuple[Fraction, ...]
    av: Fraction
    amv: Fraction
    afv: Fraction
    afmv: Fraction
    mv: Fraction


def point_score(prior: Fraction, report: Said, truth: Said) -> Fraction:
    """The V-shaped rule.

    With a prior p of at most 1/2 and a truth t, a report above p scores 1/2 + 1/2 (t - p) / (1 - p), one below it
    1/2 - 1/2 (t - p) / (1 - p), one at it 1/2; for p above 1/2 the same with 1 - p, 1 - r and 1 - t. A report that says
    nothing counts as the prior. A truth that says nothing gives what is expected under the prior: 1/2 for each report.
    """
    if report is None or truth is None:
        return HALF
    if prior > HALF:
        prior, report, truth = 1 - prior, _other(report), _other(truth)
    if report == prior:
        return HALF
    swing = HALF * (truth - prior) / (1 - prior)
    return HALF + swing if report > prior else HALF - swing


def own_expected(point: Point) -> Fraction:
    """What the score of a point is if the report is right: how much the report dares."""
    return point_score(point.prior, point.report, point.report)


def score(points: Sequence[Point]) -> TextScore:
    """The score of a text by each of the ways. Raises `ValueError` where there is no point.

    AV is the mean over all points. MV (max-over-separate) takes the one point whose own expected score is highest, the
    first of equal ones; it never looks at the truth. AMV is the mean of the topics' MV. AFV is the mean of the means,
    AFMV of the MVs, of the two topics with the most points, the first of equal ones.
    """
    if not points:
        raise ValueError("a score needs a point")
    topics: dict[str, list[Point]] = {}
    for point in points:
        topics.setdefault(point.topic, []).append(point)
    first = sorted(topics.values(), key=len, reverse=True)[:MOST_TOPICS]  # equal ones keep their order
    return TextScore(
        points=tuple(_value(point) for point in points),
        av=_mean(map(_value, points)),
        amv=_mean(map(_most_daring, topics.values())),
        afv=_mean(_mean(map(_value, topic)) for topic in first),
        afmv=_mean(map(_most_daring, first)),
        mv=_most_daring(points),
    )


def _value(point: Point) -> Fraction:
    return point_score(point.prior, point.report, point.truth)


def _most_daring(points: Sequence[Point]) -> Fraction:
    """The score of the point whose report dares most: max-over-separate."""
    return _value(max(points, key=own_expected))


def _mean(values: Iterable[Fraction]) -> Fraction:
    every = list(values)
    return sum(every, Fraction(0)) / len(every)


def _other(said: Literal[0, 1]) -> Literal[0, 1]:
    return 0 if said else 1
