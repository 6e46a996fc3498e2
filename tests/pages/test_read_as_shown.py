"""The text of a page is, block for block, what a text document shows of its HTML: quotes are taken from either."""

import re
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from desktop_rater.text.page_offsets import blanked
from tests.pages.reading_pages import ALL, read, stored

INNER = st.sampled_from(
    ["word", "two words", " ", "\n", "<br>", "a<b>b</b>c", "<a href=/x>there</a>", "&lt;x&gt; &amp; \U0001f600"]
)
INNER |= st.sampled_from(
    [
        "<img alt='map'>",
        "<code>x = 1</code>",
        "<sup>2</sup>",
        "<sub>i+1</sub>",
        "<del>gone</del>",
        "<q>so</q>",
        "שלום",
        "\u200b\u00ad",
        "&nbsp;",
        "<span> x </span>",
    ]
)
NAMES = [
    "p",
    "div",
    "h2",
    "li",
    "ul",
    "ol",
    "blockquote",
    "pre",
    "dl",
    "dt",
    "dd",
    "section",
    "nav",
    "b",
    "a href='/y'",
]
TABLES = ["table", "tr", "td", "th colspan=2", "th", "td rowspan=2", "caption", "thead", "sup", "s"]


def element(name, parts):
    return f"<{name}>{''.join(parts)}</{name.split()[0]}>"


PARTS = st.recursive(
    INNER, lambda inner: st.builds(element, st.sampled_from(NAMES + TABLES), st.lists(inner, max_size=5)), max_leaves=30
)


def spaced(text):
    """A text with a blank for each stretch of white space, and none before a punctuation mark."""
    return re.sub(r"\s+(?=[,.;:!?)])", "", re.sub(r"\s+", " ", text)).strip()


def shown_blocks(html):
    """The blocks of a text document that show something, with a blank for each stretch of white space."""
    document = QTextDocument()
    document.setHtml(html)
    block = document.begin()
    texts = []
    while block.isValid():
        fragments = block.begin()
        parts = []
        while not fragments.atEnd():
            fragment = fragments.fragment()
            parts.append("" if fragment.charFormat().fontStrikeOut() else fragment.text())
            fragments += 1
        texts.append(spaced("".join(parts)))
        block = block.next()
    return [text for text in texts if text]


def told_blocks(text, unshown):
    """The lines of a text, and the cells of its rows, without what only the text has."""
    shown = blanked(text, unshown)
    ends = [offset for span in unshown for offset in span]
    pieces = (shown[start:end] for start, end in pairwise([0, *ends, len(shown)]))
    lines = (spaced(line) for piece in pieces for line in piece.split("\n"))
    return [line for line in lines if line]


@pytest.mark.parametrize("name", ALL)
def test_the_blocks_of_a_page_are_the_lines_of_its_text(reader, qapp, name):
    page = read(reader, stored(name))

    assert shown_blocks(page.html) == told_blocks(page.text, page.unshown)
    assert shown_blocks(page.whole_html) == told_blocks(page.whole_text, page.whole_unshown)
    assert set(told_blocks(page.text, page.unshown)) <= set(told_blocks(page.whole_text, page.whole_unshown))


@pytest.mark.parametrize(
    "body",
    [
        "<ul><li>one<li>two<ol><li>in<li>in too</ol>after<li><p>a<p>b</ul>",
        "<table><caption>Title<tr><th>A<th>B<tr><td><p>1<p>2<td><ul><li>3<li>4</ul></table>next",
        "<pre>\n\n  one\n\n\ttwo &lt;b&gt;\n</pre><pre></pre><p>next",
        "<pre>one<sup>two\nthree</sup> x<sup>2\n</sup>four<sub>5</sub></pre>",
        "<blockquote>one<blockquote><p>two<pre>three\nfour</pre></blockquote></blockquote>",
        "<dl><dt>term<dd>what<p>it is</dl>",
        "<h1>a<br>b</h1><p>c<br><br>d<br></p>",
        "<a href=/x><h2>linked</h2><p>too</a>",
        "one<p></p><p> </p><p>&nbsp;</p><p>\u200b</p>two",
        "<table>" + "<tr><td>a<td>b<br>c<td>d" * 200 + "</table>",
        "<p>" + "A sentence of some words. " * 2_000,
        "<p>" + "字" * 20_000,
        "<li>alone",
        "<p>a\u2028b\u2029c\u0085d\x0be\x1cf",
    ],
)
def test_so_it_is_with_all_kinds_of_blocks(reader, qapp, body):
    page = read(reader, body)

    assert shown_blocks(page.whole_html) == told_blocks(page.whole_text, page.whole_unshown) != []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS, max_size=8))
def test_so_it_is_with_whatever_stands_in_whatever(reader, qapp, parts):
    page = read(reader, "".join(parts))

    assert shown_blocks(page.whole_html) == told_blocks(page.whole_text, page.whole_unshown)
    assert shown_blocks(page.html) == told_blocks(page.text, page.unshown)


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "text/csv"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.sampled_from("ab <&>\n\t\"'{}[],1\u00a0\u2028\u200bé字\U0001f600"), min_size=1))
def test_so_it_is_with_plain_text(reader, qapp, content_type, text):
    page = read(reader, text, content_type)

    assert shown_blocks(page.html) == told_blocks(page.text, page.unshown)
