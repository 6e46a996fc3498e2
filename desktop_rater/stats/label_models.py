"""Models of raters that estimate the label of each place: Dawid and Skene's (1979), and MACE (Hovy et al. 2013)."""

from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

Vote = tuple[Hashable, str, str | float]
"""A place, a rater and a value."""
Posterior = tuple[tuple[str | float, float], ...]
"""Values with their probabilities, the most probable first."""

_LEAST = 1e-10  # of a probability, as in crowd-kit
_SHOWN = 1e-6  # a value less probable than this is left out
_DS_ITERATIONS, _DS_TOLERANCE = 100, 1e-5
_MACE_ITERATIONS, _MACE_RESTARTS = 50, 10  # of crowd-kit
_MACE_MOST, _MACE_TOLERANCE = 2_000, 1e-6
_NOISE, _COMPETENCE_PRIOR, _STRATEGY_PRIOR = 1.5, 0.5, 10.0


class SparseVotes(NamedTuple):
    """Votes as three arrays of numbers, sorted by place, and what the numbers stand for."""

    place: NDArray[np.intp]
    rater: NDArray[np.intp]
    value: NDArray[np.intp]
    places: tuple[Hashable, ...]
    raters: tuple[str, ...]
    values: tuple[str | float, ...]


class LabelModel(NamedTuple):
    """A fitted model: the probability of a label is proportional to its prior times the likelihood of each vote.

    `log_likelihood` has the axes rater, value given and true value.
    """

    raters: Mapping[str, int]
    values: tuple[str | float, ...]
    positions: Mapping[str | float, int]
    log_prior: NDArray[np.float64]
    log_likelihood: NDArray[np.float64]

    def posterior(self, votes: Iterable[tuple[str, str | float]]) -> Posterior:
        """Return the probable values at a place with these votes: pairs of rater and value. The most probable first."""
        rater, given = zip(*((self.raters[name], self.positions[value]) for name, value in votes), strict=True)
        score = self.log_prior + self.log_likelihood[rater, given].sum(axis=0)
        weight = np.exp(score - score.max())
        pairs = zip(self.values, (weight / weight.sum()).tolist(), strict=True)
        probable = [(value, probability) for value, probability in pairs if probability >= _SHOWN]
        return tuple(sorted(probable, key=lambda pair: (-pair[1], str(pair[0]))))


def sparse_votes(votes: Iterable[Vote]) -> SparseVotes:
    """Number the places, raters and values of votes. A rater may vote several times at one place."""
    rows = list(votes)
    places = {place: number for number, place in enumerate(dict.fromkeys(row[0] for row in rows))}
    raters = {rater: number for number, rater in enumerate(sorted({row[1] for row in rows}))}
    in_order = sorted({row[2] for row in rows}, key=lambda value: (isinstance(value, str), value))
    values = {value: number for number, value in enumerate(in_order)}
    numbers = np.array([(places[place], raters[rater], values[value]) for place, rater, value in rows], dtype=np.intp)
    numbers = numbers.reshape(-1, 3)
    place, rater, value = numbers[np.argsort(numbers[:, 0], kind="stable")].T
    return SparseVotes(place, rater, value, tuple(places), tuple(raters), tuple(values))


