"""Tasks drawn by a seed: how many of each stratum, and which.

A task's turn comes by the SHA-256 of the seed and its id. So a seed draws the same tasks on every computer and in every
version, whatever their order in the bundle, and a larger sample without strata holds the smaller one.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def turns(seed: int, names: Iterable[str]) -> list[bytes]:
    """What names are sorted by to be in the order of the seed."""
    return [sha256(f"{seed}\n{name}".encode()).digest() for name in names]


def shares(sizes: Sequence[int], count: int) -> list[int]:
    """`count` shared out in proportion to `sizes`, by the largest remainder; of two equal ones the first gets it."""
    total = sum(sizes)
    exact = [Fraction(size * count, total) for size in sizes]
    given = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda at: (given[at] - exact[at], at))
    for at in by_remainder[: count - sum(given)]:
        given[at] += 1
    return given


def drawn(seed: int, ids: Sequence[str], strata: Sequence[Sequence[int]], counts: Sequence[int]) -> list[int]:
    """The positions of what is drawn, in their order: so many of each stratum, which holds positions of `ids`."""
    chosen: list[int] = []
    for positions, count in zip(strata, counts, strict=True):
        by_turn = sorted(zip(turns(seed, (ids[at] for at in positions)), positions, strict=True))
        chosen += (at for _, at in by_turn[:count])
    return sorted(chosen)
