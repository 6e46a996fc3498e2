"""A lead asks how far raters agree on what they marked, one of whom has moved the border of a sentence."""

import json

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.plugins.statistics.spans import NO_BORDER
from tests.audit.results import GOOD, WRONG, Desk
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import noon, rating, take_in, write_lines, writer

SHORTER = {"start": 0, "end": 6, "quote": "Kelp 1", "was_start": 0, "was_end": 16}


@pytest.fixture
def desk(tmp_path):
    """Two raters who agree, but that bea takes a shorter part of the first sentence."""
    desk = Desk(tmp_path)
    sent = [desk.sent("ann", t1=GOOD, t2=WRONG, t3=GOOD)]
    lines = [rating("t-1", GOOD, GOOD, borders={"s1": SHORTER}), rating("t-2", WRONG, GOOD), rating("t-3", GOOD, GOOD)]
    file = write_lines(tmp_path / "bea.jsonl", lines)
    with writer(tmp_path / "home-bea") as store:
        take_in(store, desk.bundle)
        rate_from_file(store, "kelp", file, "bea", progress=Progress(), now=noon)
    desk.opened(*sent, desk.exported("bea"))
    return desk


def test_a_moved_border_is_a_difference_of_spans_not_of_values(run, desk):  # noqa: F811 - the fixture
    said = run("--store", desk.store, "audit", "spans", "kelp")
    assert said.status == 0, said.err
    assert said.out.splitlines()[0] == "3 texts of two raters or more, 2 raters, 12 spans"
    figures = json.loads(run("--store", desk.store, "audit", "spans", "kelp", "--json").out)["figures"]
    assert figures["f1.exact"]["value"] == pytest.approx(10 / 12)
    # Of 3 x 30 characters marked by each but the space, bea leaves 10 of the first sentence out.
    lengths = sum(len("Kelp 1 is green.") + len("It is an alga.") for _ in range(3))
    assert figures["f1.characters"]["value"] == pytest.approx(2 * (lengths - 10) / (2 * lengths - 10))
    assert figures["u_alpha.coding"]["value"] == 1
    assert 0.5 < figures["u_alpha"]["value"] < 1
    assert figures["u_alpha"]["why"] == "rests on 3 tasks: too few for an interval"
    refused = run("--store", desk.store, "audit", "spans", "kelp", "--question", "nothing")
    assert refused.status == 2


def test_spans_that_no_rater_could_move_are_no_agreement_on_spans(run, tmp_path):  # noqa: F811 - the fixture
    desk = Desk(tmp_path)
    desk.opened(*[desk.sent(rater, t1=GOOD, t2=WRONG, t3=GOOD) for rater in ("ann", "bea")])
    said = run("--store", desk.store, "audit", "spans", "kelp", "--json")
    figures = json.loads(said.out)["figures"]
    assert {(figure["value"], figure["why"]) for figure in figures.values()} == {(None, NO_BORDER)}
    assert {(figure["n"], figure["tasks"], figure["raters"]) for figure in figures.values()} == {(3, 3, 2)}
    assert f"undefined: {NO_BORDER}" in run("--store", desk.store, "audit", "spans", "kelp").out


def test_a_value_that_means_not_marked_is_no_span(run, desk):  # noqa: F811 - the fixture
    said = run("--store", desk.store, "audit", "spans", "kelp", "--unmarked", "accurate")
    assert said.out.splitlines()[0] == "3 texts of two raters or more, 2 raters, 2 spans"
