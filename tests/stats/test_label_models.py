"""Models of raters give what crowd-kit gives, and what Dawid and Skene printed."""

import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from desktop_rater.audit.questions import entropy_of, vote_shares
from desktop_rater.stats.label_models import dawid_skene, mace, sparse_votes
from tests.stats.label_votes import ANAESTHETISTS, random_votes

REFERENCE = json.loads(Path(__file__).with_name("label_models.json").read_text("utf-8"))
VOTES = {"anaesthetists": ANAESTHETISTS, "random": random_votes(7)}


def fitted(name, votes):
    sparse = sparse_votes(votes)
    return dawid_skene(sparse) if name == "dawid-skene" else mace(sparse, seed=0, restarts=1, most=50)


def posteriors(model, votes):
    places = defaultdict(list)
    for place, rater, value in votes:
        places[place].append((rater, value))
    return {place: model.posterior(here) for place, here in places.items()}


@pytest.mark.parametrize("data", VOTES)
@pytest.mark.parametrize("name", ["dawid-skene", "mace"])
def test_each_posterior_is_crowd_kits(data, name):
    reference = REFERENCE[f"{data} {name}"]
    found = posteriors(fitted(name, VOTES[data]), VOTES[data])
    assert found.keys() == reference.keys()
    for place, posterior in found.items():
        shown = {str(value): probability for value, probability in posterior}
        assert shown == pytest.approx(reference[place], rel=1e-7, abs=1e-9)


def test_the_shares_of_the_patients_are_those_that_dawid_and_skene_printed():
    model = dawid_skene(sparse_votes(ANAESTHETISTS))
    assert np.exp(model.log_prior) == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=0.005)
    labels = {place: posterior[0][0] for place, posterior in posteriors(model, ANAESTHETISTS).items()}
    assert Counter(labels.values()) == {1.0: 18, 2.0: 19, 3.0: 5, 4.0: 3}


@pytest.mark.parametrize("name", ["dawid-skene", "mace"])
def test_two_careful_raters_outvote_three_who_guess(name):
    chance = random.Random(2)
    truth = {f"t-{number}": chance.choice("abc") for number in range(300)}
    votes = [
        (place, f"r-{rater}", value if rater > 2 and chance.random() < 0.95 else chance.choice("abc"))
        for place, value in truth.items()
        for rater in range(5)
    ]
    found = posteriors(fitted(name, votes), votes)
    right = sum(found[place][0][0] == value for place, value in truth.items())
    majority = {place: Counter(row[2] for row in votes if row[0] == place).most_common(1)[0][0] for place in truth}
    assert right > 265
    assert sum(majority[place] == value for place, value in truth.items()) < 255


def test_of_several_starts_the_most_likely_is_kept_and_the_seed_gives_the_same():
    sparse = sparse_votes(VOTES["random"])
    first, again = mace(sparse, seed=5), mace(sparse, seed=5)
    assert np.array_equal(first.log_likelihood, again.log_likelihood)
    total = {restarts: _log_likelihood(mace(sparse, seed=5, restarts=restarts), VOTES["random"]) for restarts in (1, 8)}
    assert total[8] >= total[1] - 1e-6


def test_with_raters_of_few_votes_the_start_changes_no_posterior():
    """A crowd of 160 for 240 places: after 50 steps some labels still hang on the start."""
    chance = random.Random(4)
    skill = [chance.uniform(0.3, 0.98) for _ in range(160)]
    votes = []
    for place in range(240):
        truth = "yes" if chance.random() < 0.8 else "no"
        for rater in chance.sample(range(160), 3):
            value = truth if chance.random() < skill[rater] else chance.choice(("yes", "no"))
            votes.append((f"t-{place}", f"r-{rater}", value))

    def apart(most):
        found = [posteriors(mace(sparse_votes(votes), seed=seed, restarts=1, most=most), votes) for seed in (1, 20)]
        return max(abs(dict(first).get("yes", 0) - dict(found[1][at]).get("yes", 0)) for at, first in found[0].items())

    assert apart(50) > 0.05
    assert apart(2_000) < 0.001


def _log_likelihood(model, votes):
    places = defaultdict(list)
    for place, rater, value in votes:
        places[place].append(model.log_likelihood[model.raters[rater], model.positions[value]])
    return sum(np.logaddexp.reduce(np.sum(here, axis=0)) for here in places.values())


def test_the_order_of_the_votes_changes_nothing():
    votes = VOTES["random"]
    one, other = (posteriors(dawid_skene(sparse_votes(given)), votes) for given in (votes, votes[::-1]))
    for place, posterior in one.items():
        assert dict(posterior) == pytest.approx(dict(other[place]), abs=1e-6)


def test_the_example_of_the_manual_is_what_the_models_give():
    page = (Path(__file__).parents[2] / "docs" / "auditing.md").read_text(encoding="utf-8")
    example = " ".join(page[page.index("An example from Dawid and Skene") :].split("\n\n")[0].split())
    votes = [(rater, value) for place, rater, value in ANAESTHETISTS if place == "patient 03"]
    assert f"were {', '.join(f'{value:g}' for _rater, value in votes)}." in example
    model = dawid_skene(sparse_votes(ANAESTHETISTS))
    posterior = model.posterior(votes)
    assert f"By majority the class is 2 with {vote_shares(value for _rater, value in votes)[0][1]:.3f}" in example
    assert f"posterior of {posterior[0][1]:.3f} (entropy {entropy_of(posterior):.3f} bits)" in example
    assert f"by MACE with {mace(sparse_votes(ANAESTHETISTS), seed=0).posterior(votes)[0][1]:.3f}" in example
    confusion = np.exp(model.log_likelihood)[model.raters["observer 5"], model.positions[2.0], model.positions[1.0]]
    assert f"reads 2 in only {confusion:.3f} of the patients of class 1" in example


def test_one_value_alone_is_certain():
    model = dawid_skene(sparse_votes([("t-1", "r-1", "yes"), ("t-2", "r-1", "yes")]))
    assert model.posterior([("r-1", "yes")]) == (("yes", 1.0),)
