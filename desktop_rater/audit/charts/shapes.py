"""Shapes and axes of a chart. Sizes are pixels at 100 %; a colour is a name of `INKS` or of a tone of the rubric."""

from collections.abc import Callable
from math import ceil, floor, log10
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Size = Literal["small", "interface"]
Align = Literal["left", "middle", "right"]
Key = tuple[str | float, ...]
MeasureText = Callable[[str, Size, bool], float]  # the width of a text in one of the sizes, bold or not

PIXELS: dict[Size, int] = {"small": 12, "interface": 13}
INKS = ("text", "text2", "text3", "line", "edge", "accent", "sel", "surface", "warn")
MORE = "…"
EDGE = 20  # half the height of the tallest text or symbol


class Ink(Struct, frozen=True):
    """Colour by its use. With a `tone` it is the "ink" or "tint" of that tone. `strength` mixes it with the surface."""

    name: str
    tone: str = ""
    strength: float = 1.0


class RectShape(Struct, frozen=True, tag=True):
    """Box; no border without `edge`."""

    x: float
    y: float
    width: float
    height: float
    fill: Ink | None
    edge: Ink | None = None
    edge_width: float = 1
    radius: float = 0


class LineShape(Struct, frozen=True, tag=True):
    """Straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink
    width: float = 1
    dashed: bool = False


class DotShape(Struct, frozen=True, tag=True):
    """Filled circle around a point."""

    x: float
    y: float
    radius: float
    ink: Ink


class TextShape(Struct, frozen=True, tag=True):
    """A line of text: `y` is its middle, `x` as `align` says. `cleared`: width of the background erased beneath it."""

    x: float
    y: float
    text: str
    ink: Ink = Ink("text")
    size: Size = "interface"
    bold: bool = False
    align: Align = "left"
    cleared: float = 0


class SymbolShape(Struct, frozen=True, tag=True):
    """Shape of a label, centred on a point."""

    x: float
    y: float
    size: float
    shape: str
    ink: Ink


Shape = RectShape | LineShape | DotShape | TextShape | SymbolShape


class TooltipArea(Struct, frozen=True):
    """Area of a picture with a tooltip, and the key of what it shows."""

    x: float
    y: float
    width: float
    height: float
    text: str
    key: Key = ()


class Picture(Struct, frozen=True):
    """Complete chart. `description` is its text for screen readers; `head`: the height that stays when it scrolls."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    marks: tuple[TooltipArea, ...] = ()
    description: str = ""
    head: float = 0


def part_of_picture(picture: Picture, top: float, bottom: float) -> Picture:
    """Return the picture with only those shapes that reach between two heights."""

    def reaches(shape: Shape) -> bool:
        match shape:
            case LineShape(y1=start, y2=end):
                return max(start, end) >= top - EDGE and min(start, end) <= bottom + EDGE
            case RectShape(y=start, height=height):
                return start + height >= top - EDGE and start <= bottom + EDGE
        return top - EDGE <= shape.y <= bottom + EDGE

    return replace(picture, shapes=tuple(filter(reaches, picture.shapes)))


class DrawingArea(Struct, frozen=True):
    """Drawing surface of a chart: its size, text measurement and number format."""

    width: float
    height: float
    measure: MeasureText
    number: Callable[[float, int], str]

    def text_width(self, text: str, size: Size = "interface", *, bold: bool = False) -> float:
        return self.measure(text, size, bold)


def cleared_area(text: TextShape) -> RectShape | None:
    """Return the area erased under a text, so that no grid line runs through it."""
    if not text.cleared:
        return None
    left = {"left": text.x - 2, "middle": text.x - text.cleared / 2, "right": text.x - text.cleared + 2}[text.align]
    return RectShape(left, text.y - 8, text.cleared, 16, Ink("surface"))


def elide(area: DrawingArea, words: str, available: float, size: Size = "interface", *, bold: bool = False) -> str:
    """Shorten a text to the available width. Names of raters are untrusted and may be of any length."""
    words = " ".join(words[:400].split())
    if area.text_width(words, size, bold=bold) <= available:
        return words
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if area.text_width(words[:middle].rstrip() + MORE, size, bold=bold) <= available:
            low = middle
        else:
            high = middle - 1
    return words[:low].rstrip() + MORE


def name_column(area: DrawingArea, names: list[str], *, most: float, before: float = 0) -> float:
    """Return the width of the name column: as wide as needed, up to the share `most` of the area."""
    widest = max((area.text_width(" ".join(name[:400].split())) for name in names), default=0)
    return min(before + widest, area.width * most)


STEPS = (1, 2, 5, 10)
UNDER = 12  # from the end of a grid line to the middle of its number


class Axis(Struct, frozen=True):
    """Scale from `low` to `high` over `left` to `right`, with a tick each `step`."""

    low: float
    high: float
    step: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Return the position of a value; values outside the scale are shown at its end."""
        inside = min(max(value, self.low), self.high)
        return self.left + (inside - self.low) / (self.high - self.low) * (self.right - self.left)

    @property
    def ticks(self) -> tuple[float, ...]:
        count = round((self.high - self.low) / self.step)
        return tuple(round(self.low + index * self.step, 9) for index in range(count + 1))

    @property
    def places(self) -> int:
        return max(0, ceil(-log10(self.step) - 1e-9)) if self.step < 1 else 0


def axis_around(low: float, high: float, left: float, right: float, *, between: float = 44) -> Axis:
    """Return an axis with round ticks at least `between` pixels apart that contains `low` and `high`."""
    span = high - low or 1
    most = max(1, int((right - left) / between))
    rough = span / most
    power = 10 ** floor(log10(rough))
    step = next(unit * power for unit in STEPS if unit * power >= rough - 1e-12)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return Axis(first * step, max(last, first + 1) * step, step, left, right)


def grid(
    axis: Axis, area: DrawingArea, top: float, bottom: float, unit: str = "", *, above: bool = False
) -> list[Shape]:
    """Draw the lines of the ticks, and their numbers below or above them; the last number carries the unit."""
    shapes: list[Shape] = []
    y = top - UNDER if above else bottom + UNDER
    for tick in axis.ticks:
        x = axis.at(tick)
        shapes.append(LineShape(x, top, x, bottom, Ink("line")))
        words = area.number(tick, 0 if tick == round(tick) else axis.places)
        if unit and tick == axis.ticks[-1]:
            half = area.text_width(words, "small") / 2
            shapes.append(TextShape(x - half, y, f"{words} {unit}", Ink("text2"), "small"))
        else:
            shapes.append(TextShape(x, y, words, Ink("text2"), "small", align="middle"))
    return shapes
