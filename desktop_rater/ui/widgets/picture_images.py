"""Pictures of a response: a frame with the host in place of each one, until the rater has it fetched."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPen, QTextCharFormat, QTextImageFormat

from desktop_rater.text.markdown import OBJECT, RenderedMap
from desktop_rater.text.spans import Utf16Map
from desktop_rater.ui.widgets.labels import draw_text
from desktop_rater.ui.widgets.theme import font_of, smooth_painter

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
    painter = smooth_painter(image)
    painter.setPen(QPen(edge, 1))
    painter.drawRoundedRect(QRectF(apart, 0.5, width - apart - 1, height - 1.5), 4, 4)
    painter.setPen(ink)
    painter.setFont(own)
    draw_text(painter, QRectF(apart, 0, width - apart, height), Qt.AlignmentFlag.AlignCenter, label)
    painter.end()
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
