"""A long page goes into a document in parts, whole, and its words are found where a document shows them."""

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.page_offsets import PageOffsetMap, split_html

TAG = re.compile(r'</?[a-z0-9]+(?:[^>"]|"[^"]*")*>')


def words(html):
    return "".join(unescape(TAG.sub(" ", html)).split())


def is_balanced(part):
    open_now = []
    for closing, name in re.findall(r"<(/?)([a-z0-9]+)", part):
        if name in {"br", "hr"}:
            continue
        if not closing:
            open_now.append(name)
        elif not open_now or open_now.pop() != name:
            return False
    return not open_now


def test_a_short_page_is_one_part():
    assert list(split_html("<p>One <b>two</b></p>", 1_000)) == ["<p>One <b>two</b></p>"]


def test_a_cut_comes_between_paragraphs():
    parts = list(split_html("<p>One one one.</p><p>Two two two.</p><p>Three.</p>", 12))
    assert parts == ["<p>One one one.</p>", "<p>Two two two.</p>", "<p>Three.</p>"]


def test_a_numbered_list_goes_on_with_its_numbers():
    parts = list(split_html("<ol><li>One one</li><li>Two two</li><li>Three</li></ol>", 20))
    assert parts[0] == "<ol><li>One one</li></ol>"
    assert parts[1] == '<ol start="2"><li>Two two</li></ol>'


def test_one_endless_paragraph_is_cut_at_a_blank():
    parts = list(split_html("<p>" + "word " * 50 + "</p>", 40))
    assert len(parts) == 4
    assert all(re.fullmatch("<p>(word )+</p>", part) for part in parts)


def test_no_entity_is_torn():
    parts = list(split_html("<p>" + "&amp;" * 100 + "</p>", 31))
    assert words("".join(parts)) == "&" * 100


def test_a_sign_inside_an_address_ends_no_tag():
    assert list(split_html('<p><a href="https://example.org/?a=>b">x</a></p>', 100)) == [
        '<p><a href="https://example.org/?a=>b">x</a></p>'
    ]


HTML = st.recursive(
    st.text(st.sampled_from("ab &😀字<"), max_size=30).map(
        lambda text: text.replace("&", "&amp;").replace("<", "&lt;")
    ),
    lambda inner: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name}>",
        st.sampled_from(["p", "ul", "ol", "li", "blockquote", "b", "h2", "td"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


@given(HTML, st.integers(1, 60))
def test_the_parts_hold_every_word_once_and_each_is_whole(html, size):
    parts = list(split_html(html, size))
    assert words("".join(parts)) == words(html)
    assert all(is_balanced(part) for part in parts)


BREAKS = ["\u2029", "\u2028", "\ufdd0", "\ufdd1\u2029", "  ", "\u2029\u2029", "\u00a0", "\ufffc "]
WORDS = st.text(st.sampled_from("aé😀字ع\u0301x."), min_size=1, max_size=5)


def filled(text, shown, position=0):
    places = PageOffsetMap(text)
    places.add(shown, position)
    return places


def units(text):
    return len(text.encode("utf-16-le")) // 2


def test_a_stretch_is_found_past_breaks_and_wide_letters():
    places = filled("One 😀 two\nthree", "One 😀 two\u2029three")
    assert places.shown_span(4, 9) == (4, 10)
    assert places.source_span(4, 10) == (4, 9)
    assert places.source_span(0, 16) == (0, 15)


def test_what_the_view_itself_writes_above_the_page_belongs_to_nothing():
    places = filled("one two", "one two", position=20)
    assert places.source_span(0, 20) is None
    assert places.source_span(0, 23) == (0, 3)
    assert places.shown_span(4, 7) == (24, 27)


def test_a_stretch_of_white_space_alone_is_none():
    places = filled("one\ntwo", "one\u2029two")
    assert places.shown_span(3, 4) is None
    assert places.source_span(3, 4) is None


def test_a_word_of_the_document_that_the_text_lacks_is_in_no_stretch():
    places = filled("one three", "one unheard-of three")
    assert places.source_span(4, 14) is None
    assert places.shown_span(4, 9) == (15, 20)


def test_words_that_a_break_of_the_document_parts_are_one_in_the_text_and_the_other_way_round():
    assert filled("onetwo", "one\u2028two").source_span(0, 7) == (0, 6)
    assert filled("one two", "onetwo").shown_span(0, 7) == (0, 6)


def test_a_text_that_comes_in_stretches_is_found_as_far_as_it_is_there():
    places = filled("one two\nthree four", "one two\u2029thr")
    assert places.shown_span(0, 7) == (0, 7)
    assert places.shown_span(14, 18) is None
    places.add("ee four", 11)
    assert places.shown_span(8, 18) == (8, 18)


@given(
    st.lists(st.tuples(WORDS, st.sampled_from([" ", "\n"]), st.sampled_from(BREAKS)), min_size=1, max_size=30),
    st.data(),
)
def test_every_stretch_of_words_is_found_both_ways(words, data):
    text = "".join(word + blank for word, blank, _shown in words).strip()
    places = filled(text, "".join(word + shown for word, _blank, shown in words))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    wanted = text[start:end]
    lead, trail = len(wanted) - len(wanted.lstrip()), len(wanted) - len(wanted.rstrip())

    shown = places.shown_span(start, end)

    if not wanted.strip():
        assert shown is None
        return
    assert shown is not None
    assert places.source_span(*shown) == (start + lead, end - trail)
    assert shown[1] - shown[0] >= units(wanted.strip().replace("\n", " ")) - wanted.strip().count(" ") - wanted.count(
        "\n"
    )
