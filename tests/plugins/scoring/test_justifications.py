"""What raters wrote is held against gold texts of the same place, and never against the rater's own."""

from fractions import Fraction

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.scoring.justifications import (
    WrittenText,
    clusters,
    priors,
    score_justification,
    texts_in_rating,
)
from desktop_rater.stats.scores import PointOpinion

Golden = list[tuple[WrittenText, tuple[PointOpinion, ...]]]


def text(task, rater, words="Because.", where="targets/s1", question="comment"):
    return WrittenText(task=task, where=where, question=question, rater=rater, text=words)


def test_every_text_of_a_rating_is_found_at_its_place_and_what_is_written_of_claims_at_their_target():
    plain = {
        "task": "t-1",
        "answers": {
            "task": {"preference": 1, "justification": "  The first.  "},
            "responses": {"a": {"explanation": "A date."}, "b": {"explanation": " "}},
        },
    }
    found = texts_in_rating(builtin_rubric("side-by-side"), read_struct(plain, Rating), "r-1")
    assert {(one.where, one.question, one.text) for one in found} == {
        ("task", "justification", "The first."),
        ("responses/a", "explanation", "A date."),
    }
    claims = [
        {"id": "c1", "text": "no plant", "answers": {"comment": "It is one."}},
        {"id": "c2", "answers": {"comment": "And fast."}},
    ]
    plain = {"task": "t-1", "answers": {"targets": {"s1": {"comment": "Look."}}}, "claims": {"s1": claims}}
    (one,) = texts_in_rating(builtin_rubric("span-factuality"), read_struct(plain, Rating), "r-1")
    assert one.text == "Look.\nno plant: It is one.\nAnd fast."


def test_a_cluster_is_a_question_of_the_whole_bundle_or_of_one_place():
    gold = [text("t-1", ""), text("t-2", ""), text("t-2", "", question="why")]
    written = [text("t-1", "r-1"), text("t-2", "r-1"), text("t-3", "r-1")]
    (whole,) = clusters(gold, written, "bundle")
    assert (whole.id, len(whole.gold), [one.task for one in whole.texts]) == ("comment", 2, ["t-1", "t-2"])
    assert [one.id for one in clusters(gold, written, "place")] == ["t-1/targets/s1/comment", "t-2/targets/s1/comment"]


def test_a_trusted_rater_is_held_against_the_others_and_not_against_itself():
    own, other = text("t-1", "r-1"), text("t-1", "r-2")
    assert clusters([own], [own], "bundle") == ()
    (cluster,) = clusters([own, other], [own, other], "bundle")
    assert set(cluster.texts) == {own, other}
    gold: Golden = [(own, (1,)), (other, (0,)), (text("t-2", "r-2"), (1,))]
    against_other = score_justification(["t"], gold, own, (1,))
    assert against_other is not None
    assert against_other["AV"] == 0  # the prior is 1/2 by the others alone
    assert score_justification(["t"], [(own, (1,))], own, (1,)) is None


def test_somebody_called_like_the_gold_is_still_held_against_the_gold():
    (cluster,) = clusters([text("t-1", "")], [text("t-1", "gold")], "bundle")
    assert len(cluster.texts) == 1


def test_a_prior_is_the_share_of_the_gold_texts_that_say_something():
    assert priors([(1, None, 0), (0, None, 0), (None, None, 0), (1, None, 0)]) == (Fraction(2, 3), None, Fraction(0))


def test_points_of_which_no_gold_text_says_anything_do_not_count():
    gold: Golden = [(text("t-1", ""), (1, None)), (text("t-2", ""), (0, None))]
    found = score_justification(["a", "b"], gold, text("t-1", "r-1"), (1, 1))
    assert found is not None
    assert found["AV"] == 1
    assert score_justification(["b"], [(text("t-1", ""), (None,))], text("t-1", "r-1"), (1,)) is None


def test_where_two_gold_texts_differ_the_score_is_the_mean_over_both():
    gold: Golden = [(text("t-1", ""), (1,)), (text("t-1", "r-2"), (0,))]
    found = score_justification(["a"], gold, text("t-1", "r-1"), (1,))
    assert found is not None
    assert found["AV"] == Fraction(1, 2)


def test_whoever_says_the_same_of_every_task_gets_a_half():
    truths: list[tuple[PointOpinion, ...]] = [(1, 0), (0, 0), (1, 1), (1, 1), (0, 1)]
    golds: Golden = [(text(f"t-{at}", ""), said) for at, said in enumerate(truths)]
    reports: list[tuple[PointOpinion, ...]] = [(1, 1), (0, 0), (1, 0), (None, 1), (None, None)]
    for report in reports:
        found = [score_justification(["a", "a"], golds, text(one.task, "r-1"), report) for one, _ in golds]
        assert sum((one["AV"] for one in found if one is not None), Fraction(0)) / len(golds) == Fraction(1, 2)
