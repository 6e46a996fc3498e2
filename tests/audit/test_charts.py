"""The pictures of a report: what is drawn lies where the figures say, whatever raters are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.audit import report_format
from desktop_rater.audit.charts import report_charts
from desktop_rater.audit.charts.drawing import ConfusionChart, ShareRow, draw_dots, draw_matrix, draw_shares, draw_times
from desktop_rater.audit.charts.svg import (
    DotShape,
    DrawingArea,
    LineShape,
    RectShape,
    TextShape,
    axis_around,
    elide,
    estimated_width,
)
from desktop_rater.audit.questions import ValueStyle
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import Wording
from tests.audit.reports import LABEL, NAMES, picture_report

WORDS = Wording()
LONG = "r" * 1_000_000


def sheet(width=430, height=300):
    return DrawingArea(width, height, estimated_width, WORDS.number)


def texts(picture):
    return [shape.text for shape in picture.shapes if isinstance(shape, TextShape)]


def of(picture, kind):
    return [shape for shape in picture.shapes if isinstance(shape, kind)]


def test_each_figure_of_agreement_stands_as_a_dot_with_its_number_and_its_interval():
    rows = report_charts.dot_rows(picture_report(), "label", WORDS)
    picture = draw_dots(rows, sheet())
    assert [row.name for row in rows] == [
        "Percent agreement",
        "Krippendorff’s α",
        "Fleiss’ κ",
        "Gwet’s AC1",
        "α: Is it a fact?",
        "α: Consensus",
    ]
    assert {"0.78", "0.72–0.83", "undefined: every rating is the same"} <= set(texts(picture))
    at = [dot.x for dot in of(picture, DotShape)]
    assert len(at) == 5
    assert sorted(at) == [at[index] for index in (2, 1, 3, 0, 4)], "in the order of 0.61, 0.62, 0.70, 0.78, 0.81"


def test_a_figure_below_chance_makes_the_line_longer_and_not_the_dot_wrong():
    report = picture_report()
    rows = [row for row in report_charts.dot_rows(report, "label", WORDS) if row.value is not None]
    below = type(rows[0])("α", -0.31, -0.4, -0.2, "−0.31", "−0.40–−0.20")
    picture = draw_dots((*rows, below), sheet())
    (lowest,) = [dot for dot in of(picture, DotShape) if dot.x == min(one.x for one in of(picture, DotShape))]
    assert "−0.5" in texts(picture)
    assert lowest.y == max(dot.y for dot in of(picture, DotShape))


def test_without_any_figure_the_picture_still_says_why():
    rows = tuple(row for row in report_charts.dot_rows(picture_report(), "label", WORDS) if row.value is None)
    assert "undefined: every rating is the same" in texts(draw_dots(rows, sheet()))


def test_the_matrix_counts_what_was_given_against_the_others():
    table = report_charts.matrix_of(picture_report(), "label", WORDS)
    assert table is not None
    picture = draw_matrix(table, sheet())
    assert {"214", "242", "112", "majority of the others"} <= set(texts(picture))
    cell = next(mark for mark in picture.marks if mark.key == ("cell", "inaccurate", "accurate"))
    assert cell.text == "Inaccurate given, Accurate by the others: 12 (11 % of the row)"
    assert (
        report_charts.most_confused_text(table, WORDS)
        == "Most often confused: Inaccurate given, Accurate by the others (12)"
    )
    assert (
        report_charts.tied_text(picture_report(), "label", WORDS)
        == "7 more ratings, where the others have no majority, are not shown."
    )


def test_choices_that_nobody_gave_are_left_out_and_steps_of_a_scale_stay():
    assert len(report_charts.share_counts(picture_report(), "label")[0]) == 5
    used = [True, False, True]
    assert report_format.shown_values(LABEL, used) == (0, 2)
    scale = type(LABEL)(id="s", question="s", ask="s", per="task", measure="ordinal")
    assert report_format.shown_values(scale, used) == (0, 1, 2)


@pytest.mark.parametrize("count", [1, 2, 5, 12, 30])
def test_a_matrix_of_any_size_has_room_for_its_numbers(count):
    labels = tuple(ValueStyle(float(at), f"{at} of the scale") for at in range(count))
    counts = tuple(tuple(12_345 if row == column else 0 for column in range(count)) for row in range(count))
    table = ConfusionChart(labels, counts, "majority", "total", tuple(("",) * count for _ in labels))
    picture = draw_matrix(table, sheet())
    for box in of(picture, RectShape):
        assert box.width >= estimated_width("12,345", "small", False)
    assert all(box.x + box.width <= picture.width for box in of(picture, RectShape))


@given(st.lists(st.lists(st.integers(0, 10_000), min_size=3, max_size=3), min_size=1, max_size=8))
def test_the_segments_of_each_bar_fill_it_and_none_lies_outside(counts):
    labels = tuple(ValueStyle(name, name) for name in ("a", "b", "c"))
    rows = tuple(
        ShareRow("r", tuple(one / (sum(line) or 1) for one in line), ("1",) * 3, ("",) * 3)
        if sum(line)
        else ShareRow("r", (), (), (), missing="no label given")
        for line in counts
    )
    picture = draw_shares(labels, rows, sheet())
    legend = of(picture, RectShape)[: len(labels)]
    rows_of_marks = {}
    for mark in picture.marks:
        rows_of_marks.setdefault(mark.y, []).append(mark)
    for bars in rows_of_marks.values():
        assert bars[-1].x + bars[-1].width == pytest.approx(429)
    assert all(box.x + box.width <= 430 + 0.01 for box in of(picture, RectShape)[len(legend) :])
    assert len(of(picture, RectShape)) - len(legend) == sum(1 for line in counts for one in line if one)


def test_a_time_of_more_than_the_guideline_lies_behind_its_line():
    rows = report_charts.time_rows(picture_report(), WORDS)
    picture = draw_times(rows, sheet(), unit="min", guideline=10)
    (dashed,) = [line for line in of(picture, LineShape) if line.dashed]
    ends = [line.x2 for line in of(picture, LineShape) if line.y1 == line.y2]
    assert [end > dashed.x1 for end in ends] == [False, False, True, False, False]
    assert {"11.4", "12 min", "2.2"} <= set(texts(picture))
    assert rows[0].tooltip == "r-04: median 1.1 min, 10th percentile 0.4, 90th percentile 3.2, 1,031 targets"


@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(60, 2_000))
def test_an_axis_holds_what_it_is_made_for(one, other, width):
    low, high = sorted((round(one, 3), round(other, 3)))
    axis = axis_around(low, high, 0, width)
    assert axis.low <= low + 1e-6 * max(1, high)
    assert axis.high >= high - 1e-6 * max(1, high)
    assert 2 <= len(axis.ticks) <= width / 44 + 3
    assert 0 <= axis.at(low) <= axis.at(high) <= width


@pytest.mark.parametrize("name", [LONG, "ع" * 5_000, "\u202eabc", "a\nb\x00c", ""])
def test_a_rater_of_any_name_has_a_row_and_no_more_room_than_the_others(name):
    report = picture_report((*NAMES[:4], name))
    pictures = [
        draw_shares(*report_charts.share_rows(report, "label", WORDS), sheet()),
        draw_times(report_charts.time_rows(report, WORDS), sheet(), unit="min"),
    ]
    for picture in pictures:
        assert picture.width == 430
        left = [shape for shape in picture.shapes if isinstance(shape, TextShape) and shape.x == 0]
        assert len(left) == 5
        assert all(estimated_width(shape.text, shape.size, shape.bold) <= 430 * 0.32 for shape in left)


def test_what_is_cut_says_so():
    assert elide(sheet(), LONG, 60).endswith("…")
    assert elide(sheet(), "r-04", 60) == "r-04"


def test_twenty_raters_are_all_drawn_and_scrolled():
    report = picture_report(tuple(f"made-up-{at:02}" for at in range(1, 21)))
    picture = draw_times(report_charts.time_rows(report, WORDS), sheet(height=330), unit="min", guideline=10)
    assert picture.height > 330
    assert len(picture.marks) == 20
    numbers = [shape for shape in picture.shapes if isinstance(shape, TextShape) and shape.text == "12 min"]
    assert numbers[0].y < 24, "the numbers of the axis stand above what is scrolled"


def test_raters_of_few_targets_are_named_beneath_their_bars():
    assert report_charts.share_notes(picture_report(), "label", WORDS) == (
        "Per cent of the rater’s targets.",
        "r-31: based on 88 targets only.",
    )
    many = picture_report(tuple(f"r-{at}" for at in range(25)))
    assert (
        report_charts.share_notes(many, "label", WORDS)[1] == "Based on few ratings: r-4 (88), r-9 (88), r-14 (88), …."
    )


def test_a_step_of_a_scale_is_headed_by_its_own_number_and_named_once():
    steps = tuple(ValueStyle(step, f"{step:g} {words}".strip()) for step, words in ((-1, "A"), (0, ""), (1, "B")))
    table = ConfusionChart(steps, ((1, 0, 0), (0, 1, 0), (0, 0, 1)), "others", "total", (("",) * 3,) * 3)
    said = [one.text for one in draw_matrix(table, sheet()).shapes if isinstance(one, TextShape)]
    assert [said.count(words) for words in ("-1", "-1 A", "1 B")] == [1, 1, 1]


def test_what_rounds_to_nothing_has_no_sign_and_a_minus_is_no_dash():
    words = Wording()
    assert words.number(-0.001, 2) == "0.00"
    assert words.number(-0.01, 2) == "−0.01"
    assert (
        report_format.interval_text(ReportFigure(value=-0.2, low=-0.3, high=-0.1), words) == "−0.30\u202f–\u202f−0.10"
    )
    assert report_format.interval_text(ReportFigure(value=0.2, low=-0.3, high=0.5), words) == "−0.30–0.50"
