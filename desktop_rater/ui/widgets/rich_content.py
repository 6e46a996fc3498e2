"""Formulas, pictures and coloured code of a text document.

Formulas are typeset by ziamath. What it can't show whole and as it is written has no picture. Everything is bounded
before it is drawn: the commands and the letters that count, and the work, which doubles with each nested group.
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from PySide6.QtCore import QByteArray, QCoreApplication, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QTextCharFormat, QTextImageFormat

from desktop_rater.text.formulas import Formula
from desktop_rater.text.markdown import OBJECT, RenderedMap
from desktop_rater.text.spans import Utf16Map
from desktop_rater.text.untrusted import has_unseen
from desktop_rater.ui.widgets.labels import draw_text
from desktop_rater.ui.widgets.theme import font_of, smooth_painter

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET


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
    with QPainter(image) as painter:
        QSvgRenderer(QByteArray(drawn.svg)).render(painter, QRectF(0, 0, width, height))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(image.rect(), ink)
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
    import xml.etree.ElementTree as ET  # noqa: PLC0415

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


def _cost(element: "ET.Element", weight: int = 1) -> int:
    inner = weight * 2 if element.tag.endswith(("}mrow", "}mtd")) else weight
    return weight + sum(_cost(child, inner) for child in element)


translate = QCoreApplication.translate

PREFIX = "picture:"
MAX_HOST = 40
_TAIL = re.compile(r"\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^\[\]\n]*\])?")
_REACH = 4_000


def is_web_picture(url: str) -> bool:
    """Return whether a picture has an address that can be fetched."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.netloc)


def with_places(rendered: RenderedMap, positions: Sequence[int]) -> RenderedMap:
    """Return the map of a text with an object at each of the ascending positions, after the words of a picture.

    The object stands for the address of the picture in the source.
    """
    units = Utf16Map(rendered.rendered)
    texts: list[str] = []
    starts, ends = rendered.starts[:0], rendered.ends[:0]
    last = 0
    for position in positions:
        index = units.to_code_point(position)
        texts += [rendered.rendered[last:index], OBJECT]
        starts.extend(rendered.starts[last:index])
        ends.extend(rendered.ends[last:index])
        begin = ends[-1] if ends else 0
        following = index
        while following < len(rendered.starts) and rendered.is_break(following):
            following += 1
        limit = rendered.starts[following] if following < len(rendered.starts) else len(rendered.source)
        tail = _TAIL.search(rendered.source, begin, min(begin + _REACH, max(begin, limit)))
        span = tail.span() if tail else (begin, begin)
        starts.append(span[0])
        ends.append(span[1])
        last = index
    starts.extend(rendered.starts[last:])
    ends.extend(rendered.ends[last:])
    return RenderedMap(rendered.source, "".join((*texts, rendered.rendered[last:])), starts, ends)


def picture_label(url: str, labels: Mapping[str, str]) -> str:
    """Return what is written in place of a picture."""
    host = (urlsplit(url).hostname or "")[:MAX_HOST]
    return labels.get(url) or translate("Text", "Picture at {host}").format(host=host)


def placeholder(label: str, font: QFont, size: int, ink: QColor, edge: QColor, ratio: float) -> QImage:
    """Return a frame around a label."""
    own = font_of(font, pixels=max(12, round(size * 13 / 15)))
    apart = size / 3  # from the words before it
    width, height = QFontMetricsF(own).horizontalAdvance(label) + size + apart, size * 1.5
    image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    with smooth_painter(image) as painter:
        painter.setPen(QPen(edge, 1))
        painter.drawRoundedRect(QRectF(apart, 0.5, width - apart - 1, height - 1.5), 4, 4)
        draw_text(
            painter, QRectF(apart, 0, width - apart, height), Qt.AlignmentFlag.AlignCenter, label, font=own, ink=ink
        )
    return image


def picture_format(image: QImage, name: str, font: QFont, widest: float) -> QTextImageFormat:
    """Return the format of a picture in its own size, or as wide as there is space."""
    width = image.width() / image.devicePixelRatio()
    scale = min(1.0, max(1.0, widest) / width) if width else 1.0
    form = QTextImageFormat()
    form.setName(name)
    form.setWidth(width * scale)
    form.setHeight(image.height() / image.devicePixelRatio() * scale)
    form.setFont(font)
    form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    return form


MAX_CODE = 6_000  # characters of one block; some languages take quadratic time for hostile code
MAX_SECONDS = 0.2  # for a block, beyond which the rest of it stays without colours
MAX_SPANS = 2_000  # of one block
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
# The first of these that a kind of token belongs to decides.
_KINDS = (
    ("Comment", "comment"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Name.Tag", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Name.Function", "name"),
    ("Name.Class", "name"),
    ("Name.Decorator", "name"),
    ("Name.Attribute", "name"),
    ("Name.Builtin", "name"),
)


@lru_cache(200)
def code_spans(code: str, language: str) -> tuple[tuple[int, int, str], ...]:
    """Return start, end (code points) and kind of the tokens of a code that have a colour."""
    if len(code) > MAX_CODE or not _LANGUAGE.fullmatch(language):
        return ()
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - not before the first code
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    end = perf_counter() + MAX_SECONDS
    tokens = takewhile(lambda _token: perf_counter() < end, lexer.get_tokens_unprocessed(code))
    spans = ((start, start + len(text), _kind(str(token))) for start, token, text in tokens if text.strip())
    return tuple(islice(_joined(spans), MAX_SPANS))


def _joined(spans: Iterator[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of a kind, neighbours as one."""
    current: tuple[int, int, str] | None = None
    for start, end, kind in spans:
        if current is not None and current[2] == kind and current[1] == start:
            current = current[0], end, kind
            continue
        if current is not None and current[2]:
            yield current
        current = start, end, kind
    if current is not None and current[2]:
        yield current


def _kind(token: str) -> str:
    name = token.removeprefix("Token.")
    return next((kind for prefix, kind in _KINDS if name == prefix or name.startswith(f"{prefix}.")), "")
