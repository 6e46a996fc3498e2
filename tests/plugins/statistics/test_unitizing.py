"""Agreement on spans equals a published implementation of Krippendorff and others (2016)."""

from random import Random

import pytest

from desktop_rater.plugins.statistics.spans import MarkedText, check_spans, span_agreement
from desktop_rater.stats.cluster_bootstrap import draw_weights

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
