"""A picture as SVG, to stand in an HTML page: colours are names of its style sheet, and each text is escaped."""

from __future__ import annotations

import unicodedata
from functools import singledispatch
from html import escape
from unicodedata import east_asian_width

from desktop_rater.audit.charts.shapes import (
    INKS,
    PIXELS,
    Dot,
    Ink,
    Line,
    Picture,
    Rect,
    Shape,
    Sign,
    Size,
    Text,
    clear_of,
)
from desktop_rater.audit.charts.signs import SIGNS
from desktop_rater.rubric.looks import TONES

BASELINE = 0.36  # of the size: from the middle of a line of text down to where it stands
ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
NARROW, FIGURE, CAPITAL, SMALL = 0.32, 0.63, 0.72, 0.59  # of the size: a little more than in common fonts
NOT_A_CHARACTER = "�"


def svg(picture: Picture) -> str:
    """The picture as an element of HTML. What a mark says is its tooltip."""
    drawn = "".join(_drawn(shape) for shape in picture.shapes)
    marks = "".join(
        f'<rect x="{_n(one.x)}" y="{_n(one.y)}" width="{_n(one.width)}" height="{_n(one.height)}" class="mark">'
        f"<title>{plain(one.words)}</title></rect>"
        for one in picture.marks
        if one.words
    )
    size = f'width="{_n(picture.width)}" height="{_n(picture.height)}"'
    box = f'viewBox="0 0 {_n(picture.width)} {_n(picture.height)}"'
    return f'<svg {size} {box} role="img" aria-label="{plain(picture.words)}">{drawn}{marks}</svg>'


def plain(text: str) -> str:
    """A text as it may stand in HTML, between tags or as a value: no markup, and no control characters."""
    kept = "".join(NOT_A_CHARACTER if _is_control(one) else one for one in text)
    return escape(kept, quote=True)


def _is_control(character: str) -> bool:
    if character in "\t\n":
        return False
    return unicodedata.category(character) in {"Cc", "Cs"} or ord(character) & 0xFFFE == 0xFFFE


def about_as_wide(words: str, size: Size, bold: bool) -> float:  # noqa: FBT001 - it is a `Measure`
    """How wide a text is about, where no font can be asked; rather too wide than cut off."""
    wide = sum(_share(one) for one in words)
    return wide * PIXELS[size] * (1.06 if bold else 1)


def _share(character: str) -> float:
    if character in "il.,:;'|!·() jt[]fI-–1":
        return FIGURE if character == "1" else NARROW
    if character.isdigit() or character.islower():
        return FIGURE if character.isdigit() or character in "mw" else SMALL
    if east_asian_width(character) in "WF":
        return 1.0
    return CAPITAL


def css_name(tone: str) -> str:
    """A tone as part of a name of the style sheet."""
    return tone.replace(" ", "-")


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _color(ink: Ink) -> str:
    if ink.name in {"ink", "tint"}:
        if ink.tone in TONES:
            return f"var(--{ink.name}-{css_name(ink.tone)})"
        return "var(--text2)" if ink.name == "ink" else "var(--surface)"
    return f"var(--{ink.name if ink.name in INKS else 'text'})"


@singledispatch
def _drawn(shape: Shape) -> str:
    raise NotImplementedError(type(shape))


@_drawn.register
def _rect(shape: Rect) -> str:
    fill = "none" if shape.fill is None else _color(shape.fill)
    faint = "" if shape.fill is None or shape.fill.strength >= 1 else f' fill-opacity="{_n(shape.fill.strength)}"'
    half = shape.edge_width / 2 if shape.edge is not None else 0
    edge = f' stroke="{_color(shape.edge)}" stroke-width="{_n(shape.edge_width)}"' if shape.edge is not None else ""
    x, y, width, height = shape.x + half, shape.y + half, shape.width - 2 * half, shape.height - 2 * half
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(max(0, width))}" height="{_n(max(0, height))}"'
    return f'<rect {place} rx="{_n(shape.radius)}" fill="{fill}"{faint}{edge}/>'


@_drawn.register
def _line(shape: Line) -> str:
    dashes = ' stroke-dasharray="4 3"' if shape.dashed else ""
    place = f'x1="{_n(shape.x1)}" y1="{_n(shape.y1)}" x2="{_n(shape.x2)}" y2="{_n(shape.y2)}"'
    return f'<line {place} stroke="{_color(shape.ink)}" stroke-width="{_n(shape.width)}"{dashes}/>'


@_drawn.register
def _dot(shape: Dot) -> str:
    return f'<circle cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}" fill="{_color(shape.ink)}"/>'


@_drawn.register
def _text(shape: Text) -> str:
    under = clear_of(shape)
    size = PIXELS[shape.size]
    weight = ' font-weight="600"' if shape.bold else ""
    place = f'x="{_n(shape.x)}" y="{_n(shape.y + size * BASELINE)}" text-anchor="{ANCHORS[shape.align]}"'
    look = f'font-size="{size}"{weight} fill="{_color(shape.ink)}"'
    return f"{_drawn(under) if under is not None else ''}<text {place} {look}>{plain(shape.words)}</text>"


@_drawn.register
def _sign(shape: Sign) -> str:
    if shape.shape not in SIGNS:
        return ""
    place = f'transform="translate({_n(shape.x)} {_n(shape.y)}) scale({_n(shape.size / 16)})"'
    return f'<use href="#sign-{shape.shape}" {place} style="color:{_color(shape.ink)}"/>'
