"""SVG: shapes, texts and axes of charts."""

import unicodedata
from collections.abc import Callable, Mapping
from functools import singledispatchmethod
from html import escape
from math import ceil, floor, log10
from typing import Literal
from unicodedata import east_asian_width

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.rubric.load import CHOICE_TONES
from desktop_rater.text.untrusted import spelled_out

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


_INK = 'fill="currentColor" stroke="none"'
_LINE = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
_CUT = 'fill="none" stroke="var(--surface)" stroke-linecap="round" stroke-linejoin="round"'
_HOOK = "M-1.7,-1.6C-1.7,-4.2 1.9,-4 1.7,-1.6C1.6,-0.2 0,-0.2 0,1.1M0,3.2h0.01"
_SKIPPED = f'<path {_LINE} stroke-width="1.3" d="M-4.2,-4.2L1.4,0L-4.2,4.2ZM4.4,-4.2V4.2"/>'

SIGNS: dict[str, str] = {
    "circle-tick": f'<circle r="6" {_INK}/><path {_CUT} stroke-width="1.6" d="M-2.8,0.2L-0.9,2.1L2.8,-2"/>',
    "square-cross": f'<rect x="-5.5" y="-5.5" width="11" height="11" rx="1" {_INK}/>'
    f'<path {_CUT} stroke-width="1.6" d="M-2.2,-2.2L2.2,2.2M-2.2,2.2L2.2,-2.2"/>',
    "diamond-question": f'<path {_INK} d="M0,-6.8L6.8,0L0,6.8L-6.8,0Z"/><path {_CUT} stroke-width="1.4" d="{_HOOK}"/>',
    "half-circle": f'<circle r="5.5" {_LINE} stroke-width="1.3"/><path {_INK} d="M0,-5.5A5.5,5.5 0 0 0 0,5.5Z"/>',
    "ring-bar": f'<circle r="5.5" {_LINE} stroke-width="1.3"/><path {_LINE} stroke-width="1.3" d="M-2.8,0H2.8"/>',
    "ring-plus": f'<circle r="6" {_LINE} stroke-width="1.3"/><path {_LINE} stroke-width="1.5" d="M-3,0H3M0,-3V3"/>',
    "square-minus": f'<rect x="-6" y="-6" width="12" height="12" rx="1" {_INK}/>'
    f'<path {_CUT} stroke-width="1.8" d="M-3,0H3"/>',
    "circle": f'<circle r="5.5" {_INK}/>',
    "square": f'<rect x="-5.5" y="-5.5" width="11" height="11" rx="1" {_INK}/>',
    "bar-triangle": _SKIPPED,
    "skipped": _SKIPPED,
}


def symbol_definitions() -> str:
    """Return the definitions of all shapes, to be placed once in a page and referenced anywhere in it."""
    drawn = (f'<g id="sign-{name}">{inside}</g>' for name, inside in SIGNS.items())
    return f'<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>{"".join(drawn)}</defs></svg>'


def css_name(tone: str) -> str:
    """Convert a tone to part of a CSS name."""
    return tone.replace(" ", "-")


_TONE_INKS = tuple(f"{use} {tone}" for use in ("ink", "tint") for tone in CHOICE_TONES)
PAGE_COLORS = {name: f"var(--{css_name(name)})" for name in (*INKS, *_TONE_INKS)}
BASELINE = 0.36  # of the font size: from the middle of a line down to its baseline
ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
NARROW, FIGURE, CAPITAL, SMALL = 0.32, 0.63, 0.72, 0.59  # of the font size: slightly wider than in common fonts
NOT_A_CHARACTER = "�"


def render_svg(
    picture: Picture, colors: Mapping[str, str] = PAGE_COLORS, *, scale: float = 0, high_contrast: bool = False
) -> str:
    """Render the picture as an SVG element. The text of a mark is its tooltip.

    `colors`: by name, with the "ink" and "tint" of each tone. `scale`: device pixels of a unit; edges are aligned to
    whole ones. In high contrast there are no shades, and grid lines, which have the colour of the data, are dotted.
    """
    writer = _ShapeWriter(colors, scale, high_contrast)
    drawn = "".join(writer.write(shape) for shape in picture.shapes)
    marks = "".join(
        f'<rect x="{_n(mark.x)}" y="{_n(mark.y)}" width="{_n(mark.width)}" height="{_n(mark.height)}" class="mark">'
        f"<title>{escape_text(mark.text)}</title></rect>"
        for mark in picture.marks
        if mark.text
    )
    size = f'width="{_n(picture.width)}" height="{_n(picture.height)}"'
    box = f'viewBox="0 0 {_n(picture.width)} {_n(picture.height)}"'
    return f'<svg {size} {box} role="img" aria-label="{escape_text(picture.description)}">{drawn}{marks}</svg>'


def escape_text(text: str) -> str:
    """Escape a text for HTML, as content or attribute value; controls and unseen characters are spelled out."""
    return escape(printable_text(text), quote=True)


