"""Rendered Markdown and its source: measured on what Qt makes of it."""

import html
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QFont, QTextCursor

from desktop_rater.text.markdown import RenderedMap, align_markdown, markdown_words
from desktop_rater.text.spans import WidgetTextMap
from desktop_rater.ui.widgets.text_document import ReadDocument, Typography
from tests.shown import QUOTES, text_of, with_boxes

BREAKS = "\u2029\ufdd0\ufdd1"
LOOK = Typography(15, 27, 12, 20, QColor("blue"), QColor("grey"), QColor("grey"), QColor("red"))

RENDERED = {
    "entities": ("a &amp; b &copy;&#8217;&nbsp;&unknown; &lt;b&gt;", "a & b ©’\xa0&unknown; <b>"),
    "entities in code": ("`&amp;` &amp;", "&amp; &"),
    "escapes": (r"a \* b \_ \\ \q", r"a * b _ \ \q"),
    "hard breaks": ("one  \ntwo\\\nthree\nfour", "one\u2029two\u2029three four"),
    "lists": ("- a\n- b\n  - c\n1. x\n2) y\n- [ ] t\n- [x] d", "a\u2029b\u2029c\u2029x\u2029y\u2029t\u2029d"),
    "a table": ("|a|b|\n|-|:-|\n|c|**d**|\n\ne", "\ufdd0a\ufdd0b\ufdd0c\ufdd0d\ufdd1\u2029e"),
    "a fence": ("a\n```py\nprint(p)\n\n  y\n```\nb", "a\u2029print(p)\u2029\u2029  y\u2029b"),
    "indented code": ("a\n\n    b &amp; \\*\n", "a\u2029b &amp; \\*"),
    "a picture": ('![old *town*](u.png "t") end', "old town end"),
    "links": ("[x](http://u/v(1)) y [ref][1]\n\n[1]: http://a/b", "x y ref"),
    "a link whose address has the next words": ("[a](b) b [b](c) c", "a b b c"),
    "autolinks": ("<http://a.b/c> www.foo.com", "http://a.b/c www.foo.com"),
    "headings": ("# H1\n## H2 ##\nUnder\n===\ntext", "H1\u2029H2\u2029Under\u2029text"),
    "quotations": ("> q1\n> q2\n>> q3\n\nlazy", "q1 q2\u2029q3\u2029lazy"),
    "emphasis in emphasis": ("😀 **b😀*n*** e\u0301 ~~s~~ a_b_c", "😀 b😀n e\u0301 s a_b_c"),
    "CRLF": ("a\r\nb\r\n\r\nc\r\n- d\r\n- e", "a b\u2029c\u2029d\u2029e"),
    "other line ends": ("a\u2028b\x0bc\x85d\x0ce", "a\u2028b\x0bc\x85d\x0ce"),
    "HTML": ("<b>x</b> <br>\n\n<div>\ny\n</div>", "<b>x</b> <br>\u2029<div> y </div>"),
    "what looks like the head of a file": ("---\ntitle: x\n---\nbody", "\u2029\u2029title: x\u2029body"),
    "a rule": ("a\n\n---\n\nb", "a\u2029\u2029b"),
    "a mark at the start": ("\ufeffa", "\u2060a"),
}


def rendered(source: str) -> ReadDocument:
    document = ReadDocument(None, QFont(), LOOK)
    document.fill(source, plain=False)
    return document


def selected(document: ReadDocument, span: tuple[int, int]) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(span[0])
    cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def came_from(found: RenderedMap) -> list[str]:
    """What of the source each rendered character that is none of Qt's own breaks came from."""
    places = zip(found.starts, found.ends, found.rendered, strict=True)
    return [found.source[start:end] for start, end, character in places if character not in BREAKS]


