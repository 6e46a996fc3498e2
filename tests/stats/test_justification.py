"""Scores of written justifications: the worked values, and what makes the rule one that nobody can play."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.stats.scores import HALF, PointOpinion, RulePoint, expected_score, point_score, score_text

F = Fraction
PRIORS = st.fractions(0, 1, max_denominator=40)
SAID = st.sampled_from([0, 1, None])
POINTS = st.lists(
    st.builds(RulePoint, st.sampled_from(["t1", "t2", "t3"]), PRIORS, SAID, SAID), min_size=1, max_size=12
)
OTHER: dict[PointOpinion, PointOpinion] = {0: 1, 1: 0, None: None}
GRID = [F(n, 20) for n in range(21)]


@pytest.mark.parametrize(
    ("prior", "report", "truth", "value"),
    [
        (F(1, 4), 1, 1, 1),
        (F(1, 4), 1, 0, F(1, 3)),
        (F(1, 4), 0, 0, F(2, 3)),
        (F(1, 4), 0, 1, 0),
        (F(1, 4), None, 1, HALF),
        (F(9, 10), 1, 1, F(5, 9)),
        (F(9, 10), 1, 0, 0),
        (F(9, 10), 0, 0, 1),
        (F(9, 10), 0, 1, F(4, 9)),
        (F(0), 1, 1, 1),
        (F(0), 1, 0, HALF),
        (F(0), 0, 0, HALF),
        (F(0), 0, 1, HALF),
        (F(1), 0, 0, 1),
        (F(1), 1, 1, HALF),
        (HALF, 1, 1, 1),
        (HALF, 1, 0, 0),
    ],
)
def test_the_worked_values_of_one_point(prior, report, truth, value):
    assert point_score(prior, report, truth) == value


def test_the_worked_text_without_topics():
    points = [RulePoint("t", prior, report, truth) for prior, report, truth in zip(
        (F(1, 4), HALF, F(4, 5), F(9, 10)), (1, None, 1, 0), (1, 0, 0, 0), strict=True
    )]  # fmt: skip
    scored = score_text(points)
    assert scored.points == (1, HALF, 0, 1)
    assert scored.av == F(5, 8)
    assert scored.mv == 1, "the first of the two that dare most"


def test_the_worked_text_with_topics():
    topics = ("t1", "t1", "t1", "t2", "t3", "t3")
    priors = (F(1, 4), HALF, F(4, 5), F(9, 10), F(1, 3), F(2, 5))
    reports, truths = (1, None, 1, 0, 0, 1), (1, 0, 0, 1, 0, 0)
    scored = score_text([RulePoint(*one) for one in zip(topics, priors, reports, truths, strict=True)])
    assert scored[1:] == (F(103, 216), F(29, 54), F(23, 48), F(7, 12), 1)


def test_of_topics_of_one_size_the_first_two_count():
    points = [RulePoint(topic, HALF, 1, truth) for topic, truth in (("a", 1), ("b", 1), ("c", 0))]
    assert (score_text(points).afv, score_text(points).afmv) == (1, 1)


def test_no_point_is_no_score():
    with pytest.raises(ValueError, match="needs a point"):
        score_text([])


@pytest.mark.parametrize("prior", GRID)
@pytest.mark.parametrize("belief", GRID)
def test_whoever_says_what_they_believe_can_not_do_better(prior, belief):
    """Proper: with a belief above the prior no report beats "agrees", below it none beats "disagrees"."""
    expected = {
        report: belief * point_score(prior, report, 1) + (1 - belief) * point_score(prior, report, 0)
        for report in (0, 1, None)
    }
    honest = None if belief == prior else 1 if belief > prior else 0
    assert expected[honest] == max(expected.values())


@given(PRIORS, SAID)
def test_what_is_said_without_looking_scores_one_half(prior, report):
    assert prior * point_score(prior, report, 1) + (1 - prior) * point_score(prior, report, 0) == HALF


@given(PRIORS, SAID, SAID)
def test_a_point_looks_the_same_from_its_other_side(prior, report, truth):
    assert point_score(prior, report, truth) == point_score(1 - prior, OTHER[report], OTHER[truth])


@given(POINTS)
def test_each_score_lies_between_0_and_1(points):
    scored = score_text(points)
    assert all(0 <= value <= 1 for value in (*scored.points, *scored[1:]))


@given(POINTS)
def test_which_point_counts_most_never_hangs_on_the_truth(points):
    silent = [point._replace(truth=None) for point in points]
    assert [expected_score(point) for point in points] == [expected_score(point) for point in silent]


@given(POINTS, st.integers(1, 5))
def test_padding_gains_nothing(points, more):
    """Points of which the text says nothing pull the mean to one half and leave the strongest where it was."""
    padded = [*points, *(RulePoint("t9", HALF, None, 1) for _ in range(more))]
    before, after = score_text(points), score_text(padded)
    assert abs(after.av - HALF) <= abs(before.av - HALF)
    assert after.mv == before.mv