def printable_text(text: str) -> str:
    """Return a text whose unseen characters are spelled out, without controls."""
    return "".join(NOT_A_CHARACTER if _is_control(character) else character for character in spelled_out(text))


def _is_control(character: str) -> bool:
    if character in "\t\n":
        return False
    return unicodedata.category(character) in {"Cc", "Cs"} or ord(character) & 0xFFFE == 0xFFFE


def estimated_width(words: str, size: Size, bold: bool) -> float:  # noqa: FBT001 - it is a `MeasureText`
    """Estimate the width of a text where no font can be measured; rather too wide than cut off."""
    width = sum(_share(character) for character in words)
    return width * PIXELS[size] * (1.06 if bold else 1)


def _share(character: str) -> float:
    if character in "il.,:;'|!·() jt[]fI-–1":
        return FIGURE if character in "1–" else NARROW
    if character.isdigit() or character.islower():
        return FIGURE if character.isdigit() or character in "mw" else SMALL
    if east_asian_width(character) in "WF":
        return 1.0
    return CAPITAL


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


class _ShapeWriter:
    def __init__(self, colors: Mapping[str, str], scale: float, high_contrast: bool) -> None:  # noqa: FBT001 - as in `render_svg`
        self._colors = colors
        self._scale = scale
        self._high_contrast = high_contrast

    def _color(self, ink: Ink) -> str:
        name = f"{ink.name} {ink.tone}" if ink.name in {"ink", "tint"} else ink.name
        return self._colors.get(name) or self._colors[{"ink": "text2", "tint": "surface"}.get(ink.name, "text")]

    def _align(self, position: float, width: float) -> float:
        """Return the nearest coordinate at which a line of that width fills whole device pixels."""
        if not self._scale:
            return position
        odd = round(width * self._scale) % 2
        return (floor(position * self._scale) + 0.5 if odd else round(position * self._scale)) / self._scale

    @singledispatchmethod
    def write(self, shape: Shape) -> str:
        raise NotImplementedError(type(shape))

    @write.register
    def _rect(self, shape: RectShape) -> str:
        fill, shade, border = "none", "", ""
        if shape.fill is not None:
            fill = self._color(shape.fill)
            if shape.fill.strength < 1:
                shade = f' fill-opacity="{_n(0 if self._high_contrast else shape.fill.strength)}"'
        edge_width = shape.edge_width if shape.edge is not None else 0
        if shape.edge is not None:
            border = f' stroke="{self._color(shape.edge)}" stroke-width="{_n(edge_width)}"'
        half = edge_width / 2
        x, y = self._align(shape.x + half, edge_width), self._align(shape.y + half, edge_width)
        width = self._align(shape.x + shape.width - half, edge_width) - x
        height = self._align(shape.y + shape.height - half, edge_width) - y
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(max(0, width))}" height="{_n(max(0, height))}"'
        return f'<rect {place} rx="{_n(shape.radius)}" fill="{fill}"{shade}{border}/>'

    @write.register
    def _line(self, shape: LineShape) -> str:
        dashes = ' stroke-dasharray="4 3"' if shape.dashed else ""
        if shape.ink.name == "line" and self._high_contrast:
            dashes = ' stroke-dasharray="1 4"'
        x1, y1, x2, y2 = shape.x1, shape.y1, shape.x2, shape.y2
        if x1 == x2:
            x1 = x2 = self._align(x1, shape.width)
        if y1 == y2:
            y1 = y2 = self._align(y1, shape.width)
        place = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
        return f'<line {place} stroke="{self._color(shape.ink)}" stroke-width="{_n(shape.width)}"{dashes}/>'

    @write.register
    def _dot(self, shape: DotShape) -> str:
        place = f'cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}"'
        return f'<circle {place} fill="{self._color(shape.ink)}"/>'

    @write.register
    def _text(self, shape: TextShape) -> str:
        cleared = cleared_area(shape)
        size = PIXELS[shape.size]
        weight = ' font-weight="600"' if shape.bold else ""
        place = f'x="{_n(shape.x)}" y="{_n(shape.y + size * BASELINE)}" text-anchor="{ANCHORS[shape.align]}"'
        font = f'font-size="{size}"{weight} fill="{self._color(shape.ink)}"'
        text = f"<text {place} {font}>{escape_text(shape.text)}</text>"
        return text if cleared is None else self._rect(cleared) + text

    @write.register
    def _symbol(self, shape: SymbolShape) -> str:
        drawn = SIGNS.get(shape.shape)
        if drawn is None:
            return ""
        drawn = drawn.replace("var(--surface)", self._colors["surface"])
        place = f'transform="translate({_n(shape.x)} {_n(shape.y)}) scale({_n(shape.size / 16)})"'
        return f'<g {place} style="color:{self._color(shape.ink)}">{drawn}</g>'
