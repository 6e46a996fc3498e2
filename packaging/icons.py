"""Icons, drawn from the SVG files in resources/application/ in the sizes that systems ask for."""

from __future__ import annotations

from identity import APPLICATION
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PROGRAM, BUNDLE = "desktop-rater", "rater-bundle"  # the drawings
SMALL = 32  # pixels: up to this width NAME-small.svg is drawn, as in the window


def png(name: str, width: int) -> bytes:
    """Draw an icon as a square PNG."""
    drawing = APPLICATION / f"{name}{'-small' if width <= SMALL else ''}.svg"
    image = QImage(width, width, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # ty: ignore[no-matching-overload] - PySide takes str, its stubs do not
    return bytes(buffer.data().data())
