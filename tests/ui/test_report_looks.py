"""The report's pictures can be read in every look: numbers on their grounds, labels on their tints."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from desktop_rater.audit.charts.matrix import STRONGEST
from desktop_rater.audit.charts.shapes import INKS, Dot, Ink, Line, Picture, Rect, Shape, Sign, Text
from desktop_rater.audit.charts.shares import PLAIN_HIGH
from desktop_rater.rubric.looks import SHAPES, TONES
from desktop_rater.ui import theme
from desktop_rater.ui.report.inks import inks
from desktop_rater.ui.report.painting import Brushwork
from desktop_rater.ui.theme_tokens import DARK, LIGHT, SETS
from tests.ui.test_theme import contrast

LOOKS = {
    "light": theme.Look(theme="light", contrast="normal"),
    "dark": theme.Look(theme="dark", contrast="normal"),
    "high light": theme.Look(theme="light", contrast="high"),
    "high dark": theme.Look(theme="dark", contrast="high"),
}


def mixed(ink, ground, strength):
    one, other = QColor(ink), QColor(ground)
    parts = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a * strength + b * (1 - strength)) for a, b in parts)).name()


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
@pytest.mark.parametrize("strength", [0, 0.05, 0.2, PLAIN_HIGH, STRONGEST])
def test_the_number_in_a_cell_can_be_read_on_any_share(tokens, strength):
    ground = mixed(tokens.accent, tokens.surface, strength)
    assert contrast(tokens.text, ground) >= 4.5


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_page_and_the_window_have_the_same_colours(name):
    found = inks(SETS[name])
    assert set(INKS) <= set(found)
    for tone in TONES:
        assert contrast(found[f"ink {tone}"], found[f"tint {tone}"]) >= 4.5


@pytest.mark.parametrize("name", sorted(LOOKS))
def test_every_shape_is_painted_in_every_look(qtbot, qapp, name):
    theme.apply(qapp, LOOKS[name])
    widget = QWidget()
    qtbot.addWidget(widget)
    shapes: list[Shape] = [
        Rect(0, 0, 10, 10, Ink("accent", strength=0.5), Ink("line")),
        Rect(20, 0, 10, 10, None, Ink("edge")),
        Rect(40, 0, 10, 10, Ink("tint", "disputed"), Ink("ink", "disputed")),
        Rect(60, 0, 10, 10, Ink("tint", "of a newer program"), Ink("ink", "of a newer program")),
        Line(80, 5, 90, 5, Ink("line"), 2),
        Line(100, 0, 100, 10, Ink("warn"), 2, dashed=True),
        Dot(125, 5, 4, Ink("accent")),
        Text(140, 5, "9", cleared=10),
    ]
    shapes += [Sign(168 + 20 * at, 5, 14, shape, Ink("text")) for at, shape in enumerate(sorted(SHAPES))]
    image = QImage(168 + 20 * len(SHAPES), 12, QImage.Format.Format_RGB32)
    ground = QColor(theme.tokens().surface)
    image.fill(ground)
    painter = QPainter(image)
    Brushwork(painter, widget).paint(Picture(image.width(), 12, tuple(shapes)))
    painter.end()
    theme.apply(qapp, theme.Look())
    for left in range(0, 160, 20):
        drawn = {image.pixel(x, y) for x in range(max(0, left - 8), left + 12) for y in range(12)}
        assert len(drawn) > 1, f"nothing is drawn at {left}"
    for at, shape in enumerate(sorted(SHAPES)):
        drawn = {image.pixel(160 + 20 * at + x, y) for x in range(16) for y in range(12)}
        assert len(drawn) > 1, f"nothing is drawn for {shape}"
