"""Code of a response has the colours of its language, and no stripes where its lines wrap."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.code_colors import MAX_CODE, code_spans
from desktop_rater.ui.widgets.text_document import is_code
from desktop_rater.ui.widgets.theme_tokens import SETS
from tests.ui.responses import target
from tests.ui.test_theme import contrast

VIEW_SIZE = (400, 400)

CODE = "```python\ndef area(radius):\n    return '😀', 3.14 * radius  # round\n```"


@pytest.mark.parametrize("name", SETS)
def test_each_colour_can_be_read_on_code_and_on_every_target(name):
    tokens = SETS[name]
    grounds = [tokens.surface, tokens.hover, tokens.cur, *(tone.tint for tone in tokens.tones.values())]
    for kind, ink in theme.code_inks(tokens).items():
        assert min(contrast(ink, ground) for ground in grounds) >= 4.5, kind


def colored(view):
    """The words of the document that have a colour of code."""
    inks = {QColor(ink).name(): kind for kind, ink in theme.code_inks(theme.tokens()).items()}
    words, block = [], view.document().begin()
    while block.isValid():
        fragments, in_code = block.begin(), is_code(block)
        while not fragments.atEnd():
            fragment = fragments.fragment()
            brush = fragment.charFormat().foreground()
            if in_code and brush.style() and brush.color().name() in inks:
                words.append((fragment.text(), inks[brush.color().name()]))
            fragments += 1
        block = block.next()
    return words


def test_code_has_the_colours_of_the_language_of_its_fence(view):
    view.show_response(CODE, [target("s1", CODE, "area(radius)")], plain=False)
    assert view.is_rendered
    words = [("def", "keyword"), ("area", "name"), ("return", "keyword"), ("'😀'", "string"), ("3.14", "number")]
    assert colored(view) == [*words, ("# round", "comment")]


@pytest.mark.parametrize("language", ["", "no-language", "../python", "text"])
def test_code_without_a_known_language_has_none(view, language):
    view.show_response(CODE.replace("python", language), [], plain=False)
    assert colored(view) == []


def test_long_code_has_none():
    assert code_spans("x = 1\n" * MAX_CODE, "python") == ()


def test_the_ground_of_code_has_no_stripes_where_lines_wrap(view):
    view.show_response("```\n" + "a long line of words that wraps several times, " * 4 + "\nend\n```", [], plain=False)
    QApplication.processEvents()
    image = view.viewport().grab().toImage()
    top, bottom = (
        view.cursorRect(view._cursor(at, at)).center().y() for at in (0, view.document().characterCount() - 1)
    )
    column = [image.pixelColor(20, y).name().upper() for y in range(top, bottom)]
    assert set(column) == {theme.tokens().hover}
