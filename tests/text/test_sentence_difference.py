"""A rater sees which sentences of two responses are the same, alike, or stand in one of them only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text import comparison
from desktop_rater.text.comparison import MAX_COMPARED_CHARACTERS, MAX_SENTENCE_PAIRS, compare_sentences

FIRST = "I found a great option. Adria West leaves Split at 09:40 on Friday. Seat 23A is free."
SECOND = "The search returned nothing. Seat 23A is free. Adria West leaves Split at 10:15 on Friday."


def shown(text, found):
    """Kind, words of the sentence, and those that differ."""
    return [(one.kind, text[slice(*one.span)], [text[slice(*word)] for word in one.words]) for one in found]


def test_each_sentence_is_told_with_what_differs_in_it():
    found = compare_sentences(FIRST, SECOND)
    assert shown(FIRST, found.first) == [
        ("only", "I found a great option.", []),
        ("similar", "Adria West leaves Split at 09:40 on Friday.", ["09:40"]),
        ("same", "Seat 23A is free.", []),
    ]
    assert shown(SECOND, found.second) == [
        ("only", "The search returned nothing.", []),
        ("same", "Seat 23A is free.", []),
        ("similar", "Adria West leaves Split at 10:15 on Friday.", ["10:15"]),
    ]
    assert [one.partner for one in found.first] == [None, 2, 1]
    assert found.whole


def test_what_a_reader_does_not_see_is_no_difference():
    found = compare_sentences(
        "**Caf\u00e9 A** is open.\nSo is  B.", "Cafe\u0301 A is open. So is B.", markdown=(True, False)
    )
    assert [one.kind for one in found.first] == ["same", "same"]
    found = compare_sentences("The caf\u00e9 is open.", "The cafe\u0301 is shut.")
    assert shown("The caf\u00e9 is open.", found.first) == [("similar", "The caf\u00e9 is open.", ["open"])]


def test_a_sentence_that_stands_twice_has_two_partners():
    found = compare_sentences("Yes. Yes. No.", "Yes. No. Yes.")
    assert [(one.kind, one.partner) for one in found.first] == [("same", 0), ("same", 2), ("same", 1)]
    once = compare_sentences("It is so. It is so.", "It is so.")
    assert [one.kind for one in once.first] == ["same", "only"]


def test_a_script_without_blanks_is_compared_by_its_letters():
    found = compare_sentences("東京は日本の首都です。", "京都は日本の首都です。")
    text = "東京は日本の首都です。"
    assert found.first[0].kind == "similar"
    assert [text[slice(*word)] for word in found.first[0].words] in (["東"], ["東京"], ["京"])


@pytest.mark.parametrize("pair", [("", ""), ("", "One."), ("   \n", "One."), ("One.", "")])
def test_with_an_empty_response_nothing_breaks(pair):
    found = compare_sentences(*pair)
    assert all(one.kind == "only" for one in (*found.first, *found.second))


def test_the_end_of_a_long_text_is_not_compared_and_that_is_said():
    long = "So it is. " * (MAX_COMPARED_CHARACTERS // 5)
    found = compare_sentences(long, "So it is.")
    assert not found.whole
    assert all(one.span[1] <= MAX_COMPARED_CHARACTERS for one in found.first)


def test_texts_of_thousands_of_sentences_are_compared_a_bounded_number_of_times(monkeypatch):
    counted = 0
    ratio = comparison.fuzz.ratio

    class Counting:
        def ratio(self, *given, **more):
            nonlocal counted
            counted += 1
            return ratio(*given, **more)

    monkeypatch.setattr(comparison, "fuzz", Counting())
    first = " ".join(f"Item {at} was seen." for at in range(3_000))
    second = " ".join(f"Piece {at} was heard." for at in range(2_500))
    compare_sentences(first, second)
    assert 0 < counted <= MAX_SENTENCE_PAIRS + 3_000


texts = st.lists(
    st.sampled_from(
        ("It is so.", "It was so.", "No.", "A flight leaves at 9:40.", "Ein Flug geht um 9:40.", "水です。", "🙂")
    ),
    max_size=8,
).map(" ".join)


@given(texts | st.text(max_size=80), texts | st.text(max_size=80))
def test_every_mark_lies_in_its_text_and_each_pair_is_told_by_both(first, second):
    found = compare_sentences(first, second)
    for text, mine, theirs in ((first, found.first, found.second), (second, found.second, found.first)):
        end = 0
        for at, one in enumerate(mine):
            assert end <= one.span[0] < one.span[1] <= len(text)
            end = one.span[1]
            assert all(one.span[0] <= start < stop <= one.span[1] for start, stop in one.words)
            assert (one.partner is None) == (one.kind == "only")
            if one.partner is not None:
                assert theirs[one.partner].partner == at
                assert theirs[one.partner].kind == one.kind
            if one.kind != "similar":
                assert one.words == ()


@given(texts)
def test_a_text_differs_in_nothing_from_itself(text):
    found = compare_sentences(text, text)
    assert {one.kind for one in (*found.first, *found.second)} <= {"same"}
