"""Formulas as pictures, typeset by ziamath. What it can't show whole and as it is written has no picture.

Everything is bounded before it is drawn: the commands and the letters that count, and the work, which doubles with each
nested group.
"""

from __future__ import annotations

import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QTextCharFormat, QTextImageFormat

from desktop_rater.text.formulas import Formula
from desktop_rater.text.untrusted import has_unseen
from desktop_rater.ui.widgets.theme import font_of

MAX_FORMULAS = 300  # in one text
MAX_COST, MAX_TOTAL_COST = 1_000, 8_000  # of a formula and of a text; a unit takes 0.1 to 0.2 ms
MAX_WIDTH = 80  # in font sizes
MAX_NESTED = 24  # braces, beyond which the formula is not even read
_UNITS = 100  # font size of the drawing, which is then scaled
_RELATIVE_SIZE = 1.15  # the letters of the formula font are smaller than those of the text

_COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{([^{}]*)\}")
_NAME = re.compile(r"\S+")
_ENVIRONMENTS = frozenset(
    _NAME.findall("matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases align align* aligned array split")
)
# Beside symbols and functions: what moves nothing over its neighbours and hides nothing.
_COMMANDS = frozenset(
    _NAME.findall(
        """
    begin end frac dfrac tfrac cfrac binom dbinom tbinom sqrt left right big Big bigg Bigg bigl bigr Bigl Bigr biggl
    biggr Biggl Biggr text textbf textit textrm textsf texttt mbox mathrm mathbf mathit mathsf mathtt mathbb mathcal
    mathfrak mathscr boldsymbol bm operatorname operatorname* overline underline overbrace underbrace overset underset
    stackrel substack boxed hat widehat tilde widetilde bar vec dot ddot acute grave check breve overrightarrow
    overleftarrow limits lim sup inf max min gcd det Pr argmax argmin limsup liminf pmod bmod mod displaystyle textstyle
    quad qquad xrightarrow xleftarrow"""
    )
) | frozenset("\\,;:!> {}|_%#$&\n")
_UNKNOWN_IN_RESULT = re.compile(r"\\[A-Za-z]")
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%")


class DrawnFormula(NamedTuple):
    """A drawing; lengths relative to the font size. `drop`: how far it reaches below the line."""

    svg: bytes
    width: float
    height: float
    drop: float
    cost: int


def draw_formulas(formulas: Sequence[Formula]) -> list[DrawnFormula | None]:
    """Return the drawing of each formula of one text; `None` for those whose source has to be shown."""
    drawn: list[DrawnFormula | None] = []
    left = MAX_TOTAL_COST
    for formula in formulas[:MAX_FORMULAS]:
        picture = _draw(formula.latex, inline=not formula.display) if left > 0 else None
        left -= picture.cost if picture is not None else 0
        drawn.append(picture)
    return drawn + [None] * (len(formulas) - len(drawn))


def formula_image(drawn: DrawnFormula, size: float, ink: QColor, ratio: float) -> QImage:
    """Return the picture of a formula for a text of `size` pixels, at a pixel ratio of the screen."""
    from PySide6.QtSvg import QSvgRenderer  # noqa: PLC0415 - not before the first formula

    scale = size * _RELATIVE_SIZE
    width, height = (max(1, round(length * scale * ratio)) for length in (drawn.width, drawn.height))
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(drawn.svg)).render(painter, QRectF(0, 0, width, height))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), ink)
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def formula_format(drawn: DrawnFormula, name: str, font: QFont, size: float) -> QTextImageFormat:
    """Return the format of a picture that has its line at that of the text.

    Qt takes the descent of the format's font for that of the picture.
    """
    scale = size * _RELATIVE_SIZE
    own = font_of(font, pixels=max(1, round(size / 4)))
    while QFontMetricsF(own).descent() < drawn.drop * scale:
        own.setPixelSize(own.pixelSize() + 1)
    form = QTextImageFormat()
    form.setName(name)
    form.setWidth(drawn.width * scale)
    form.setHeight(drawn.height * scale)
    form.setFont(own)
    form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    return form


@lru_cache(2_000)
def _draw(latex: str, *, inline: bool) -> DrawnFormula | None:
    if not _is_readable(latex):
        return None
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # by its way of finding its font
        import ziamath  # noqa: PLC0415 - not before the first formula
        from ziamath.tex import tex2mml  # noqa: PLC0415
    ziamath.config.svg2 = False  # Qt draws no <symbol>
    try:
        tree = ET.fromstring(tex2mml(latex, inline=inline))  # noqa: S314 - made by the converter, without a doctype
        text, cost = "".join(tree.itertext()), _cost(tree)
        if _UNKNOWN_IN_RESULT.search(text) or not text.strip() or cost > MAX_COST:
            return None
        math = ziamath.Math(tree, size=_UNITS)
        if not all(character.isspace() or math.font.glyphindex(character) for character in text):
            return None
        svg = math.svgxml()
        box = [float(length) for length in svg.attrib["viewBox"].split()]
    except Exception:  # noqa: BLE001 - the converter raises errors of any type for what it can't read
        return None
    _left, top, width, height = (length / _UNITS for length in box)
    if width > MAX_WIDTH:
        return None
    return DrawnFormula(ET.tostring(svg), width, height, max(0.0, top + height), cost)


def _is_readable(latex: str) -> bool:
    """Return whether a formula has known commands only, nothing that can't be seen, and few nested groups."""
    if has_unseen(latex.replace("\n", " ")) or _COMMENT.search(latex) or not _is_shallow(latex):
        return False
    return _ENVIRONMENTS.issuperset(_ENVIRONMENT.findall(latex)) and all(map(_is_known, _COMMAND.findall(latex)))


def _is_known(command: str) -> bool:
    from latex2mathml.commands import FUNCTIONS  # noqa: PLC0415 - not before the first formula
    from latex2mathml.symbols_parser import convert_symbol  # noqa: PLC0415

    return command in _COMMANDS or f"\\{command}" in FUNCTIONS or convert_symbol(f"\\{command}") is not None


def _is_shallow(latex: str) -> bool:
    depth = 0
    for character in latex:
        depth += (character == "{") - (character == "}")
        if depth > MAX_NESTED:
            return False
    return True


def _cost(element: ET.Element, weight: int = 1) -> int:
    inner = weight * 2 if element.tag.endswith(("}mrow", "}mtd")) else weight
    return weight + sum(_cost(child, inner) for child in element)
