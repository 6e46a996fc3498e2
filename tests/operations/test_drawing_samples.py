"""A lead draws what to look at, and how it was drawn is written down."""

import pytest

from desktop_rater.audit.filters import ItemFilter, matching_items
from desktop_rater.audit.items import Label
from desktop_rater.audit.sampling import ReviewSample, SampleRequest
from desktop_rater.format.change import Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit import review
from desktop_rater.operations.audit.load_audit import load_task
from desktop_rater.operations.audit.report import draw_sample
from desktop_rater.rubric.gold import compare_with_gold
from desktop_rater.store import reviews

from .audited import ANA, Raters, said
from .bundles import make, task, write_lines

NAMES = [f"t-{number}" for number in range(1, 11)]


RATINGS = {rater: [said(name, "accurate") for name in NAMES] for rater in ("r-04", "r-17")}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return Raters(tmp_path_factory.mktemp("raters"), [task(name) for name in NAMES]).all_rate(RATINGS)


def drawn(desk, **wanted):
    return draw_sample(desk.store, desk.audit, SampleRequest(**wanted), ANA, Progress())


def sampled(desk):
    return [one.task for one in matching_items(desk.items, ItemFilter(sampled=True))]


def test_the_list_shows_what_was_drawn_last(desk):
    first = drawn(desk, how="share", share=0.3, seed=7).sample
    assert [task for task, _ in first.places] == sampled(desk)
    assert len(first.places) == 3
    second = drawn(desk, how="share", share=0.3, seed=8)
    assert sampled(desk) != [task for task, _ in first.places]
    review.undo_reviews(desk.store, "b", second.steps, ANA)
    assert sampled(desk) == [task for task, _ in first.places]


def test_the_first_draw_is_undone_to_all(desk):
    done = drawn(desk, how="share", share=0.1, seed=1)
    review.undo_reviews(desk.store, "b", done.steps, ANA)
    assert sampled(desk) == NAMES


def test_it_is_written_down_how_it_was_drawn(desk):
    drawn(desk, how="stratified", by="disagreement", share=0.5, seed=3)
    (found,) = reviews.latest_reviews(desk.store, "b", "sample")
    kept = found.read(ReviewSample)
    assert (kept.how, kept.by, kept.share, kept.seed, kept.of) == ("stratified", "disagreement", 0.5, 3, 10)
    assert (kept.lead, kept.changed) == ("Ana", "2026-11-21T12:00:00Z")
    assert [(one.name, one.places, one.drawn) for one in kept.strata] == [("All agree", 10, 5)]
    assert len(kept.places) == 5


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"how": "share"}, "Give a share"),
        ({"how": "share", "share": 1.5}, "1.5 is not a valid share"),
        ({"how": "share", "share": float("nan")}, "nan is not a valid share"),
        ({"how": "all", "share": 0.5}, "takes no share"),
        ({"how": "stratified", "share": 0.5}, "Name the field to stratify by"),
        ({"how": "share", "share": 0.5, "by": "label"}, "leave the field out"),
        ({"how": "gold-misses"}, "no gold answers"),
    ],
)
def test_a_draw_that_can_not_be_meant_is_refused(desk, wanted, says):
    with pytest.raises(RaterError, match=says):
        drawn(desk, **wanted)
    assert reviews.newest_review(desk.store, "b", ("sample",)) is None


def test_all_places_where_gold_answers_are_missed_are_drawn(desk, tmp_path):
    gold = [said("t-1", "accurate"), said("t-2", "not factual"), said("t-3", "critical")]
    copy = make(tmp_path / "b.zip", [task(name) for name in NAMES], gold=write_lines(tmp_path / "gold.jsonl", gold))
    desk.opens(copy)
    sample = drawn(desk, how="gold-misses").sample
    assert sample.places == (("t-2", "targets/s1"), ("t-3", "targets/s1"))
    assert desk.item("t-3").gold == (Label("label", "inaccurate"),)
    assert desk.item("t-4").gold == ()


def test_a_miss_is_a_miss_for_raters_in_practice_too(desk, tmp_path):
    """What counts as a miss here is what a rater sees after a task of practice."""
    gold = [said("t-1", "accurate"), said("t-2", "not factual"), said("t-3", "critical")]
    tasks = [task(name) for name in NAMES]
    desk.opens(make(tmp_path / "b.zip", tasks, gold=write_lines(tmp_path / "gold.jsonl", gold)))
    for name in ("t-1", "t-2", "t-3"):
        audited = load_task(desk.store, "b", name)
        compared = compare_with_gold(audited.rubric, audited.task, audited.raters[0].rating, audited.gold[0])
        missed = "gold-missed" in desk.item(name).entries[0].flags
        assert missed is (compared.same < compared.total)
