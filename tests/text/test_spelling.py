"""The words of a comment that are checked, and the dictionary that is taken."""

import pytest

from desktop_rater.text.spelling import dictionary_tag, spelled_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It isn’t so, says Müller.", ["It", "isn't", "so", "says", "Müller"]),
        ("See https://example.org/wrng and www.exampl.org or me@exampl.org.", ["See", "and", "or"]),
        ("Run `teh code` in ~/teh/path now", ["Run", "in", "now"]),
        ("The GDP of v2x, snake_case and iPhone ;src", ["The", "of", "and"]),
        ("כתוב ქართული слово", ["כתוב", "ქართული", "слово"]),
        ("", []),
    ],
)
def test_code_addresses_and_names_are_left_alone(text, words):
    checked = list(spelled_words(text))
    assert [word for _start, word in checked] == words
    assert all(text[start : start + len(word)].replace("’", "'") == word for start, word in checked)


def test_a_long_text_without_a_blank_is_looked_through_at_once():
    assert list(spelled_words("a" * 200_000)) == []
    assert len(list(spelled_words("word`" * 20_000))) <= 20_000


@pytest.mark.parametrize(
    ("wanted", "tag"), [("de", "de_DE"), ("en-GB", "en_GB"), ("en", "en_US"), ("pt", "pt_BR"), ("ja", ""), ("", "")]
)
def test_a_language_takes_its_usual_dictionary(wanted, tag):
    assert dictionary_tag(wanted, ["de_AT", "de_DE", "en_GB", "en_US", "pt_BR"]) == tag
