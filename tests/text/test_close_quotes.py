"""A quote that its author changed a little is found, with the borders that a person would draw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from desktop_rater.text.quotes import find_similar_place, find_window_ends, find_window_start, similarity_of
from desktop_rater.text.spans import is_border

BEFORE = "It is well known in the town. However, "
AFTER = ", as everybody says. And so on it goes for a while."


def found(text: str, quote: str, at_least: float = 0.95) -> str:
    place = find_similar_place(text, quote, at_least)
    assert place is not None
    assert place.how == "close"
    assert place.similarity == similarity_of(quote, text[place.start : place.end])
    return text[place.start : place.end]


def start_near(text: str, quote: str, near: int) -> int:
    place = find_similar_place(text, quote, at_least=0.8, near=near)
    assert place is not None
    return place.start


@pytest.mark.parametrize(
    ("stands", "quote"),
    [
        # A sentence made of a clause: another first letter, a full stop of its own.
        (
            "the merger of two black holes is a rare event in any galaxy",
            "The merger of two black holes is a rare event in any galaxy.",
        ),
        ("they won the topurnament in 1986 in the final", "they won the tournament in 1986 in the final"),
        ("the first line of it\r\nand the second line of it", "the first line of it\nand the second line of it"),
        (
            "European traders, who were now more interested in gold rather than in people",
            "European traders were now more interested in gold rather than in people.",
        ),
        ("der Fluß fließt durch Zürich in die Limmat", "der Fluss fließt durch Zürich in die Limmat"),
        (
            "la cafe\u0301 se encuentra en la plaza mayor de la cafe\u0301",
            "la cafe se encuentra en la plaza mayor de la cafe",
        ),
        ("مدينة باريس هي عاصمة فرنسا وأكبر مدنها سكانا", "مدينة باريس هى عاصمة فرنسا وأكبر مدنها سكانا"),
        (
            "the family 👩‍👩‍👧 went to the sea and to the mountains 👩🏽‍🚀",
            "the family 👩‍👩‍👧 went to the sea and the mountains 👩🏽‍🚀",
        ),
    ],
)
def test_a_retouched_sentence_is_found_whole(stands, quote):
    assert found(f"{BEFORE}{stands}{AFTER}", quote, at_least=0.9) == stands


def test_a_sentence_without_spaces_between_its_words_is_found():
    stands = "東京は日本の首都であり、世界最大の都市の一つとして知られています。"
    text = f"それは有名です。{stands}人口は約千四百万人です。"
    assert found(text, stands.replace("最大", "最多")) == stands


def test_the_full_stop_belongs_to_the_sentence_though_another_one_was_quoted():
    assert found("No. We all went to the market yesterday! Then home.", "We all went to the market yesterday.") == (
        "We all went to the market yesterday!"
    )
    assert found("No. We all went to the market yesterday. Then home.", "We alll went to the market yesterday") == (
        "We all went to the market yesterday"
    )


def test_a_word_is_not_cut_to_please_the_figure():
    text = "She is one of the best-known internationalists of the century."
    assert found(text, "She is one of the best-known internationalist", at_least=0.9) == (
        "She is one of the best-known internationalists"
    )


def test_ninety_five_percent_is_enough_and_less_is_not():
    text = f"{BEFORE}aaaa bbbb cccc dddd eeee{AFTER}"
    quote = "aaaa bbbb cccc dddx eeee"  # one character in 24 replaced: 1 - 2 / 48
    assert find_similar_place(text, quote, at_least=46 / 48) is not None
    assert find_similar_place(text, quote, at_least=46 / 48 + 1e-6) is None
    assert find_similar_place(text, "aaaa bxbb cccc dddx eeee") is None


def test_nothing_like_it_is_no_place():
    assert find_similar_place(BEFORE + AFTER, "Quite another sentence stands here.") is None
    assert find_similar_place("", "quote") is None
    assert find_similar_place("short", "a quote that is longer than the text") is None


@pytest.mark.parametrize("quote", ["", " ", "\r\n\t\u3000"])
def test_a_quote_of_nothing_is_no_place(quote):
    assert find_similar_place("a b c", quote) is None


@pytest.mark.parametrize("at_least", [0.0, -1.0, 1.5, float("nan")])
def test_a_threshold_that_means_nothing_is_refused(at_least):
    with pytest.raises(ValueError, match="at_least"):
        find_similar_place("text", "text", at_least=at_least)


def test_of_two_equal_places_the_nearest_is_taken_and_without_a_hint_neither():
    text = "We went to the market. Rain fell. We went to the market. The end."
    quote = "We wemt to the market."
    assert find_similar_place(text, quote, at_least=0.9) is None
    assert [start_near(text, quote, near) for near in (0, 10, 25, 60)] == [0, 0, 34, 34]


def test_the_better_of_two_places_is_taken_wherever_the_hint_points():
    text = "We wemt to the market. Rain fell. We went to the market. The end."
    assert start_near(text, "We went to tha market.", near=0) == 34


ALPHABET = st.sampled_from("ab é.,'1 \r\n\u0301\u200d漢😀")


@given(st.text(ALPHABET, max_size=60), st.text(ALPHABET, max_size=12), st.sampled_from([0.5, 0.8, 0.95]))
def test_any_place_found_is_trimmed_whole_and_close_enough(text, quote, at_least):
    place = find_similar_place(text, quote, at_least, near=0)
    if place:
        window = text[place.start : place.end]
        assert window == window.strip() != ""
        assert similarity_of(quote.strip(), window) == place.similarity >= at_least
        assert place == find_similar_place(text, quote, at_least, near=0)
        # Neither border cuts a word or a character: at most it leaves the closing full stop outside.
        assert is_border(text, place.start)
        assert is_border(text, place.end)


VOCABULARY = ["the", "cat", "sat", "on", "a", "mat", "while", "rain", "fell", "over", "Zürich", "Łódź", "1986", "😀"]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=12)


@given(WORDS, WORDS, WORDS, st.data())
def test_a_typing_mistake_never_loses_a_long_quote(before, words, after, data):
    quote = " ".join(words)
    at = data.draw(st.integers(1, len(quote) - 1))
    stands = f"{quote[:at]}x{quote[at:]}"
    text = f"{' '.join(before)}. {stands}. {' '.join(after)}"
    place = find_similar_place(text, quote, at_least=0.9, near=text.index(stands))
    assert place is not None
    assert place.similarity >= similarity_of(quote, stands)


SMALL = st.text(st.sampled_from("abc"), max_size=10)


@given(SMALL, SMALL.filter(bool), st.sampled_from([0.3, 0.6, 0.8, 0.95, 1.0]))
def test_the_quick_search_finds_what_trying_every_window_finds(text, pattern, at_least):
    fewest = {
        end: min(Levenshtein.distance(pattern, text[start:end]) for start in range(end + 1))
        for end in range(1, len(text) + 1)
    }
    close = {end for end in fewest for start in range(end) if similarity_of(pattern, text[start:end]) >= at_least}
    ends = find_window_ends(text, pattern, at_least)

    assert all(end.edits == fewest[end.at] for end in ends)
    assert close <= {end.at for end in ends}
    for end in ends:
        start = find_window_start(text, pattern, end.at)
        assert Levenshtein.distance(pattern, text[start : end.at]) == end.edits
        assert all(
            similarity_of(pattern, text[start : end.at]) <= end.similarity_at_most(len(pattern)) + 1e-9
            for start in range(end.at)
        )


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("ab" * 50_000, "ab" * 500 + "c"),
        ("a" * 100_000, "a" * 1_000),
        ("a " * 50_000, "a b " * 250),
        ("e\u0301" * 50_000, "e\u0301" * 500),
        ("\u0301" * 100_000, "\u0301" * 1_000),
        (" " * 100_000, "a" * 1_000),
        ("The cat sat. " * 8_000, "The cat sat on. " * 60),
    ],
)
def test_hostile_repetition_does_not_hold_the_import_up(text, quote):
    # Half a second each, where a search by sliding windows takes minutes. What is found matters less.
    assert find_similar_place(text, quote) is None
    find_similar_place(text, quote, near=50_000)