def may_render_as(source: str, character: str) -> bool:
    """Whether that part of the source can be the origin of one rendered character."""
    plain = WidgetTextMap(source).shown
    if character == "\ufffc" and source[:1] in ("$", "\\"):
        return True  # a drawn formula
    if character == " " and plain.strip(" \t>\n") == "" and "\n" in plain:
        return True  # a line end in the source of a formula
    if character in (source, plain) or plain in {" ": (" ", "\n", "\t"), "\ufffd": ("\ufffd", "\0")}.get(character, ()):
        return True
    return re.fullmatch(r"&#?\w+;", source) is not None and html.unescape(source) == character


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("source", "shown"), RENDERED.values(), ids=RENDERED.keys())
def test_what_qt_makes_of_markdown_is_found_in_the_source(source, shown):
    document = rendered(source)
    assert document.is_rendered
    assert text_of(document) == with_boxes(shown)
    assert isinstance(document.map, RenderedMap)
    pairs = zip(came_from(document.map), re.sub(f"[{BREAKS}]", "", shown), strict=True)
    assert all(may_render_as(origin, character) for origin, character in pairs)


def test_a_letter_is_not_looked_for_in_an_address_or_an_info_string():
    link = align_markdown("[a](b) b", "a b")
    code = align_markdown("```py\nprint\n```", "print")
    reference = align_markdown("one [two][three] three", "one two three")
    assert link is not None
    assert link.shown_span(7, 8) == (2, 3)
    assert code is not None
    assert code.shown_span(6, 11) == (0, 5)
    assert reference is not None
    assert reference.shown_span(17, 22) == (8, 13)


def test_a_stretch_goes_from_its_first_rendered_character_to_its_last():
    source = "A **bold** word.\n\nNext."
    found = align_markdown(source, "A bold word.\u2029Next.")
    assert found is not None
    for stretch in ("**bold**", "bold", "**bold", "bold**"):
        start = source.index(stretch)
        assert found.shown_span(start, start + len(stretch)) == (2, 6)
    assert found.shown_span(2, 4) is None, "marks alone show nothing"
    assert found.shown_span(11, 20) == (7, 15), "over the end of a paragraph"
    assert found.shown_span(11, 18) == (7, 12), "but not up to it"
    assert source[slice(*found.source_span(2, 6))] == "bold"
    assert source[slice(*found.source_span(7, 13))] == "word."
    assert found.source_span(12, 13) == (16, 16), "a break is no character of the source"


def test_what_is_not_in_the_source_has_no_map():
    assert align_markdown("a b", "a c") is None
    assert align_markdown("", "x") is None
    assert align_markdown("abc", "cab") is None


@pytest.mark.usefixtures("qapp")
def test_a_wanted_stretch_that_would_not_be_seen_brings_the_source():
    source = "See [this][1].\n\n[1]: http://example.org/page\n"
    start = source.index("http")
    document = ReadDocument(None, QFont(), LOOK)
    document.fill(source, plain=False, wanted=[(start, start + 10)])
    assert not document.is_rendered
    assert document.toPlainText() == source


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES.keys())
@pytest.mark.parametrize("mark", ["", "**", "*", "~~"])
def test_the_highlight_covers_exactly_the_quote(quote, mark):
    before = "# Zwölf 😀\r\n\r\n- 👩‍👩‍👧 &amp; מ [y](z)\r\n- and "
    source = f"{before}{mark}{quote}{mark} and 🎉\r\n\r\n> so on"
    document = rendered(source)
    start = len(before) + len(mark)
    span = document.map.shown_span(start, start + len(quote))
    assert document.is_rendered
    assert span is not None
    assert selected(document, span) == with_boxes(quote)
    assert document.map.source_span(*span) == (start, start + len(quote))


