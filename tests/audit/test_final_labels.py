"""Final labels by choice: the lead first, then the votes by majority, median or a model of the raters."""

import pytest

from desktop_rater.audit.adjudication import final_labels
from desktop_rater.audit.questions import JudgedQuestion, LabelRule, entropy_of
from desktop_rater.audit.results import LeadDecision, Verdict
from desktop_rater.audit.reviews import Reviews
from desktop_rater.stats.label_models import dawid_skene, sparse_votes
from tests.audit.digests import audit, digest
from tests.stats.label_votes import random_votes

LABELS = ("accurate", "inaccurate", "unsupported")
VOTES = random_votes(11, places=30, values=LABELS)
LABEL = "targets/s1", "label"


def by_votes(votes=VOTES, **more):
    return audit({(task, rater): digest(value) for task, rater, value in votes}, **more)


def labels_of(of, by, reviews=None, threshold=0.0):
    """The final label of each task's sentence."""
    found = final_labels(of, reviews or Reviews(), by=by, threshold=threshold)
    return {task: label for (task, *place), label in found.items() if tuple(place) == LABEL}


def scale(**more):
    return JudgedQuestion(id="q", question="q", ask="How good?", per="target", measure="ordinal", **more)


def test_the_median_is_the_middle_vote_also_between_two_steps():
    rule = LabelRule(by="median")
    chosen = rule.choose(scale(), {"a": 4.0, "b": 2.0, "c": 1.0, "d": 2.0})
    assert (chosen.value, chosen.by) == (2.0, "median")
    assert chosen.posterior == ((2.0, 0.5), (1.0, 0.25), (4.0, 0.25))
    assert entropy_of(chosen.posterior) == 1.5
    assert rule.choose(scale(), {"a": 10.0, "b": 9.0}).value == 9.5
    assert LabelRule().choose(scale(), {"a": 1.0, "b": 5.0, "c": 1.0, "d": 5.0})[0::2] == (3.0, "median")
    assert LabelRule(by="median", threshold=0.6).choose(scale(), {"a": 4.0, "b": 2.0, "c": 2.0, "d": 1.0}).value is None


def test_choices_have_no_median_and_numbers_no_model():
    nominal = JudgedQuestion(id="q", question="q", ask="Which?", per="target", measure="nominal")
    assert LabelRule(by="median").choose(nominal, {"a": "x", "b": "x", "c": "y"})[0::2] == ("x", "majority")
    assert LabelRule(by="mace").choose(scale(), {"a": 3.0, "b": 1.0, "c": 7.0})[0::2] == (3.0, "median")


@pytest.mark.parametrize("by", ["dawid-skene", "mace"])
def test_a_model_is_fitted_to_all_places_and_decides_each(by):
    found = labels_of(by_votes(), by)
    assert {label.by for label in found.values()} == {by, "all"}
    if by == "dawid-skene":
        model = dawid_skene(sparse_votes(VOTES))
        for task in {vote[0] for vote in VOTES}:
            label = found[task]
            expected = model.posterior([(rater, value) for place, rater, value in VOTES if place == task])
            assert dict(label.posterior) == pytest.approx(dict(expected), abs=1e-5)
            assert label.value == expected[0][0]
            assert label.entropy == pytest.approx(entropy_of(expected), abs=1e-4)
    sure = labels_of(by_votes(), by, threshold=0.9)
    unsure = {task for task, label in found.items() if dict(label.posterior)[label.value] < 0.9}
    assert 0 < len(unsure) < len(found)
    assert {task for task, label in sure.items() if label.value is None} == unsure


def test_models_as_raters_are_no_votes():
    votes = [*VOTES, *((task, "machine", "disputed") for task in {vote[0] for vote in VOTES})]
    people = final_labels(by_votes(), Reviews(), by="mace")
    assert final_labels(by_votes(votes, models=frozenset({"machine"})), Reviews(), by="mace") == people


def test_the_lead_decides_first_and_changes_no_other_place():
    before = labels_of(by_votes(), "dawid-skene")
    decision = LeadDecision(task="t-00", where="targets/s1", question="label", value="disputed", lead="Ana")
    of = by_votes()
    rater = next(vote[1] for vote in VOTES if vote[0] == "t-01")
    returned = Verdict(
        task="t-01", where="targets/s1", rater=rater, rating=of.ratings["t-01", rater].sha256, kind="returned"
    )
    reviews = Reviews(finals={("t-00", *LABEL): decision}, verdicts={("t-01", "targets/s1", rater): returned})
    after = labels_of(of, "dawid-skene", reviews)
    assert (after["t-00"].value, after["t-00"].by) == ("disputed", "lead")
    assert after["t-00"].posterior == before["t-00"].posterior
    assert {task for task in before if before[task] != after[task]} == {"t-00", "t-01"}
