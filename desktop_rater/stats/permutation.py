"""Tests of differences without assumptions about distributions: permutations of clusters, signs, many comparisons."""

from collections.abc import Sequence
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from desktop_rater.stats.cluster_bootstrap import divided

Floats = NDArray[np.float64]
PERMUTATIONS = 5_000
_MOST_CELLS = 20_000_000  # clusters × permutations; above it there are fewer permutations
_LEAST = 1_000
_BLOCK = 500
_ALL_SIGNS = 12  # clusters up to which every permutation is counted
_TIE = 1e-12


def sign_test(better: int, worse: int) -> float | None:
    """Return the exact two-sided p of a sign test, McNemar's for pairs that differ; `None` without any."""
    total = better + worse
    if not total:
        return None
    tail = sum(comb(total, count) for count in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / 2**total)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Adjust p values for their number, step by step from the smallest (Holm 1979)."""
    given = sorted((value, index) for index, value in enumerate(values) if value is not None)
    adjusted: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (value, index) in enumerate(given):
        largest = max(largest, min(1.0, (len(given) - rank) * value))
        adjusted[index] = largest
    return adjusted


def permutation_test(one: Floats, other: Floats, seed: int) -> Floats:
    """Return the two-sided p of each difference of two ratios, NaN where a ratio is not defined.

    `one`, `other`: (clusters, ratios, 2) with the parts and wholes of two groups; a whole of 0 is none. If the
    groups do not differ, they can be exchanged in each cluster that has both, and clusters with one of them can be
    distributed otherwise (Fisher 1935; Pitman 1937). With at most 12 clusters, all with both, every exchange counts;
    otherwise the observed one and some thousand random ones (Phipson and Smyth 2010).
    """
    patterns: dict[bytes, list[int]] = {}
    for column in range(one.shape[1]):
        has = np.stack([one[:, column, 1] != 0, other[:, column, 1] != 0])
        patterns.setdefault(has.tobytes(), []).append(column)
    chances = np.full(one.shape[1], np.nan)
    for columns in patterns.values():  # a test does not depend on the clusters of another ratio
        chances[columns] = _test_alike(one[:, columns], other[:, columns], seed)
    return chances


def _test_alike(one: Floats, other: Floats, seed: int) -> Floats:
    """Return the p of ratios that are defined in the same clusters."""
    in_one, in_other = one[:, 0, 1] != 0, other[:, 0, 1] != 0
    both, single = in_one & in_other, in_one ^ in_other
    swapped, fixed = (one - other)[both], (one + other)[both].sum(axis=0)
    alone, first = (one + other)[single], int((in_one & ~in_other).sum())
    total = fixed + alone.sum(axis=0)

    def differences(signs: Floats, masks: Floats) -> Floats:
        mine = (fixed + np.tensordot(signs, swapped, axes=1)) / 2 + np.tensordot(masks, alone, axes=1)
        theirs = total - mine
        return divided(mine[..., 0], mine[..., 1]) - divided(theirs[..., 0], theirs[..., 1])

    names = np.compress(single, in_one).astype(np.float64)[None]
    observed = differences(np.ones((1, len(swapped))), names)[0]
    if not len(alone) and len(swapped) <= _ALL_SIGNS:
        signs = np.array(list(product((1.0, -1.0), repeat=len(swapped)))).reshape(2 ** len(swapped), -1)
        drawn = differences(signs, np.zeros((len(signs), 0)))
        return np.where(np.isfinite(observed), _as_far(drawn, observed).mean(axis=0), np.nan)
    random = np.random.Generator(np.random.Philox(seed))
    count = max(_LEAST, min(PERMUTATIONS, _MOST_CELLS // max(1, len(one))))
    far = np.zeros(len(observed))
    for start in range(0, count, _BLOCK):
        block = min(_BLOCK, count - start)
        signs = random.integers(0, 2, (block, len(swapped))) * 2.0 - 1
        keys = random.random((block, len(alone)))
        masks = (keys.argsort(axis=1).argsort(axis=1) < first).astype(np.float64)
        far += _as_far(differences(signs, masks), observed).sum(axis=0)
    return np.where(np.isfinite(observed), (far + 1) / (count + 1), np.nan)


def _as_far(drawn: Floats, observed: Floats) -> NDArray[np.bool_]:
    """Tell which draws differ at least as much as what was observed."""
    return np.nan_to_num(np.abs(drawn)) >= np.abs(observed) - _TIE
