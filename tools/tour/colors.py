"""Palette images: 256 colours are enough for a window and keep the files small."""

from __future__ import annotations

import struct
from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

MOST, KEPT = 256, 128
KIND = 0xFFE0E0E0  # colours that are alike in the three highest bits of red, green and blue


def with_few_colors(image: QImage) -> QImage:
    """Return the picture reduced to its most frequent colours, plus one of each remaining group of similar colours.

    Other colours, as at the edges of letters, become the nearest of these.
    """
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = struct.unpack(f"{plain.sizeInBytes() // 4}I", bytes(plain.constBits()))
    often = [color for color, _times in Counter(pixels).most_common()]
    kinds = {color & KIND: color for color in reversed(often)}  # the most frequent of each
    table = list(dict.fromkeys((*often[:KEPT], *sorted(kinds.values(), key=often.index))))[:MOST]
    return plain.convertToFormat(QImage.Format.Format_Indexed8, table, Qt.ImageConversionFlag.ThresholdDither)
