"""Pages that want something of the machine: they end in a message or in plain words, and reach nothing."""

import html
import re

import pytest

from tests.pages.reading_pages import read

DOCTYPE = '<?xml version="1.0"?><!DOCTYPE html [{}]><html xmlns="http://www.w3.org/1999/xhtml"><p>A &x; B</p></html>'
BOMB = "".join(f'<!ENTITY {"x" if n == 9 else f"x{n}"} "{f"&x{n - 1};" * 10}">' for n in range(1, 10))
MANY = " ".join(f"a{number}" for number in range(200_000))


@pytest.mark.parametrize(
    ("body", "state", "word"),
    [
        ("<div>" * 50_000, "broken", "deep"),
        ("<b>" * 50_000 + "x", "broken", "deep"),
        ("<div>" * 1_000_000, "too_large", "2 MB"),
        ("<table><tr><td>" * 50_000, "broken", "deep"),
        ("<p>" * 70_000, "too_large", "elements"),
        ("<svg><g>" * 9_000, "broken", "deep"),
        (f"<p title='{'x' * 1_000_000}'>Hello", "broken", "characters"),
        (f"<p title='{'>' * 1_900_000}'>Hello", "broken", "characters"),
        ("<p title='" + "x" * 1_900_000, "broken", "characters"),
        (f"<p {MANY}>Hello", "broken", "attributes"),
        (f"<p {MANY[:9_000]}>" * 100, "broken", "attributes"),
        (f"<p {MANY * 10}>", "too_large", "2 MB"),
        ("<a " * 600_000, "broken", "attributes"),
    ],
)
def test_what_no_page_for_people_needs_ends_in_a_message(reader, body, state, word):
    page = read(reader, body)

    assert (page.state, page.text) == (state, "")
    assert word in page.why


@pytest.mark.parametrize(
    "body",
    [
        "<p>" * 19_000 + "Hello",
        "<a href=/x>y" * 5_000,
        "<!--" * 400_000,
        "<script>" * 10_000,
        "<![CDATA[" * 200_000,
        "<" * 1_900_000,
        "&" * 1_900_000,
        "&amp;&bogus;&#x;&#99999999999;" * 20_000,
        "<style>" + "x{" * 200_000,
        "<select><option>" * 100,
        "<b><i>" * 120 + "Hello",
        "<font><p>Hello" * 120,
        "<br>" * 19_000,
        "<title>" + "x" * 1_900_000,
        "<form><input type=password>" * 200,
        "<base href='http://[::1'><a href='http://[x'>Hello",
        '<script type="application/ld+json">' + "[" * 150_000,
        '<script type="application/ld+json">{"@type": {"@type": [1, null]}, "author": [[]], "publisher": {"name": 3}}',
    ],
)
def test_odd_pages_are_read_as_far_as_they_go(reader, body):
    assert read(reader, body).state in ("ok", "login")


def test_a_large_picture_inside_a_page_does_no_harm(reader):
    page = read(reader, f"<p>Hello<img src='data:image/png;base64,{'A' * 300_000}' alt='A map'>")

    assert page.text == "Hello [A map]"


@pytest.mark.parametrize("entity", [BOMB, '<!ENTITY x SYSTEM "file:///etc/passwd">', '<!ENTITY x "secret">'])
@pytest.mark.parametrize("content_type", ["application/xhtml+xml", "text/html", "application/xml"])
def test_entities_of_a_page_are_words_and_nothing_more(reader, entity, content_type):
    page = read(reader, DOCTYPE.format(entity), content_type)

    assert page.state == "ok"
    assert "A &x; B" in page.text
    assert len(page.text) < 2_000
    assert "root:" not in page.text


