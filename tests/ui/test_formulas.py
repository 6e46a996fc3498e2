"""Formulas are drawn where they stand, and every offset remains that of the source."""

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.widgets import formula_images, theme
from desktop_rater.ui.widgets.text_view import VisibleText
from tests.shown import text_of
from tests.ui.responses import point_at, target

VIEW_SIZE = (700, 500)

TEXT = r"The roots are \(x = \frac{-b}{2a}\) for $a^2$, at $5 and $10. The end."
DRAWN = "The roots are \ufffc for \ufffc, at $5 and $10. The end."
HOSTILE = {
    "an unknown command": r"$\foo{x}$",
    "hidden letters": r"$a \color{white}{b} \phantom{c}$",
    "letters over others": r"$a \hspace{-3em} b$",
    "a comment": "$a % = b$",
    "a definition": r"$\def\a{\a\a}\a$",
    "an address": r"$\href{http://x.example}{a}$",
    "letters without a glyph": r"$\text{日本} = 1$",
    "an open group": r"$\frac{1$",
    "markup": "$a < b & c$",
    "deep groups": "$" + "{" * 20 + "x^2" + "}" * 20 + "$",
    "very deep groups": "$" + "{" * 400 + "x^2" + "}" * 400 + "$",
    "deep fractions": "$" + r"\frac{" * 14 + "x" + "}{y}" * 14 + "$",
    "no end of letters": "$" + "a+" * 400 + "a$",
}


def marked(view, number=0):
    cursor = QTextCursor(view.document())
    first, last = view._marks[number].span
    cursor.setPosition(first)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def test_formulas_are_drawn_and_prices_are_words(view):
    view.show_response(TEXT, [], plain=False)
    assert view.is_rendered
    assert text_of(view.document()) == DRAWN


def test_targets_within_across_and_around_a_formula_cover_it_and_keep_their_offsets(view):
    quotes = [r"\frac{-b}", r"roots are \(x =", r"2a}\) for $a^2$", "The end."]
    view.show_response(TEXT, [target(f"s{number}", TEXT, quote) for number, quote in enumerate(quotes)], plain=False)
    shown = {view._targets[mark.number - 1].id: marked(view, index) for index, mark in enumerate(view._marks)}
    assert shown == {"s0": "\ufffc", "s1": "roots are \ufffc", "s2": "\ufffc for \ufffc", "s3": "The end."}


def test_a_selection_across_formulas_is_a_stretch_of_the_source_and_is_copied_as_such(view):
    view.show_response(TEXT, [], plain=False)
    view.setTextCursor(view._cursor(DRAWN.index("are"), DRAWN.index(", at")))
    start, end = view.selected_stretch()
    assert TEXT[start:end] == r"are \(x = \frac{-b}{2a}\) for $a^2$"
    assert view.createMimeDataFromSelection().text() == TEXT[start:end]


def test_the_source_is_the_tooltip_of_a_formula(view):
    view.show_response(TEXT, [], plain=False)
    first, following = (point_at(view, DRAWN.index("\ufffc") + step) for step in (0, 1))
    assert view._tip((first + following) / 2) == r"\(x = \frac{-b}{2a}\)"
    assert view._tip(point_at(view, 3)) == ""


def test_a_tall_formula_makes_its_line_higher_and_its_mark_too(view):
    text = "Before it.\n\n$$\\frac{\\frac{a}{b}}{\\frac{c}{d}}$$\n\nAfter it."
    view.show_response(text, [target("s1", text, text.split("\n\n")[1])], plain=False)
    block = view.document().begin().next()
    (piece,) = VisibleText(view.document(), 0, 500).pieces(*view._marks[0].span)
    assert block.layout().boundingRect().height() > view._read.look.line
    assert piece.field(view._read.look.size).height() > view._read.look.line


@pytest.mark.parametrize("formula", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_can_not_be_drawn_is_shown_as_it_is_written(view, formula):
    text = f"Before {formula} and $x^2$ after."
    view.show_response(text, [target("s1", text, formula)], plain=False)
    assert text_of(view.document()).startswith(f"Before {formula} and ")
    assert marked(view) == formula


def test_text_outside_formulas_keeps_its_backslashes(view):
    text = r"A \, gap, \(open, \[1\] and `\, $x$` in code, **$x^2$** and 5\% too."
    view.show_response(text, [], plain=False)
    assert text_of(view.document()) == r"A \, gap, \(open, \[1\] and \, $x$ in code, " + "\ufffc and 5\\% too."


def test_a_text_of_too_many_formulas_shows_the_rest_as_source(view):
    count = formula_images.MAX_FORMULAS + 20
    view.show_response(" ".join(f"$x_{{{number}}}$" for number in range(count)), [], plain=False)
    shown = text_of(view.document())
    assert shown.count("\ufffc") <= formula_images.MAX_FORMULAS
    assert shown.endswith(f"$x_{{{count - 1}}}$")


@pytest.mark.parametrize("name", ["light", "dark"])
def test_formulas_have_the_colour_of_the_text(view, qapp, name):
    theme.apply(qapp, theme.Look(theme=name))
    view.show_response("$|$", [], plain=False)
    view.show_response("$x^2$", [], plain=False)
    QApplication.processEvents()
    image = view.viewport().grab().toImage()
    colors = {image.pixelColor(x, y).name().upper() for x in range(16, 40) for y in range(2, 30)}
    theme.apply(qapp, theme.Look(theme="light"))
    assert len(colors) > 1
    assert theme.SETS[name].text in colors
