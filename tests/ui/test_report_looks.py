"""The report's pictures can be read in every look: numbers on their grounds, labels on their tints."""

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from desktop_rater.audit.charts.drawing import CELL_MAX_STRENGTH, PLAIN_HIGH
from desktop_rater.audit.charts.svg import (
    INKS,
    DotShape,
    Ink,
    LineShape,
    Picture,
    RectShape,
    Shape,
    SymbolShape,
    TextShape,
)
from desktop_rater.rubric.load import CHOICE_SHAPES, CHOICE_TONES
from desktop_rater.ui.report.chart import paint_picture
from desktop_rater.ui.report.texts_and_colors import ink_colors
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.theme_tokens import DARK, LIGHT, SETS
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
@pytest.mark.parametrize("strength", [0, 0.05, 0.2, PLAIN_HIGH, CELL_MAX_STRENGTH])
def test_the_number_in_a_cell_can_be_read_on_any_share(tokens, strength):
    ground = mixed(tokens.accent, tokens.surface, strength)
    assert contrast(tokens.text, ground) >= 4.5


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_page_and_the_window_have_the_same_colours(name):
    found = ink_colors(SETS[name])
    assert set(INKS) <= set(found)
    for tone in CHOICE_TONES:
        assert contrast(found[f"ink {tone}"], found[f"tint {tone}"]) >= 4.5


@pytest.mark.parametrize("name", sorted(LOOKS))
def test_every_shape_is_painted_in_every_look(qtbot, qapp, name):
    theme.apply(qapp, LOOKS[name])
    widget = QWidget()
    qtbot.addWidget(widget)
    shapes: list[Shape] = [
        RectShape(0, 0, 10, 10, Ink("accent", strength=0.5), Ink("line")),
        RectShape(20, 0, 10, 10, None, Ink("edge")),
        RectShape(40, 0, 10, 10, Ink("tint", "disputed"), Ink("ink", "disputed")),
        RectShape(60, 0, 10, 10, Ink("tint", "of a newer program"), Ink("ink", "of a newer program")),
        LineShape(80, 5, 90, 5, Ink("line"), 2),
        LineShape(100, 0, 100, 10, Ink("warn"), 2, dashed=True),
        DotShape(125, 5, 4, Ink("accent")),
        TextShape(140, 5, "9", cleared=10),
    ]
    shapes += [SymbolShape(168 + 20 * at, 5, 14, shape, Ink("text")) for at, shape in enumerate(sorted(CHOICE_SHAPES))]
    image = QImage(168 + 20 * len(CHOICE_SHAPES), 12, QImage.Format.Format_RGB32)
    ground = QColor(theme.tokens().surface)
    image.fill(ground)
    painter = QPainter(image)
    paint_picture(painter, Picture(image.width(), 12, tuple(shapes)), widget)
    painter.end()
    theme.apply(qapp, theme.Look())
    for left in range(0, 160, 20):
        drawn = {image.pixel(x, y) for x in range(max(0, left - 8), left + 12) for y in range(12)}
        assert len(drawn) > 1, f"nothing is drawn at {left}"
    for at, shape in enumerate(sorted(CHOICE_SHAPES)):
        drawn = {image.pixel(160 + 20 * at + x, y) for x in range(16) for y in range(12)}
        assert len(drawn) > 1, f"nothing is drawn for {shape}"
