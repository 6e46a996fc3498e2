"""Documents become passages, and claims become words to search for."""

from itertools import pairwise

import pytest

from desktop_rater.format.page import Page
from desktop_rater.plugins.library.passages import (
    LEAST_WORDS,
    MOST_WORDS,
    LibraryDocument,
    by_table,
    count_words,
    page_document,
    query_phrases,
    query_words,
    split_passages,
)

SENTENCE = "The sea otter dives for urchins off the coast and eats them on its back. "
CHINESE = "海獭生活在北太平洋沿岸。"
HTML = """
<h1>Sea <b>otter</b> &amp; kin</h1><p>Otters live at sea.</p>
<h2>Diet</h2><ul><li>Urchins</li></ul><h2>Diet</h2><p>More of it.</p>
"""
SHOWN = "Diet | urchins\nSea otter & kin\nOtters live at sea.\nDiet\nUrchins\nDiet\nMore of it."


def document(text, **more):
    return LibraryDocument("place", "https://otter.example/", "Otters", text, **more)


def page(**fields):
    return Page(url="https://otter.example/", final_url="https://otter.example/", state="ok", **fields)


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE * 40,
        "\n".join([SENTENCE * 3] * 20),
        "word " * 1_000,
        CHINESE * 60,
        "字" * 1_000,
        f"{SENTENCE * 4}\n\n  - \n{CHINESE}\n{SENTENCE}",
        "Short.",
    ],
)
def test_passages_hold_each_word_once_and_are_short(text):
    passages = list(split_passages(document(text)))
    joined = "".join(text[passage.start : passage.end] for passage in passages)
    assert "".join(filter(str.isalnum, joined)) == "".join(filter(str.isalnum, text))
    sizes = [count_words(text[passage.start : passage.end]) for passage in passages]
    assert max(sizes) <= MOST_WORDS
    assert all(size > LEAST_WORDS / 2 for size in sizes[:-1])
    assert all(before.end <= after.start for before, after in pairwise(passages))


def test_a_document_without_words_has_no_passages():
    assert list(split_passages(document(" \n—\n"))) == []


def test_a_passage_has_the_heading_under_which_it_begins():
    lines = ["Diet", SENTENCE * 5, "Range", SENTENCE * 5, SENTENCE * 5]
    text = "\n".join(lines)
    passages = list(split_passages(document(text, headings={0: "Diet", text.index("Range"): "Range"})))
    assert [(text[passage.start :][:5], passage.heading) for passage in passages] == [
        ("Diet\n", "Diet"),
        ("Range", "Range"),
        ("The s", "Range"),
    ]


def test_headings_are_those_of_the_page_where_its_text_has_them():
    read = page_document("place", page(whole_html=HTML, whole_text=SHOWN, title="Otters"))
    assert [SHOWN[offset:].partition("\n")[0] for offset in read.headings] == ["Sea otter & kin", "Diet", "Diet"]
    assert list(read.headings) == sorted(set(read.headings))
    assert min(offset for offset, text in read.headings.items() if text == "Diet") > SHOWN.index("kin")


def test_the_headings_of_a_markdown_page_are_found():
    text = "Draft\n## Sea otter ##\nOtters live at sea."
    read = page_document("place", page(whole_text=text, media_type="text/markdown", title="Sea otter"))
    assert (read.title, read.headings) == ("Sea otter", {text.index("##"): "Sea otter"})


@pytest.mark.parametrize(
    ("query", "lang", "words"),
    [
        ("The sea otter is not a fish [3].", "", ["sea", "otter", "not", "fish"]),
        ("Der Otter war 1911 bedroht und die Jagd endete.", "", ["otter", "1911", "bedroht", "jagd", "endete"]),
        ("Otter war 1911", "", ["otter", "war", "1911"]),
        ("Otter war 1911", "de-AT", ["otter", "1911"]),
        ("La loutre était protégée par les lois de la mer", "", ["loutre", "protégée", "lois", "mer"]),
        ("Калан не рыба и живёт в море", "", ["калан", "не", "рыба", "живёт", "море"]),
        ("Who is The Who", "", ["who", "is", "the"]),
        ("otter otter https://otter.example/the-page", "", ["otter"]),
        ("Straße in Köln", "de", ["straße", "köln"]),
        ("?!", "", []),
    ],
)  # fmt: skip
def test_stop_words_are_dropped_but_never_all_words(query, lang, words):
    assert query_words(query, lang) == words


def test_a_query_goes_to_the_tables_that_have_its_script():
    assert by_table(["otter"]) == {"words": ["otter"]}
    assert by_table(["海獭"]) == {"grams": ["海獭"]}
    assert by_table(["otter", "海獭"]) == {"words": ["otter"], "grams": ["otter", "海獭"]}


def test_words_in_quotation_marks_are_a_phrase():
    assert query_phrases('a "sea otter", “the pup” „ins Meer“ «la mer» "one"') == [
        "sea otter",
        "the pup",
        "ins Meer",
        "la mer",
    ]
