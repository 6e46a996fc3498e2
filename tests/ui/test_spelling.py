"""Numbers, days, times, quotation marks and the phrases of a problem follow the language of the window."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator

from desktop_rater.format.rating import Problem
from desktop_rater.format.task import ToolCall
from desktop_rater.stats.scores import token_f1
from desktop_rater.ui.rating import tool_output
from desktop_rater.ui.rating.form.choice import NumberQuestion
from desktop_rater.ui.rating.form.scale import step_text
from desktop_rater.ui.rating.problem_fixes import problem_message
from desktop_rater.ui.rating.response_pane import TokenF1Label
from desktop_rater.ui.store.connections import utc_moment
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.formatting import megabytes, revision_count
from desktop_rater.ui.widgets.labels import isolated, right_to_left
from desktop_rater.ui.window import startup
from tests.ui.rooms import Text, press
from tests.ui.test_scales import WITH_ALL, opened, scale

ROOT = Path(__file__).parents[2] / "desktop_rater" / "ui"
WHEN = datetime(2026, 11, 12, 9, 20, 5, tzinfo=UTC)
OVERRIDE, CLOSE = "\u202e", "\u2069"


class German(QTranslator):
    """The German of what is spelt, whether or not the translators' file is written already."""

    SAID = {"d MMM yyyy": "d. MMM yyyy", "“{text}”": "„{text}“"}

    def isEmpty(self):  # noqa: N802 - Qt's name
        return False

    def translate(self, context, text, disambiguation=None, n=-1):
        return self.SAID.get(text)


@pytest.fixture
def german(qapp):
    startup.install_language(qapp, "de")
    translator = German(qapp)
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)
    startup.install_language(qapp, "en")


def test_english_is_written_the_english_way_whatever_the_system_speaks(qapp):
    before = QLocale()
    try:
        QLocale.setDefault(QLocale("fr"))
        startup.install_language(qapp, "en")
        assert formatting.number(1_031) == "1,031"
        assert formatting.decimal(1_234.5, 1) == "1,234.5"
        assert formatting.day_and_clock(WHEN) == "12 Nov 2026, 09:20"
    finally:
        QLocale.setDefault(before)


@pytest.mark.usefixtures("german")
def test_german_is_written_the_german_way():
    assert formatting.number(1_031) == "1.031"
    assert formatting.decimal(1_234.5, 1) == "1.234,5"
    assert formatting.day(WHEN) == "12. Nov. 2026"
    assert formatting.clock(WHEN) == "09:20"
    assert formatting.clock(WHEN, seconds=True) == "09:20:05"
    assert formatting.quoted("Paris") == "„Paris“"
    assert formatting.figure(-0.5) == "−0,5"


@pytest.mark.usefixtures("german")
def test_all_that_speaks_of_figures_and_days_does_so(qtbot):
    assert megabytes(1_234_500_000) == "1.234,5 MB"
    assert "1.031" in revision_count(1_031)
    assert tool_output.call_time_text("2026-11-12T09:20:00Z").startswith("12. Nov. 2026, 09:20")
    assert utc_moment("2026-11-12T09:20:00Z").startswith("12. Nov. 2026")
    assert step_text(2.5) == "2,5"
    figure = TokenF1Label("figure")
    qtbot.addWidget(figure)
    assert f"{token_f1('a b c', 'a b d'):.2f}".replace(".", ",") in figure._words("a b c", "a b d")


@pytest.mark.usefixtures("german")
def test_a_decimal_comma_is_shown_and_typed(qtbot):
    row = NumberQuestion(scale(0, 1))
    qtbot.addWidget(row)
    said = []
    row.typed.connect(lambda _question, value: said.append(value))
    row.show_value(0.25, current=True)
    assert row.edit.text() == "0,25"
    row.edit.setText("0,75")
    row.edit.textEdited.emit("0,75")
    assert said == [0.75]


def test_the_quotation_marks_of_the_history_and_of_problems_are_those_of_the_language(room, rooms, german, qapp):
    session = room.session
    press("Y", "3", "5", "W", Text("Said by all."), "Esc")
    rooms.wait_until_saved(room)
    press("F7")
    lines = room.window.parts["history"].pane.model
    rooms.qtbot.waitUntil(lambda: any("„Said by all.“" in line.title for line in lines.rows))
    assert not any("“Said" in line.title for line in lines.rows)
    assert session.task is not None


def test_nothing_in_the_window_spells_by_itself():
    """`QLocale`, `strftime` and Python's own formats would each follow another language."""
    wanted = re.compile(r"QLocale\(\)|strftime|:,\}|:\.\d+f\}|%[bBHM]|[“„]\{(?!text\}|name\}|action\}|one\}|other\})")
    found = [
        (path.name, line.strip())
        for path in ROOT.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if wanted.search(line) and path.name != "formatting.py"
    ]
    assert found == []


# -- what a text holds does not turn what stands beside it


@pytest.mark.parametrize(
    "text",
    [f"pay {OVERRIDE}reversed", "\u2067open", f"shut{CLOSE}{CLOSE}{OVERRIDE}", "\u202a\u202b\u2066\u2068", "שלום 12"],
)
def test_a_text_from_elsewhere_is_closed_by_its_own_end(text):
    inside = isolated(text)
    depth, lowest = 0, []
    for character in inside:
        depth += (character in "\u2066\u2067\u2068") - (character == CLOSE)
        lowest.append(depth)
    assert depth == 0
    outside = [character for level, character in zip(lowest, inside[:-1], strict=False) if level == 0]
    assert not set(outside) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), "nothing gets out of it"


def test_plain_text_stays_as_it_is():
    for text in ("", "Paris", "12 Nov 2026", "été", "日本"):
        assert isolated(text) == text


def test_what_is_isolated_does_not_say_which_way_the_line_runs():
    assert right_to_left("שלום: x")
    assert not right_to_left(f"{isolated('שלום')}: a problem")
    assert right_to_left(isolated("שלום")), "unless there is nothing else"
    assert right_to_left("\u2068Paris\u2069 שלום")


def test_a_tool_that_writes_an_open_override_leaves_what_it_gave_readable():
    call = ToolCall(name="search", status="ok", input={"q": f"{OVERRIDE}abc"}, output="found")
    line = tool_output.tool_call_row(call).detail
    assert line == "q: [U+202E]abc → found"


def test_the_foot_of_the_form_names_what_has_no_problems(rooms):
    room = opened(rooms, WITH_ALL)
    session = room.session
    session.go_to(session.stops[0])
    problems = room.window.form_pane.problems
    assert problems.no_problem() == f"{len(session.form_questions)} questions open"
    for asked in session.form_questions:
        session.answer(asked.question.id, 1)
    assert problems.no_problem() == "No problems here"


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