@pytest.mark.parametrize(
    "href",
    [
        *("javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "\x01javascript:x", "vbscript:x"),
        *("data:text/html,x", "file:///etc/passwd", "FILE:/etc/passwd", "blob:https://x", "about:blank", "qrc:/x"),
        *(
            "http://user:pw@host.example/",
            "https://host.example:99999/",
            "http://[::1",
            "http:///x",
            "http://ex ample/",
        ),
        *("mailto:a@b.example", "tel:1", "ftp://host.example/", "view-source:http://x.example/", "#place", "", " "),
        *("intent://x#Intent;end", "ms-word:x", "https://host.example/" + "x" * 3_000),
    ],
)
def test_a_link_that_leads_to_no_page_of_the_web_is_plain_words(reader, href):
    page = read(reader, f'<p>Hello <a href="{html.escape(href)}">there</a>')

    assert page.links == ()
    assert page.whole_html == "<p>Hello there</p>"


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/x", "https://site.example/x"),
        ("x?y=1&z=2", "https://site.example/dir/x?y=1&z=2"),
        ("?q=1", "https://site.example/dir/page?q=1"),
        ("//other.example/x", "https://other.example/x"),
        ("\\\\other.example\\x", "https://other.example/x"),
        ("https:/\\other.example", "https://other.example"),
        (" ht\ntps://other.example/a b ", "https://other.example/a%20b"),
        ("http://other.example/#part", "http://other.example/#part"),
    ],
)
def test_a_link_is_told_in_full_as_a_browser_would_follow_it(reader, href, url):
    page = read(reader, f'<p>Hello <a href="{html.escape(href)}">there</a>')

    assert [link.url for link in page.links] == [url]
    assert f'<a href="{html.escape(url)}">there</a>' in page.whole_html


@pytest.mark.parametrize("base", ["javascript:alert(1)//", "file:///etc/", "data:text/html,", "http://a:b@c.example/"])
def test_no_base_and_no_refresh_leads_out_of_the_web(reader, base):
    body = f"<base href='{base}'><meta http-equiv=refresh content='0;url={base}x'><p>Hello <a href=x>there</a>"
    page = read(reader, body)

    assert [link.url for link in page.links] == ["https://site.example/dir/x"]


def test_nothing_of_the_markup_that_loads_or_runs_is_left(reader):
    body = """<body onload=x><p onclick=x style='background: url(file:///x)' class=a id=b>Hello
    <img src=x onerror=x alt='<b>'><iframe src=x>x</iframe><object data=x></object><link rel=stylesheet href=x>
    <svg><script>x</script></svg><math><mi xlink:href='javascript:x'>y</mi></math><video src=x poster=x></video>
    <a href=/x onclick=x target=_blank ping=/p style=x>there</a>
    <form action=/x><input value=x><button formaction=/x>Go</button></form>
    <table background=x><tr><td background=x>1<td>2<tr><td>3<td>4</table>
    <noscript><p>&lt;/noscript><img src=x onerror=x></noscript><embed src=x>"""
    page = read(reader, body)

    tags = set(re.findall(r"<[^>]*>", page.whole_html))
    allowed = {"<p>", "</p>", "</a>", "<table>", "</table>", "<tbody>", "</tbody>", "<tr>", "</tr>", "<td>", "</td>"}
    assert tags - allowed == {'<a href="https://site.example/x">'}
    assert "[&lt;b&gt;]" in page.whole_html


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr>" + "<td>x" * 4_000 + "</tr>" + "<tr><td>y" * 4_000 + "</table>",
        "<table>" + "<tr><td colspan=1000000000>x<td rowspan=99999999>y" * 100 + "</table>",
        "<table>" + ("<tr>" + "<td>x" * 20) * 500 + "</table>",
    ],
)
def test_no_table_makes_a_text_browser_draw_a_huge_grid(reader, table):
    page = read(reader, table)

    assert page.state == "ok"
    rows = page.whole_html.count("<tr>")
    spans = [int(span) for span in re.findall('colspan="([0-9]+)"', page.whole_html)]
    assert rows * max([1, *spans]) <= 20_000
    assert page.whole_html.count("<td") <= 400
    assert page.whole_text.count("x") >= 100
