"""A long page goes into a document in parts, and nothing of it is lost or torn."""

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.text.page_offsets import split_html

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
