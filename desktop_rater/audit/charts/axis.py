"""Where a figure lies on a line, and where the line is ticked."""

from __future__ import annotations

from math import ceil, floor, log10

from msgspec import Struct

from desktop_rater.audit.charts.shapes import Ink, Line, Shape, Sheet, Text

STEPS = (1, 2, 5, 10)
UNDER = 12  # from the end of a grid line to the middle of its number


class Axis(Struct, frozen=True):
    """From `low` to `high` over `left` to `right`, ticked each `step`."""

    low: float
    high: float
    step: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Where a figure lies; what lies outside is shown at the end."""
        inside = min(max(value, self.low), self.high)
        return self.left + (inside - self.low) / (self.high - self.low) * (self.right - self.left)

    @property
    def ticks(self) -> tuple[float, ...]:
        count = round((self.high - self.low) / self.step)
        return tuple(round(self.low + index * self.step, 9) for index in range(count + 1))

    @property
    def places(self) -> int:
        """How many places behind the point a tick needs."""
        return max(0, ceil(-log10(self.step) - 1e-9)) if self.step < 1 else 0


def about(low: float, high: float, left: float, right: float, *, between: float = 44) -> Axis:
    """An axis that holds `low` and `high` between round ticks, at least `between` pixels apart."""
    span = high - low or 1
    most = max(1, int((right - left) / between))
    rough = span / most
    power = 10 ** floor(log10(rough))
    step = next(unit * power for unit in STEPS if unit * power >= rough - 1e-12)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return Axis(first * step, max(last, first + 1) * step, step, left, right)


def grid(axis: Axis, sheet: Sheet, top: float, bottom: float, unit: str = "", *, above: bool = False) -> list[Shape]:
    """The lines of the ticks, and their numbers under or above them; the last one carries the unit."""
    shapes: list[Shape] = []
    y = top - UNDER if above else bottom + UNDER
    for tick in axis.ticks:
        x = axis.at(tick)
        shapes.append(Line(x, top, x, bottom, Ink("line")))
        words = sheet.number(tick, 0 if tick == round(tick) else axis.places)
        if unit and tick == axis.ticks[-1]:
            room = sheet.wide(words, "small") / 2
            shapes.append(Text(x - room, y, f"{words} {unit}", Ink("text2"), "small"))
        else:
            shapes.append(Text(x, y, words, Ink("text2"), "small", align="middle"))
    return shapes
