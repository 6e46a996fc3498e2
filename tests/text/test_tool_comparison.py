"""What a response says is looked up in the output of its tools."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.comparison import compare_with_tools, later_than

FLIGHTS = {
    "flights": [
        {"airline": "Air France", "price": 1299, "currency": "USD", "departs": "2024-05-01T15:05:00Z"},
        {"airline": "Iberia Express", "price": "€899", "departs": "10:20", "stars": 4},
    ],
    "url": "https://a.example/x/",
}


def compared(text, output=FLIGHTS):
    return [(text[one.start : one.end], one.finding, one.other) for one in compare_with_tools(text, [output])]


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("$1,299.00", {"price": 1299, "currency": "USD"}),
        ("US$1299", "It costs 1,299 USD."),
        ("1299 EUR", "€ 1.299,00"),
        ("1,299", {"rooms": 1299.0}),
        ("3:05 PM", "15:05"),
        ("3 p.m.", {"at": "2024-05-01T15:00:00Z"}),
        ("12:30 AM", "00:30"),
        ("May 1, 2024", "2024-05-01"),
        ("1 May", "2024-05-01"),
        ("May 1st", "1 May 2024"),
        ("2024", "2024-05-01"),
        ("https://A.example/x#top", "See https://a.example/x."),
        ("Air France", '{"name": "AIR  FRANCE"}'),
        ("1299", '{"price":1299}'),
    ],
)
def test_two_spellings_of_one_value_are_the_same(text, output):
    assert compared(text, output) == [(text, "found", "")]


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("€1299", {"price": 1299, "currency": "USD"}),
        ("3:05 AM", "15:05"),
        ("May 2, 2024", "2024-05-01"),
        ("May 1, 2023", "2024-05-01"),
        ("Grand Hotel", "The Grand is a hotel."),
        ("https://a.example/y", "https://a.example/x"),
    ],
)
def test_another_value_is_not_there(text, output):
    assert compared(text, output) == [(text, "absent", "")]


def test_a_value_differs_only_where_its_sentence_names_one_entry_with_one_such_value():
    assert compared("Iberia Express costs €999.") == [("Iberia Express", "found", ""), ("€999", "differs", "€899")]
    assert compared("One costs €999.") == [("€999", "absent", "")], "no entry is named"
    both = compared("Air France or Iberia Express for €999.")
    assert both[-1] == ("€999", "absent", ""), "two entries are named"
    assert compared("Iberia Express has 20 stars.")[-1] == ("20", "differs", "4")
    assert compared("Iberia Express has 20 seats.")[-1] == ("20", "absent", ""), "no value of that name"


def test_counts_and_words_that_begin_a_sentence_are_left_alone():
    assert compared("1. Here are 3 options. The flights are fine.") == []


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)
WORDS = st.sampled_from(
    ["$1,299.00", "3:05 PM", "May 1,", " 2024-13-99", "Air France", "https://[", "٣٤", "1" * 40, ". "]
)


@given(st.lists(WORDS | st.text(max_size=20), max_size=12).map(" ".join), st.lists(JSON, max_size=3))
def test_any_text_and_any_output_give_values_in_order_within_the_text(text, outputs):
    end = 0
    for one in compare_with_tools(text, outputs):
        assert end <= one.start < one.end <= len(text)
        assert bool(one.other) is (one.finding == "differs")
        end = one.end
    assert (later_than(text, "2000-01-01") or "") in text


@given(st.lists(WORDS, min_size=1, max_size=8).map(" ".join))
def test_what_an_output_repeats_word_for_word_is_found(text):
    assert {one.finding for one in compare_with_tools(text, [text])} <= {"found"}


def test_an_output_nested_without_end_and_numbers_without_measure_do_no_harm():
    nested = "x"
    for _ in range(5_000):
        nested = [nested]
    huge = {"price": 10**5_000, "also": float("nan"), "more": float("inf"), "text": "[" * 50_000}
    assert compare_with_tools("$5 and 12:00", [nested, huge, "{" * 50_000]) != ()


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("It opened on 2 March 2026.", "2 March 2026"),
        ("It opened on 1 March 2026.", None),
        ("He died in April 2026, aged 90.", "April 2026"),
        ("He died in March 2026.", None),
        ("The games of 2028 will be in Los Angeles, decided in 2017.", "2028"),
        ("Opened 2026-03-02T10:00 by 2500 guests.", "2026-03-02"),
        ("May 5 is a holiday.", None),
    ],
)
def test_a_claim_about_a_time_after_a_library_is_told(text, later):
    assert later_than(text, "2026-03-01") == later
    assert later_than(text, "") is None, "nothing is known of a library without a date"
