"""Bradley–Terry model of paired comparisons with ties and an advantage of the one shown first.

With log strengths a of the one shown first and b of the other, an order effect d and a tie parameter v, the odds of
first : neither : second are exp((a - b + d) / 2) : v : exp(-(a - b + d) / 2) (Bradley and Terry 1952; ties: Davidson
1970; order: Davidson and Beaver 1977). Fitted by maximum likelihood with Newton's method, for many sets of counts at
once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[int, int]

_RIDGE = 1e-9  # keeps the parameter of a system that never lost finite; moves others by less than they are printed with
_LONGEST_STEP = 2.0
_MOST_STEPS = 100
_EXACT = 1e-10


class PairedModel(NamedTuple):
    """Fitted model, for each set of counts: log strengths (n, systems) with mean 0, order effect and tie parameter.

    `order` is `None` if it can't be told from the strengths, `ties` if there are none.
    """

    strengths: Floats
    order: Floats | None
    ties: Floats | None

    def win_chances(self) -> Floats:
        """Return the chance of each to be preferred to another one, ties as half, averaged over the others.

        Neither is shown first. 0.5 is even.
        """
        tie = np.zeros(len(self.strengths)) if self.ties is None else self.ties
        half = (self.strengths[:, :, None] - self.strengths[:, None, :]) / 2
        first, second, neither = np.exp(half), np.exp(-half), tie[:, None, None]
        chances = (first + neither / 2) / (first + second + neither)
        systems = self.strengths.shape[1]
        return (chances.sum(axis=2) - 0.5) / (systems - 1)


def fit_pairs(pairs: list[Pair], counts: Floats, *, order: bool = True) -> PairedModel:
    """Fit the model. `pairs`: (shown first, shown second); `counts` (n, pairs, 3): first preferred, neither, second.

    The pairs must connect all systems. Without ties there is no tie parameter; without `order`, or if each system
    always has its side, no order effect.
    """
    systems = 1 + max(max(pair) for pair in pairs)
    has_order, has_ties = order and order_is_known(pairs), bool(counts[..., 1].any())
    design = _design(pairs, systems, order=has_order) / 2
    totals, balance = counts.sum(axis=2), counts[..., 0] - counts[..., 2]
    size = design.shape[1] + has_ties
    pinned = np.diag(np.full(size, _RIDGE))
    pinned[:systems, :systems] += 1  # the strengths have the sum 0
    outer = (design[:, :, None] * design[:, None, :]).reshape(len(pairs), -1)
    parameters = np.zeros((len(counts), size))
    for _ in range(_MOST_STEPS):
        half = parameters[:, : design.shape[1]] @ design.T
        neither = np.exp(parameters[:, -1:]) if has_ties else np.zeros((len(counts), 1))
        first, second = np.exp(half), np.exp(-half)
        whole = first + second + neither
        lead, tied = (first - second) / whole, neither / whole
        slope = np.empty((len(counts), size))
        slope[:, : design.shape[1]] = (balance - totals * lead) @ design
        curve = np.empty((len(counts), size, size))
        spread = totals * (1 - tied - lead**2)
        curve[:, : design.shape[1], : design.shape[1]] = (spread @ outer).reshape(len(counts), *[design.shape[1]] * 2)
        if has_ties:
            slope[:, -1] = (counts[..., 1] - totals * tied).sum(axis=1)
            curve[:, -1, :-1] = curve[:, :-1, -1] = -(totals * lead * tied) @ design
            curve[:, -1, -1] = (totals * tied * (1 - tied)).sum(axis=1)
        step = np.linalg.solve(curve + pinned, (slope - parameters @ pinned)[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        parameters += step * np.minimum(1, _LONGEST_STEP / np.maximum(longest, _EXACT))
        if longest.max() < _EXACT:
            break
    return PairedModel(
        parameters[:, :systems],
        parameters[:, systems] if has_order else None,
        np.exp(parameters[:, -1]) if has_ties else None,
    )


def order_is_known(pairs: list[Pair]) -> bool:
    """Tell if an advantage of the one shown first differs from any strengths: not if each has its side."""
    systems = 1 + max(max(pair) for pair in pairs)
    ranks = [np.linalg.matrix_rank(_design(pairs, systems, order=order)) for order in (False, True)]
    return ranks[1] > ranks[0]


def are_connected(pairs: list[Pair]) -> bool:
    """Tell if all systems have been compared, directly or through others."""
    systems = 1 + max(max(pair) for pair in pairs)
    return bool(np.linalg.matrix_rank(_design(pairs, systems, order=False)) == systems - 1)


def _design(pairs: list[Pair], systems: int, *, order: bool) -> Floats:
    design = np.zeros((len(pairs), systems + order))
    for row, (first, second) in enumerate(pairs):
        design[row, first], design[row, second] = 1, -1
    if order:
        design[:, -1] = 1
    return design
