"""An e-book is read as its chapters, one after the other; a hostile one ends in a sentence."""

import pytest

from tests.pages.epub_files import BOMB, MIMETYPE, chapter, epub
from tests.pages.reading_pages import read

CHAPTERS = [chapter(number, f"Kelp forest {number} grows in cold water – 40 m deep.") for number in (1, 2, 3)]


@pytest.mark.parametrize("content_type", [MIMETYPE, "application/octet-stream", "application/zip"])
def test_an_epub_is_read_as_its_chapters_in_the_order_of_its_spine(reader, content_type):
    page = read(reader, epub(CHAPTERS, listed=[3, 1, 2]), content_type, url="https://a.example/kelp.epub")
    assert (page.state, page.why, page.title, page.author) == ("ok", "", "Kelp & tides", "M. Sarkis")
    assert (page.lang, page.site) == ("en", "a.example")
    numbers = [number for number in (3, 1, 2) for _ in range(2)]
    lines = [line for line in page.text.split("\n") if line]
    assert [int(next(word for word in line.split() if word.isdigit())) for line in lines] == numbers
    assert lines[1] == "Kelp forest 3 grows in cold water – 40 m deep."
    assert page.html.count("<h2>") == 3
    assert page.whole_text == page.text


def test_a_chapter_that_is_missing_or_nested_too_deep_is_counted_and_the_others_are_read(reader):
    deep = "<div>" * 5_000 + "Kelp"
    page = read(reader, epub([CHAPTERS[0], chapter(2, deep)], listed=[1, 2, 9]), MIMETYPE)
    assert "Kelp forest 1" in page.text
    assert page.why == "2 of 3 parts of this e-book can't be read."


def test_entities_of_an_epub_s_own_are_not_expanded_and_lead_nowhere(reader):
    page = read(reader, epub([chapter(1, "Kelp &b;&c; grows.", doctype=BOMB)], doctype=BOMB), MIMETYPE)
    assert page.text.split("\n")[-1] == "Kelp &b;&c; grows."


HOSTILE = {
    "cut": epub(CHAPTERS)[:-200],
    "no files": epub(CHAPTERS).replace(b"META-INF", b"META-INX"),
    "outside": epub(CHAPTERS).replace(b"OPS/text/c 1", b"../xtext/c 1"),
    "a zip": b"PK\x03\x04" + bytes(26) + f"mimetype{MIMETYPE}".encode() + bytes(900),
    "bomb": epub([chapter(1, "k" * (40 << 20))]),
    "empty": epub([]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_damaged_or_hostile_epub_ends_in_a_sentence(reader, name):
    page = read(reader, HOSTILE[name], MIMETYPE)
    assert page.text == ""
    assert page.why.startswith("This e-book ") or page.why == "1 of 1 parts of this e-book can't be read."
    assert "fault of Desktop Rater" not in page.why
    assert "Kelp forest 1" in read(reader, epub(CHAPTERS), MIMETYPE).text, "the reader goes on"
