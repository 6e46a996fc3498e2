"""What a measurement gives, and the table that says which figures there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


class ServerMissing(Exception):
    """Server that a measurement needs and that is not installed."""


class Figure(msgspec.Struct, frozen=True):
    """`floor` is what the smallest honest program took in the same run, `None` where the goal is absolute.

    `bounded` is what the goal bounds, where that is neither the value nor how many times the floor it is.
    """

    value: float
    floor: float | None = None
    bounded: float | None = None

    @property
    def result(self) -> float:
        """What the goal bounds from above."""
        if self.bounded is not None:
            return self.bounded
        return self.value / self.floor if self.floor else self.value


class Row(msgspec.Struct, frozen=True):
    """`measure(workload)` gives figures by name, and `figure` is this row's. Rows with one `measure` share its run."""

    row: str
    unit: str
    goal: float
    measure: Callable[[Any], dict[str, Figure]]
    figure: str
