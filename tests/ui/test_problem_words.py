"""A problem is told in the window's language, whoever states the rule."""

import pytest
from PySide6.QtCore import QTranslator

from desktop_rater.format.rating import Problem
from desktop_rater.ui.rating.problem_fixes import problem_message


class Framed(QTranslator):
    """A language in which every phrase of a problem stands in brackets."""

    def translate(self, context, source, /, disambiguation=None, n=-1):
        del disambiguation, n
        return f"[{source}]" if context == "ProblemLanguage" else ""


@pytest.fixture
def framed(qapp):
    translator = Framed()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.mark.parametrize(
    ("rule", "message", "told"),
    [
        ("contradicts:a", "No page. The guideline says Inaccurate.", "No page. [The guideline says Inaccurate.]"),
        ("contradicts:b", "A page. This project's rule says Accurate.", "A page. [This project's rule says Accurate.]"),
        (
            "contradicts:c",
            "The guideline says so. This project's rule says No.",
            "The guideline says so. [This project's rule says No.]",
        ),
        ("required:d", "Not answered: Is it sound?", "[Not answered: Is it sound?]"),
        ("required:e", "Comment is not answered.", "[Comment is not answered.]"),
        ("rule", "Say whose consensus it is.", "Say whose consensus it is."),
    ],
)
def test_the_phrase_around_the_rubrics_words_is_translated(framed, rule, message, told):
    assert problem_message(Problem(rule=rule, level="block", where="task", message=message)) == told
