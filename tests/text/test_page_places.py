"""The words of a page's text are found where a document shows them, whatever stands between."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.page_offsets import PageOffsetMap

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
