"""A sample is the same for the same seed, whatever came in first, and every kind has its share of it."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.audit.review_list import review_items
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.sampling import STRATIFY_KEYS, SampleRequest, sample_places
from tests.audit.digests import VALUES, audit, digest
from tests.examples import examples

LABELS = ("accurate", "disputed", "inaccurate", "not factual", "unsupported")


def listed(tasks=40, raters=3):
    ratings = {
        (f"t-{task:02}", f"r-{rater}"): digest(LABELS[(task * rater) % len(LABELS)])
        for task in range(tasks)
        for rater in range(1, raters + 1)
    }
    gold = Reviews(gold={f"t-{task:02}": ({"targets/s1": VALUES["accurate"]},) for task in range(0, tasks, 4)})
    return review_items(audit(ratings), gold, {})


ITEMS = listed()
SEEDS = st.integers(-(2**53), 2**53)


@settings(max_examples=examples(25))
@given(SEEDS, st.sampled_from([None, *STRATIFY_KEYS]), st.sampled_from([0.1, 0.25, 0.5, 1.0]), st.randoms())
def test_the_order_of_the_list_never_changes_what_is_drawn(seed, by, share, random):
    wanted = SampleRequest(how="share" if by is None else "stratified", seed=seed, share=share, by=by)
    mixed = list(ITEMS)
    random.shuffle(mixed)
    again = sample_places(mixed, wanted)
    assert {*again.places} == {*sample_places(ITEMS, wanted).places}
    assert again.strata == sample_places(ITEMS, wanted).strata


@settings(max_examples=examples(25))
@given(SEEDS)
def test_a_larger_share_holds_the_smaller_one(seed):
    small, large = (sample_places(ITEMS, SampleRequest(how="share", seed=seed, share=share)) for share in (0.2, 0.6))
    assert {*small.places} < {*large.places}
    assert (len(small.places), len(large.places), small.of) == (8, 24, 40)


def test_another_seed_draws_otherwise():
    drawn = {sample_places(ITEMS, SampleRequest(how="share", seed=seed, share=0.2)).places for seed in range(5)}
    assert len(drawn) == 5


def test_a_small_share_is_at_least_one_place():
    assert len(sample_places(ITEMS, SampleRequest(how="share", seed=1, share=0.001)).places) == 1
    assert (
        len(sample_places(ITEMS, SampleRequest(how="share", seed=1, share=0.1)).places) == 4
    )  # not five, as 0.1 * 40 in binary might be
    assert sample_places((), SampleRequest(how="stratified", by="label", share=0.5)).places == ()


@pytest.mark.parametrize("by", ["disagreement", "label", "rater"])
def test_each_kind_has_its_share_by_the_largest_remainder(by):
    sample = sample_places(ITEMS, SampleRequest(how="stratified", by=by, seed=3, share=0.25))
    assert len(sample.places) == 10
    assert sum(one.places for one in sample.strata) == len(ITEMS)
    for one in sample.strata:
        assert abs(one.drawn - Fraction(one.places, 4)) < 1
    assert len(sample.strata) > 1


def test_by_rater_every_rater_is_looked_at_alike():
    sample = sample_places(ITEMS, SampleRequest(how="stratified", by="rater", seed=3, share=0.5))
    assert Counter(one.drawn for one in sample.strata).keys() <= {6, 7}
    assert [one.name for one in sample.strata] == ["r-1", "r-2", "r-3"]


def test_a_place_that_people_rated_is_drawn_for_one_of_them_and_for_no_model():
    ratings = {(f"t-{task}", rater): digest("accurate") for task in range(6) for rater in ("judge", "r-1", "r-2")}
    found = review_items(audit(ratings, models=frozenset({"judge"})), Reviews(), {})
    sample = sample_places(found, SampleRequest(how="stratified", by="rater", share=0.5))
    assert [(one.name, one.places) for one in sample.strata] == [("r-1", 3), ("r-2", 3)]


def test_all_gold_misses_are_drawn_and_nothing_else():
    sample = sample_places(ITEMS, SampleRequest(how="gold-misses"))
    missed = [one for one in ITEMS if any("gold-missed" in entry.flags for entry in one.entries)]
    assert sample.places == tuple((one.task, one.where) for one in missed)
    assert 0 < len(missed) < 10


def test_all_is_all():
    assert len(sample_places(ITEMS, SampleRequest(how="all")).places) == len(ITEMS)
