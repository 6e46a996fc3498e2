"""Agreement on spans equals a published implementation, and a lead asks for it after a border was moved."""

import json
from random import Random

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.plugins.statistics.spans import NO_BORDER, MarkedText, check_spans, span_agreement
from desktop_rater.stats.cluster_bootstrap import draw_weights
from tests.audit.results import GOOD, WRONG, Desk
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.operations.bundles import noon, rating, take_in, write_lines, writer

# github.com/lindanna/unitized_alpha, commit 11637e7, prints alpha, marked or not, values where spans meet.
MAIN = {
    "Alex": [(2, 5, "1"), (9, 11, "1"), (12, 20, "2")],
    "Paul": [(2, 5, "1"), (7, 15, "2")],
    "Susan": [(2, 5, "1"), (10, 15, "2")],
}
README = {"Alex": [(2, 5, "1")], "Paul": [(2, 5, "1"), (10, 20, "2")], "Susan": [(2, 5, "2"), (15, 20, "2")]}


def at_random():
    """Return spans of four raters in a text of 400 characters."""
    random, spans = Random(7), {}
    for rater in "abcd":
        at, spans[rater] = 0, []
        while (start := at + random.randint(0, 25)) + (length := random.randint(1, 20)) <= 400:
            at = start + length
            spans[rater].append((start, at, random.choice("123")))
    return spans


def figures_of(*texts, clusters=None):
    clusters = clusters or list(range(len(texts)))
    return span_agreement(texts, clusters, draw_weights(1, [f"t{number}" for number in range(max(clusters) + 1)], 400))


@pytest.mark.parametrize(
    ("spans", "length", "printed"),
    [
        (MAIN, 20, (0.474, 0.433, 0.779)),
        (README, 60, (0.3982981423791392, 0.5238010446343782, 0.3571428571428571)),
        (at_random(), 400, (-0.0410998131850564, -0.038410478656913494, -0.07604730781513824)),
    ],
)
def test_published_and_random_spans(spans, length, printed):
    figures = figures_of(MarkedText(length, spans))
    values = [figures[name].value for name in ("u_alpha", "u_alpha.binary", "u_alpha.coding")]
    assert values == pytest.approx(list(printed), abs=5e-4 if length == 20 else 1e-12)


def test_spans_of_twenty_texts_have_an_interval_and_equal_spans_are_one():
    texts = [
        MarkedText(50, {"a": [(5, 15, "xy"[number % 2])], "b": [(5 + number % 5, 15, "y" if number % 7 else "x")]})
        for number in range(20)
    ]
    figures = figures_of(*texts)
    for figure in figures.values():
        assert figure.low < figure.value < figure.high
    same = figures_of(*(MarkedText(50, {"a": [(5, 15, "x")], "b": [(5, 15, "x")]}) for _ in range(12)))
    assert (same["u_alpha"].value, same["f1.exact"].value, same["f1.characters"].value) == (1, 1, 1)
    assert same["u_alpha.coding"].value is None, "there is one value"


def test_spans_that_overlap_are_refused():
    with pytest.raises(ValueError, match='6 to 12 of "b"'):
        check_spans(MarkedText(20, {"b": [(6, 12, "x"), (0, 7, "x")]}))


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
