"""Token F1: the worked values, and what must hold for any two texts."""

import string
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.stats.scores import normalized_words, token_f1

TOKYO = "Tokyo is Japan's capital, known for its blend of traditional culture and technological advancements."


@pytest.mark.parametrize(
    ("response", "reference", "figure"),
    [
        ("The capital of Japan is Tokyo.", TOKYO, Fraction(8, 19)),
        ("A cat, a cat, the cat!", "cat", Fraction(1, 2)),
        ("the", "a", 0),
        ("well-known don't", "well known dont", Fraction(2, 5)),
        ("", "", 0),
        ("kelp", "", 0),
        ("kelp", "nori", 0),
        ("Kelp!", "kelp", 1),
        # Nothing is inserted where punctuation stood, and only ASCII punctuation goes.
        ("a.b", "ab", 1),
        ("«kelp»", "kelp", 0),
        # Articles are whole words: "another" and "theory" stay, and "a-b" is one word before they are looked for.
        ("another theory", "other ory", 0),
        ("a-b", "b", 0),
        ("the\u00a0kelp", "kelp", 1),
    ],
)
def test_the_worked_values(response, reference, figure):
    assert token_f1(response, reference) == pytest.approx(float(figure), abs=1e-15)


TEXTS = st.text(alphabet="ab the,.-'\nÄß\u3000", max_size=40)


@given(TEXTS, TEXTS)
def test_it_lies_between_0_and_1_and_is_the_same_both_ways(one, other):
    assert 0 <= token_f1(one, other) <= 1
    assert token_f1(one, other) == token_f1(other, one)


@given(TEXTS)
def test_a_text_has_all_words_of_itself(text):
    assert token_f1(text, text) == (1 if normalized_words(text) else 0)


@given(TEXTS, TEXTS)
def test_case_and_punctuation_change_nothing(one, other):
    bare = one.translate(str.maketrans("", "", string.punctuation)).lower()
    assert token_f1(one, other) == token_f1(bare, other)
