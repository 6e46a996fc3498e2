"""Draws by a seed, percentiles, and the interval of a share of independent units."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from hashlib import sha256
from math import sqrt

from desktop_rater.translation import N_, Phrase

NO_DATA = N_("Report", "there is nothing to compute it from")
_95 = 1.959963984540054  # the 97.5th percentile of the normal distribution


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return a percentile of ordered numbers (Hyndman, Fan 1996, type 7), interpolated at (n - 1) * share.

    NumPy, R and spreadsheets use it by default.
    """
    position = (len(ordered) - 1) * share
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def wilson_interval(hits: float, of: float) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927), valid also for few, no or only hits.

    (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), with p = hits / n.
    """
    if not of:
        return 0.0, 1.0
    share, z2 = hits / of, _95 * _95
    middle = share + z2 / (2 * of)
    wide = _95 * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    low, high = (middle - wide) / (1 + z2 / of), (middle + wide) / (1 + z2 / of)
    return (0.0 if hits == 0 else low), (1.0 if hits == of else high)


def few_clusters(clusters: int) -> str:
    """Return the reason why there is no interval."""
    single, several = (
        N_("Report", "rests on 1 task: too few for an interval"),
        N_("Report", "rests on {n} tasks: too few for an interval"),
    )
    return single if clusters == 1 else Phrase(several, n=clusters)


def seed_sort_keys(seed: int, names: Iterable[str]) -> list[bytes]:
    """Return sort keys that put names in the order of the seed."""
    return [sha256(f"{seed}\n{name}".encode()).digest() for name in names]


def proportional_counts(sizes: Sequence[int], count: int) -> list[int]:
    """Split `count` in proportion to `sizes`, by the largest remainder; of equal ones the first gets it."""
    total = sum(sizes)
    exact = [Fraction(size * count, total) for size in sizes]
    given = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda index: (given[index] - exact[index], index))
    for index in by_remainder[: count - sum(given)]:
        given[index] += 1
    return given


def draw_positions(seed: int, ids: Sequence[str], strata: Sequence[Sequence[int]], counts: Sequence[int]) -> list[int]:
    """Return the drawn positions, sorted: `counts` of each stratum, which holds positions of `ids`."""
    chosen: list[int] = []
    for positions, count in zip(strata, counts, strict=True):
        by_turn = sorted(zip(seed_sort_keys(seed, (ids[position] for position in positions)), positions, strict=True))
        chosen += (position for _, position in by_turn[:count])
    return sorted(chosen)
