"""PDFs of many programs, read by the child that can load nothing more, and their lines as sentences."""

import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rater.pages import child
from desktop_rater.pages.child import warming_pages
from desktop_rater.pages.pdf_page import join_pages
from desktop_rater.text.quotes import find_quote
from tests.pages import pdf_files
from tests.pages.pdf_files import LINE, drawn, objects, pdf, stream
from tests.pages.reading_pages import read


@pytest.mark.parametrize("name", pdf_files.FILES)
def test_a_pdf_is_read_in_the_child(reader, name):
    body, words = pdf_files.FILES[name]
    page = read(reader, body, "application/pdf")

    assert (page.state, page.why) == ("ok", "")
    assert words in page.text


@pytest.mark.parametrize(("name", "title"), [("UTF-16", "Brücke 桥"), ("PDFDoc", "Brücke •"), ("UTF-8", "Brücke")])
def test_the_title_of_a_pdf_is_read_in_its_encoding(reader, name, title):
    page = read(reader, pdf_files.FILES[f"title in {name}"][0], "application/pdf")

    assert (page.title, page.published) == (title, "2024-02-29")


def test_no_page_makes_a_library_load_a_module_after_the_child_is_restricted():
    done = subprocess.run(
        [sys.executable, "-m", "tests.pages.late_imports"],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        cwd=Path(__file__).parents[2],
    )

    assert done.stdout == ""


def test_each_page_that_warms_the_child_is_read():
    assert [(page.state, bool(page.text)) for page in map(child.read_page, warming_pages())] == [("ok", True)] * 4


def test_a_module_that_is_missing_in_the_child_is_reported_as_a_fault_of_the_program(reader):
    body = pdf(objects(stream(b"\x0b\x02\x80Page\x03", b"/Filter/BrotliDecode")))
    page = read(reader, body, "application/pdf")

    assert page.state == "broken"
    assert page.why == (
        "The page can't be read. A part of the reader is missing (brotli). "
        "This is a fault of Desktop Rater, not of the page: open the page in the browser of the system, and report it."
    )


def test_an_exception_in_the_reader_names_its_place_and_no_class(monkeypatch):
    def fail(ask):
        raise LookupError("secret words of the page")

    monkeypatch.setitem(child._READERS, "html", fail)
    page = child.read_page(next(warming_pages()))

    assert page.state == "broken"
    assert f"The reader failed at line {fail.__code__.co_firstlineno + 1} of {__name__}." in page.why
    assert "fault of Desktop Rater" in page.why
    assert "LookupError" not in page.why
    assert "secret" not in page.why


def test_one_damaged_page_leaves_the_others_readable_and_is_named(reader):
    damaged = stream(b"no Flate at all", b"/Filter/BrotliDecode")
    page = read(reader, pdf(objects(drawn(LINE), damaged, drawn("The pier closed in 1901."))), "application/pdf")

    assert (page.state, page.text) == ("ok", f"{LINE}\nThe pier closed in 1901.")
    assert page.why == "1 of 3 pages of this PDF can't be read: page 2."