def dawid_skene(votes: SparseVotes) -> LabelModel:
    """Fit a confusion matrix for each rater by expectation maximisation, starting from the shares of the votes.

    Start, bounds and end are those of crowd-kit's `DawidSkene`: 100 steps at most, until the bound of the likelihood
    per vote grows by less than 1e-5.
    """
    size = len(votes.values)
    starts = np.flatnonzero(np.diff(votes.place, prepend=-1))
    given = np.bincount(votes.place * size + votes.value, minlength=len(votes.places) * size).astype(float)
    posterior = given.reshape(-1, size)
    posterior = posterior / posterior.sum(axis=1, keepdims=True)
    prior, errors, _ = _maximised(votes, posterior)
    bound = -np.inf
    for _step in range(_DS_ITERATIONS):
        log_prior, log_errors = np.log(prior.clip(_LEAST)), np.log(errors)
        score = log_prior + np.add.reduceat(log_errors[votes.rater, votes.value], starts, axis=0)
        posterior = np.exp(score - score.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        prior, errors, counts = _maximised(votes, posterior)
        clipped = posterior.clip(_LEAST)
        joint = (counts * (np.log(errors) + np.log(prior.clip(_LEAST)))).sum()
        new_bound = (joint - (clipped * np.log(clipped)).sum()) / len(votes.value)
        if new_bound - bound < _DS_TOLERANCE:
            break
        bound = new_bound
    return _model(votes, log_prior, log_errors)


def _maximised(
    votes: SparseVotes, posterior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the shares of the labels, each rater's confusion matrix, and the expected counts that it comes from."""
    size, raters = len(votes.values), len(votes.raters)
    cell = votes.rater * size + votes.value
    columns = [_sums(cell, posterior[votes.place, label], raters * size) for label in range(size)]
    counts = np.stack(columns, axis=1)
    observed = np.bincount(cell, minlength=raters * size) > 0
    errors = np.where(observed[:, None], counts.clip(_LEAST), 0.0).reshape(raters, size, size)
    errors = (errors / errors.sum(axis=1, keepdims=True)).clip(_LEAST / 10)
    return posterior.mean(axis=0), errors, counts.reshape(raters, size, size)


def mace(votes: SparseVotes, seed: int = 1, restarts: int = _MACE_RESTARTS, most: int = _MACE_MOST) -> LabelModel:
    """Fit to each rater a competence, and the values given when guessing, by variational Bayes.

    Of several starts, with this seed and those after it, the one that is most likely after 50 steps goes on until no
    vote is known or guessed by 1e-6 more than before, in at most `most` steps: raters with few votes need hundreds. A
    start is that of crowd-kit's `MACE` with the seed as its `random_state`; crowd-kit ends after 50 steps, and its
    restarts all begin alike.
    """
    fits = [_mace_fit(votes, seed + number, _MACE_ITERATIONS) for number in range(restarts)]
    best = max(range(restarts), key=lambda number: fits[number][0])
    _, guessing, knowing, strategy = fits[best] if most == _MACE_ITERATIONS else _mace_fit(votes, seed + best, most)
    size = len(votes.values)
    likelihood = np.repeat((guessing[:, None] * strategy)[:, :, None], size, axis=2)
    likelihood += knowing[:, None, None] * np.eye(size)
    return _model(votes, np.zeros(size), np.log(likelihood))


def _mace_fit(
    votes: SparseVotes, seed: int, most: int
) -> tuple[float, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the log likelihood, each rater's weights of guessing and knowing, and the values given when guessing."""
    size, raters = len(votes.values), len(votes.raters)
    cell = votes.rater * size + votes.value
    competence = 1 + _NOISE * np.random.RandomState(seed).uniform(size=(raters, 2))
    strategy = 1 + _NOISE * np.random.RandomState(seed).uniform(size=(raters, size))
    competence /= competence.sum(axis=1, keepdims=True)
    strategy /= strategy.sum(axis=1, keepdims=True)
    place_value = votes.place * size + votes.value
    known_share = np.zeros(len(cell))
    likelihood = -np.inf
    for step in range(most + 1):
        if step:
            guessed = _sums(cell, 1 - known_share, raters * size).reshape(raters, size)
            knowing = _sums(votes.rater, known_share, raters)
            expected = np.stack([guessed.sum(axis=1), knowing], axis=1)
            competence = _variational_shares(expected, _COMPETENCE_PRIOR)
            strategy = _variational_shares(guessed, _STRATEGY_PRIOR)
        guess = competence[:, :1] * strategy  # by rater and value, as what follows
        give = guess + competence[:, 1:]
        gain = _sums(place_value, np.log(give / guess).ravel()[cell], len(votes.places) * size).reshape(-1, size)
        largest = gain.max(axis=1, keepdims=True)
        weight = np.exp(gain - largest)
        total = weight.sum(axis=1, keepdims=True)
        likelihood = float((np.log(total) + largest).sum() + np.log(guess).ravel()[cell].sum())
        before, known_share = known_share, (weight / total).ravel()[place_value] * (1 - guess / give).ravel()[cell]
        if step > _MACE_ITERATIONS and np.abs(known_share - before).max(initial=0) < _MACE_TOLERANCE:
            break
    return likelihood, competence[:, 0], competence[:, 1], strategy


def _sums(cell: NDArray[np.intp], weights: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.bincount(cell, weights, size).astype(np.float64, copy=False)


def _variational_shares(counts: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    total = (counts + prior).sum(axis=1, keepdims=True)
    return np.exp(digamma(counts + prior) - digamma(total))


def _model(votes: SparseVotes, log_prior: NDArray[np.float64], log_likelihood: NDArray[np.float64]) -> LabelModel:
    raters = {rater: number for number, rater in enumerate(votes.raters)}
    positions = {value: number for number, value in enumerate(votes.values)}
    return LabelModel(raters, votes.values, positions, log_prior, log_likelihood)
