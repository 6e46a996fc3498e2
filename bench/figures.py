"""What a measurement gives."""

from __future__ import annotations

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """`floor` is what the smallest honest program took in the same run; `result` is what the goal bounds."""

    value: float
    floor: float | None = None
    bounded: float | None = None

    @property
    def result(self) -> float:
        """`bounded` where it is given, else how many times the floor, else the value."""
        if self.bounded is not None:
            return self.bounded
        return self.value / self.floor if self.floor else self.value


Figures = dict[str, Figure]
