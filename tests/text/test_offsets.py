"""Offsets survive the way into a text widget and back."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rater.text.spans import Utf16Map, WidgetTextMap

AWKWARD = ["\r\n", "\r", "\n", "\u2028", "\u2029", "\x0b", "\x85", "\ufeff", "\ufffe", "\ufdd0", "\ufffc", "\0", "\t"]
AWKWARD += ["😀", "👩‍👩‍👧", "e\u0301", "ك", "ש", "گ", "漢", "の", "\U0010ffff", "\ud83d", "\ude00"]
TEXTS = st.lists(st.sampled_from(AWKWARD) | st.text(max_size=3), max_size=30).map("".join)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(TEXTS, st.data())
def test_every_code_point_has_its_utf16_offset_and_finds_back(text, data):
    offset = data.draw(st.integers(0, len(text)))
    both_ways = Utf16Map(text)
    assert both_ways.to_utf16(offset) == units(text[:offset])
    assert both_ways.to_code_point(both_ways.to_utf16(offset)) == offset
    assert both_ways.units == units(text)


def test_a_place_inside_a_surrogate_pair_is_the_start_of_the_pair():
    assert [Utf16Map("a😀b😀").to_code_point(unit) for unit in range(7)] == [0, 1, 1, 2, 3, 3, 4]


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_the_text_is_refused_and_not_bent_into_it(offset):
    for convert in (Utf16Map("abc").to_utf16, Utf16Map("abc").to_code_point):
        with pytest.raises(IndexError, match=r"outside 0\.\.3"):
            convert(offset)
    with pytest.raises(IndexError):
        WidgetTextMap("a\r\n").to_shown(offset)
    with pytest.raises(IndexError):
        WidgetTextMap("a\r\nb").to_source(offset)


@given(TEXTS, st.data())
def test_a_place_in_the_source_comes_back_from_the_widget_as_itself(source, data):
    offset = data.draw(st.integers(0, len(source)))
    shown = WidgetTextMap(source)
    inside_crlf = source[max(0, offset - 1) : offset + 1] == "\r\n"
    assert shown.to_source(shown.to_shown(offset)) == offset - inside_crlf


@given(TEXTS)
@example("a\r\nb\r\n😀\r\r\n")
def test_places_keep_their_order_and_reach_both_ends(source):
    shown = WidgetTextMap(source)
    there = [shown.to_shown(offset) for offset in range(len(source) + 1)]
    back = [shown.to_source(unit) for unit in range(units(shown.shown) + 1)]
    assert there == sorted(there)
    assert (there[0], there[-1]) == (0, units(shown.shown))
    assert back == sorted(back)
    assert (back[0], back[-1]) == (0, len(source))


def test_a_line_end_of_two_characters_takes_one_place_in_the_widget():
    shown = WidgetTextMap("a\r\nb\rc\u2029d")
    assert shown.shown == "a\nb\nc\nd"
    assert [shown.to_source(unit) for unit in range(8)] == [0, 1, 3, 4, 5, 6, 7, 8]


def test_a_text_that_needs_no_change_is_shown_as_it_is():
    plain = "tab\t, VT\x0b, NEL\x85, LS\u2028, NBSP\xa0, object\ufffc, NUL\0, ZWNBSP\ufeff inside\n"
    assert WidgetTextMap(plain).shown == plain
