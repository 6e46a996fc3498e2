"""Whatever passage of whatever page is chosen: by its quote and what stands around it, it is found again just there."""

from html import escape
from typing import cast

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Signal

from desktop_rater.format.page import Page
from desktop_rater.pages.html_page import read_html
from desktop_rater.pages.page_reader import ReadRequest
from desktop_rater.text.page_offsets import blanked
from desktop_rater.text.quotes import find_quote
from desktop_rater.text.spans import Utf16Map
from desktop_rater.ui.pages.browser import PagePassage
from desktop_rater.ui.pages.page_document import span_of_passage, unstruck_text
from desktop_rater.ui.pages.reader_view import ReaderView
from desktop_rater.ui.rating.session import Session
from tests.shown import reads_as

WORD = st.text(
    st.sampled_from("aeZ😀👩\u200d👧字漢かع\u0627\u0644עé\u0301ß.,!?'\"<&1٣-\u00ad\u200b\u202e\u00a0"),
    min_size=1,
    max_size=7,
)
WORDS = st.lists(WORD, min_size=1, max_size=8).map(" ".join)
INLINE = st.builds(
    lambda tag, words: f"<{tag}>{escape(words)}</{tag}>",
    st.sampled_from(["b", "i", "span", "code", 'a href="https://example.org/x"', "sub", "sup", "s", "q"]),
    WORDS,
).map(lambda html: html.replace('</a href="https://example.org/x">', "</a>"))
RUNS = st.lists(st.one_of(WORDS.map(escape), INLINE, st.just("<br>"), st.just("  \n ")), min_size=1, max_size=5).map(
    "".join
)
PARAGRAPH = st.builds(
    lambda tag, runs: f"<{tag}>{runs}</{tag}>", st.sampled_from(["p", "h2", "blockquote", "pre", "div"]), RUNS
)
LIST = st.builds(
    lambda tag, items: f"<{tag}>" + "".join(f"<li>{item}</li>" for item in items) + f"</{tag}>",
    st.sampled_from(["ul", "ol"]),
    st.lists(RUNS, min_size=1, max_size=4),
)
TABLE = st.lists(st.lists(RUNS, min_size=1, max_size=3), min_size=1, max_size=3).map(
    lambda rows: (
        "<table>"
        "<tr><th>A<th>B <sup>2</sup></tr>"
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        + "</table>"
    )
)
PAGES = st.lists(st.one_of(PARAGRAPH, LIST, TABLE), min_size=1, max_size=6).map("".join)


class NoTask(QObject):
    """A session in which nothing is open."""

    opened, updated, place_changed, rating_changed = Signal(), Signal(), Signal(), Signal()
    task = None


@pytest.fixture(scope="module")
def reader(look):
    session = NoTask()
    view = ReaderView(cast("Session", session))
    view.resize(472, 600)
    yield view
    view.deleteLater()


def page_of(html):
    ask = ReadRequest(
        kind="html",
        final_url="https://example.org/",
        content_type="text/html; charset=utf-8",
        body=f"<html><body>{html}</body></html>".encode(),
        elements=20_000,
        depth=256,
        seconds=10,
    )
    read = read_html(ask)
    return Page(
        url=ask.final_url,
        final_url=ask.final_url,
        state="ok",
        title="Étaples 😀",
        author="A. Ü.",
        html=read.html,
        text=read.text,
        whole_html=read.whole_html,
        whole_text=read.whole_text,
        unshown=read.unshown,
        whole_unshown=read.whole_unshown,
    )


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PAGES, st.data())
@example("<ul><li>one 😀</li></ul><table><tr><td>two</td><td>three</td></tr></table>", None)
@example("<table><tr><th>A<th>B</tr><tr><td>1</td><td><s>1</s>?</td></tr></table>", None)
def test_the_quote_of_any_passage_is_found_again_at_the_same_place(reader, html, data):
    page = page_of(html)
    reader.show_page(page, whole=True)
    while not reader.read.is_whole:
        reader.read.add_part()
    raw = unstruck_text(reader.document())
    ends = sorted(data.draw(st.integers(0, len(raw))) for _ in range(2)) if data else [0, len(raw)]
    units = Utf16Map(raw)
    reader.setTextCursor(reader.cursor_over(*map(units.to_utf16, ends)))
    # A selection that goes into a table takes all of it.
    ends = [*map(units.to_code_point, reader.selected_positions or (0, 0))]

    chosen, passage = reader.selected, reader.passage

    head = reader.read.places.shown_span(0, len(page.whole_text))
    above = units.to_code_point(head[0]) if head is not None else len(raw)
    wanted = squeezed(raw[max(ends[0], above) : max(ends[1], above)])
    shown = blanked(reader.text, page.whole_unshown)
    assert reads_as(wanted, squeezed(shown[slice(*chosen)]) if chosen is not None else "")
    assert passage is None or passage.quote in page.whole_text
    if passage is not None and page.whole_text.count(passage.prefix + passage.quote + passage.suffix) == 1:
        assert reader.text[slice(*chosen)] == passage.quote
        assert span_of_passage(page.whole_text, passage) == chosen
        reader.drop_selection()
        assert reader.show_passage(passage)
        assert reader.selected == chosen


def squeezed(text):
    """Without what parts words, blocks and cells."""
    return "".join(text.translate(dict.fromkeys((0xFDD0, 0xFDD1, 0xFFFC), " ")).split())


def test_a_quote_that_was_taken_with_words_that_the_page_strikes_is_found_without_them(reader):
    page = page_of("<p>It cost <del>20 &amp; <sup>a</sup></del> 15 dollars in <s>1900</s> 1901.</p><p>It is sold.</p>")
    assert page.text.startswith("It cost 15 dollars in 1901.")
    older = PagePassage("It cost 20 & a 15 dollars in 1900 1901.", "", " It is sold.")
    place = span_of_passage(page.text, older, page.unshown, page.html)
    assert place == (0, len("It cost 15 dollars in 1901."))
    reader.show_page(page, whole=False)
    assert reader.show_passage(older)
    assert span_of_passage(page.text, PagePassage("1900", "", ""), page.unshown, page.html) is None


def test_items_keep_the_numbers_of_their_list_in_quotes(reader):
    page = page_of("<ol start=4><li>Rinse the kelp.</li><li value=9>Dry it in the sun.</li></ol>")
    assert page.text.splitlines() == ["4. Rinse the kelp.", "9. Dry it in the sun."]
    reader.show_page(page, whole=False)
    assert reader.show_passage(PagePassage("Dry it in the sun.", "Rinse the kelp. ", "")), "quoted without its number"
    shown = [block for block in iterate(reader.document()) if block.textList() is not None]
    assert [block.textList().itemText(block) for block in shown] == ["4.", "9."]
    reader.drop_selection()
    reader.step(1)
    assert reader.passage.quote == "4. Rinse the kelp."


def iterate(document):
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def test_a_quote_with_other_white_space_is_found_as_well(reader):
    page = page_of("<p>One two</p><p>three 😀 four.</p><p>One two</p>")
    assert find_quote(page.text, "two three  😀") == (4, 15)