def test_a_pdf_of_too_many_pages_says_how_many_are_shown(reader):
    page = read(reader, pdf(objects(*[drawn("Page.")] * 502)), "application/pdf")

    assert page.text.count("Page.") == 500
    assert page.why == "Only the first 500 of 502 pages are shown."


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        # Torn by the writing program: the joined word occurs elsewhere, or nothing speaks for the hyphen.
        ("Its pro-|duction rose.", "Its production rose."),
        ("This is overcrowded. It was over-|crowded.", "This is overcrowded. It was overcrowded."),
        ("an in-|crease of 15 %", "an increase of 15 %"),
        ("a (re-|markable) find", "a (remarkable) find"),
        # The hyphen of the word: it occurs elsewhere, or both halves do, or it is a number, a name or a link.
        ("the well-|known figure", "the well-known figure"),
        ("self-|contained", "self-contained"),
        ("A deep-sea crab; the deep-|sea crab", "A deep-sea crab; the deep-sea crab"),
        ("A long way. This term. A long-|term plan", "A long way. This term. A long-term plan"),
        ("state-of-the-|art", "state-of-the-art"),
        ("the Anglo-|Saxon", "the Anglo-Saxon"),
        ("COVID-|19 and 1914-|18", "COVID-19 and 1914-18"),
        ("twenty-|three ships", "twenty-three ships"),
        ("https://example.org/the-|page", "https://example.org/the-page"),
        # No hyphen of one word.
        ("pre- and post-|war", "pre- and postwar"),
        ("pre-|and post-war", "pre- and post-war"),
        ("Nord-|und Ostsee", "Nord- und Ostsee"),
        ("a range –|and more", "a range – and more"),
        ("yes -|no", "yes - no"),
        ("nec\u2010|essary", "necessary"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_stays_where_it_is_part_of_the_word(lines, text):
    assert list(join_pages([lines.split("|")])) == [text]


def test_a_soft_hyphen_at_the_end_of_a_line_joins_its_word(reader):
    drawing = b"BT /F1 12 Tf 20 700 Td (nec\xad) Tj 0 -14 Td (essary) Tj ET"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

    assert read(reader, pdf(objects(drawing, font=font)), "application/pdf").text == "necessary"


def test_a_sentence_goes_on_over_the_end_of_a_page(reader):
    page = read(reader, pdf_files.FILES["reportlab"][0], "application/pdf")
    paragraphs = page.text.split("\n")

    assert paragraphs[0] == "Journal of Harbours 12 (1999)"
    assert "We therefore found it necessary to close the pier in 1901." in paragraphs[1]
    assert paragraphs[2:5] == ["41", "Journal of Harbours 12 (1999)", "42"]
    for quote in ("We therefore found it necessary to close the pier", "The ﬁrst oﬃce of the harbour was built"):
        assert find_quote(page.text, quote)


def lines(number):
    """Lines that reach the margin of their page."""
    return [f"the {ordinal} of the lines of the {number} page" for ordinal in ("first", "last-but")]


ONE, TWO, THREE = map(lines, ("first", "other", "third"))


@pytest.mark.parametrize(
    ("pages", "paragraphs"),
    [
        ([ONE, ["Paris and Rome fell."]], [" ".join([*ONE, "Paris and Rome fell."])]),
        ([[*ONE, "so it was said."], ["it is new."]], [" ".join([*ONE, "so it was said."]), "it is new."]),
        ([[*ONE, "Short head"], ["The next page."]], [" ".join([*ONE, "Short head"]), "The next page."]),
        ([[*ONE, "a short"], ["end of it."]], [" ".join([*ONE, "a short end of it."])]),
        ([["3"], ["Words.", "4"]], ["3", "Words.", "4"]),
        # Page numbers count up; figures that do not are text.
        ([[*ONE, "3"], ["goes on here", "4"]], [" ".join([*ONE, "goes on here"]), "3", "4"]),
        ([[*ONE, "30"], ["goes on here", "99"]], [" ".join([*ONE, "30 goes on here 99"])]),
        # Odd and even pages have different heads, with a number in them or beside them.
        (
            [["Left 2", *ONE], ["Right 3", *TWO], ["Left 4", *THREE], ["Right 5", "end."]],
            ["Left 2", " ".join([*ONE, *TWO, *THREE, "end."]), "Right 3", "Left 4", "Right 5"],
        ),
        ([["1", "Head", *ONE], ["2", "Head", "end."]], ["1", "Head", " ".join([*ONE, "end."]), "2", "Head"]),
        ([["Head", "1"], ["Head", "2"]], ["Head", "1", "Head", "2"]),
        ([[], ["Words."], []], ["Words."]),
        ([], []),
    ],
)
def test_running_heads_and_page_numbers_do_not_interrupt_a_paragraph_and_are_kept(pages, paragraphs):
    assert list(join_pages(pages)) == paragraphs
