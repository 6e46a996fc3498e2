"""What of a Markdown text is a formula, and what only looks like one."""

import pytest

from desktop_rater.text.formulas import MAX_FORMULA, find_formulas

FORMULAS = {
    "each pair of delimiters": (
        r"$x^2$ \(a>0\) \[ E = mc^2 \] $$\frac{a}{b}$$",
        ["$x^2$", r"\(a>0\)", r"\[ E = mc^2 \]", r"$$\frac{a}{b}$$"],
    ),
    "several lines": ("$$\nx\n= 2\n$$ so", ["$$\nx\n= 2\n$$"]),
    "single letters": (r"$n$ and \(k\), not \(note\)", ["$n$", r"\(k\)"]),
    "prices": ("$5 and $10, $5-$10, US$5 to US$6, $5 (=4 EUR) or $6", []),
    "prices in cells": ("|$5|$10|\n|-|-|\n| $1 | $2 |", []),
    "formulas in cells": ("|$a$|$b$|\n|-|-|\n|$a|b$|c|", ["$a$", "$b$"]),
    "words and paths": ("$mass times velocity$ $HOME/bin:$PATH", []),
    "footnotes and brackets": (r"as shown \[1\]\[2, 3\] and \[sic\]", []),
    "code": ("`$x$` ``\\(y\\)``\n\n```\n$z$\n```\n\n$a$", ["$a$"]),
    "addresses": ("[a](http://x.example/$b$c) https://x.example/$b$ $z$", ["$z$"]),
    "no end in the paragraph": ("It is $x\n\ny$ or \\[ a\n\n= b \\]", []),
    "escaped": (r"\$x\$ and $a\$b$ and \\(c\\)", [r"$a\$b$"]),
    "too long": (f"${'x+' * MAX_FORMULA}y$", []),
}


@pytest.mark.parametrize(("text", "expected"), FORMULAS.values(), ids=FORMULAS.keys())
def test_formulas_are_told_from_prices_words_and_code(text, expected):
    assert [text[formula.start : formula.end] for formula in find_formulas(text)] == expected


def test_a_formula_in_a_quotation_is_read_without_its_marks():
    (formula,) = find_formulas("> $$\n> x\n> = 2\n> $$")
    assert (formula.latex, formula.display) == ("x\n= 2", True)
