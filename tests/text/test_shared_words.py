"""Whether a quote has anything in common with what it is evidence for."""

import pytest

from desktop_rater.text.shared_words import shares_nothing

BEGAN = "Work began on 28 January 1887 and was finished in two years."


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("| Tokyo | 37,274,000 |", BEGAN),
        ("The population of Osaka is 19 million.", BEGAN),
        ("Der Turm wurde von Gustave Eiffel gebaut.", "Die Stadt ist mit dem Zug in zwei Stunden zu erreichen."),
        ("The tower was built by Gustave Eiffel.", "The city is reached by train from the coast in two hours."),
        ("La tour a été construite par Gustave Eiffel.", "Le train est arrivé dans la ville avec une heure de retard."),
    ],
)
def test_a_passage_about_something_else_is_noticed(claim, passage):
    assert shares_nothing(claim, passage, "en")


@pytest.mark.parametrize(
    ("claim", "passage", "why"),
    [
        ("The tower was built in 1889.", "It was opened to the public in 1889, and had been criticised.", "a number"),
        ("It has 37,274,000 inhabitants.", "More than 37.3 million people were living there.", "a rounded number"),
        ("Marconi invented the radio.", "He is often called the inventor of wireless telegraphy.", "a stem"),
        (
            "Der Bundeskanzler trat zurück.",
            "Die Kanzlerin war nicht mehr im Amt, und der Kanzler auch nicht.",
            "a part",
        ),
        ("Zürich liegt am See.", "Die Stadt ZURICH ist mit dem Zug zu erreichen.", "accents and case"),
        ("The tower was built by Eiffel.", "Die Stadt ist mit dem Zug in zwei Stunden zu erreichen.", "German"),
        ("The tower was built by Eiffel.", "Город находится на берегу реки, и в нём живут люди.", "another script"),
        ("The tower was built by Eiffel.", "这座城市位于河边,人口很多。", "a script without spaces"),
        ("Эйфель построил башню.", "Город находится на берегу реки, и в нём живут люди.", "an unknown language"),
        ("The tower was built by Eiffel.", "28 January 1887", "too little to tell"),
        ("The tower was built by Eiffel.", "Yes, it was.", "too little to tell"),
        ("It was.", BEGAN, "nothing to look for"),
    ],
)
def test_there_is_no_false_alarm(claim, passage, why):
    assert not shares_nothing(claim, passage, "en"), why


def test_the_title_of_the_page_says_what_a_passage_is_about():
    assert shares_nothing("Tokyo is large.", BEGAN, "en")
    assert not shares_nothing("Tokyo is large.", BEGAN, "en", "Tokyo Tower")


def test_the_language_of_the_bundle_counts_where_the_claim_has_no_words_of_its_own():
    assert not shares_nothing("| Tokyo | 37,274,000 |", BEGAN, "ja")
    assert not shares_nothing("| Tokyo | 37,274,000 |", BEGAN)
    assert shares_nothing("| Tokyo | 37,274,000 |", BEGAN, "en-GB")
