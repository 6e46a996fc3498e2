"""Ends of an interval that must be there."""

from typing import Protocol


class HasInterval(Protocol):
    """A figure that may have an interval."""

    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def ends(figure: HasInterval) -> tuple[float, float]:
    """Return the lower and the upper end."""
    assert figure.low is not None
    assert figure.high is not None
    return figure.low, figure.high


def width(figure: HasInterval) -> float:
    """Return their distance."""
    low, high = ends(figure)
    return high - low
