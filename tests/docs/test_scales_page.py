"""What a lead reads about scales, spans and planning is what the program computes."""

import json

import numpy as np
import pytest

from desktop_rater.plugins.statistics.assisted import assisted
from desktop_rater.plugins.statistics.spans import MarkedText, span_agreement
from desktop_rater.stats.cluster_bootstrap import draw_weights, share
from desktop_rater.stats.reliability import intraclass_correlations, rater_offsets, raters_needed
from desktop_rater.stats.weighted_agreement import WEIGHTS, scale_ratings
from tests.docs import pages

PAGE = pages.text("plugins/statistics.md")
SECTIONS = pages.sections(PAGE)


def number(cell: str) -> float:
    return float(cell.replace("−", "-"))


def test_the_weights_are_those_of_the_program():
    rows = pages.table(SECTIONS["Near steps"], "weights", "1 − weight, before it is divided by the largest")
    assert {name for name, _ in rows} == set(WEIGHTS)


def test_the_example_of_shrout_and_fleiss():
    section = SECTIONS["Reliability"]
    table = pages.table(section, "unit", "r1", "r2", "r3", "r4")
    ratings = scale_ratings(
        [(unit, f"r{rater}", unit, float(value)) for unit, *values in table for rater, value in enumerate(values, 1)]
    )
    figures = {name: figure.value for name, figure in intraclass_correlations(ratings).items()}
    single = figures["icc_2_1"]
    figures |= {f"raters_for.{share}": raters_needed(single, share / 100) for share in (80, 90)}
    figures |= {f"offset of {row.rater}": row.offset.value for row in rater_offsets(ratings)}
    for name, value in pages.table(section, "figure", "value"):
        assert figures[name.strip("`")] == pytest.approx(number(value), abs=5e-4), name


def test_the_line_of_spans():
    line = json.loads(pages.fence(SECTIONS["Spans"], "json"))
    spans = {rater: [(start, end, value) for start, end, value in given] for rater, given in line["spans"].items()}
    figures = span_agreement([MarkedText(line["length"], spans)], [0], draw_weights(1, ["t"], 100))
    rows = pages.table(SECTIONS["Spans"], "figure", "of this line", "what it is")
    assert [pages.code(name) for name, *_ in rows] == list(figures)
    for name, value, _ in rows:
        assert figures[pages.code(name)].value == pytest.approx(number(value), abs=5e-4), name


def test_the_example_of_people_and_a_model():
    section = SECTIONS["People and models together"]
    sums = []
    for human, model, count in pages.table(section, "human", "model", "documents"):
        kinds = [[0, 0], [0, 0], [float(model), 1]] if not human else [[float(human), 1], [float(model), 1], [0, 0]]
        sums += [[kinds]] * int(count)
    result = assisted(np.array(sums, dtype=float), is_share=True, within=(0, 1))
    people = share(*np.array(sums, dtype=float)[:, 0, 0].T)
    ends = ["{:.3f} ({:.3f} to {:.3f})".format(*estimate[:3]) for estimate in (people, result.estimate)]
    prose = " ".join(section.split())
    assert f"λ = 0.18 / (1.5 · 0.254) = {result.weight:.3f}" in prose
    assert f"People alone: {ends[0]}. Both: {ends[1]}, as if {100 * (result.saving or 0):.0f} % more" in prose
