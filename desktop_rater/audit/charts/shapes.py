"""What a picture is made of. Sizes are pixels at 100 %; a colour is a name of `INKS`, or of a tone of the rubric."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

Size = Literal["small", "interface"]
Align = Literal["left", "middle", "right"]
Key = tuple[str | float, ...]
Measure = Callable[[str, Size, bool], float]  # the width of a text in one of the sizes, bold or not

PIXELS: dict[Size, int] = {"small": 12, "interface": 13}
INKS = ("text", "text2", "text3", "line", "edge", "accent", "sel", "surface", "warn")
MORE = "…"


class Ink(Struct, frozen=True):
    """A colour by its use. With a `tone` it is "ink" or "tint" of that tone. `strength` mixes it with the surface."""

    name: str
    tone: str = ""
    strength: float = 1.0


class Rect(Struct, frozen=True, tag=True):
    """A box. Without `edge` it has none."""

    x: float
    y: float
    width: float
    height: float
    fill: Ink | None
    edge: Ink | None = None
    edge_width: float = 1
    radius: float = 0


class Line(Struct, frozen=True, tag=True):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink
    width: float = 1
    dashed: bool = False


class Dot(Struct, frozen=True, tag=True):
    """A filled circle about a point."""

    x: float
    y: float
    radius: float
    ink: Ink


class Text(Struct, frozen=True, tag=True):
    """One line of text. `y` is its middle; `x` is where it begins, its middle, or where it ends.

    `cleared`: what lies under it is wiped away first, `width` wide.
    """

    x: float
    y: float
    words: str
    ink: Ink = Ink("text")
    size: Size = "interface"
    bold: bool = False
    align: Align = "left"
    cleared: float = 0


class Sign(Struct, frozen=True, tag=True):
    """The shape of a label about a point."""

    x: float
    y: float
    size: float
    shape: str
    ink: Ink


Shape = Rect | Line | Dot | Text | Sign


class Mark(Struct, frozen=True):
    """A place of a picture that can be pointed at: what it says, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    words: str
    key: Key = ()


class Picture(Struct, frozen=True):
    """A whole chart. `words` is what it says to those who do not see it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    marks: tuple[Mark, ...] = ()
    words: str = ""


class Sheet(Struct, frozen=True):
    """What a chart is drawn on: the room there is, how wide texts are, and how numbers are written."""

    width: float
    height: float
    measure: Measure
    number: Callable[[float, int], str]

    def wide(self, words: str, size: Size = "interface", *, bold: bool = False) -> float:
        """The width of a text."""
        return self.measure(words, size, bold)


def clear_of(text: Text) -> Rect | None:
    """What is wiped away under a text, so that no line of the grid runs through it."""
    if not text.cleared:
        return None
    left = {"left": text.x - 2, "middle": text.x - text.cleared / 2, "right": text.x - text.cleared + 2}[text.align]
    return Rect(left, text.y - 8, text.cleared, 16, Ink("surface"))


def fitting(sheet: Sheet, words: str, room: float, size: Size = "interface", *, bold: bool = False) -> str:
    """A text, cut to the room there is. Names of raters come from outside and may be of any length."""
    words = " ".join(words[:400].split())
    if sheet.wide(words, size, bold=bold) <= room:
        return words
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if sheet.wide(words[:middle].rstrip() + MORE, size, bold=bold) <= room:
            low = middle
        else:
            high = middle - 1
    return words[:low].rstrip() + MORE


def name_column(sheet: Sheet, names: list[str], *, most: float, before: float = 0) -> float:
    """How wide the column of names is: what they need, and no more than the share `most` of the sheet."""
    widest = max((sheet.wide(" ".join(name[:400].split())) for name in names), default=0)
    return min(before + widest, sheet.width * most)
