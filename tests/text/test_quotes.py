"""A target is rated where its author meant it, or left out; never somewhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.quotes import QuotePlace, place_quote, similarity_of

TEXT = "The cat sat. 😀 The dog sat.\r\nThe cat sat. The end."
SMALL = st.text(st.sampled_from("ab \n"), max_size=12)


def test_offsets_that_agree_with_the_quote_are_taken_though_the_quote_stands_elsewhere_too():
    assert place_quote(TEXT, 29, 41, "The cat sat.") == QuotePlace(29, 41, "offsets")
    assert place_quote(TEXT, 0, 12, "The cat sat.") == QuotePlace(0, 12, "offsets")


@pytest.mark.parametrize("quote", [None, ""])
def test_offsets_without_a_quote_are_taken_as_they_are(quote):
    assert place_quote(TEXT, 13, 14, quote) == QuotePlace(13, 14, "offsets")
    assert place_quote(TEXT, 0, len(TEXT), quote) == QuotePlace(0, len(TEXT), "offsets")


@pytest.mark.parametrize(
    ("start", "end"), [(None, None), (None, 3), (3, None), (-3, 2), (5, 5), (9, 4), (0, 10_000), (10_000, 10_001)]
)
def test_offsets_that_enclose_nothing_need_a_quote(start, end):
    assert place_quote(TEXT, start, end, None) is None
    assert place_quote(TEXT, start, end, "The dog sat.") == QuotePlace(15, 27, "exact")


def test_offsets_counted_in_utf16_are_put_right_by_the_quote():
    assert place_quote(TEXT, 16, 28, "The dog sat.") == QuotePlace(15, 27, "exact")


def test_a_quote_that_stands_twice_is_found_by_what_surrounds_it():
    assert place_quote(TEXT, 1, 13, "The cat sat.") is None
    assert place_quote(TEXT, 1, 13, "The cat sat.", prefix="\r\n") == QuotePlace(29, 41, "context")
    assert place_quote(TEXT, None, None, "The cat sat.", suffix=" 😀") == QuotePlace(0, 12, "context")
    assert place_quote(TEXT, None, None, "The cat sat.", prefix="dog sat.\r\n", suffix=" The end") == QuotePlace(
        29, 41, "context"
    )


def test_surroundings_that_fit_two_places_or_none_decide_nothing():
    assert place_quote(TEXT, None, None, "The cat sat.", suffix=" ") is None
    assert place_quote(TEXT, None, None, "The cat sat.", prefix="Once ") is None
    assert place_quote(TEXT, None, None, "The cat sat.", prefix="\r\n", suffix=" 😀") is None


def test_overlapping_occurrences_are_several():
    assert place_quote("banana", None, None, "ana") is None
    assert place_quote("banana", None, None, "ana", prefix="ban") == QuotePlace(3, 6, "context")


def test_a_quote_that_differs_in_a_line_end_is_not_exact():
    assert place_quote("one\r\ntwo", None, None, "one\ntwo") is None


def test_a_quote_may_begin_inside_what_is_seen_as_one_character_if_its_author_says_so():
    assert place_quote("cafe\u0301", None, None, "e") == QuotePlace(3, 4, "exact")


@given(SMALL, st.none() | st.integers(-2, 14), st.none() | st.integers(-2, 14), st.none() | SMALL, SMALL, SMALL)
def test_what_is_found_is_always_the_quote(text, start, end, quote, prefix, suffix):
    found = place_quote(text, start, end, quote, prefix, suffix)
    if found:
        assert 0 <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == (quote or text[start:end])
        assert found.similarity == 1.0
    if found and found.how == "context":
        assert text[: found.start].endswith(prefix)
        assert text[found.end :].startswith(suffix)


@given(st.text(max_size=30), st.text(max_size=5), st.text(max_size=5), st.text(max_size=30))
def test_a_quote_with_its_own_surroundings_is_found_unless_they_recur(before, quote, after, rest):
    text = before + quote + after + rest
    found = place_quote(text, None, None, quote, before, after)
    if quote and before and text.rfind(before + quote + after) == 0:
        assert found is not None
        assert found.start == len(before)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("abc", "abc", 1.0), ("", "", 1.0), ("abc", "", 0.0), ("abcd", "abce", 0.75), ("A", "a", 0)],
)
def test_likeness_counts_insertions_and_deletions(a, b, expected):
    assert similarity_of(a, b) == pytest.approx(expected)
    assert similarity_of(b, a) == pytest.approx(expected)
