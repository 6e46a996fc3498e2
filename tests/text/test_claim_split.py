"""A sentence of several claims is split by rule, in its own words; any other text is left alone."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_rater.text.claim_split import MAX_CLAIMS, split_claims

BRODER = (
    "However, he soon became interested in computer science and information retrieval, and his PhD thesis was on"
    " ‘The Design and Analysis of a Database for Semantic Text Retrieval’."
)


def claims_of(sentence: str) -> list[str]:
    before = "Before it. "
    text = f"{before}{sentence} After it, and he was there."
    split = split_claims(text, len(before), len(before) + len(sentence))
    return [" ".join(text[start:end] for start, end in spans) for spans in split]


def test_the_sentence_of_the_guideline_is_three_claims():
    assert claims_of(BRODER) == [
        "he soon became interested in computer science",
        "he soon became interested in information retrieval",
        "his PhD thesis was on ‘The Design and Analysis of a Database for Semantic Text Retrieval’",
    ]


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("He lived in Paris, London and Rome.", ["He lived in Paris", "He lived in London", "He lived in Rome"]),
        (
            "He was born in Bucharest in 1953 and moved to Israel in 1973.",
            ["He was born in Bucharest in 1953", "He moved to Israel in 1973"],
        ),
        (
            "The tower, which was built in 1352, is 40 metres high.",
            ["The tower is 40 metres high", "The tower was built in 1352"],
        ),
        (
            "The pass he used was the Col de la Traversette, which lies on the border between France and Italy.",
            [
                "The pass he used was the Col de la Traversette",
                "the Col de la Traversette lies on the border between France and Italy",
            ],
        ),
        (
            "Paris is the capital of France and the largest city of the country.",
            ["Paris is the capital of France", "Paris is the largest city of the country"],
        ),
        (
            "The tower was built in 1352 by monks from Bruges.",
            ["The tower was built in 1352", "The tower was built by monks from Bruges"],
        ),
        (
            "Matalga lies by the sea, and its team is led by Pere Antunes.",
            ["Matalga lies by the sea", "its team is led by Pere Antunes"],
        ),
        (
            "The song was written by a miner in May 1902.",
            ["The song was written by a miner", "The song was written in May 1902"],
        ),
        ("Der Turm wurde gebaut; das Tor ist alt.", ["Der Turm wurde gebaut", "das Tor ist alt"]),
    ],
)
def test_each_part_carries_the_words_that_it_shares(sentence, claims):
    assert claims_of(sentence) == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "The tower was built by monks from Bruges.",
        "The tower was built in 1352.",
        "The path was blocked in 1352 by falling rocks.",  # a cause is no agent
        "The church was cleaned in 1980 and painted in 1990.",  # not: "the church painted in 1990"
        "She said that cats are nice and the dog was bad.",  # it is what she said
        "In the 1990s he worked at AltaVista, where he and his colleagues found a way to tell pages apart.",
        "He ate salt and pepper.",
        "He won the race, which surprised everybody.",  # not: "the race surprised everybody"
        "Who was he and who was she?",
        "Il est né à Paris et il a vécu à Rome.",
        "彼は東京で生まれ、パリに住んでいた。",
        "",
        "and and; and",
    ],
)
def test_a_sentence_that_no_rule_fits_is_left_alone(sentence):
    assert claims_of(sentence) == []


PARTS = "He was born in Rome and, moved; but the “ ” ' ( ) which his 1953 .: - \u0301 👩\u200d🔬"
WORDS = st.lists(st.sampled_from(PARTS.split(" ")), max_size=30).map(" ".join)


@settings(max_examples=200)
@given(st.one_of(WORDS, st.text(max_size=80)), st.integers(-5, 90), st.integers(-5, 200))
@example("He He moved; He He He", 0, -1)
def test_spans_lie_in_the_sentence_in_order_and_never_for_one_claim(text, start, end):
    claims = split_claims(text, start, end)
    assert len(claims) == 0 or 2 <= len(claims) <= MAX_CLAIMS
    assert len(set(claims)) == len(claims)
    for spans in claims:
        offsets = [offset for span in spans for offset in span]
        assert offsets == sorted(set(offsets))
        assert max(0, start) <= offsets[0] < offsets[-1] <= min(end, len(text))
        for first, last in spans:
            assert text[first:last] == text[first:last].strip() != ""
