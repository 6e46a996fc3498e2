"""Charts about systems are legible at any width, and each says the same as its table."""

from itertools import combinations

import pytest

from desktop_rater.audit.charts.svg import DrawingArea, RectShape, TextShape, estimated_width
from desktop_rater.audit.charts.system_drawing import MOST_LINES, RoundLine, RoundsChart, draw_rounds
from desktop_rater.audit.report_format import Wording
from desktop_rater.plugins.statistics.systems_panels import all_panels
from tests.plugins.statistics.test_systems import QUALITY, Study, duels, sentences

TEXTS = Wording()
LONG = "A system with a name that is far too long for any column of a chart"


def drawing_area(width):
    return DrawingArea(width, 400, estimated_width, TEXTS.number)


def risks():
    study = Study(QUALITY)
    for number in range(24):
        for name in ("Heron", "Kestrel", LONG):
            task = f"{name}-{number}"
            study.add(task, prompt=f"p{number}", system=name)
            study.answer(task, "responses/a", fluency=float(1 + number % 5), sexual=4.0 if number < 2 else 0.0)
    return study


def many_systems():
    study = sentences()
    for system in range(10):
        for number in range(12):
            study.add(f"{system}-{number}", ["accurate", "disputed"], prompt=f"p{number}", system=f"{LONG} {system}")
    return study


def ends_of(text):
    width = estimated_width(text.text, text.size, text.bold)
    start = {"left": text.x, "middle": text.x - width / 2, "right": text.x - width}[text.align]
    return start, start + width


@pytest.mark.parametrize("width", [300, 440, 700, 1340])
@pytest.mark.parametrize("study", [sentences, duels, risks, many_systems])
def test_no_text_of_a_chart_runs_into_another_or_out_of_the_picture(study, width):
    panels = all_panels(study().report(), TEXTS)
    assert "wrote" in panels
    for name, panel in panels.items():
        assert panel.draw is not None
        picture = panel.draw(drawing_area(width))
        texts = [shape for shape in picture.shapes if isinstance(shape, TextShape) and shape.text.strip()]
        for text in texts:
            start, end = ends_of(text)
            assert start >= -25, (name, text)
            assert end <= picture.width + 25, (name, text)
        for one, other in combinations(texts, 2):
            if abs(one.y - other.y) < 9:
                (start, end), (other_start, other_end) = ends_of(one), ends_of(other)
                assert end <= other_start + 3 or other_end <= start + 3, (name, one.text, other.text)


def test_each_chart_says_as_a_table_what_it_draws():
    panels = all_panels(sentences().report(), TEXTS)
    rows = [[cell.text for cell in row] for row in panels["wrote"].table.rows]
    assert ["Heron", "Accurate (share of judged targets)", "90.9 %", "60 of 66", "12"] in [
        [row[0], row[1], row[2], row[4], row[5]] for row in rows
    ]
    assert len(rows) == 2 * 6
    draw = panels["wrote"].draw
    assert draw is not None
    marks = draw(drawing_area(1000)).marks
    assert len(marks) == len(rows)
    assert "60 of 66, 12 prompts" in marks[0].text
    duel = all_panels(duels().report(), TEXTS)["preferred"]
    assert [[cell.text for cell in row[:5]] for row in duel.table.rows][-1][0] == "Heron : Kestrel"
    differences = panels["differences"].table.rows[0]
    assert differences[2].text.startswith("+")
    assert differences[2].text.endswith(" points")


def test_of_very_many_tasks_those_that_changed_most_are_drawn():
    lines = tuple(
        RoundLine(before=0.5, after=1 - number / 1000, turn="better" if number < 500 else "worse", tooltip="", key=())
        for number in range(1001)
    )
    picture = draw_rounds(RoundsChart(lines=lines, turns={"better": "b", "worse": "w"}, about="x"), drawing_area(500))
    assert len(picture.marks) == MOST_LINES
    assert sum(isinstance(shape, RectShape) for shape in picture.shapes) == MOST_LINES // 2
