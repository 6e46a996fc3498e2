"""Figures of plain numbers and of shares: percentiles, and the interval of a share."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_95 = 1.959963984540054  # the 97.5th percentile of the normal distribution


def percentile(ordered: Sequence[float], share: float) -> float:
    """Where that share of ordered numbers lies below (Hyndman, Fan 1996, type 7): at (n - 1) * share, or between.

    It is what NumPy, R and spreadsheets give where nothing else is asked.
    """
    at = (len(ordered) - 1) * share
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), which stays sound where there are few, none or all.

    (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), with p = hits / n.
    """
    if not of:
        return 0.0, 1.0
    share, z2 = hits / of, _95 * _95
    middle = share + z2 / (2 * of)
    wide = _95 * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    low, high = (middle - wide) / (1 + z2 / of), (middle + wide) / (1 + z2 / of)
    return (0.0 if hits == 0 else low), (1.0 if hits == of else high)