PARTS = [
    "**",
    "*",
    "_",
    "__",
    "`",
    "```",
    "~~",
    "~",
    "# ",
    "## ",
    "> ",
    "- ",
    "1. ",
    "* ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
]
PARTS += [
    "[",
    "](",
    ")",
    "](u v)",
    "![",
    "[1]",
    "[1]: u\n",
    "<",
    ">",
    "<b>",
    "</b>",
    "<!-- ",
    "http://a.b/c",
    "www.x.y",
]
PARTS += [
    "|",
    "|a|b|\n|-|-|\n",
    "---\n",
    "===\n",
    "&amp;",
    "&nbsp;",
    "&#0;",
    "&x;",
    "\\",
    "\\*",
    "\\\n",
    "  \n",
    "[ ] ",
]
PARTS += [
    "\r\n",
    "\r",
    "\u2028",
    "\u2029",
    "\x0b",
    "\x85",
    "\0",
    "\xa0",
    "\ufeff",
    "\ufdd0",
    "\ufffc",
    "\ud83d",
    "$",
    "a@b.c",
]
PARTS += ["a", "b c", "word", "😀", "👩‍👩‍👧", "e\u0301", "漢字", "مرحبا", "שלום", "1", ".", ":"]
MARKDOWN = st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=25).map("".join)


@pytest.mark.usefixtures("qapp")
@settings(max_examples=400)
@given(MARKDOWN)
def test_every_rendered_character_stands_for_one_of_the_source_or_the_source_is_shown(source):
    document = rendered(source)
    found = document.map
    if not isinstance(found, RenderedMap):
        assert text_of(document).replace("\u2029", "\n") == with_boxes(WidgetTextMap(source).shown)
        return
    assert with_boxes(found.rendered) == text_of(document)
    assert all(before <= after for before, after in zip(found.starts, found.starts[1:], strict=False))
    shown = [character for character in found.rendered if character not in BREAKS]
    assert all(may_render_as(one, other) for one, other in zip(came_from(found), shown, strict=True))


@pytest.mark.usefixtures("qapp")
@settings(max_examples=300)
@given(MARKDOWN, st.data())
def test_spans_go_there_and_back(source, data):
    document = rendered(source)
    last = document.in_text(document.characterCount())
    begin, end = sorted((data.draw(st.integers(0, last)), data.draw(st.integers(0, last))))
    start, stop = document.map.source_span(begin, end)
    again = document.map.shown_span(start, stop)
    assert 0 <= start <= stop <= len(source)
    if document.is_rendered and start < stop:
        assert again is not None
        assert begin <= again[0] + 1
        assert again[1] <= end + 1
        assert document.map.source_span(*again) == (start, stop)


@pytest.mark.usefixtures("qapp")
def test_real_answers_align(shared):
    texts = [text for text in answers(shared) if text.strip()]
    aligned = sum(rendered(text).is_rendered for text in texts)
    assert len(texts) > 100
    assert aligned / len(texts) > 0.99


def answers(shared):
    for line in (shared / "data/expertqa/rand_val.jsonl").read_text("utf-8").splitlines():
        yield from (one["answer_string"] for one in json.loads(line)["answers"].values())
    for line in (shared / "data/factcheck-bench/factcheck-GPT-benchmark.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)["response"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("It was **tall** and *old*, ~~not~~ `iron`.", "It was tall and old, not iron."),
        ('See [the page](http://x.example/a_(b) "A title") and ![a dog](d.png).', "See the page and a dog."),
        ("[source][1], __strong__, _so_", "source, strong, so"),
        (r"2 * 3 * 4, a_b_c, snake_case, \*literal\*, [1]", "2 * 3 * 4, a_b_c, snake_case, *literal*, [1]"),
        ("**[both](http://x.example)**", "both"),
        ("plain text (of course)", "plain text (of course)"),
    ],
)
def test_the_words_of_markdown_are_without_its_marks(source, words):
    assert markdown_words(source) == words


@pytest.mark.parametrize("unit", ["[", "**", "[a](", "*a ", "`", "_a", "\\"])
def test_hostile_markdown_is_stripped_in_linear_time(unit):
    text = unit * (100_000 // len(unit))
    assert len(markdown_words(text)) <= len(text)
