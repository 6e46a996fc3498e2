"""Where a page speaks of a claim, and where a quote stands in it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.quotes import find_best_passage, find_quote, find_word_spans, search_words
from tests.steps import count_steps

CLAIM = "Dr. Loring Miner of Haskell County, Kansas, sent a warning in January 1918; the county had 1720 inhabitants."
PAGE = """How the first wave reached Haskell County
In January 1918 a country doctor saw “influenza of a severe type”. Dr Loring Miner wrote a warning to the public.
The county had 1,720 inhabitants then. Young men left it for Camp Funston.
Most read: ten maps of the Somme."""
LAKE = (
    "米雷尔湖是一个高山湖泊,海拔1204米。1881年,工程师布兰特用绳子测量了湖的深度,结果是205米。第一艘汽船从1889年行驶。"
)
BRIDGE = "بُني الجسر القديم عام ١٨٨٩ من الحجر. كان أول جسر يعبر النهر."


def marked(text, claim):
    return [text[start:end] for start, end in find_word_spans(text, search_words(claim))]


def best(text, claim):
    span = find_best_passage(text, search_words(claim))
    return text[slice(*span)] if span else None


def quoted(text, *quote):
    """What stands where the quote was found; nothing where it was not."""
    span = find_quote(text, *quote)
    return text[slice(*span)] if span else ""


def test_what_is_looked_for_are_words_that_say_something_and_numbers():
    assert search_words("The miners were not in a county of 1,720 people, and they had Étaples's maps!") == {
        *("miner", "county", "1720", "people", "etaple", "map")
    }
    assert search_words("Die Brücke wurde im Jahr 1889 über den Fluss gebaut.") == {
        *("brucke", "jahr", "1889", "fluss", "gebaut")
    }
    assert search_words("and of the, or!") == frozenset()


def test_words_are_found_whatever_their_case_accents_and_plurals():
    text = "MINERS came from Etaples, a miner from ÉTAPLES; 1.720 of them, not 11720 or 1,7201."
    assert marked(text, "The miner in Étaples was one of 1,720") == ["MINERS", "Etaples", "miner", "ÉTAPLES", "1.720"]


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        (LAKE, "布兰特在1881年测量了湖的深度", ["1881", "布兰特", "测量了湖的深度"]),
        (BRIDGE, "بني الجسر القديم سنة 1889", ["بُني", "الجسر", "القديم", "١٨٨٩"]),
        ("Старый мост закрыли", "МОСТ", ["мост"]),
        ("पुल का निर्माण १८८९ में", "निर्माण 1889", ["निर्माण", "१८८९"]),
        ("橋は1889年に造られた", "この橋は石で造られた", ["橋は", "造ら"]),
        ("다리는 돌로 지었다", "다리가 돌로", ["다리", "돌로"]),
        ("STRASSE und Straße", "straße", ["STRASSE", "Straße"]),
        ("H1N1 and h1n1, 5th", "the 5th H1N1", ["H1N1", "h1n1", "5"]),
    ],
)
def test_words_are_found_in_every_script(text, claim, found):
    assert marked(text, claim) == found


def test_the_passage_is_the_sentence_that_says_most_of_the_claim():
    assert best(PAGE, CLAIM) == "Dr Loring Miner wrote a warning to the public."
    assert best(PAGE, "The county had 1720 inhabitants") == "The county had 1,720 inhabitants then."
    assert best(LAKE, "布兰特在1881年测量了湖的深度").endswith("结果是205米。")
    assert best(BRIDGE, "بني الجسر القديم سنة 1889") == "بُني الجسر القديم عام ١٨٨٩ من الحجر."


def test_rare_words_count_more_than_those_that_the_page_is_full_of():
    text = "\n".join(["Lake Mirel is a lake."] * 30 + ["Brandt measured 205 metres."] + ["Lake Mirel again."] * 30)
    assert best(text, "Brandt found that Lake Mirel is 205 metres deep") == "Brandt measured 205 metres."


def test_the_address_of_a_source_is_no_word_of_the_claim():
    page = "Largest cities\nCity: Tokyo | People: 37,194,000\nCity: Delhi | People: 33,807,000"
    claim = (
        "Delhi has 33,807,000 people ([source](https://lists.example/reports/2024/largest-cities-of-the-world.html))."
    )
    assert best(page, claim) == "City: Delhi | People: 33,807,000"


def test_there_is_no_passage_where_hardly_a_word_agrees():
    assert best("The ferry runs every ten minutes in January.\nShops fear.", CLAIM) is None
    assert best("", CLAIM) is None
    assert best(PAGE, "") is None
    assert best("Only one: Haskell.", "Haskell") == "Only one: Haskell."


def test_a_quote_is_found_whatever_its_white_space():
    for quote in ("Dr Loring Miner wrote", " Dr Loring\n Miner\u00a0wrote ", "public.\n\nThe county"):
        assert quoted(PAGE, quote).split() == quote.split()


def test_of_several_places_the_one_with_its_neighbours_is_taken():
    text = "One says so. Two says so. Three says so."
    assert find_quote(text, "says so") == (4, 11)
    assert find_quote(text, "says so", prefix="Two ") == (17, 24)
    assert find_quote(text, "says so", prefix="else ", suffix=". Three") == (17, 24)
    assert find_quote(text, "says so", prefix="so. Three ", suffix=".") == (32, 39)


def test_a_quote_that_a_page_has_changed_a_little_is_still_found_and_one_that_is_gone_is_not():
    found = quoted(PAGE, 'saw "influenza of a severe type". Dr. Loring Miner wrote a warning to the public')
    assert found.startswith("saw “influenza")
    assert find_quote(PAGE, "The mayor regretted the closing of the old bridge.") is None
    assert find_quote(PAGE, " \n") is None
    assert find_quote("", "x") is None


@given(st.text(), st.text())
def test_every_place_is_a_place_of_the_text(text, claim):
    words = search_words(claim)
    spans = find_word_spans(text, words)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    find_best_passage(text, words)


@given(st.text(min_size=1), st.integers(0), st.integers(1))
def test_what_is_quoted_from_a_text_is_found_in_it(text, start, size):
    start %= len(text)
    quote = text[start : start + size]
    assert "".join(quoted(text, quote, text[:start], text[start + size :]).split()) == "".join(quote.split())


@pytest.mark.parametrize(
    "line",
    ["Line {} speaks of miners and Haskell in 1918, and of {} other things.\n", "miner Haskell {} ", "米雷尔湖{}"],
)
def test_the_work_grows_with_the_text_and_not_with_its_square(line):
    def search(text, words):
        find_word_spans(text, words)
        find_best_passage(text, words)
        find_quote(text, text[-60:])

    def steps(count):
        text = "".join(line.replace("{}", str(number)) for number in range(count))
        return count_steps(search, text, search_words(CLAIM + "米雷尔湖"))

    assert steps(4_000) < 10 * steps(500)
