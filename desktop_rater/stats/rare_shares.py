"""Interval of a share that is so near 0 or 1 that few clusters show it."""

import numpy as np
from numpy.typing import NDArray

from desktop_rater.stats.bootstrap import wilson_interval

Floats = NDArray[np.float64]


def rare_share_interval(parts: Floats, wholes: Floats, drawn: Floats) -> tuple[float, float]:
    """Return Wilson's interval with the effective number of units (Korn and Graubard 1998; Kish 1965).

    `parts`, `wholes` by cluster; `drawn`: the share in each draw. The units are divided by the design effect, the
    variance of the draws over that of independent units, at least 1. If all units are alike it is not known, and each
    cluster counts as one.
    """
    part, whole = float(parts.sum()), float(wholes.sum())
    share, clusters = part / whole, float(np.count_nonzero(wholes))
    spread = float(np.nanvar(drawn))
    independent = share * (1 - share) / whole
    units = clusters if not independent else whole / max(1.0, spread / independent)
    return wilson_interval(share * units, units)
